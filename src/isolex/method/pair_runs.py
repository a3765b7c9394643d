"""Pair runs: pairs of languages on their own, until runs that succeed connect all languages."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable

from isolex.core.choices import Outcome
from isolex.method import joining
from isolex.method.joining import Groups, Key
from isolex.method.pair_tasks import RestartAlone, RunAlone
from isolex.method.state import State

RESTARTED = 2
"""Restarts try so many pairs of a language that nothing connects."""


def join(state: State) -> None:
    """Run pairs until all languages are connected, or nothing else helps.

    First come the pairs with training pairs and the pairs of the first language, because it is the
    one that most look-ups use. Then, in waves, pairs of different groups, the most promising first.
    """
    given = set(state.lexicons)
    if state.tools.system.takes_lexicon:
        _run(state, given)
        return
    _run(state, given | {key for key in state.every if 0 in key})
    promise: dict[Key, float] = {}
    while not (groups := _groups(state)).is_one:
        promise = promise or joining.likeness([one.vectors for one in state.languages])
        wave = groups.wave(set(state.every) - set(state.runs), promise)
        if not wave:
            break
        _run(state, wave)
    _restart(state)


def _groups(state: State) -> Groups:
    """The languages that are connected, with the runs that succeeded."""
    right = [key for key, run in state.runs.items() if run.verdict.outcome == Outcome.SUCCEEDED]
    return Groups(len(state.languages), [*state.links, *right])


def _run(state: State, keys: Iterable[Key]) -> None:
    keys = sorted(keys)
    tasks = {
        key: RunAlone(state.tools, state.lexicons.get(key))
        for key in keys
        if key not in state.saved.runs
    }
    for key, run in state.engine(tasks):
        state.save(runs={**state.saved.runs, key: run})
    state.runs |= {key: state.saved.runs[key] for key in keys}


def _restart(state: State) -> None:
    """Try other starting points for languages that nothing connects, the best pairs first."""
    plan = state.tools.system.restarts
    tries, tried = Counter[int](), set(state.lexicons)
    end = time.perf_counter() + 60 * (plan.minutes if plan else 0)
    while (minutes := (end - time.perf_counter()) / 60) > 0:
        groups = _groups(state)
        scores = {
            key: run.verdict.evidence.score
            for key, run in state.runs.items()
            if key not in tried and tries[groups.outsider(key)] < RESTARTED
        }
        wave = groups.wave(scores, scores)
        if not wave:
            return
        tries.update(groups.outsider(key) for key in wave)
        tried.update(wave)
        tasks = {
            key: RestartAlone(state.tools, state.runs[key], minutes)
            for key in wave
            if key not in state.saved.restarted
        }
        for key, run in state.engine(tasks):
            state.save(restarted={**state.saved.restarted, key: run})
        for key in wave:
            both = state.runs[key], state.saved.restarted[key]
            state.runs[key] = min(both, key=lambda run: run.verdict.badness)
