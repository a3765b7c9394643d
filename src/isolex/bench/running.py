"""One run of a plan: align, score, and the result to keep."""

from __future__ import annotations

import time
from collections.abc import Sequence
from statistics import fmean
from typing import Any

import numpy as np

from isolex import __version__
from isolex.adapters import extras
from isolex.bench.inputs import (
    WordPairs,
    Words,
    checksum,
    read_gold,
    read_language,
    read_lexicon,
)
from isolex.bench.plan import TWO, BenchRun, LanguagePair
from isolex.core.file_errors import shown
from isolex.core.observer import Observer
from isolex.core.space import Space
from isolex.errors import InputError, UsageError
from isolex.evaluate import evaluate_lexicon
from isolex.kernels.warm_up import warm_up
from isolex.method.system import System
from isolex.systems import align as alignment
from isolex.systems.inducers import make_inducer

Result = dict[str, Any]
"""The contents of the file of a run."""


def fingerprint(run: BenchRun) -> Result:
    """What identifies the result of a run: its settings and the contents of its files."""
    found = {
        "data": run.dataset.name,
        "row": run.row.key,
        "system": run.row.system.name,
        "seed": run.seed,
        "pairs": run.row.pairs,
        "max_words": run.dataset.max_words,
        "settings": run.row.system.fingerprint,
        "inputs": {role: checksum(path) for role, path in run.files.items()},
    }
    if run.dataset.has_many:
        found["languages"] = list(run.dataset.languages)  # the order matters, too
    return found


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
    make_inducer(device)
    _warm_up(system, observer)
    languages = {name: read_language(run.dataset, name) for name in run.dataset.languages}
    gold = read_gold(run.dataset, languages)
    lexicon = read_lexicon(run, languages)
    known |= {
        "isolex": __version__,
        "retrieval": system.retrieval.method.value,
        "device": device,
        "threads": threads,
        "details": system.describe(),
    }
    if lexicon and not run.dataset.has_many:
        known["training_pairs"] = sum(map(len, lexicon.values()))
    began, began_cpu = time.perf_counter(), time.process_time()
    try:
        space = alignment.align(
            *languages.values(),
            system=system,
            lexicon=lexicon or None,
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
    return known | _scores(space, gold, lexicon) | spent | {"error": None}


def check(runs: Sequence[BenchRun], device: str = "cpu") -> None:
    """Refuse runs that lack a file, a package, a device or training pairs, before any is done."""
    make_inducer(device)
    for run in runs:
        system, dataset = run.row.system, run.dataset
        extras.require(system.extras, f"system {system.name!r}")
        for role, path in run.files.items():
            if not path.is_file():
                raise InputError(
                    f"{shown(path)}: no such file ({role} of [[data]] {dataset.name}); say where "
                    "the data is with --data DIR"
                )
        if system.takes_lexicon and not dataset.lexicon:
            raise UsageError(
                f"system {system.name!r} learns from training pairs: add a lexicon to [[data]] "
                f"{dataset.name}"
            )


def _warm_up(system: System, observer: Observer) -> None:
    """Import and compile what the first run would otherwise be charged for."""
    extras.load(system.extras)
    observer.step("compile")
    warm_up()
    observer.step("read")


def _scores(space: Space, gold: WordPairs, lexicon: WordPairs) -> Result:
    """The scores of the pairs, and what is known about them without gold data."""
    outcome = space.verdict.outcome.value if space.verdict else None
    about = {
        "verdict": outcome,
        "objective": space.objective,
        "iterations": len(space.history),
    }
    scores = {pair: _score(space, pair, words) for pair, words in gold.items()}
    if len(space) == len(TWO):
        return scores[TWO] | about
    for pair, score in scores.items():
        training = [len(words) for key, words in lexicon.items() if set(key) == set(pair)]
        score |= space.about(*pair).as_dict() | {"training_pairs": sum(training) or None}
    return {
        "accuracy": fmean(score["accuracy"] for score in scores.values()),
        **about,
        "scores": {"-".join(pair): score for pair, score in scores.items()},
        "verdicts": {
            "-".join(pair): known.verdict and known.verdict.outcome.value
            for pair, known in space.pairs.items()
        },
        "language_verdicts": {name: space.outcome(name) for name in space.names},
        "tree": [list(pair) for pair in space.tree],
    }


def _score(space: Space, pair: LanguagePair, gold: Words) -> Result:
    """The accuracy with the system's own retrieval, with csls and with nn."""
    source, target = pair
    found = {
        name: evaluate_lexicon(space, gold, retrieval, source=source, target=target)
        for name, retrieval in (("accuracy", space.retrieval), ("csls", "csls"), ("nn", "nn"))
    }
    return {
        **{name: score.precision[1] for name, score in found.items()},
        "entries": found["accuracy"].entries,
        "coverage": found["accuracy"].coverage,
    }


def _spent(began: float, began_cpu: float) -> Result:
    """Wall time and processor time; the latter hardly depends on what else the machine does."""
    return {
        "seconds": time.perf_counter() - began,
        "cpu_seconds": time.process_time() - began_cpu,
    }
