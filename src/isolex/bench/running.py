"""One run of a plan: align, score, and the result to keep."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import file_digest
from pathlib import Path
from typing import Any

import numpy as np

from isolex import __version__, io
from isolex.adapters import extras
from isolex.bench.plan import BenchRun, Dataset
from isolex.core.embeddings import Embeddings
from isolex.core.file_errors import shown
from isolex.core.files import stamp
from isolex.core.lexicon import Lexicon, match_directed
from isolex.core.observer import Observer
from isolex.core.space import Space
from isolex.errors import InputError, UsageError
from isolex.evaluate import evaluate_lexicon
from isolex.kernels.warm_up import warm_up
from isolex.method.system import System
from isolex.systems import align as alignment

Result = dict[str, Any]
"""The contents of the file of a run."""


def fingerprint(run: BenchRun) -> Result:
    """What identifies the result of a run: its settings and the contents of its files."""
    return {
        "data": run.dataset.name,
        "row": run.row.key,
        "system": run.row.system.name,
        "seed": run.seed,
        "pairs": run.row.pairs,
        "max_words": run.dataset.max_words,
        "settings": run.row.system.fingerprint,
        "inputs": {role: _checksum(path, _version(path)) for role, path in run.files.items()},
    }


def execute(
    run: BenchRun,
    threads: int | None = None,
    device: str = "cpu",
    observer: Observer | None = None,
) -> Result:
    """Do one run. If the alignment fails, the result has the reason and no accuracy.

    Args:
        run: The run.
        threads: Number of threads; all cores by default.
        device: Where training and self-learning run.
        observer: Is told about every step, epoch and iteration; an exception in it ends the run.
    """
    observer = observer or Observer()
    system, known = run.row.system, fingerprint(run)  # before the files are read
    extras.require(system.extras, f"system {system.name!r}")
    alignment.make_inducer(device)
    _warm_up(system, observer)
    source, target = _languages(run.dataset)
    gold = _gold(run.dataset, source, target)
    lexicon = _lexicon(run, source, target) if system.takes_lexicon else None
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
        space = alignment.align(
            source,
            target,
            system=system,
            lexicon=lexicon,
            seed=run.seed,
            threads=threads,
            device=device,
            progress=False,
            observer=observer,
        )
    except (UsageError, np.linalg.LinAlgError) as error:
        figures = dict.fromkeys(("accuracy", "csls", "nn", "verdict", "objective"))
        return known | figures | _spent(began, began_cpu) | {"error": str(error) or repr(error)}
    spent = _spent(began, began_cpu)
    return known | _scores(space, gold) | spent | {"error": None}


def check(runs: Sequence[BenchRun], device: str = "cpu") -> None:
    """Refuse runs that lack a file, a package, a device or training pairs, before any is done."""
    alignment.make_inducer(device)
    for run in runs:
        system, dataset = run.row.system, run.dataset
        extras.require(system.extras, f"system {system.name!r}")
        for role, path in run.files.items():
            if not path.is_file():
                raise InputError(
                    f"{shown(path)}: no such file ({role} of [[data]] {dataset.name}); say where "
                    "the data is with --data DIR"
                )
        if system.takes_lexicon and dataset.lexicon is None:
            raise UsageError(
                f"system {system.name!r} learns from training pairs: add a lexicon to [[data]] "
                f"{dataset.name}"
            )


def overlap_warnings(runs: Iterable[BenchRun]) -> dict[str, str]:
    """Say for each dataset whether the scores of runs on it are too high, by its name.

    They are if systems learn from pairs whose source words are also in the gold pairs.
    """
    learning = {run.dataset.name: run.dataset for run in runs if run.row.system.takes_lexicon}
    found = {}
    for dataset in learning.values():
        assert dataset.lexicon is not None, "see check"
        files = [(path, io.read_pairs(path)) for path in (dataset.gold, dataset.lexicon)]
        gold, training = ({source for source, _ in pairs} for _, pairs in files)
        if gold.isdisjoint(training):
            continue
        languages = _languages(dataset)
        scored, known = (
            set(_in_vocabulary(pairs, *languages, path).sources.tolist()) for path, pairs in files
        )
        if both := len(scored & known):
            found[dataset.name] = (
                f"{both:,} of the {len(scored):,} gold words are also in the training pairs: "
                "systems that learn from these have seen the answers"
            )
    return found


def _warm_up(system: System, observer: Observer) -> None:
    """Import and compile what the first run would otherwise be charged for."""
    extras.load(system.extras)
    observer.step("compile")
    warm_up()
    observer.step("read")


def _scores(space: Space, gold: list[tuple[str, str]]) -> Result:
    """The accuracy with the system's own retrieval, with csls and with nn, and the verdict."""
    found = {
        name: evaluate_lexicon(space, gold, retrieval)
        for name, retrieval in (("accuracy", space.retrieval), ("csls", "csls"), ("nn", "nn"))
    }
    return {
        **{name: score.precision[1] for name, score in found.items()},
        "entries": found["accuracy"].entries,
        "coverage": found["accuracy"].coverage,
        "verdict": space.verdict.outcome.value if space.verdict else None,
        "objective": space.objective,
        "iterations": len(space.history),
    }


def _spent(began: float, began_cpu: float) -> Result:
    """Wall time and processor time; the latter hardly depends on what else the machine does."""
    return {
        "seconds": time.perf_counter() - began,
        "cpu_seconds": time.process_time() - began_cpu,
    }


def _gold(dataset: Dataset, source: Embeddings, target: Embeddings) -> list[tuple[str, str]]:
    """The gold pairs; useless ones are refused before hours of training."""
    pairs = io.read_pairs(dataset.gold)
    if not len(_in_vocabulary(pairs, source, target, dataset.gold)):
        raise UsageError(
            f"{shown(dataset.gold)}: no pair has both words in the vocabularies of [[data]] "
            f"{dataset.name}: check its direction and spelling"
        )
    return pairs


def _lexicon(run: BenchRun, source: Embeddings, target: Embeddings) -> list[tuple[str, str]]:
    """The training pairs in the vocabularies: all, or the first few with different source words."""
    path = run.dataset.lexicon
    assert path is not None, "see check"
    known = _in_vocabulary(io.read_pairs(path), source, target, path)
    rows = zip(known.sources.tolist(), known.targets.tolist(), strict=True)
    pairs = [(source.words[one], target.words[other]) for one, other in rows]
    if run.row.pairs is None:
        return pairs
    first: dict[str, str] = {}
    for one, other in pairs:
        first.setdefault(one, other)
    return list(first.items())[: run.row.pairs]


def _in_vocabulary(
    pairs: Iterable[tuple[str, str]], source: Embeddings, target: Embeddings, path: Path
) -> Lexicon:
    """The pairs of a file that both vocabularies contain."""
    try:
        return match_directed(pairs, source, target)[0]
    except UsageError as error:
        raise UsageError(f"{shown(path)}: {error}") from error


Version = tuple[tuple[str, int], ...]
"""Size and modification time of a file: a file that has changed is read again."""


def _version(path: Path) -> Version:
    return tuple((stamp(path) or {}).items())


@lru_cache(maxsize=64)
def _checksum(path: Path, version: Version) -> str | None:
    """The SHA-256 of a file; ``None`` if there is no such file."""
    if not version:
        return None
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _languages(dataset: Dataset) -> tuple[Embeddings, Embeddings]:
    """The vectors of a dataset, named after their roles as the files may have the same name."""
    source, target = (
        _read(path, dataset.max_words, _version(path)).named(role)
        for role, path in (("source", dataset.source), ("target", dataset.target))
    )
    return source, target


@lru_cache(maxsize=4)
def _read(path: Path, max_words: int | None, _: Version) -> Embeddings:
    return io.load(path, max_words=max_words)
