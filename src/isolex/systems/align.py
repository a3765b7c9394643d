"""align: word vectors of two or more languages in, one shared space out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from isolex.adapters import cluster, extras
from isolex.core.checkpoint import Checkpoint, SpaceCheckpoint
from isolex.core.embeddings import Embeddings
from isolex.core.language import Checksums, check_name
from isolex.core.observer import Observer, Observers
from isolex.core.pair import pair_labels
from isolex.core.space import Space
from isolex.errors import UsageError
from isolex.evaluate.lexicon import evaluate_lexicon
from isolex.kernels.parallel import use_threads
from isolex.method import many, pipeline, trainer
from isolex.method.engine import ClusterEngine, EngineMaker, LocalEngine
from isolex.method.joining import Key
from isolex.method.pair_tasks import Pairs, Tools
from isolex.method.spelling import Spelling
from isolex.method.system import System
from isolex.systems import DEFAULT, get
from isolex.systems.given_pairs import GivenPairs, WordPairs, check_pairs
from isolex.systems.inducers import forget_inducers, kept_inducer, kept_inducers
from isolex.systems.progress import ProgressBar, can_show

Kind = TypeVar("Kind")

NO_SELF_LEARNING = "does no self-learning: leave out cutoff and validation"


def align(
    *languages: Embeddings,
    system: str | System = DEFAULT,
    lexicon: GivenPairs | None = None,
    validation: GivenPairs | None = None,
    seed: int = 0,
    cutoff: int | None = None,
    budget: float | None = None,
    spelling: bool | None = None,
    threads: int | None = None,
    memory: int | None = None,
    device: str = "cpu",
    scheduler: str | None = None,
    progress: bool | None = None,
    observer: Observer | None = None,
    resume: Checkpoint | SpaceCheckpoint | None = None,
) -> Space:
    """Align word vectors of two or more languages.

    Args:
        languages: Vectors of each language, most frequent words first; dimensions may differ.
        system: A system or its name, see `isolex.systems`.
        lexicon: Training pairs. For more than two languages, a dict of them with pairs of names as
            keys, such as ``{("en", "pl"): pairs}``; the other pairs are aligned unsupervised.
        validation: Pairs to measure accuracy on: after every iteration or, for more than two
            languages, at the end. They do not change the result.
        seed: Random seed.
        cutoff: At most this many of the most frequent words take part in self-learning; by default
            10,000 for ``robust`` and 20,000 for other systems.
        budget: Time limit in minutes for restarts if the first attempt fails; by default 10. If
            it cuts restarts short, a slower machine may get a different result.
        spelling: Whether words spelled alike are paired more readily; by default, ``robust`` does.
        threads: Number of threads, by default all cores; does not change the result.
        memory: Memory limit in bytes for similarities; by default a quarter of the machine's.
        device: ``"cpu"``, or a PyTorch device such as ``"cuda"`` for training and self-learning.
        scheduler: Address of a Dask cluster, such as ``"tcp://10.0.0.1:8786"``, whose workers
            align pairs of three or more languages; threads, memory and device apply to each worker.
        progress: Whether to show a progress bar; by default on a terminal and in a notebook.
        observer: Is told about every step, epoch, iteration and checkpoint.
        resume: Continue from a checkpoint of an alignment of the same inputs, system and seed.

    Returns:
        The shared space. The same inputs, system and seed give the same space, bit for bit, on one
        machine; on another processor the last bits of matrix products may differ.
    """
    given = _languages(languages)
    words = WordPairs.of(given, lexicon, validation)
    limits: Any = {"cutoff": cutoff, "budget": budget, "spelling": spelling}
    system = configure(system, len(given), **words.roles, **limits)
    check_counts(system, [one.counts is not None for one in given])
    tools = Tools(system, checked_seed(seed), partial(kept_inducer, device, memory))
    if scheduler is not None:
        check_scheduler(scheduler, len(given))
    shown = can_show() if progress is None else progress
    with kept_inducers(), use_threads(threads), ProgressBar() if shown else nullcontext() as bar:
        watch = Observers(observer, bar)
        if len(given) == 2:
            return _align_two(given, tools, words, device, watch, resume)
        with _engine(tools, scheduler, threads) as engine:
            return _align_several(given, tools, words, engine, watch, resume)


def _align_two(
    given: Sequence[Embeddings],
    tools: Tools,
    words: WordPairs,
    device: str,
    watch: Observer,
    resume: Checkpoint | SpaceCheckpoint | None,
) -> Space:
    extras.require(tools.system.extras, f"system {tools.system.name!r}")
    supervision = words.lexicon.get((0, 1)), words.validation.get((0, 1))
    job = pipeline.Job(
        given[0], given[1], tools.system, tools.inducer(), *supervision, tools.seed, device
    )
    return pipeline.run(job, watch, _of_kind(Checkpoint, resume))


def _align_several(
    given: Sequence[Embeddings],
    tools: Tools,
    words: WordPairs,
    engine: EngineMaker,
    watch: Observer,
    resume: Checkpoint | SpaceCheckpoint | None,
) -> Space:
    check_pairs(given, words, tools.system)
    job = many.ManyJob(given, tools, words.lexicon, engine)
    space = many.run(job, watch, _of_kind(SpaceCheckpoint, resume))
    return _validated(space, words.validation)


@contextmanager
def _engine(tools: Tools, scheduler: str | None, threads: int | None) -> Iterator[EngineMaker]:
    """Creates the engine for the work on pairs: this machine or a cluster."""
    if scheduler is None:
        tools.inducer()  # refuses a device that is not available
        yield LocalEngine
        return
    with cluster.connect(scheduler) as connected:
        if connected.is_empty:
            raise UsageError(f"the cluster at {scheduler} has no worker: {connected.advice}")
        try:
            yield partial(ClusterEngine, connected, threads)
        finally:
            connected.tell(forget_inducers)


def check_scheduler(scheduler: str, languages: int) -> None:
    """Refuse a cluster that does not answer, or that cannot be used for this many languages.

    Args:
        scheduler: The address of the scheduler.
        languages: Number of languages.
    """
    if languages < 3:
        raise UsageError(
            "a cluster is useful only for three or more languages: for two, leave "
            "out the scheduler (--engine dask --scheduler ADDRESS)"
        )
    cluster.check(scheduler)


def configure(
    system: str | System,
    languages: int = 2,
    *,
    lexicon: bool = False,
    validation: bool = False,
    cutoff: int | None = None,
    budget: float | None = None,
    spelling: bool | None = None,
) -> System:
    """The system with its options; an option that does not apply to it is refused, not ignored.

    Args:
        system: A system or its name.
        languages: Number of languages.
        lexicon: Whether there are training pairs.
        validation: Whether there are validation pairs.
        cutoff: At most this many of the most frequent words take part in self-learning.
        budget: Time limit in minutes for restarts.
        spelling: Whether spelling is used as evidence; by default as the system does it.
    """
    system = get(system)
    _check_supervision(system, languages, lexicon=lexicon, validation=validation)
    if system.schedule is None and cutoff is not None:
        raise UsageError(f"system {system.name!r} {NO_SELF_LEARNING}")
    if system.train is not None:
        trainer.check(system.train)
    if budget is not None:
        if system.restarts is None:
            raise UsageError(f"system {system.name!r} does not restart: leave out the budget")
        if not 0 <= budget < math.inf:
            raise UsageError(f"the budget must be at least 0 minutes, not {budget:g}")
        system = replace(system, restarts=replace(system.restarts, minutes=budget))
    if spelling is not None:
        if spelling and system.schedule is None:
            raise UsageError(
                f"system {system.name!r} does no self-learning: leave out spelling (--spelling on)"
            )
        system = replace(system, spelling=(system.spelling or Spelling()) if spelling else None)
    if cutoff is None or system.schedule is None:
        return system
    if cutoff < 1:
        raise UsageError(f"the cutoff must be at least 1 word, not {cutoff}")
    return replace(
        system,
        schedule=system.schedule.with_cutoff(cutoff),
        restarts=system.restarts and system.restarts.with_cutoff(cutoff),
    )


def _check_supervision(system: System, languages: int, *, lexicon: bool, validation: bool) -> None:
    """Refuse word pairs that a system cannot use, and a system that lacks the pairs it needs."""
    if languages > 2 and not system.takes_many:
        raise UsageError(
            f"system {system.name!r} aligns two languages: for more, choose robust or another "
            "system that neither trains its maps nor fits a temperature"
        )
    if not lexicon and system.takes_lexicon:
        raise UsageError(
            f"system {system.name!r} learns from training pairs: give a lexicon (--lexicon "
            f"{'FILE' if languages == 2 else 'A-B=FILE'})"
        )
    if lexicon and not system.takes_lexicon and languages == 2:
        raise UsageError(
            f"system {system.name!r} takes no lexicon: choose supervised, semi-supervised or "
            "another system that needs one (see `isolex systems`)"
        )
    if system.schedule is None and validation and languages == 2:
        raise UsageError(f"system {system.name!r} {NO_SELF_LEARNING}")


def check_counts(system: System, counts: Sequence[bool]) -> None:
    """Refuse counts of some languages (``True``) if they would not be used."""
    if not any(counts):
        return
    if system.counts is None:
        raise UsageError(
            f"system {system.name!r} does not use co-occurrence counts: leave them out (--counts), "
            "or choose robust"
        )
    if not all(counts):
        raise UsageError(
            f"{sum(counts)} of {len(counts)} languages have co-occurrence counts: give them for "
            "each language (--counts), or for none"
        )


def checked_seed(seed: int) -> int:
    """The seed; refuse a negative one."""
    if seed < 0:
        raise UsageError(f"the seed must be a whole number of at least 0, not {seed}")
    return seed


def _languages(given: Sequence[Embeddings]) -> list[Embeddings]:
    """The languages, with different names; refuse what is probably a mistake."""
    for one in given:
        if not isinstance(one, Embeddings):
            kind = type(one).__name__
            raise UsageError(f"align takes Embeddings, not {kind}: use isolex.load first")
    if len(given) < 2:
        raise UsageError("align takes two or more languages: give the embeddings of each")
    languages = list(given)
    if len(languages) == 2:
        roles = ("source", "target")
        languages = [
            one if one.name else one.named(role) for one, role in zip(given, roles, strict=True)
        ]
    for place, one in enumerate(languages):
        if not one.name:
            raise UsageError(f"language {place + 1} has no name: use embeddings.named('en')")
        if one.name in [other.name for other in languages[:place]]:
            raise UsageError(
                f"two languages are called {one.name!r}: rename one of them, such as "
                f"embeddings.named('{one.name}2')"
            )
        check_name(one.name)  # now rather than after hours of work
        Checksums.of(one)
    if len(languages) > 2:
        pair_labels(one.name for one in languages)  # refuses names whose pairs could be confused
    return languages


def _validated(space: Space, gold: Mapping[Key, Pairs]) -> Space:
    """The space with its precision on validation pairs."""
    pairs = dict(space.pairs)
    for (one, other), given in gold.items():
        names = space.names[one], space.names[other]
        found = evaluate_lexicon(space, given, source=names[0], target=names[1], cuts=(1,))
        pairs[names] = replace(pairs[names], validation=found.precision[1])
    return replace(space, pairs=pairs)


def _of_kind(kind: type[Kind], resume: Checkpoint | SpaceCheckpoint | None) -> Kind | None:
    if resume is None or isinstance(resume, kind):
        return resume
    raise UsageError("this checkpoint belongs to an alignment with a different number of languages")
