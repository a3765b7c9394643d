"""The report: values for the template ``report.html``."""

from __future__ import annotations

from collections.abc import Mapping

from isolex.core.lexicon import Lexicon
from isolex.core.space import Space
from isolex.evaluate import evaluate_lexicon
from isolex.run.inputs import PairFiles
from isolex.web import templating
from isolex.web.report import facts, figures, look


def render(
    space: Space,
    lexicons: Mapping[tuple[str, str], Lexicon],
    run: facts.Run,
    pairs: PairFiles,
) -> str:
    """The report on a run: one HTML page that needs no other file.

    Args:
        space: The shared space. Its original vectors are not needed.
        lexicons: The lexicons of the first language with each other one.
        run: The contents of run.json.
        pairs: The files of training and validation pairs.
    """
    lexicon = next(iter(lexicons.values()))
    gold = [pair for given in pairs.get("validation", ()) for pair in given.pairs]
    gold = gold if len(space) == 2 else []
    page = templating.render(
        "report.html",
        languages=space.names,
        vocabularies=facts.vocabularies(run),
        system=run["settings"]["system"],
        lexicon=facts.first_lexicon(run),
        verdict=facts.verdict(run),
        restarts=facts.restarts(run),
        accuracy=evaluate_lexicon(space, gold) if gold else None,
        learning_curves=figures.learning_curves(space),
        similarity_figures=figures.similarity_figures(space, lexicon),
        pair_figures=figures.pair_figures(space, lexicon),
        samples=look.samples(space, lexicon),
        hubs=look.hubs(space, lexicon),
        steps=facts.steps(run),
        command=facts.command(run),
        inputs=facts.inputs(run),
        versions=facts.versions(run),
        temperature=run["temperature"],
        settings=facts.settings(run),
    )
    # Bytes that were not UTF-8 in a file are shown as escapes, so that the page is valid.
    return page.encode("utf-8", "backslashreplace").decode("utf-8")
