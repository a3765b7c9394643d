"""Verdicts against the truth: solutions of every quality, judged with and without gold data."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

import isolex
from benchmarks import options
from benchmarks.cases.accuracy import warm_up
from benchmarks.data import PAIRS, data_file, pair_of
from benchmarks.hardware import hardware
from benchmarks.report import Case, Column, Report, Row, note, store
from isolex import io
from isolex.core.choices import Outcome
from isolex.core.verdict import Evidence, Verdict
from isolex.evaluate import evaluate_lexicon

NAME = "verdicts"
FEWEST = 40
"""With fewer test entries, an accuracy means nothing."""

SHARE = 0.5
"""A solution is good from this share of the supervised accuracy."""

COLUMNS = (
    Column("verdict", "verdict"),
    Column("good", "good solutions"),
    Column("bad", "bad solutions"),
    Column("lowest", "lowest share of supervised", ".2f"),
    Column("highest", "highest share", ".2f"),
)

Pairs = list[tuple[str, str]]


@dataclass(frozen=True)
class Recipe:
    """A way to a solution.

    Attributes:
        name: Its name in the rows.
        system: The system.
        pairs: How many training pairs it gets; ``None`` for all of them, 0 for none.
        wrong: The share of them whose translations are exchanged at random.
    """

    name: str
    system: str
    pairs: int | None = 0
    wrong: float = 0.0

    def lexicon(self, pairs: Pairs, seed: int) -> Pairs | None:
        """The training pairs."""
        if self.pairs == 0:
            return None
        rng = np.random.default_rng(seed)
        chosen = [pairs[row] for row in rng.permutation(len(pairs))[: self.pairs]]
        count = round(self.wrong * len(chosen))
        targets = [target for _, target in chosen]
        targets[:count] = [targets[row] for row in rng.permutation(count)]
        return [(source, target) for (source, _), target in zip(chosen, targets, strict=True)]


REFERENCE = Recipe("supervised", "supervised", None)
RECIPES = (
    REFERENCE,
    Recipe("supervised, 300 pairs", "supervised", 300),
    Recipe("supervised, 100 pairs", "supervised", 100),
    Recipe("supervised, half wrong", "supervised", 600, wrong=0.5),
    Recipe("supervised, all wrong", "supervised", 600, wrong=1.0),
    Recipe("semi-supervised, 100 pairs", "semi-supervised", 100),
    Recipe("semi-supervised, 25 pairs", "semi-supervised", 25),
    Recipe("from a random lexicon", "artetxe2018-no-init"),
    Recipe("artetxe2018", "artetxe2018"),
    Recipe("robust", "robust"),
)


def run(asked: Namespace) -> Report:
    """Run what is missing, and save every row as soon as it is done."""
    path = asked.results / f"{NAME}.json"
    rows = [] if asked.fresh or not path.is_file() else json.loads(path.read_text("utf-8"))["rows"]
    rows = [row for row in rows if "frequent" in row]
    done = {(row["pair"], row["size"], row["recipe"]) for row in rows}
    machine = hardware()
    warm_up()
    for pair in asked.pairs:
        for words in asked.size:
            for row in _solutions(pair, words, done):
                rows.append(row)
                store(_report(rows, asked), NAME, machine, asked.results)
    return _report(rows, asked)


def _solutions(name: str, words: int, done: set[tuple[str, int, str]]) -> Iterator[Row]:
    """The missing solutions of a pair, cut to its most frequent words."""
    pair = pair_of(name)
    source, target = (
        io.load(data_file(file), max_words=words) for file in (pair.source, pair.target)
    )
    train, test = _halves(
        [
            (one, other)
            for file in pair.whole
            for one, other in io.read_pairs(data_file(file))
            if one in source.index and other in target.index
        ]
    )
    if len({one for one, _ in test}) < FEWEST:
        return
    for recipe in RECIPES:
        if (name, words, recipe.name) in done:
            continue
        note(f"{name}, {words:,} words, {recipe.name}")
        space = isolex.align(
            source,
            target,
            system=recipe.system,
            lexicon=recipe.lexicon(train, 0),
            progress=False,
            **_limits(recipe),
        )
        assert space.verdict is not None
        examined = space.verdict.evidence.words
        frequent = [(one, other) for one, other in test if source.index[one] < examined]
        yield {
            "pair": name,
            "size": words,
            "recipe": recipe.name,
            "accuracy": evaluate_lexicon(space, test).precision[1],
            "entries": len({one for one, _ in test}),
            "frequent": evaluate_lexicon(space, frequent).precision[1],
            "frequent_entries": len({one for one, _ in frequent}),
            "evidence": asdict(space.verdict.evidence),
        }


def _limits(recipe: Recipe) -> dict[str, Any]:
    """Limits that make self-learning take seconds instead of minutes."""
    if recipe.system == "robust":
        return {"budget": 0.5}
    return {} if recipe.system == "supervised" else {"cutoff": 2000}


def _halves(pairs: Pairs) -> tuple[Pairs, Pairs]:
    """The pairs of a random half of the source words, and the remaining pairs."""
    words = sorted({source for source, _ in pairs})
    chosen = set(np.random.default_rng(0).permutation(words)[: len(words) // 2].tolist())
    halves: tuple[Pairs, Pairs] = ([], [])
    for pair in pairs:
        halves[pair[0] not in chosen].append(pair)
    return halves


def _report(rows: Sequence[Row], asked: Namespace) -> Report:
    """All rows, and the confusion table of the requested ones."""
    names = ("pairs", "size")
    settings = {name: getattr(asked, name) for name in names}
    chosen = [row for row in rows if row["pair"] in asked.pairs and row["size"] in asked.size]
    shares = _shares(chosen)
    shown: list[Row] = []
    for outcome in Outcome:
        own = [share for row, share in shares if _verdict(row).outcome == outcome]
        good = sum(share >= SHARE for share in own)
        shown.append(
            {
                "verdict": outcome.value,
                "good": good,
                "bad": len(own) - good,
                "lowest": min(own, default=None),
                "highest": max(own, default=None),
            }
        )
    return Report(list(rows), settings, COLUMNS, [*_curve(shares), *_estimate(chosen)], shown)


def _verdict(row: Row) -> Verdict:
    """The verdict that the evidence of a row gives today."""
    return Verdict.of(Evidence(**row["evidence"]))  # type: ignore[arg-type]


def _shares(rows: Sequence[Row]) -> list[tuple[Row, float]]:
    """Rows with their share of the accuracy of the supervised solution."""
    reference = {
        (row["pair"], row["size"]): float(row["accuracy"])  # type: ignore[arg-type]
        for row in rows
        if row["recipe"] == REFERENCE.name
    }
    return [
        (row, float(row["accuracy"]) / reference[row["pair"], row["size"]])  # type: ignore[arg-type]
        for row in rows
        if reference.get((row["pair"], row["size"]))
    ]


def _curve(shares: Sequence[tuple[Row, float]]) -> list[str]:
    """The area under the ROC curve of the score, and some of its points."""
    scores = np.array([_verdict(row).evidence.score for row, _ in shares])
    good = np.array([share >= SHARE for _, share in shares])
    if good.all() or not good.any():
        return []
    wins = scores[good][:, None] - scores[~good]
    area = float((wins > 0).mean() + (wins == 0).mean() / 2)
    lines = [f"{len(good)} solutions, {good.sum()} good; area under the ROC curve {area:.3f}"]
    for least in (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        above = scores >= least
        lines.append(
            f"score at least {least}: {above[good].mean():.1%} of the good solutions, "
            f"{above[~good].mean():.1%} of the bad ones"
        )
    return lines


def _estimate(rows: Sequence[Row]) -> list[str]:
    """How well the lift predicts precision after a success, on pairs that were not fitted."""
    seen = [row for row in rows if _verdict(row).outcome == Outcome.SUCCEEDED]
    seen = [row for row in seen if row["frequent_entries"] >= FEWEST]  # type: ignore[operator]
    pairs = np.array([row["pair"] for row in seen])
    if len(set(pairs)) < 2:
        return []
    lift = np.array([_verdict(row).evidence.lift for row in seen])
    right = np.clip([float(row["frequent"]) / 100 for row in seen], 0.01, 0.99)  # type: ignore[arg-type]
    odds = np.log(right / (1 - right))
    predicted = np.empty(len(seen))
    for pair in set(pairs):
        own = pairs == pair
        predicted[own] = np.polyval(np.polyfit(lift[~own], odds[~own], 1), lift[own])
    errors = 100 * np.abs(1 / (1 + np.exp(-predicted)) - right)
    slope, intercept = np.polyfit(lift, odds, 1)
    return [
        f"log-odds of a right translation after {len(seen)} successes: {intercept:.2f} + "
        f"{slope:.2f} x lift",
        f"fitted to the other pairs, the estimate is {errors.mean():.1f} points off on average, "
        f"at most {np.quantile(errors, 0.9):.1f} in nine of ten, and {errors.max():.1f} at worst",
    ]


def add_options(parser: ArgumentParser) -> None:
    """Options of the case."""
    options.sizes(parser, (1000, 2000, 5000, 20_000))
    parser.add_argument("--pairs", nargs="+", default=list(PAIRS), metavar="PAIR")
    parser.add_argument("--fresh", action="store_true", help="discard the saved rows")


CASE = Case(NAME, "verdicts against gold data, over solutions of every quality", run, add_options)
