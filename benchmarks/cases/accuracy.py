"""Accuracy of systems over pairs and seeds; saved rows are not run again."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from rapidfuzz.distance import Levenshtein

import isolex
from benchmarks import options, variants
from benchmarks.cases.map_small import PAPER
from benchmarks.data import data_file, pair_of
from benchmarks.hardware import hardware
from benchmarks.measure import Target, judged
from benchmarks.planted import planted
from benchmarks.report import Case, Column, Report, Row, note, store
from isolex import io, systems
from isolex.core.observer import Iteration, Observer
from isolex.core.spelling import ALIKE
from isolex.core.words import folded
from isolex.evaluate import evaluate_lexicon

NAME = "accuracy"
LOSS = Target("at most", 0.3, "points behind")
COLUMNS = (
    Column("pair", "pair"),
    Column("system", "system"),
    Column("seeds", "seeds"),
    Column("nn_mean", "nn mean", ".2f"),
    Column("nn_worst", "nn worst", ".2f"),
    Column("csls_mean", "csls mean", ".2f"),
    Column("csls_worst", "csls worst", ".2f"),
    Column("unlike_mean", "unlike mean", ".2f"),
    Column("unlike_worst", "unlike worst", ".2f"),
    Column("objective_mean", "objective", ".4f"),
    Column("iterations_mean", "iterations", ".0f"),
    Column("verdicts", "verdicts"),
    Column("seconds_mean", "seconds", ".1f"),
    Column("loss", "behind the paper", ".2f"),
    Column("target", "target"),
    Column("met", "met"),
)


def run(asked: Namespace) -> Report:
    """Run what is missing, and save every row as soon as it is done."""
    rows = {} if asked.fresh else known(asked.results / f"{NAME}.json")
    machine = hardware()
    warm_up()
    for pair in asked.pairs:
        for key, system in missing(rows, pair, asked):
            note(f"{pair}, {system.name}, seed {key[2]}")
            rows[key] = measured(pair, system, key[2], asked.size)
            store(report(rows, asked), NAME, machine, asked.results)
    return report(rows, asked)


def warm_up() -> None:
    """Let Numba compile, so that no row includes it."""
    isolex.align(
        *planted(200, 8).embeddings(), system=PAPER, observer=FirstIteration(), progress=False
    )


class FirstIteration(Observer):
    """Ends self-learning after one iteration."""

    def iteration(self, iteration: Iteration) -> bool:  # noqa: ARG002
        """End it."""
        return True


Key = tuple[str, str, int, int | None, str]


def key_of(row: Row) -> Key:
    """What identifies a row; other settings make another row."""
    names = ("pair", "system", "seed", "size", "settings")
    return tuple(row[name] for name in names)  # type: ignore[return-value]


def known(path: Path) -> dict[Key, Row]:
    """The saved rows, except of systems whose settings have changed."""
    if not path.is_file():
        return {}
    rows: list[Row] = json.loads(path.read_text(encoding="utf-8"))["rows"]
    current = {name: system.fingerprint for name, system in variants.EVERYTHING.items()}
    return {key_of(row): row for row in rows if current.get(str(row["system"])) == row["settings"]}


def missing(
    rows: dict[Key, Row], pair: str, asked: Namespace
) -> Iterator[tuple[Key, systems.System]]:
    """The rows of a pair that are still missing."""
    for name in asked.systems:
        system = variants.get(name)
        for seed in asked.seeds:
            key = (pair, name, seed, asked.size, system.fingerprint)
            if key not in rows:
                yield key, system


def measured(name: str, system: systems.System, seed: int, size: int | None) -> Row:
    """One run."""
    pair = pair_of(name)
    files = (data_file(name) for name in (pair.source, pair.target))
    source, target = (io.load(path, max_words=size) for path in files)
    gold = io.read_pairs(data_file(pair.gold))
    began = time.perf_counter()
    space = isolex.align(source, target, system=system, seed=seed, progress=False)
    seconds = time.perf_counter() - began
    found: dict[str, Any] = {
        method: evaluate_lexicon(space, gold, method) for method in ("nn", "csls")
    }
    return {
        "pair": name,
        "system": system.name,
        "seed": seed,
        "size": size,
        "settings": system.fingerprint,
        **{method: result.precision[1] for method, result in found.items()},
        "unlike": evaluate_lexicon(space, unlike(gold)).precision[1],
        "entries": found["csls"].entries,
        "objective": space.objective,
        **(space.verdict.as_dict() if space.verdict else {}),
        "attempts": len(space.attempts),
        "iterations": len(space.history),
        "seconds": seconds,
    }


def unlike(gold: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The entries of words that no translation is spelled like."""
    alike = {
        source
        for source, target in gold
        if Levenshtein.normalized_similarity(folded(source), folded(target)) >= ALIKE
    }
    return [pair for pair in gold if pair[0] not in alike]


def report(rows: dict[Key, Row], asked: Namespace) -> Report:
    """All rows, and a summary of the requested ones."""
    names = ("pairs", "systems", "seeds", "size")
    settings = {name: getattr(asked, name) for name in names}
    shown = list(summary(rows, asked))
    return Report(list(rows.values()), settings, COLUMNS, shown=shown)


def summary(rows: dict[Key, Row], asked: Namespace) -> Iterator[Row]:
    """One row per pair and system."""
    for pair in asked.pairs:
        paper = chosen(rows, pair, PAPER, asked)
        for name in asked.systems:
            own = chosen(rows, pair, name, asked)
            if own:
                yield condensed(own) | lost(own, paper, pair_of(pair).seeds, asked.size)


def chosen(rows: dict[Key, Row], pair: str, name: str, asked: Namespace) -> list[Row]:
    """The rows of a pair and a system with the requested seeds."""
    settings = variants.get(name).fingerprint
    keys = [(pair, name, seed, asked.size, settings) for seed in asked.seeds]
    return [rows[key] for key in keys if key in rows]


def condensed(own: list[Row]) -> Row:
    """Means and worst accuracies."""

    def column(name: str) -> list[float]:
        return [float(row[name]) for row in own]  # type: ignore[arg-type]

    made: Row = {"pair": own[0]["pair"], "system": own[0]["system"], "seeds": len(own)}
    for name in ("nn", "csls", "unlike", "objective", "iterations", "seconds"):
        made[f"{name}_mean"] = mean(column(name))
    for name in ("nn", "csls", "unlike"):
        made[f"{name}_worst"] = min(column(name))
    verdicts = Counter(str(row["verdict"]) for row in own if row.get("verdict"))
    made["verdicts"] = ", ".join(f"{count} {name}" for name, count in sorted(verdicts.items()))
    return made


def lost(own: list[Row], paper: list[Row], seeds: int, size: int | None) -> Row:
    """Points of csls precision by which the paper's system is better, over the same seeds."""
    if own[0]["system"] == PAPER or [r["seed"] for r in own] != [r["seed"] for r in paper]:
        return {}
    loss = mean(float(r["csls"]) for r in paper) - mean(float(r["csls"]) for r in own)  # type: ignore[arg-type]
    enough = len(own) >= seeds and size is None
    return {"loss": loss} | judged(loss, LOSS, applies=enough)


def add_options(parser: ArgumentParser) -> None:
    """Options of the case."""
    options.head(parser)
    parser.add_argument("--pairs", nargs="+", default=["es-en", "it-en"], metavar="PAIR")
    both = list(dict.fromkeys((systems.DEFAULT, PAPER)))
    also = f"systems, or variants of {systems.DEFAULT}: {', '.join(variants.VARIANTS)}"
    parser.add_argument("--systems", nargs="+", default=both, metavar="NAME", help=also)
    parser.add_argument("--seeds", nargs="+", type=int, default=list(range(10)), metavar="N")
    parser.add_argument("--fresh", action="store_true", help="discard the saved rows")


CASE = Case(NAME, "precision and objective over pairs, systems and seeds", run, add_options)
