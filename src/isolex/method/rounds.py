"""Rounds: all languages move towards one another at once (generalised Procrustes).

In a round, a lexicon is induced for every pair of languages in the current shared space, and then
each language in turn is rotated towards all others, as Procrustes does for two. A language that is
hard to align with any single one gets evidence from all of them.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np

from isolex.core.checkpoint import Round
from isolex.core.choices import Outcome
from isolex.core.embeddings import Vectors
from isolex.core.history import IterationRecord
from isolex.kernels import linalg
from isolex.kernels.parallel import single_threaded_blas
from isolex.kernels.types import Doubles
from isolex.method.joining import Groups, Key
from isolex.method.pair_tasks import Finish, Induce, RoundLexicon
from isolex.method.state import State

FIRST_WORDS, LAST_WORDS = 4000, 10_000
"""Numbers of words in the first rounds, and in the last ones if there is no self-learning."""

GAIN = 0.01
"""Rounds at one cutoff end when the mean objective of all pairs rises by less than this."""

LIMIT = 10
"""Maximum number of rounds per cutoff."""

SWEEPS = 10
"""Number of times each language is rotated in a round; after that, nothing moves any more."""

PARTNERS = 10
"""With more partners per language than this, a round uses a random part of the pairs."""


def move_together(state: State) -> dict[Key, RoundLexicon]:
    """Move all connected languages, with more and more words.

    Returns:
        The last lexicon of each pair.
    """
    if state.saved.round is None:
        state.save(round=Round(_first_rotations(state)))
    induced: dict[Key, RoundLexicon] = {}
    while here(state).width < len(widths(state)):
        place = here(state).width
        with state.timer("move"):
            induced = _rounds(state, widths(state)[place])
        cut = _failed_edges(state, induced) if place == 0 else ()
        if cut:  # start over, as if these runs had failed
            state.save(round=replace(here(state), cut=(*here(state).cut, *cut)))
            state.save(round=Round(_first_rotations(state), cut=here(state).cut))
        else:
            done = replace(here(state), width=place + 1, number=0, objective=0.0)
            state.save(round=done)
    with state.timer("move"):
        missing = [key for key in state.every if key not in induced]
        return induced | induce(state, missing, (widths(state) or [LAST_WORDS])[-1])


def here(state: State) -> Round:
    """How far the rounds have come."""
    if state.saved.round is None:
        raise RuntimeError("the rounds have not begun")
    return state.saved.round


def widths(state: State) -> list[int]:
    """The numbers of words of the rounds, rising; none without self-learning."""
    schedule = state.tools.system.schedule
    if schedule is None:
        return []
    widest = max(stage.cutoff for stage in schedule.stages)
    return sorted({min(FIRST_WORDS, widest), widest})


def connected(state: State) -> list[Key]:
    """The pairs of languages that move together."""
    groups = state.groups
    return [key for key in state.every if groups.together(key)]


def _rounds(state: State, width: int) -> dict[Key, RoundLexicon]:
    """Rounds at one cutoff, until the objective rises by less than `GAIN`; the last lexicons."""
    history = here(state).history
    began = time.perf_counter() - (history[-1].seconds if history else 0.0)
    while True:
        now = here(state)
        pairs = sample(connected(state), state.edges, state.tools.seed + now.number)
        induced = induce(state, pairs, width)
        objective = fmean(one.objective for one in induced.values()) if induced else 0.0
        settled = now.number and objective - now.objective < GAIN
        if not induced or settled or now.number == LIMIT:
            return induced
        crosses = {key: one.cross for key, one in induced.items()}
        moved = move(now.rotations, crosses, state.fixed)
        number, seconds = len(now.history) + 1, time.perf_counter() - began
        record = IterationRecord(number, 1.0, width, objective, seconds, None)
        history = (*now.history, record)
        state.save(round=Round(moved, now.width, now.number + 1, objective, now.cut, history))


def induce(state: State, keys: Sequence[Key], width: int) -> dict[Key, RoundLexicon]:
    """Induce a lexicon in the shared space for each of these pairs."""
    rotations, lexicons = here(state).rotations, state.lexicons
    tasks = {
        (one, other): Induce(
            state.tools,
            width,
            (rotations[one], rotations[other]),
            lexicons.get((one, other)),
            state.flattening((one, other)),
        )
        for one, other in keys
    }
    return dict(sorted(state.engine(tasks), key=lambda done: done[0]))


def _failed_edges(state: State, induced: Mapping[Key, RoundLexicon]) -> tuple[Key, ...]:
    """Doubtful runs that turned out to be wrong.

    Such a run connects two groups of languages. Now that all languages have moved, it is wrong if
    more than half of the pairs between the groups have failed.
    """
    across = {key: _across(state, key, induced) for key in state.edges if _is_doubtful(state, key)}
    judged = {key for keys in across.values() for key in keys}
    tasks = {
        key: Finish(state.tools, induced[key].lexicon, flattenings=state.flattening(key))
        for key in sorted(judged)
    }
    verdicts = {key: one.verdict for key, one in state.engine(tasks)}
    failed = {key for key, verdict in verdicts.items() if verdict.outcome == Outcome.FAILED}
    return tuple(key for key, keys in across.items() if len(failed & set(keys)) > len(keys) / 2)


def _is_doubtful(state: State, key: Key) -> bool:
    return key in state.runs and state.runs[key].verdict.outcome == Outcome.DOUBTFUL


def _across(state: State, edge: Key, induced: Mapping[Key, RoundLexicon]) -> list[Key]:
    """The pairs between the two groups of languages that an edge of the tree connects."""
    apart = Groups(len(state.languages), [key for key in state.edges if key != edge])
    return [key for key in connected(state) if key in induced and not apart.together(key)]


def _first_rotations(state: State) -> dict[int, Vectors]:
    """Rotations from run to run along the tree; without self-learning, all then move together."""
    crosses = {}
    for key, run in state.runs.items():
        lexicon = run.found.solution.lexicon
        one, other = map(state.flattened, key)
        crosses[key] = linalg.cross_moment(one[lexicon.sources], other[lexicon.targets])
    first = along_tree(state.edges, crosses, [one.dims for one in state.languages], state.fixed)
    if widths(state):
        return first
    together = {key: crosses[key] for key in connected(state) if key in crosses}
    return move(first, together, state.fixed)


def along_tree(
    edges: Sequence[Key],
    crosses: Mapping[Key, Doubles],
    dims: Sequence[int],
    fixed: Mapping[int, Vectors] | None = None,
) -> dict[int, Vectors]:
    """Rotations into one space, from pair to pair along a tree.

    Args:
        edges: The pairs of the tree; a group of languages that it does not connect with the others
            is placed independently of them.
        crosses: Cross moments of the pairs.
        dims: The number of dimensions of each language.
        fixed: Rotations that are known already.

    Returns:
        A rotation ``(d, k)`` for each language, where ``k`` is as in ``fixed``, or the highest
        number of dimensions.
    """
    known = dict(fixed or {})
    width = next((one.shape[1] for one in known.values()), max(dims))
    for group in Groups(len(dims), edges):
        if not known.keys() & set(group):
            known[group[0]] = np.eye(dims[group[0]], width, dtype=np.float32)
        waiting = [key for key in edges if key[0] in group]
        while waiting:
            for one, other in waiting:
                if one in known and other not in known:
                    known[other] = linalg.procrustes(crosses[one, other].T @ known[one])
                elif other in known and one not in known:
                    known[one] = linalg.procrustes(crosses[one, other] @ known[other])
            waiting = [key for key in waiting if not set(key) <= set(known)]
    return dict(sorted(known.items()))


def move(
    rotations: Mapping[int, Vectors], crosses: Mapping[Key, Doubles], fixed: Collection[int] = ()
) -> dict[int, Vectors]:
    """Rotate each language towards all others, in turn, until nothing moves any more.

    Args:
        rotations: A rotation ``(d, k)`` for each language.
        crosses: Cross moments of the pairs that take part.
        fixed: Languages that stay where they are.
    """
    moved = {place: rotation.astype(np.float64) for place, rotation in rotations.items()}
    free = sorted({place for key in crosses for place in key} - set(fixed))
    for _ in range(SWEEPS):
        for place in free:
            total = np.zeros_like(moved[place])
            with single_threaded_blas():
                for (one, other), cross in crosses.items():
                    if one == place:
                        total += cross @ moved[other]
                    elif other == place:
                        total += cross.T @ moved[one]
            moved[place] = linalg.procrustes(total).astype(np.float64)
    return {place: rotation.astype(np.float32) for place, rotation in moved.items()}


def sample(pairs: Sequence[Key], edges: Sequence[Key], seed: int) -> list[Key]:
    """The pairs of one round: all of them, or for many languages the tree and a random part."""
    size = len({place for key in pairs for place in key})
    if size <= PARTNERS + 1:
        return list(pairs)
    chosen = np.random.default_rng(seed).permutation(len(pairs))[: size * PARTNERS // 2]
    return sorted({*edges, *(pairs[place] for place in chosen)} & set(pairs))
