"""Many languages: pairs first, then all of them together.

1. *Join* (`pair_runs`). Pairs of languages are run on their own until runs that succeed connect all
   languages.
2. *Move* (`rounds`). Every pair gets a lexicon in the shared space, and all languages move at once.
3. *Finish*. Each pair gets its own re-weighting and its own verdict.

A language that nothing connects with the others takes no part in the rounds. It stays in the space,
and all its pairs have failed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from isolex.core.checkpoint import SpaceCheckpoint
from isolex.core.embeddings import Embeddings
from isolex.core.history import IterationRecord
from isolex.core.language import Language
from isolex.core.linear_map import LinearMap
from isolex.core.observer import Observer, WithoutCheckpoints
from isolex.core.space import Space
from isolex.kernels.warm_up import warm_up
from isolex.method import normalise, pair_runs, rounds
from isolex.method.engine import EngineMaker
from isolex.method.finish import final_tree, finish_pairs, pair_facts
from isolex.method.joining import Key
from isolex.method.learner import StepTimer
from isolex.method.pair_tasks import Finished, Pairs, Tools
from isolex.method.shared_maps import pair_maps, shared_maps
from isolex.method.state import State


@dataclass(frozen=True)
class ManyJob:
    """What to align, and how.

    Attributes:
        languages: Words and vectors of each language, most frequent first.
        tools: System, seed and inducer.
        lexicons: Training pairs for some pairs of languages.
        engine: Creates the engine, from the normalised languages and a timer.
    """

    languages: Sequence[Embeddings]
    tools: Tools
    lexicons: Mapping[Key, Pairs]
    engine: EngineMaker


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
        languages.append(Embeddings(one.words, vectors, name=one.name, counts=one.counts))
    muted = StepTimer(WithoutCheckpoints(observer), timer.seconds)
    engine = job.engine(languages, muted)
    saved = resume or SpaceCheckpoint()
    flattenings = [job.tools.flattening(one.vectors) for one in languages]
    state = State(languages, job.tools, job.lexicons, engine, timer, saved, flattenings)
    pair_runs.join(state)
    induced = rounds.move_together(state)
    finished = finish_pairs(state, induced)
    tree = final_tree(state, finished)
    shared, own = _maps(state, finished)
    return Space(
        languages=tuple(
            Language.mapped(one, normaliser, linear.after(matrix), vectors)
            for one, (normaliser, vectors), linear, matrix in zip(
                job.languages, fitted, shared, flattenings, strict=True
            )
        ),
        settings=job.tools.system.describe() | {"seed": job.tools.seed},
        objective=fmean(one.objective for one in induced.values()),
        pairs=pair_facts(state, finished, induced, tree, own),
        tree=tuple(state.names(key) for key in tree),
        attempts=tuple(one for run in state.runs.values() for one in run.found.attempts),
        history=tuple(pair_history(state)),
        timings=timer.seconds,
    )


def _maps(
    state: State, finished: Mapping[Key, Finished]
) -> tuple[list[LinearMap], dict[Key, tuple[LinearMap, LinearMap]]]:
    """The maps into the shared space, and the maps of each connected pair."""
    steps, rotations = state.tools.mapping.steps, rounds.here(state).rotations
    shared: dict[int, LinearMap] = {}
    own: dict[Key, tuple[LinearMap, LinearMap]] = {}
    for group in state.groups:
        inside = {key: one for key, one in finished.items() if set(key) <= set(group)}
        some = rounds.sample(list(inside), state.edges, state.tools.seed)
        turned = {place: rotations[place] for place in group}
        shared |= shared_maps(turned, {key: inside[key].moments for key in some}, steps)
        own |= pair_maps(shared, {key: one.maps for key, one in inside.items()})
    return [shared[place] for place in sorted(shared)], own


def pair_history(state: State) -> Iterable[IterationRecord]:
    """The iterations of all runs of pairs, then the rounds."""
    for key, run in state.runs.items():
        for record in run.found.history:
            yield replace(record, pair="-".join(state.names(key)))
    for record in rounds.here(state).history:
        yield replace(record, pair="all")
