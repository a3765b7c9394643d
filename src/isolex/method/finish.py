"""Finish: the verdicts on pairs of several languages, and what a space knows about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from isolex.core.choices import Outcome
from isolex.core.linear_map import LinearMap
from isolex.core.pair import Pair
from isolex.core.verdict import Verdict
from isolex.method import joining
from isolex.method.joining import Key
from isolex.method.pair_tasks import Finish, Finished, RoundLexicon
from isolex.method.state import State

LEAST = 0.05
"""Accidental solutions reach at most this score; connections do not make them good."""


def finish_pairs(state: State, induced: Mapping[Key, RoundLexicon]) -> dict[Key, Finished]:
    """The verdict on each pair, and the moments of its last lexicon."""
    lexicons = {key: one.lexicon for key, one in induced.items()}
    if state.tools.system.schedule is None:
        lexicons |= {key: run.found.solution.lexicon for key, run in state.runs.items()}
    tasks = {
        key: Finish(state.tools, lexicons[key], state.lexicons.get(key), state.flattening(key))
        for key in state.every
    }
    return dict(sorted(state.engine(tasks), key=lambda done: done[0]))


def final_tree(state: State, finished: Mapping[Key, Finished]) -> list[Key]:
    """The most reliable pairs that connect the languages, among those that moved together."""
    groups = state.groups
    verdicts = {key: one.verdict for key, one in finished.items() if groups.together(key)}
    runs = {key: run.verdict for key, run in state.runs.items()}
    return joining.tree(verdicts, len(state.languages), runs, state.links)


def pair_facts(
    state: State,
    finished: Mapping[Key, Finished],
    induced: Mapping[Key, RoundLexicon],
    tree: Sequence[Key],
    maps: Mapping[Key, tuple[LinearMap, LinearMap]],
) -> dict[tuple[str, str], Pair]:
    """What a space knows about each pair.

    Args:
        state: The alignment.
        finished: The verdicts.
        induced: The last lexicons.
        tree: The pairs that connect the languages.
        maps: The maps of the pairs that have their own.
    """
    pairs = {}
    for key, done in finished.items():
        alone = state.runs.get(key)
        between = joining.path(tree, *key)
        pairs[state.names(key)] = Pair(
            _connected_verdict(done.verdict, between),
            alone.verdict.outcome if alone else None,
            tuple(state.languages[place].name for place in between or ()),
            maps.get(key),
            induced[key].mutual,
            spelling=done.spelling,
            counted=alone is not None and alone.found.counted,
        )
    return pairs


def _connected_verdict(own: Verdict, between: tuple[int, ...] | None) -> Verdict:
    """The verdict on two languages, given the languages that connect them (``None``: nothing does).

    If the evidence of the pair itself is weak but above chance, the verdict is doubtful as long as
    others connect the two. Without a connection, it is failed.
    """
    if between is None:
        return Verdict(Outcome.FAILED, own.evidence)
    if own.outcome == Outcome.FAILED and own.evidence.score > LEAST:
        return Verdict(Outcome.DOUBTFUL, own.evidence)
    return own
