"""align: two sets of word vectors in, one shared space out; reads like section 3 of the paper."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike

from isolex.adapters import extras
from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.lexicon import Lexicon, match
from isolex.core.linear_map import LinearMap
from isolex.core.normaliser import unit
from isolex.core.observer import Watch
from isolex.core.problem import Problem
from isolex.core.retrieval import Space
from isolex.core.space import Alignment, Origin, Side
from isolex.errors import UsageError
from isolex.kernels.induction import Workspace, induce
from isolex.kernels.parallel import use_threads
from isolex.kernels.types import Inducer
from isolex.kernels.warm_up import warm_up
from isolex.method import normalise, training
from isolex.method.checkpoint import Checkpoint, Keep
from isolex.method.pipeline import Clock, Course, OnStep
from isolex.method.self_learning import Callback, Learnt
from isolex.method.temperature import fitted
from isolex.method.validation import Validation
from isolex.systems import DEFAULT, System, get

Pairs = Sequence[tuple[str, str]]
GivenPairs = Pairs | Mapping[str, str]


def align(
    src: Embeddings,
    trg: Embeddings,
    system: str | System = DEFAULT,
    *,
    lexicon: GivenPairs | None = None,
    validation: GivenPairs | None = None,
    seed: int = 0,
    cutoff: int | None = None,
    budget: float | None = None,
    threads: int | None = None,
    memory: int | None = None,
    device: str = "cpu",
    judge: bool = True,
    callbacks: Sequence[Callback] = (),
    on_step: OnStep | None = None,
    on_epoch: Watch | None = None,
    resume: Checkpoint | None = None,
    on_checkpoint: Keep | None = None,
) -> Alignment:
    """Align two sets of word vectors.

    Args:
        src: Source vectors, most frequent words first.
        trg: Target vectors likewise; the dimensions may differ.
        system: A system or its name, see `isolex.systems`.
        lexicon: Training pairs, for the systems that learn from them; or a dict.
        validation: Pairs whose accuracy is measured at every iteration; they change nothing.
        seed: Of every random choice.
        cutoff: So many of the most frequent words take part in self-learning where it is widest;
            by default 10,000 with ``robust``, else 20,000.
        budget: Minutes that other starts may take when the first one finds nothing; ten by default.
            A search that is cut short by it may end elsewhere on a slower machine.
        threads: Workers; every core by default. Their number does not change the result.
        memory: Bytes in which the similarities of all words may be kept; past it they are computed
            twice. A quarter of the machine's memory by default.
        device: ``"cpu"``, or a device of PyTorch such as ``"cuda"`` for training and self-learning.
        judge: Whether a verdict is made; it takes far longer than one mapping of given pairs.
        callbacks: Called after each iteration of self-learning.
        on_step: Called with the name of each step as it begins.
        on_epoch: Called after each epoch of a system that trains.
        resume: Where an alignment of the same spaces, system and seed was; it goes on from there.
        on_checkpoint: Called with where it is after training and after each iteration.

    Returns:
        The alignment. The same inputs, system and seed give the same one, bit for bit, on one
        machine; the matrix products of another processor may lead to a slightly different one.
    """
    _check(src, trg, seed)
    pairs, gold = _two_words(lexicon), _two_words(validation)
    system = configure(system, lexicon=pairs, validation=gold, cutoff=cutoff, budget=budget)
    extras.require(system.extras, f"system {system.name!r}")
    clock = Clock(on_step)
    inducer = _inducer(device, memory)
    with use_threads(threads):
        with clock("compile"):
            warm_up()
        with clock("normalise"):
            src_normaliser, x = normalise.fit(system.normalise, src.vectors)
            trg_normaliser, z = normalise.fit(system.normalise, trg.vectors)
        problem = Problem(src, trg, x, z, pairs, seed, resume.maps if resume else None)
        if system.train is not None and problem.maps is None:
            with clock("train"):
                maps = system.train(problem, device, on_epoch or (lambda _: None))
            problem = replace(problem, maps=maps)
        if resume is None:
            with clock("initialise"):
                resume = Checkpoint(Learnt(system.initialise(problem)), maps=problem.maps)
        watching = [*_validation(src, trg, x, z, gold), *callbacks]
        keep = on_checkpoint or (lambda _: None)
        course = Course(system, problem, inducer, clock, watching, keep)
        ended = course.go(resume)
        learnt = ended.learnt
        with clock("map"):
            maps = system.mapping(problem, learnt.lexicon)
            temperature = (
                _temperature(maps, problem, learnt.lexicon) if system.fit_temperature else None
            )
        with clock("judge"):
            verdict = course.jury.verdict(learnt.lexicon) if judge else None
    return Alignment(
        source=Side(src_normaliser, maps[0], Origin.of(src), src),
        target=Side(trg_normaliser, maps[1], Origin.of(trg), trg),
        settings=system.describe() | {"seed": seed},
        objective=learnt.objective,
        temperature=temperature,
        verdict=verdict,
        attempts=ended.attempts,
        history=ended.history,
        timings=clock.seconds,
    )


def configure(
    system: str | System,
    *,
    lexicon: Pairs | None = None,
    validation: Pairs | None = None,
    cutoff: int | None = None,
    budget: float | None = None,
) -> System:
    """The system with its options; an option that it could not heed is refused, not ignored."""
    system = get(system)
    if lexicon is None and system.takes_lexicon:
        raise UsageError(
            f"system {system.name!r} learns from training pairs: give a lexicon (--lexicon FILE)"
        )
    if lexicon is not None and not system.takes_lexicon:
        raise UsageError(
            f"system {system.name!r} takes no lexicon: choose supervised or semi-supervised, or "
            "another that `isolex systems` says needs one"
        )
    if system.schedule is None and not (validation is None and cutoff is None):
        raise UsageError(
            f"system {system.name!r} does no self-learning: it takes no cutoff and no validation"
        )
    if system.train is not None:
        training.check(system.train)
    if budget is not None:
        if system.search is None:
            raise UsageError(f"system {system.name!r} does no search: it takes no budget")
        if not 0 <= budget < math.inf:
            raise UsageError(f"a budget is a number of minutes from zero up, not {budget:g}")
        system = replace(system, search=replace(system.search, minutes=budget))
    if cutoff is None or system.schedule is None:
        return system
    if cutoff < 1:
        raise UsageError(f"a cutoff is a number of words from one up, not {cutoff}")
    return replace(
        system,
        schedule=system.schedule.with_cutoff(cutoff),
        search=system.search and system.search.with_cutoff(cutoff),
    )


def _check(src: Embeddings, trg: Embeddings, seed: int) -> None:
    """Refuse what is likely to be given by mistake."""
    for given in (src, trg):
        if not isinstance(given, Embeddings):
            raise UsageError(f"align takes Embeddings, not {type(given).__name__}: load it first")
    if seed < 0:
        raise UsageError(f"a seed is a whole number from zero up, not {seed}")


def _two_words(given: GivenPairs | None) -> Pairs | None:
    """Pairs as they were given, or as a dict; refuse what is no pair of words."""
    if given is None:
        return None
    if isinstance(given, str | PathLike):
        raise UsageError("align takes word pairs, not a file: isolex.io.read_pairs reads them")
    pairs = list(given.items() if isinstance(given, Mapping) else given)
    for pair in pairs:
        words = pair if isinstance(pair, tuple | list) else ()
        if len(words) != 2 or not all(isinstance(word, str) for word in words):
            raise UsageError(f"a pair is two words, such as ('dog', 'perro'), not {pair!r}")
    return [(source, target) for source, target in pairs]


def require_device(device: str) -> None:
    """Refuse a device that is not there."""
    _inducer(device, None)


def _inducer(device: str, memory: int | None) -> Inducer:
    if memory is not None and memory < 0:
        raise UsageError(f"memory is a number of bytes from zero up, not {memory}")
    if device == "cpu":
        return partial(induce, workspace=Workspace(memory))
    from isolex.kernels.torch_induction import TorchInducer

    try:
        return TorchInducer(device, memory)
    except ImportError as error:
        raise UsageError(str(error)) from error
    except ValueError as error:
        advice = "use --device cpu, or install a PyTorch built for CUDA"
        raise UsageError(f"{error}; {advice}") from error


def _temperature(maps: tuple[LinearMap, LinearMap], problem: Problem, pairs: Lexicon) -> float:
    src, trg = maps
    return fitted(Space(unit(src.transform(problem.x)), unit(trg.transform(problem.z))), pairs)


def _validation(
    src: Embeddings, trg: Embeddings, x: Vectors, z: Vectors, pairs: Pairs | None
) -> list[Callback]:
    if pairs is None:
        return []
    gold, _ = match(pairs, src, trg)
    if not len(gold):
        raise UsageError("no validation pair has both words in the vocabularies")
    return [Validation(x, z, gold)]
