"""Many languages: pairs first, then all of them together.

1. *Join* (`pair_runs`). Pairs of languages are run on their own until runs that succeed connect all
   languages.
2. *Move* (`rounds`). Every pair gets a lexicon in the shared space, and all languages move at once.
3. *Finish*. Each pair gets its own re-weighting and its own verdict.

A language that nothing connects with the others takes no part in the rounds. It stays in the space,
and its pairs have failed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np

from isolex.core.checkpoint import SpaceCheckpoint
from isolex.core.choices import Outcome
from isolex.core.embeddings import Embeddings
from isolex.core.history import IterationRecord
from isolex.core.language import Language
from isolex.core.linear_map import LinearMap
from isolex.core.observer import Observer, WithoutCheckpoints
from isolex.core.pair import Pair
from isolex.core.space import Space
from isolex.core.verdict import Verdict
from isolex.kernels import linalg
from isolex.kernels.warm_up import warm_up
from isolex.method import joining, normalise, pair_runs, rounds
from isolex.method.engine import Engine
from isolex.method.joining import Key
from isolex.method.learner import StepTimer
from isolex.method.pair_tasks import Finish, Pairs, RoundLexicon, Tools
from isolex.method.shared_maps import shared_maps
from isolex.method.state import State


@dataclass(frozen=True)
class ManyJob:
    """What to align, and how.

    Attributes:
        languages: Words and vectors of each language, most frequent first.
        tools: System, seed and inducer.
        lexicons: Training pairs for some pairs of languages.
        engine: Makes what does the work on pairs, from the normalised languages and a timer.
    """

    languages: Sequence[Embeddings]
    tools: Tools
    lexicons: Mapping[Key, Pairs]
    engine: Callable[[Sequence[Embeddings], StepTimer], Engine]


def run(job: ManyJob, observer: Observer, resume: SpaceCheckpoint | None = None) -> Space:
    """Align three or more languages: join, move, finish.

    Args:
        job: What to align, and how.
        observer: Follows every step, pair, iteration and checkpoint.
        resume: Continue from this checkpoint of the same job.
    """
    timer = StepTimer(observer)
    with timer("compile"):
        warm_up()
    with timer("normalise"):
        steps = job.tools.system.normalise
        fitted = [normalise.fit(steps, one.vectors) for one in job.languages]
    languages = []
    for one, (_, vectors) in zip(job.languages, fitted, strict=True):
        vectors.flags.writeable = False  # so that `Embeddings` makes no copy
        languages.append(Embeddings(one.words, vectors, name=one.name))
    muted = StepTimer(WithoutCheckpoints(observer), timer.seconds)
    engine = job.engine(languages, muted)
    saved = resume or SpaceCheckpoint()
    state = State(languages, job.tools, job.lexicons, engine, timer, saved)
    pair_runs.join(state)
    induced = rounds.move_together(state)
    maps, pairs = _finish(state, induced)
    return Space(
        languages=tuple(
            Language.mapped(one, normaliser, linear, vectors)
            for one, (normaliser, vectors), linear in zip(job.languages, fitted, maps, strict=True)
        ),
        settings=job.tools.system.describe() | {"seed": job.tools.seed},
        objective=fmean(one.objective for one in induced.values()),
        pairs=pairs,
        tree=tuple(state.names(key) for key in state.edges),
        attempts=tuple(one for run in state.runs.values() for one in run.found.attempts),
        history=tuple(_history(state)),
        timings=timer.seconds,
    )


def _finish(
    state: State, induced: Mapping[Key, RoundLexicon]
) -> tuple[list[LinearMap], dict[tuple[str, str], Pair]]:
    """The shared maps of all languages, and what is known about every pair."""
    lexicons = {key: one.lexicon for key, one in induced.items()}
    if state.tools.system.schedule is None:
        lexicons |= {key: run.found.solution.lexicon for key, run in state.runs.items()}
    finished = dict(state.engine({key: Finish(state.tools, lexicons[key]) for key in state.every}))
    groups = rounds.groups(state)
    rotations = rounds.here(state).rotations
    maps = {place: LinearMap(rotation) for place, rotation in rotations.items()}
    for group in groups:
        pairs = [key for key in state.every if set(key) <= set(group)]
        some = rounds.sample(pairs, state.edges, state.tools.seed)
        if some:
            moments = {key: finished[key].moments for key in some}
            maps |= shared_maps({place: rotations[place] for place in group}, moments)
    inverses = [linalg.pseudo_inverse(maps[place].matrix) for place in sorted(maps)]
    about = {}
    for key in state.every:
        done, alone = finished[key], state.runs.get(key)
        outcome = alone.verdict.outcome if alone else None
        pair = Pair(done.verdict, outcome, mutual=induced[key].mutual)
        if groups.together(key):
            between = joining.path(state.edges, *key)
            own = [
                LinearMap((inverses[place] @ one.matrix).astype(np.float32))
                for place, one in zip(key, done.maps, strict=True)
            ]
            names = tuple(state.languages[place].name for place in between)
            pair = replace(pair, through=names, maps=(own[0], own[1]))
        else:
            verdict = alone.verdict if alone else done.verdict
            pair = replace(pair, verdict=Verdict(Outcome.FAILED, verdict.evidence))
        about[state.names(key)] = pair
    return [maps[place] for place in sorted(maps)], about


def _history(state: State) -> Iterable[IterationRecord]:
    """The iterations of all runs of pairs, then the rounds."""
    for key, run in state.runs.items():
        for record in run.found.history:
            yield replace(record, pair="-".join(state.names(key)))
    for record in rounds.here(state).history:
        yield replace(record, pair="all")
