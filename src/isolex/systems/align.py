"""align: word vectors of two languages in, one shared space out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from os import PathLike

from isolex.adapters import extras
from isolex.core.checkpoint import Checkpoint
from isolex.core.embeddings import Embeddings
from isolex.core.language import Checksums, check_name
from isolex.core.observer import Observer, Observers
from isolex.core.space import Space
from isolex.errors import UsageError
from isolex.kernels.induction import Workspace, induce
from isolex.kernels.parallel import use_threads
from isolex.kernels.types import Inducer
from isolex.method import pipeline, trainer
from isolex.method.system import System
from isolex.systems import DEFAULT, get
from isolex.systems.progress import ProgressBar, can_show

Pairs = Sequence[tuple[str, str]]
GivenPairs = Pairs | Mapping[str, str]


def align(
    source: Embeddings,
    target: Embeddings,
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
    progress: bool | None = None,
    observer: Observer | None = None,
    resume: Checkpoint | None = None,
) -> Space:
    """Align word vectors of two languages.

    Args:
        source: Vectors of the first language, most frequent words first.
        target: Vectors of the second language; the number of dimensions may differ.
        system: A system or its name, see `isolex.systems`.
        lexicon: Training pairs, or a dict, for systems that learn from them.
        validation: Pairs whose accuracy is measured after every iteration; they change nothing.
        seed: Random seed.
        cutoff: How many of the most frequent words take part in self-learning at most; by default
            10,000 for ``robust`` and 20,000 for other systems.
        budget: Time limit in minutes for restarts if the first attempt fails; by default 10. If
            it cuts restarts short, a slower machine may get a different result.
        threads: Number of threads, by default all cores; does not change the result.
        memory: Bytes that may hold the similarities of all words; beyond that they are computed
            twice. By default a quarter of the machine's memory.
        device: ``"cpu"``, or a PyTorch device such as ``"cuda"`` for training and self-learning.
        progress: Whether to show a progress bar; by default on a terminal and in a notebook.
        observer: Is told about every step, epoch, iteration and checkpoint.
        resume: Continue from a checkpoint of an alignment of the same inputs, system and seed.

    Returns:
        The shared space. The same inputs, system and seed give the same space, bit for bit, on one
        machine; on another processor the last bits of matrix products may differ.
    """
    source, target = _languages(source, target)
    if seed < 0:
        raise UsageError(f"the seed must be a whole number of at least 0, not {seed}")
    pairs, gold = _word_pairs(lexicon), _word_pairs(validation)
    system = configure(system, lexicon=pairs, validation=gold, cutoff=cutoff, budget=budget)
    extras.require(system.extras, f"system {system.name!r}")
    inducer = make_inducer(device, memory)
    job = pipeline.Job(source, target, system, inducer, pairs, gold, seed, device)
    shown = can_show() if progress is None else progress
    with use_threads(threads), ProgressBar() if shown else nullcontext() as bar:
        return pipeline.run(job, Observers(observer, bar), resume)


def configure(
    system: str | System,
    *,
    lexicon: Pairs | None = None,
    validation: Pairs | None = None,
    cutoff: int | None = None,
    budget: float | None = None,
) -> System:
    """The system with its options; an option that does not apply to it is refused, not ignored."""
    system = get(system)
    if lexicon is None and system.takes_lexicon:
        raise UsageError(
            f"system {system.name!r} learns from training pairs: give a lexicon (--lexicon FILE)"
        )
    if lexicon is not None and not system.takes_lexicon:
        raise UsageError(
            f"system {system.name!r} takes no lexicon: choose supervised, semi-supervised or "
            "another system that needs one (see `isolex systems`)"
        )
    if system.schedule is None and not (validation is None and cutoff is None):
        raise UsageError(
            f"system {system.name!r} does no self-learning: leave out cutoff and validation"
        )
    if system.train is not None:
        trainer.check(system.train)
    if budget is not None:
        if system.restarts is None:
            raise UsageError(f"system {system.name!r} does not restart: leave out the budget")
        if not 0 <= budget < math.inf:
            raise UsageError(f"the budget must be at least 0 minutes, not {budget:g}")
        system = replace(system, restarts=replace(system.restarts, minutes=budget))
    if cutoff is None or system.schedule is None:
        return system
    if cutoff < 1:
        raise UsageError(f"the cutoff must be at least 1 word, not {cutoff}")
    return replace(
        system,
        schedule=system.schedule.with_cutoff(cutoff),
        restarts=system.restarts and system.restarts.with_cutoff(cutoff),
    )


def make_inducer(device: str, memory: int | None = None) -> Inducer:
    """What computes inductions on a device; a device that is not available is refused."""
    if memory is not None and memory < 0:
        raise UsageError(f"memory must be at least 0 bytes, not {memory}")
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


def _languages(source: Embeddings, target: Embeddings) -> tuple[Embeddings, Embeddings]:
    """The two languages, with different names; refuse what is likely given by mistake."""
    for given in (source, target):
        if not isinstance(given, Embeddings):
            kind = type(given).__name__
            raise UsageError(f"align takes Embeddings, not {kind}: use isolex.load first")
    source = source if source.name else source.named("source")
    target = target if target.name else target.named("target")
    if source.name == target.name:
        raise UsageError(
            f"both languages are called {source.name!r}: rename one of them, such as "
            f"embeddings.named('{source.name}2')"
        )
    for given in (source, target):  # now rather than after hours of work
        check_name(given.name)
        Checksums.of(given)
    return source, target


def _word_pairs(given: GivenPairs | None) -> Pairs | None:
    """Word pairs from a sequence or a dict; refuse anything else."""
    if given is None:
        return None
    if isinstance(given, str | PathLike):
        raise UsageError("align takes word pairs, not a file: use isolex.io.read_pairs first")
    pairs = list(given.items() if isinstance(given, Mapping) else given)
    for pair in pairs:
        words = pair if isinstance(pair, tuple | list) else ()
        if len(words) != 2 or not all(isinstance(word, str) for word in words):
            raise UsageError(f"a pair is two words, such as ('dog', 'perro'), not {pair!r}")
    return [(source, target) for source, target in pairs]
