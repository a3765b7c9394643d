"""One run of a plan: align, score, and what is kept of it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import file_digest
from pathlib import Path
from typing import Any

import numpy as np

from isolex import __version__, io
from isolex.adapters import extras
from isolex.bench.plan import Job
from isolex.core.embeddings import Embeddings
from isolex.core.files import shown, stamp
from isolex.core.lexicon import Lexicon, match_directed
from isolex.core.observer import Watch
from isolex.errors import InputError, UsageError
from isolex.evaluate import evaluate_lexicon
from isolex.kernels.warm_up import warm_up
from isolex.method.pipeline import OnStep
from isolex.method.self_learning import Callback
from isolex.systems import System
from isolex.systems import align as aligning

Result = dict[str, Any]
Pairs = list[tuple[str, str]]


def mark(job: Job) -> Result:
    """What tells whether a result is that of a job: its settings and what is in its files."""
    return {
        "data": job.data.name,
        "row": job.entry.key,
        "system": job.entry.system.name,
        "seed": job.seed,
        "pairs": job.entry.pairs,
        "max_words": job.data.max_words,
        "settings": job.entry.system.fingerprint,
        "inputs": {name: _checksum(path, _version(path)) for name, path in job.files.items()},
    }


@dataclass(frozen=True)
class Watching:
    """Told how far a run has come; what it raises ends the run.

    Attributes:
        step: Of each step as it begins.
        epoch: Of each epoch of a system that trains.
        iteration: Of each iteration of self-learning.
    """

    step: OnStep
    epoch: Watch
    iteration: Callback


def run(
    job: Job,
    threads: int | None = None,
    device: str = "cpu",
    watching: Watching | None = None,
) -> Result:
    """Do one run; that an alignment could not be made is a result, too, without an accuracy."""
    system, known = job.entry.system, mark(job)  # before the files are read
    extras.require(system.extras, f"system {system.name!r}")
    aligning.require_device(device)
    _load(system, watching)
    src, trg = (_vectors(path, job.data.max_words) for path in (job.data.src, job.data.trg))
    gold = _gold(job, src, trg)
    lexicon = _lexicon(job, src, trg) if system.takes_lexicon else None
    known |= {
        "isolex": __version__,
        "retrieval": system.retrieval.method.value,
        "device": device,
        "threads": threads,
        "details": system.describe(),
    }
    if lexicon is not None:
        known["training_pairs"] = len(lexicon)
    began, began_cpu = time.perf_counter(), time.process_time()
    try:
        made = aligning.align(
            src,
            trg,
            system,
            lexicon=lexicon,
            seed=job.seed,
            threads=threads,
            device=device,
            callbacks=[watching.iteration] if watching else [],
            on_step=watching.step if watching else None,
            on_epoch=watching.epoch if watching else None,
        )
    except (UsageError, np.linalg.LinAlgError) as error:
        nothing = dict.fromkeys(("accuracy", "csls", "nn", "verdict", "objective"))
        return known | nothing | _spent(began, began_cpu) | {"error": str(error) or repr(error)}
    spent = _spent(began, began_cpu)
    found = {
        name: evaluate_lexicon(
            made.source.mapped, made.target.mapped, gold, retrieval, space=made.space
        )
        for name, retrieval in (("accuracy", made.retrieval), ("csls", "csls"), ("nn", "nn"))
    }
    return known | {
        **{name: score.precision[1] for name, score in found.items()},
        "entries": found["accuracy"].entries,
        "coverage": found["accuracy"].coverage,
        "verdict": made.verdict.outcome.value if made.verdict else None,
        "objective": made.objective,
        "iterations": len(made.history),
        **spent,
        "error": None,
    }


def _load(system: System, watching: Watching | None) -> None:
    """What the first run does for all that follow, and what is no part of its time."""
    extras.load(system.extras)
    if watching:
        watching.step("compile")
    warm_up()
    if watching:
        watching.step("read")


def _spent(began: float, began_cpu: float) -> Result:
    """Seconds by the clock and of this process's threads, which hold on a busy machine too."""
    return {
        "seconds": time.perf_counter() - began,
        "cpu_seconds": time.process_time() - began_cpu,
    }


def _gold(job: Job, src: Embeddings, trg: Embeddings) -> Pairs:
    """The pairs to score by; useless ones are refused before hours of training."""
    pairs = io.read_pairs(job.data.gold)
    known = _known(pairs, src, trg, job.data.gold)
    if not len(known):
        raise UsageError(
            f"{shown(job.data.gold)}: no pair has both words in the vocabularies of [[data]] "
            f"{job.data.name}: check its direction and spelling"
        )
    return pairs


def _known(pairs: Pairs, src: Embeddings, trg: Embeddings, path: Path) -> Lexicon:
    """The pairs of a file that both vocabularies hold."""
    try:
        return match_directed(pairs, src, trg)[0]
    except UsageError as error:
        raise UsageError(f"{shown(path)}: {error}") from error


def _lexicon(job: Job, src: Embeddings, trg: Embeddings) -> Pairs:
    """The training pairs that are known: all, or the first so many of different source words."""
    assert job.data.lexicon is not None, "see check"
    known = _known(io.read_pairs(job.data.lexicon), src, trg, job.data.lexicon)
    columns = zip(known.src.tolist(), known.trg.tolist(), strict=True)
    pairs = [(src.words[s], trg.words[t]) for s, t in columns]
    if job.entry.pairs is None:
        return pairs
    first: dict[str, str] = {}
    for source, target in pairs:
        first.setdefault(source, target)
    return list(first.items())[: job.entry.pairs]


def check(jobs: Sequence[Job], device: str = "cpu") -> None:
    """Refuse jobs that lack a file, a library, a device or their pairs, before any is run."""
    aligning.require_device(device)
    for job in jobs:
        extras.require(job.entry.system.extras, f"system {job.entry.system.name!r}")
        for path in job.files.values():
            if not path.is_file():
                raise InputError(
                    f"{shown(path)}: no such file, but [[data]] {job.data.name} names it; say "
                    "with --data DIR where the data is"
                )
        if job.entry.system.takes_lexicon and job.data.lexicon is None:
            raise UsageError(
                f"system {job.entry.system.name!r} learns from training pairs: name a lexicon in "
                f"[[data]] {job.data.name}"
            )


def advice(jobs: Iterable[Job]) -> dict[str, str]:
    """What makes the scores of jobs better than they are, by the names of their data."""
    learning = {job.data.name: job.data for job in jobs if job.entry.system.takes_lexicon}
    found = {}
    for data in learning.values():
        assert data.lexicon is not None, "see check"
        files = [(path, io.read_pairs(path)) for path in (data.gold, data.lexicon)]
        gold, learnt = ({source for source, _ in pairs} for _, pairs in files)
        if gold.isdisjoint(learnt):
            continue
        src, trg = (_vectors(path, data.max_words) for path in (data.src, data.trg))
        asked, known = (set(_known(pairs, src, trg, path).src.tolist()) for path, pairs in files)
        if both := len(asked & known):
            found[data.name] = (
                f"{both:,} of the {len(asked):,} words asked are in the training pairs too: "
                "systems that learn from these know the answers"
            )
    return found


Version = tuple[tuple[str, int], ...]


def _version(path: Path) -> Version:
    """What tells a file as it is now from what it was: one that has changed is another one."""
    return tuple((stamp(path) or {}).items())


@lru_cache(maxsize=64)
def _checksum(path: Path, version: Version) -> str | None:
    """The SHA-256 of a file; nothing of one that is not there."""
    if not version:
        return None
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _vectors(path: Path, max_words: int | None) -> Embeddings:
    return _read(path, max_words, _version(path))


@lru_cache(maxsize=4)
def _read(path: Path, max_words: int | None, _: Version) -> Embeddings:
    return io.load(path, max_words=max_words)
