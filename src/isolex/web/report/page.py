"""The report: values for the template ``report.html``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from isolex.core.lexicon import Lexicon
from isolex.core.space import Space
from isolex.evaluate import evaluate_lexicon
from isolex.run.inputs import PairFiles
from isolex.web import templating
from isolex.web.report import connections, facts, figures, look, verdicts
from isolex.web.report.side_by_side import side_by_side
from isolex.web.wording import MARKS

Lexicons = Mapping[tuple[str, str], Lexicon]


def render(space: Space, lexicons: Lexicons, run: facts.Run, pairs: PairFiles) -> str:
    """The report on a run: one HTML page that needs no other file.

    Args:
        space: The shared space. Its original vectors are not needed.
        lexicons: The lexicons of the first language with each other one.
        run: The contents of run.json.
        pairs: The files of training and validation pairs.
    """
    about = _two(space, lexicons, run, pairs) if len(space) == 2 else _several(space, lexicons, run)
    page = templating.render(
        "report.html",
        languages=space.names,
        system=run["settings"]["system"],
        steps=facts.steps(run),
        command=facts.command(run),
        inputs=facts.inputs(run),
        versions=facts.versions(run),
        temperature=run["temperature"],
        settings=facts.settings(run),
        **about,
    )
    # Bytes that were not UTF-8 in a file are shown as escapes, so that the page is valid.
    return page.encode("utf-8", "backslashreplace").decode("utf-8")


def _two(space: Space, lexicons: Lexicons, run: facts.Run, pairs: PairFiles) -> dict[str, Any]:
    """The values for ``report_two.html``."""
    [lexicon] = lexicons.values()
    gold = [pair for given in pairs.get("validation", ()) for pair in given.pairs]
    return {
        "vocabularies": facts.vocabularies(run),
        "lexicon": run["lexicon"],
        "verdict": facts.verdict(run),
        "restarts": facts.restarts(run),
        "spelling": run["spelling"],
        "accuracy": evaluate_lexicon(space, gold) if gold else None,
        "learning_curves": figures.learning_curves(space),
        "similarity_figures": figures.similarity_figures(space, lexicon),
        "pair_figures": figures.pair_figures(space, lexicon),
        "samples": look.samples(space, lexicon),
        "hubs": look.hubs(space, lexicon),
    }


def _several(space: Space, lexicons: Lexicons, run: facts.Run) -> dict[str, Any]:
    """The values for ``report_several.html``."""
    return {
        "marks": MARKS,
        "sizes": [len(one) for one in space],
        "dims": space.languages[0].vectors.shape[1],
        "restarts": run["settings"]["restarts"] is not None,
        "attempts": run["attempts"],
        "verdict": verdicts.run_verdict(space),
        "language_verdicts": verdicts.language_verdicts(space),
        "matrix": connections.matrix(space),
        "pairs": space.pairs,
        "trees": connections.trees(space),
        "apart": verdicts.unconnected(space),
        "pair_runs": list(connections.pair_runs(space)),
        "rounds": connections.rounds(space),
        "side_by_side": side_by_side(space, lexicons),
        "lexicons": [
            (names, space.about(*names), lexicon, look.hubs(space, lexicon, 3, names[1]))
            for names, lexicon in lexicons.items()
        ],
    }
