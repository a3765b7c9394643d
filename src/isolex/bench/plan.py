"""A plan: which systems run on which datasets, how often, and the tables of the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Literal

from isolex.errors import UsageError, did_you_mean
from isolex.method.system import System

PLANS = files("isolex.bench") / "plans"
"""The plans that come with isolex."""

LanguagePair = tuple[str, str]
"""The names of the source and the target language."""

TWO: LanguagePair = ("source", "target")
"""The names of the languages in a dataset of two languages."""


@dataclass(frozen=True)
class Dataset:
    """Vector files of two or more languages, with word pairs for scoring and for training.

    Attributes:
        name: Its name in the plan.
        languages: Vectors of each language; a dataset of two languages has the names in `TWO`.
        gold: Word pairs for scoring, source word first.
        lexicon: Training pairs, for systems that learn from them.
        max_words: How many of the most frequent words of each file are read; all by default.
    """

    name: str
    languages: Mapping[str, Path]
    gold: Mapping[LanguagePair, Path]
    lexicon: Mapping[LanguagePair, Path] = field(default_factory=dict)
    max_words: int | None = None

    @property
    def has_many(self) -> bool:
        """Whether there are more than two languages."""
        return len(self.languages) > len(TWO)

    @property
    def columns(self) -> dict[str, LanguagePair]:
        """The pairs that are scored, by their names in the tables."""
        if not self.has_many:
            return {self.name: TWO}
        return {f"{self.name} {'-'.join(pair)}": pair for pair in self.gold}

    def split(self) -> Iterator[Dataset]:
        """A dataset of two languages for each pair that is scored."""
        if not self.has_many:
            yield self
            return
        for name, pair in self.columns.items():
            roles = dict(zip(pair, TWO, strict=True))
            yield Dataset(
                name,
                languages={role: self.languages[one] for one, role in roles.items()},
                gold={TWO: self.gold[pair]},
                lexicon={
                    (roles[one], roles[other]): path
                    for (one, other), path in self.lexicon.items()
                    if {one, other} == set(pair)
                },
                max_words=self.max_words,
            )


@dataclass(frozen=True)
class TableRow:
    """A row of a table: a system, with its own settings or others.

    Attributes:
        key: Its name in the plan.
        label: Its name in the tables.
        system: The system.
        pairs: How many training pairs it gets; all by default.
        runs: How many seeds it runs with; by default as many as the plan says.
        together: Whether one run aligns all languages of a dataset; otherwise every pair that is
            scored has a run of its own.
    """

    key: str
    label: str
    system: System
    pairs: int | None = None
    runs: int | None = None
    together: bool = True


@dataclass(frozen=True)
class TablePlan:
    """A table to make.

    Attributes:
        title: The heading.
        layout: ``"runs"``: best and average accuracy, successful runs and minutes per dataset;
            ``"accuracy"``: only the average.
        keys: The keys of its rows.
    """

    title: str
    layout: Literal["runs", "accuracy"]
    keys: tuple[str, ...]


@dataclass(frozen=True)
class BenchRun:
    """One run: a row of a table on a dataset with a seed."""

    dataset: Dataset
    row: TableRow
    seed: int

    @property
    def lexicon(self) -> Mapping[LanguagePair, Path]:
        """The training pairs, if its system learns from them."""
        return self.dataset.lexicon if self.row.system.takes_lexicon else {}

    @property
    def files(self) -> dict[str, Path]:
        """The files that it reads, by their role."""
        roles = dict(self.dataset.languages)
        for role, pairs in (("gold", self.dataset.gold), ("lexicon", self.lexicon)):
            for pair, path in pairs.items():
                roles[role if pair == TWO else f"{role} {'-'.join(pair)}"] = path
        return roles

    @property
    def name(self) -> str:
        """A name that no other run of the plan has."""
        return f"{self.dataset.name}, {self.row.key}, seed {self.seed}"


@dataclass(frozen=True)
class Plan:
    """What a plan file asks for.

    Attributes:
        datasets: The datasets.
        rows: The rows of all tables, by key.
        tables: The tables.
        seeds: How many seeds each system runs with, counted from zero.
        success: The accuracy in percent above which a run counts as successful.
    """

    datasets: tuple[Dataset, ...]
    rows: Mapping[str, TableRow]
    tables: tuple[TablePlan, ...]
    seeds: int = 10
    success: float = 5.0

    @property
    def columns(self) -> list[str]:
        """The names of all columns that rows are scored on."""
        return [column for dataset in self.datasets for column in dataset.columns]

    def runs(self) -> Iterator[BenchRun]:
        """Every run, in order of seed, so that an unfinished bench has as many runs of each row."""
        longest = max(self.seeds_of(row) for row in self.rows.values())
        for seed in range(longest):
            for run in self.runs_with(seed):
                if seed < self.seeds_of(run.row):
                    yield run

    def runs_with(self, seed: int) -> Iterator[BenchRun]:
        """The runs of all rows with one seed."""
        for dataset in self.datasets:
            for row in self.rows.values():
                for part in [dataset] if row.together else dataset.split():
                    yield BenchRun(part, row, seed)

    def seeds_of(self, row: TableRow) -> int:
        """How many seeds a row runs with: one if the seed does not change the result."""
        return (row.runs or self.seeds) if depends_on_seed(row.system) else 1

    def select(self, datasets: Sequence[str], rows: Sequence[str], runs: int | None) -> Plan:
        """A part of the plan.

        Args:
            datasets: Names of datasets; all if empty.
            rows: Keys of rows; all if empty.
            runs: Number of seeds in place of the plan's own.
        """
        for what, given, known in (
            ("dataset", datasets, [dataset.name for dataset in self.datasets]),
            ("system", rows, list(self.rows)),
        ):
            if unknown := [name for name in given if name not in known]:
                hint = did_you_mean(unknown[0], known) or f"choose from {', '.join(known)}"
                raise UsageError(f"no {what} {unknown[0]!r} in the plan: {hint}")
        chosen = {
            key: replace(row, runs=runs or row.runs)
            for key, row in self.rows.items()
            if key in rows or not rows
        }
        tables = (
            replace(table, keys=tuple(key for key in table.keys if key in chosen))
            for table in self.tables
        )
        return replace(
            self,
            datasets=tuple(one for one in self.datasets if one.name in datasets or not datasets),
            rows=chosen,
            tables=tuple(table for table in tables if table.keys),
        )


def depends_on_seed(system: System) -> bool:
    """Whether another seed may give another result."""
    stages = system.schedule.stages if system.schedule else ()
    masked = any(stage.keep_prob < 1 or stage.parts for stage in stages)
    parts = (system.initialise, system.mapping, system.train)
    return masked or any(getattr(part, "seeded", False) for part in parts)


def ready() -> list[str]:
    """The names of the plans that come with isolex."""
    return sorted(path.name.removesuffix(".toml") for path in PLANS.iterdir())
