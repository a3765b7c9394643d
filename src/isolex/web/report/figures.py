"""The plots of the report, with their legends."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from isolex.core.lexicon import Lexicon
from isolex.core.space import Space
from isolex.web.plots.charts import Line, dash, key, line_chart, pair_plot, shape, step_points
from isolex.web.report import look


@dataclass(frozen=True)
class Figure:
    """A plot.

    Attributes:
        plot: The SVG.
        legend: Keys and what they stand for.
        caption: What it shows, if the legend does not say so.
    """

    plot: Markup
    legend: tuple[tuple[Markup, str], ...] = ()
    caption: str = ""


@dataclass(frozen=True)
class PairFigures:
    """Word pairs before and after mapping."""

    count: int
    legend: tuple[tuple[Markup, str], ...]
    figures: tuple[Figure, ...]


def learning_curves(space: Space) -> list[Figure]:
    """The course of self-learning; empty if the history has fewer than two iterations."""
    history = space.history
    if len(history) < 2:
        return []
    curves = (
        ("objective", [record.objective for record in history], 236, False),
        ("keep_prob", [record.keep_prob for record in history], 140, True),
        ("words", list(map(float, look.participating_words(space))), 140, True),
    )
    figures = []
    for name, values, height, steps in curves:
        points = [
            (float(record.iteration), value) for record, value in zip(history, values, strict=True)
        ]
        line = Line(name, step_points(points) if steps else points)
        figures.append(Figure(line_chart([line], "iteration", name, height, zero=steps)))
    validated = [(float(r.iteration), r.validation) for r in history if r.validation is not None]
    if len(validated) > 1:
        line = Line("validation", validated, "b")
        figures.append(Figure(line_chart([line], "iteration", "validation in %", 180, zero=True)))
    return figures


def similarity_figures(space: Space, lexicon: Lexicon) -> list[Figure]:
    """Figure 1 of the paper for a few words; empty if it cannot be computed."""
    figures = []
    for found in look.distributions(space, lexicon):
        word, translation, unrelated = found.words
        labels = word, f"{translation} (its translation)", f"{unrelated} (unrelated)"
        lines = [
            Line(
                label,
                list(zip(found.centres.tolist(), density.tolist(), strict=True)),
                colour,
                filled=colour == "a",
            )
            for label, density, colour in zip(labels, found.densities, "abc", strict=True)
        ]
        legend = tuple((key(dash(line.colour)), line.label) for line in lines)
        figures.append(Figure(line_chart(lines, "cosine", "density", 206, zero=True), legend))
    return figures


def pair_figures(space: Space, lexicon: Lexicon) -> PairFigures | None:
    """Word pairs before and after mapping; ``None`` if they cannot be computed."""
    pairs = look.mutual_pairs(lexicon, 30, 60)
    points = look.pair_points(space, pairs)
    if points is None:
        return None
    source, target = space.pair()
    labelled = range(0, len(pairs), max(1, len(pairs) // 10))
    order = [*labelled, *(row for row in range(len(pairs)) if row not in labelled)]
    labels = [(source.words[pairs[row][0]], target.words[pairs[row][1]]) for row in labelled]
    legend = tuple(
        (key(shape(colour, 18, 6)), language.name)
        for colour, language in zip("ab", (source, target), strict=True)
    )
    figures = tuple(
        Figure(pair_plot([joined[row] for row in order], labels, title), caption=title)
        for title, joined in zip(("Before", "After"), points, strict=True)
    )
    return PairFigures(len(pairs), legend, figures)
