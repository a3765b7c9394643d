"""Pair runs: pairs of languages on their own, until runs that succeed connect all languages."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from isolex.core.checkpoint import PairRun
from isolex.core.choices import Outcome
from isolex.method.joining import Groups, Key
from isolex.method.judge import CLEAR
from isolex.method.pair_tasks import RestartAlone, RunAlone
from isolex.method.state import State

SECOND = 2
"""Number of further waves where no run is clearly right, in case a better one is found."""

RESTARTED = 2
"""Number of pairs of an unconnected language that get restarts."""


def join(state: State) -> None:
    """Run pairs until all languages are connected, or nothing else helps.

    First come the pairs with training pairs and the pairs of the first language, because it is the
    one that most look-ups use. Then come, in waves, the most promising pairs between groups, and a
    few more where the runs that connect two groups are not clearly right.
    """
    given = set(state.lexicons)
    if state.tools.system.takes_lexicon:
        _run(state, given)
        return
    _run(state, given | {key for key in state.candidates if 0 in key})
    while wave := _wave(state):
        _run(state, wave)
    for _ in range(SECOND):
        _run(state, _wave(state, CLEAR))
    _restart(state)


def _wave(state: State, least: float = 0.0) -> list[Key]:
    """The most promising pairs that have not been run and would connect two groups."""
    groups = _groups(state, least)
    waiting = [
        key for key in state.candidates if key not in state.runs and not groups.together(key)
    ]
    return groups.wave(waiting, state.promise) if waiting else []


def _groups(state: State, least: float = 0.0) -> Groups:
    """The groups that result from runs that succeeded with at least this recovery."""
    right = [
        key
        for key, run in state.runs.items()
        if run.verdict.outcome == Outcome.SUCCEEDED and run.verdict.evidence.recovered >= least
    ]
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
    while wave := _next_restarts(state, tries, tried):
        minutes = (end - time.perf_counter()) / 60 / len(wave)
        if minutes <= 0:
            state.timer.observer.note("no more restarts: the time limit was reached")
            return
        groups = _groups(state)
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
            state.runs[key] = _better(state.runs[key], state.saved.restarted[key])


def _next_restarts(state: State, tries: Mapping[int, int], tried: Collection[Key]) -> list[Key]:
    groups = _groups(state)
    scores = {
        key: run.verdict.evidence.score
        for key, run in state.runs.items()
        if key not in tried and tries[groups.outsider(key)] < RESTARTED
    }
    return groups.wave(scores, scores)


def _better(first: PairRun, again: PairRun) -> PairRun:
    """The better run, with all attempts."""
    best = min(first, again, key=lambda run: run.verdict.badness)
    attempts, history = again.found.attempts, again.found.history
    return replace(best, found=replace(best.found, attempts=attempts, history=history))
