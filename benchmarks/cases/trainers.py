"""How reliably short trainings find a planted map: the worst of several seeds, per system."""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, Literal

import isolex
from benchmarks import options
from benchmarks.cases.accuracy import warm_up
from benchmarks.errors import BenchmarkError
from benchmarks.measure import Target, judged
from benchmarks.planted import planted
from benchmarks.report import Case, Column, Report, Row, note
from isolex import Embeddings, systems

WORDS, DIMS, SEEDS = 2000, 10, 5
NOISE = 0.1
LENGTH = 4.0
"""Length of the planted vectors; adversarial training depends on it."""
FOUND = 50.0
"""A map is found if it translates at least this many percent of the words correctly."""

COLUMNS = (
    Column("system", "system"),
    Column("seeds", "seeds"),
    Column("found", "found"),
    Column("worst", "worst %", ".1f"),
    Column("median", "median %", ".1f"),
    Column("best", "best %", ".1f"),
    Column("seconds", "seconds", ".1f"),
    Column("judged", "judged by"),
    Column("target", "target"),
    Column("met", "met"),
)


@dataclass(frozen=True)
class Trial:
    """A short training of one system.

    Attributes:
        changes: Settings of the trainer that the system sets differently.
        least: Percentage of correct translations that is required ...
        of: ... of the worst or of the best seed; the best if the trainer depends on luck.
    """

    changes: dict[str, Any]
    least: float
    of: Literal["worst", "best"] = "worst"

    @property
    def target(self) -> Target:
        """The requirement."""
        return Target("at least", self.least, "%")


_CONNEAU = {"epochs": 12, "samples": 8000, "steps": 2, "hidden": 64, "rate": 1.0, "beta": 0.01}
_GAME = {"epochs": 16, "steps": 250, "batch": 64, "by_frequency": False}  # no word is frequent here
_ZHANG = _GAME | {"hidden": 64, "rate": 0.005, "discriminator_rate": 0.01, "early": 4}
_MICELI = _GAME | {"hidden": 32, "rate": 0.01, "discriminator_rate": 0.002}
_EMD = {"starts": 8, "words": 300, "epochs": 1, "steps": 60, "hidden": 100, "rate": 0.02}
_GRAVE = {"first_words": 300, "first_iterations": 30, "batch": 150, "steps": 40, "stages": 2}

TRIALS: dict[str, Trial] = {
    "conneau2018": Trial(_CONNEAU, 60, "best"),
    "conneau2018-paper": Trial(_CONNEAU, 60, "best"),
    "zhang2017-adversarial": Trial(_ZHANG, 30, "best"),
    "zhang2017-adversarial-10": Trial(_ZHANG, 30, "best"),
    "micelibarone2016": Trial(_MICELI, 20, "best"),
    "zhang2017-emd": Trial(_EMD, 95, "best"),
    "grave2018": Trial(_GRAVE, 95),
    "alvarezmelis2018": Trial({"words": 300, "iterations": 35}, 95),
    "lazaridou2015": Trial({}, 95),
    "joulin2018": Trial({}, 95),
}


def run(asked: Namespace) -> Report:
    """Train every system with every seed; a seed also determines the planted problem."""
    unknown = [name for name in asked.systems if name not in TRIALS]
    if unknown:
        raise BenchmarkError(f"no trial for {', '.join(unknown)}: choose from {', '.join(TRIALS)}")
    warm_up()
    rows: list[Row] = []
    for name in asked.systems:
        for seed in asked.seeds:
            note(f"{name}, seed {seed}")
            rows.append(measured(name, seed, asked.size, asked.dims))
    names = ("systems", "seeds", "size", "dims")
    settings = {name: getattr(asked, name) for name in names}
    full = (asked.size, asked.dims) == (WORDS, DIMS) and len(asked.seeds) >= SEEDS
    shown = [
        condensed(name, [row for row in rows if row["system"] == name], applies=full)
        for name in asked.systems
    ]
    return Report(rows, settings, COLUMNS, shown=shown)


def measured(name: str, seed: int, size: int, dims: int) -> Row:
    """Train once; supervised systems get half of the pairs and are asked for the rest."""
    system = shortened(name)
    problem = planted(size, dims, NOISE, seed)
    source, target = (
        Embeddings(given.words, LENGTH * given.vectors) for given in problem.embeddings()
    )
    lexicon = problem.pairs(size // 2) if system.takes_lexicon else None
    trained = {word for word, _ in lexicon or ()}
    began = time.perf_counter()
    made = isolex.align(source, target, system=system, lexicon=lexicon, seed=seed)
    seconds = time.perf_counter() - began
    asked = [entry for entry in made.lexicon() if entry.source not in trained]
    right = sum(entry.source[1:] == entry.target[1:] for entry in asked)
    return {"system": name, "seed": seed, "right": 100 * right / len(asked), "seconds": seconds}


def shortened(name: str) -> systems.System:
    """A system with the settings of its trial."""
    system, changes = systems.get(name), TRIALS[name].changes
    return replace(system, train=system.train and replace(system.train, **changes))  # type: ignore[type-var]


def condensed(name: str, rows: Sequence[Row], *, applies: bool) -> Row:
    """One row per system over its seeds."""
    right = [float(row["right"]) for row in rows]  # type: ignore[arg-type]
    trial = TRIALS[name]
    worst, best = min(right), max(right)
    return {
        "system": name,
        "seeds": len(rows),
        "found": sum(share >= FOUND for share in right),
        "worst": worst,
        "median": median(right),
        "best": best,
        "seconds": median(float(row["seconds"]) for row in rows),  # type: ignore[arg-type]
        "judged": trial.of,
        **judged(worst if trial.of == "worst" else best, trial.target, applies=applies),
    }


def add_options(parser: ArgumentParser) -> None:
    """Options of the case."""
    parser.add_argument(
        "--size", type=options.positive, default=WORDS, metavar="N", help="words per language"
    )
    parser.add_argument(
        "--dims", type=options.positive, default=DIMS, metavar="D", help="dimensions"
    )
    parser.add_argument(
        "--systems", nargs="+", default=list(TRIALS), metavar="NAME", help="run only these systems"
    )
    parser.add_argument(
        "--seeds",
        nargs="+",
        type=int,
        default=list(range(SEEDS)),
        metavar="N",
        help="random seeds of the planted problem and of the training",
    )


CASE = Case(
    "trainers", "how often short trainings find a planted map, over seeds", run, add_options
)
