"""Adding a language to a space, while the other languages stay exactly where they are.

The steps are the same as in `isolex.method.many`: pairs of the new language with the others until
one succeeds, rounds in which only the new language moves, and a map into the space. The original
vectors of the others are not needed: their normalised vectors are recovered from the space.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from isolex.core.checkpoint import SpaceCheckpoint
from isolex.core.choices import Outcome
from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.language import Language
from isolex.core.linear_map import LinearMap
from isolex.core.observer import Observer, WithoutCheckpoints
from isolex.core.space import Space
from isolex.kernels import linalg
from isolex.kernels.warm_up import warm_up
from isolex.method import normalise, pair_runs, rounds
from isolex.method.engine import EngineMaker
from isolex.method.finish import final_tree, finish_pairs, pair_facts
from isolex.method.joining import Groups, Key
from isolex.method.learner import StepTimer
from isolex.method.many import pair_history
from isolex.method.mapping import Moments
from isolex.method.pair_tasks import Pairs, RoundLexicon, Tools
from isolex.method.shared_maps import map_into, pair_maps
from isolex.method.state import State


@dataclass(frozen=True)
class AddJob:
    """A language to add to a space, and how to add it.

    Attributes:
        space: The space.
        language: Words and vectors of the new language, most frequent first.
        tools: System, seed and inducer.
        lexicons: Training pairs of other languages with the new one, which comes last.
        engine: Creates the engine.
    """

    space: Space
    language: Embeddings
    tools: Tools
    lexicons: Mapping[Key, Pairs]
    engine: EngineMaker


def run(job: AddJob, observer: Observer) -> Space:
    """The space with one more language.

    Args:
        job: The language, the space, and how to add it.
        observer: Follows every step, pair and iteration.
    """
    space, timer = job.space, StepTimer(WithoutCheckpoints(observer))
    with timer("compile"):
        warm_up()
    with timer("normalise"):
        normaliser, vectors = normalise.fit(job.tools.system.normalise, job.language.vectors)
        vectors.flags.writeable = False  # so that `Embeddings` makes no copy
        languages = [
            *map(_normalised, space),
            Embeddings(job.language.words, vectors, name=job.language.name),
        ]
    flattenings = [job.tools.flattening(one.vectors) for one in languages]
    maps = {
        place: one.map.after(None if matrix is None else linalg.power(matrix, -1))
        for place, (one, matrix) in enumerate(zip(space, flattenings, strict=False))
    }
    state = State(
        languages,
        job.tools,
        job.lexicons,
        job.engine(languages, timer),
        timer,
        SpaceCheckpoint(),
        flattenings,
        fixed={place: _rotation(linear) for place, linear in maps.items()},
        links=_links(space),
        idle=_idle(space),
    )
    pair_runs.join(state)
    induced = rounds.move_together(state)
    finished = finish_pairs(state, induced)
    together = [key for key in finished if state.groups.together(key)]
    tree = final_tree(state, finished)
    linear = _map(state, space, {key: induced[key] for key in together})
    fitted = {key: finished[key].maps for key in together}
    own = pair_maps(maps | {len(space): linear}, fitted)
    added = pair_facts(state, finished, induced, tree, own)
    return replace(
        space,
        languages=(
            *space,
            Language.mapped(job.language, normaliser, linear.after(flattenings[-1]), vectors),
        ),
        pairs={**space.pairs, **added},
        tree=tuple(state.names(key) for key in tree),
        attempts=tuple(one for run in state.runs.values() for one in run.found.attempts),
        history=(*space.history, *pair_history(state)),
        timings=timer.seconds,
    )


def _normalised(language: Language) -> Embeddings:
    """A language with its normalised vectors, recovered from its vectors in the space."""
    inverse = LinearMap(linalg.pseudo_inverse(language.map.matrix).astype(np.float32))
    vectors = inverse.transform_to_unit(language.vectors)
    vectors.flags.writeable = False
    return Embeddings(language.words, vectors, name=language.name)


def _rotation(linear: LinearMap) -> Vectors:
    """The rotation in a map."""
    return linalg.procrustes(linear.matrix.astype(np.float64))


def _links(space: Space) -> Sequence[Key]:
    """The pairs of a space that connect its languages: its tree, or all that have not failed."""
    places = {name: place for place, name in enumerate(space.names)}
    if space.tree:
        return [(places[one], places[other]) for one, other in space.tree]
    verdicts = {both: space.about(*both).verdict for both in combinations(space.names, 2)}
    return [
        (places[one], places[other])
        for (one, other), verdict in verdicts.items()
        if verdict is None or verdict.outcome != Outcome.FAILED
    ]


def _idle(space: Space) -> list[int]:
    """The languages outside the largest connected group: the new one is not joined with them."""
    groups = Groups(len(space), _links(space))
    largest = max(groups, key=len)
    return [place for place in range(len(space)) if place not in largest]


def _map(state: State, space: Space, induced: Mapping[Key, RoundLexicon]) -> LinearMap:
    """The map of the new language into the space; its rotation if nothing connects it."""
    if not induced:
        return LinearMap(rounds.here(state).rotations[len(space)])
    moments = []
    for (place, last), found in induced.items():
        one, new = space.languages[place].vectors, state.flattened(last)
        moments.append(Moments.of(one, new, found.lexicon).scaled(1 / len(found.lexicon)))
    return map_into(moments)
