"""The page itself: sections of HTML, with everything that it needs inside."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from isolex.alignment import Alignment
from isolex.evaluate import evaluate_lexicon
from isolex.lexicon import Lexicon
from isolex.report import look, svg
from isolex.report.svg import Line

WORDS = {
    "succeeded": (
        "Succeeded",
        "The two spaces were brought together. Rare words are translated less well than frequent "
        "ones: see the samples below.",
    ),
    "doubtful": (
        "Doubtful",
        "Something was found, but not everything fits together. Read the samples below before you "
        "trust it; another seed, some training pairs or more text may help.",
    ),
    "failed": (
        "Failed",
        "The mapping is most likely useless: its pairs do not support one another. Give some "
        "training pairs, or vectors of more, or more similar, text.",
    ),
}


def render(
    alignment: Alignment,
    lexicon: Lexicon,
    run: Mapping[str, Any],
    gold: Sequence[tuple[str, str]] | None = None,
) -> str:
    """The report on a run as one HTML page that needs nothing else.

    Args:
        alignment: The alignment, with its vectors.
        lexicon: Its dictionary, one translation a word.
        run: What run.json holds.
        gold: Pairs to score it by, where some were given.
    """
    style = (files("isolex.report") / "style.css").read_text(encoding="utf-8")
    title = f"{_name(run, 'src')} and {_name(run, 'trg')}"
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>isolex: {_text(title)}</title>",
        f"<style>{style}</style></head><body>",
        f"<h1>{_text(title)}</h1>",
        *_head(run),
        *_verdict(run),
        *_accuracy(alignment, gold),
        *_course(alignment),
        *_figure_one(alignment, lexicon),
        *_pictures(alignment, lexicon),
        *_samples(alignment, lexicon),
        *_hubs(alignment, lexicon),
        *_timings(run),
        *_settings(run),
        "</body></html>\n",
    ]
    return "\n".join(parts)


def _name(run: Mapping[str, Any], side: str) -> str:
    return str(run["inputs"][side]["path"]).replace("\\", "/").rpartition("/")[2]


def _text(text: str) -> str:
    """Text as HTML; bytes that were not UTF-8 are shown as such."""
    return escape(text.encode("utf-8", "backslashreplace").decode("utf-8"))


def _head(run: Mapping[str, Any]) -> Iterator[str]:
    sizes = [run["inputs"][side] for side in ("src", "trg")]
    vectors = " and ".join(f"{size['words']:,} words \u00d7 {size['dims']}" for size in sizes)
    found = run["lexicon"]
    yield (
        f'<p class="soft">{vectors}, mapped by <code>{_text(run["settings"]["system"])}</code>. '
        f"{found['entries']:,} dictionary entries, {found['mutual']:,} of them mutual best.</p>"
    )


def _verdict(run: Mapping[str, Any]) -> Iterator[str]:
    outcome = run.get("verdict")
    if outcome not in WORDS:
        return
    name, meaning = WORDS[outcome]
    yield f'<div class="verdict {outcome}"><strong>{name}</strong><p>{meaning}</p>'
    yield f'<p class="soft">Why: {_text(run["reason"])}.</p></div>'
    tried = run["attempts"]
    if tried:
        taken = sum(attempt["taken"] for attempt in tried)
        short = "" if tried[-1]["finished"] else " The search was cut short by its budget."
        yield (
            f"<p>The first start found nothing clear: {len(tried)} others were tried, "
            f"{taken} of them taken.{short}</p>"
        )


def _accuracy(alignment: Alignment, gold: Sequence[tuple[str, str]] | None) -> Iterator[str]:
    if gold is None:
        return
    mapped = alignment.source.mapped, alignment.target.mapped
    found = evaluate_lexicon(*mapped, gold, alignment.retrieval, space=alignment.space)
    yield "<h2>Accuracy</h2>"
    rows = [(f"precision@{cut}", f"{value:.2f} %") for cut, value in found.precision.items()]
    asked = found.entries + len(found.oov)
    rows.append(("words asked", f"{found.entries:,} of {asked:,}, the others are not in both"))
    yield _table(("on the validation pairs", ""), rows, numbers=1)


def _course(alignment: Alignment) -> Iterator[str]:
    history = alignment.history
    if len(history) < 2:
        return
    yield "<h2>Self-learning</h2>"
    yield (
        '<p class="soft">The objective is the mean highest similarity of all words that take part, '
        "both ways. It compares only where as many words take part in as many dimensions.</p>"
    )
    figures = (
        ("objective", [record.objective for record in history], 220, False),
        ("keep_prob", [record.keep_prob for record in history], 120, True),
        ("words", [float(record.cutoff) for record in history], 120, True),
    )
    for name, values, height, zero in figures:
        points = [(float(r.iteration), value) for r, value in zip(history, values, strict=True)]
        drawn = svg.stairs(points) if zero else points
        yield svg.chart([Line(name, drawn)], "iteration", name, height, zero=zero)
    validated = [(float(r.iteration), r.validation) for r in history if r.validation is not None]
    if len(validated) > 1:
        line = Line("validation", validated, "b")
        yield svg.chart([line], "iteration", "validation, %", 160, zero=True)


def _figure_one(alignment: Alignment, lexicon: Lexicon) -> Iterator[str]:
    found = look.distributions(alignment, lexicon)
    if not found:
        return
    yield "<h2>Why it can work</h2>"
    yield (
        '<p class="soft">How alike a word is to all other words of its language. A word and its '
        "translation have distributions of the same shape, an unrelated word has another: that is "
        "what the first lexicon is made from (Figure 1 of the paper).</p>"
    )
    for one in found:
        labels = (one.words[0], f"{one.words[1]} (its translation)", f"{one.words[2]} (unrelated)")
        lines = [
            Line(
                _plain(label),
                list(zip(one.centres.tolist(), row.tolist(), strict=True)),
                colour,
                True,
            )
            for label, row, colour in zip(labels, one.densities, "abc", strict=True)
        ]
        yield svg.chart(lines, "cosine", "density", 190, zero=True)


def _pictures(alignment: Alignment, lexicon: Lexicon) -> Iterator[str]:
    chosen = look.mutual_pairs(lexicon, 30, 60)
    drawn = look.picture(alignment, chosen)
    if drawn is None:
        return
    src, trg = (side.vocabulary.words for side in (alignment.source, alignment.target))
    named = chosen[:: max(1, len(chosen) // 10)]
    order = [*named, *(pair for pair in chosen if pair not in named)]
    labels = [(_plain(src[s]), _plain(trg[t])) for s, t in named]
    place = {pair: number for number, pair in enumerate(chosen)}
    yield "<h2>Before and after</h2>"
    yield (
        f'<p class="soft">{len(chosen)} pairs of the dictionary in two dimensions. Before: each '
        "language by its own leading components. After: the shared space.</p>"
    )
    for title, couples in zip(("Before", "After"), drawn, strict=True):
        drawing = svg.pairs([couples[place[pair]] for pair in order], labels, title)
        yield f"<figure><figcaption>{title}</figcaption>{drawing}</figure>"


def _samples(alignment: Alignment, lexicon: Lexicon) -> Iterator[str]:
    yield "<h2>Samples</h2>"
    yield (
        '<p class="soft">From the most frequent to the rarest word, with its three best '
        "translations; ✓ where the first is mutual: each is the other's best.</p>"
    )
    rows = [
        (
            f"{sample.rank:,}",
            sample.word,
            ", ".join(t.word for t in sample.translations),
            f"{sample.translations[0].score:.3f}" + (" ✓" if sample.mutual else ""),
        )
        for sample in look.samples(alignment, lexicon)
    ]
    yield _table(("rank", "word", "translations", "score"), rows, numbers=1)


def _hubs(alignment: Alignment, lexicon: Lexicon) -> Iterator[str]:
    yield "<h2>Hubs</h2>"
    yield (
        '<p class="soft">Target words that are the best translation of many source words. A few '
        "dozen are normal for names, numbers and rare words; thousands are a bad sign.</p>"
    )
    rows = [(word, f"{times:,}") for word, times in look.hubs(alignment, lexicon)]
    yield _table(("word", "translation of"), rows, numbers=1)


def _timings(run: Mapping[str, Any]) -> Iterator[str]:
    yield "<h2>Time</h2>"
    rows = [(step, f"{seconds:.1f} s") for step, seconds in run["timings"].items()]
    rows.append(("together", f"{sum(run['timings'].values()):.1f} s"))
    yield _table(("step", ""), rows, numbers=1)


def _settings(run: Mapping[str, Any]) -> Iterator[str]:
    settings, inputs = run["settings"], run["inputs"]
    yield "<h2>To repeat it</h2>"
    files = [shlex.quote(_name(run, side)) for side in ("src", "trg")]
    words = ["isolex map", *files, "--out DIR", f"--system {settings['system']}"]
    words += [f"--{name} {value}" for name, value in run["options"].items()]
    words += [f"--seed {settings['seed']}"]
    words += [
        f"--{name} {shlex.quote(_name(run, name))}"
        for name in ("lexicon", "validation")
        if name in inputs
    ]
    yield f"<pre>{_text(' '.join(words))}</pre>"
    rows = [
        (name, given["path"], given.get("vectors_sha256", given.get("sha256", "")))
        for name, given in inputs.items()
    ]
    yield _table(("input", "file", "sha256"), rows)
    versions = {"isolex": run["isolex"], **run["versions"]}
    for name, value in (("All settings", settings), ("Versions", versions)):
        listed = _text(json.dumps(value, indent=1))
        yield f"<details><summary>{name}</summary><pre>{listed}</pre></details>"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]], numbers: int = 0) -> str:
    """A table; its last ``numbers`` columns hold numbers."""

    def line(tag: str, cells: Sequence[str]) -> str:
        first = len(cells) - numbers
        marks = ["" if place < first else ' class="n"' for place in range(len(cells))]
        return "".join(
            f"<{tag}{mark}>{_text(cell)}</{tag}>" for mark, cell in zip(marks, cells, strict=True)
        )

    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{line("th", header)}</tr>{body}</table></div>'


def _plain(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
