"""Pages about several languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from isolex.core.choices import Outcome
from isolex.core.pair import Pair
from isolex.core.space import Space
from isolex.run.inputs import VectorInput
from isolex.run.results import Results
from isolex.web.report import render
from tests.web.explorer.several import space_of, verdict

SETTINGS = {"seed": 0, "restarts": {}}


def with_pair(space: Space, one: str, other: str, pair: Pair) -> Space:
    """The space with something else known about two languages."""
    return replace(space, pairs={**space.pairs, (one, other): pair})


def connected(names: Sequence[str], *groups: Sequence[str]) -> Space:
    """A space in which only the languages of each group are connected."""
    failed = Pair(verdict(Outcome.FAILED), Outcome.FAILED)
    space = space_of(names, {})
    for one, other in space.pairs:
        if not any({one, other} <= set(group) for group in groups):
            space = with_pair(space, one, other, failed)
    tree = [(group[0], other) for group in groups for other in group[1:]]
    return replace(space, tree=tuple(tree))


def page_of(space: Space) -> str:
    """The report on a run that made this space."""
    space = replace(space, settings={**space.settings, **SETTINGS})
    first, *others = space.names
    lexicons = {(first, other): space.lexicon(first, other) for other in others}
    vectors = [VectorInput(Path(f"/data/{one.name}.vec"), one.embeddings) for one in space]
    run = Results(space, lexicons, vectors, {}, {"read": 1.0}, {}).describe()
    return render(space, lexicons, run, {})
