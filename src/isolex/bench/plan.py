"""A plan: which systems run on which data, how often, and the tables to make of that."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from isolex import aligning, systems
from isolex.errors import InputError, UsageError
from isolex.files import refuse, refuse_os, shown
from isolex.systems import System

PLANS = files("isolex.bench") / "plans"
LAYOUTS = ("runs", "accuracy")


@dataclass(frozen=True)
class Data:
    """A pair of vector files with the pairs to score by, and to learn from where there are any."""

    name: str
    src: Path
    trg: Path
    gold: Path
    lexicon: Path | None = None
    max_words: int | None = None

    @property
    def files(self) -> dict[str, Path]:
        """The files by what they are."""
        named = {"src": self.src, "trg": self.trg, "gold": self.gold, "lexicon": self.lexicon}
        return {name: path for name, path in named.items() if path is not None}


@dataclass(frozen=True)
class Entry:
    """A row of a table: a system, perhaps with other settings than its own.

    Attributes:
        key: What the plan calls it.
        label: What the table calls it.
        system: The system.
        pairs: How many training pairs it may see; all by default.
        runs: How many seeds; those of the plan by default.
    """

    key: str
    label: str
    system: System
    pairs: int | None = None
    runs: int | None = None


@dataclass(frozen=True)
class Table:
    """A table to make.

    Attributes:
        title: Above it.
        layout: ``"runs"``: best, average, number of successful runs and minutes of each pair;
            ``"accuracy"``: the average alone.
        rows: Keys of entries.
    """

    title: str
    layout: Literal["runs", "accuracy"]
    rows: tuple[str, ...]


@dataclass(frozen=True)
class Job:
    """One run."""

    data: Data
    entry: Entry
    seed: int

    @property
    def name(self) -> str:
        """What tells it from the others."""
        return f"{self.data.name}, {self.entry.key}, seed {self.seed}"


@dataclass(frozen=True)
class Plan:
    """What a TOML file asks for.

    Attributes:
        data: The pairs of languages.
        entries: The rows of all tables, by their keys.
        tables: The tables.
        runs: How many seeds each system has, from zero up.
        success: The accuracy in percent above which a run counts as successful.
    """

    data: tuple[Data, ...]
    entries: Mapping[str, Entry]
    tables: tuple[Table, ...]
    runs: int = 10
    success: float = 5.0

    def jobs(self) -> Iterator[Job]:
        """Every run, the first seeds of all systems first: a table that is cut short is even."""
        longest = max(self.seeds(entry) for entry in self.entries.values())
        for seed in range(longest):
            for data in self.data:
                for entry in self.entries.values():
                    if seed < self.seeds(entry):
                        yield Job(data, entry, seed)

    def seeds(self, entry: Entry) -> int:
        """How often an entry runs on each pair; what cannot come out differently runs once."""
        return entry.runs or (self.runs if random(entry.system) else 1)

    def only(self, data: list[str], rows: list[str], runs: int | None) -> Plan:
        """A part of the plan."""
        for what, asked, known in (
            ("data", data, [pair.name for pair in self.data]),
            ("system", rows, list(self.entries)),
        ):
            if wrong := [name for name in asked if name not in known]:
                raise UsageError(
                    f"no {what} {wrong[0]!r} in the plan: choose from {', '.join(known)}"
                )
        entries = {
            key: replace(entry, runs=runs if runs is not None else entry.runs)
            for key, entry in self.entries.items()
            if key in rows or not rows
        }
        tables = (
            replace(table, rows=tuple(row for row in table.rows if row in entries))
            for table in self.tables
        )
        return replace(
            self,
            data=tuple(pair for pair in self.data if pair.name in data or not data),
            entries=entries,
            tables=tuple(table for table in tables if table.rows),
        )


def random(system: System) -> bool:
    """Whether another seed may give another result."""
    stages = system.schedule.stages if system.schedule else ()
    masked = any(stage.keep_prob < 1 or stage.parts for stage in stages)
    drawn = type(system.initialise).__name__ == "Random"
    return masked or drawn or system.train is not None


def ready() -> list[str]:
    """The names of the plans that come with isolex."""
    return sorted(path.name.removesuffix(".toml") for path in PLANS.iterdir())


def read(plan: str, root: Path | None = None) -> Plan:
    """Read a plan.

    Args:
        plan: A TOML file, or the name of one that comes with isolex.
        root: The folder that its paths start from; by default ``ISOLEX_DATA``, else its own.
    """
    path = Path(plan)
    try:
        if plan in ready():
            text, home = (PLANS / f"{plan}.toml").read_text(encoding="utf-8"), Path.cwd()
        else:
            text, home = path.read_text(encoding="utf-8"), path.absolute().parent
        given = tomllib.loads(text)
    except FileNotFoundError as error:
        raise InputError(
            f"{shown(plan)}: no such file; give a TOML file or one of {', '.join(ready())}"
        ) from error
    except OSError as error:
        raise refuse_os(path, error) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise refuse(path, f"not a TOML file ({error})") from error
    default = os.environ.get("ISOLEX_DATA")
    return _Reader(plan, root or (Path(default) if default else home)).plan(given)


@dataclass(frozen=True)
class _Reader:
    """Turns what a TOML file holds into a plan, and says what is wrong with it."""

    name: str
    root: Path

    def plan(self, given: dict[str, Any]) -> Plan:
        self._keys(given, "the plan", {"runs", "success", "data", "systems", "table"})
        settings = given.get("systems", {})
        tables = tuple(map(self._table, self._several(given, "table")))
        rows = dict.fromkeys(row for table in tables for row in table.rows)
        plan = Plan(
            data=tuple(map(self._data, self._several(given, "data"))),
            entries={row: self._entry(row, settings.get(row, {})) for row in rows},
            tables=tables,
            **{key: given[key] for key in ("runs", "success") if key in given},
        )
        if idle := [key for key in settings if key not in rows]:
            raise self._wrong(f"[systems.{idle[0]}] is in no table")
        if len({pair.name for pair in plan.data}) < len(plan.data):
            raise self._wrong("two [[data]] have the same name")
        if type(plan.runs) is not int or plan.runs < 1:
            raise self._wrong("runs is a whole number from one up")
        return plan

    def _several(self, given: dict[str, Any], what: str) -> list[dict[str, Any]]:
        found = given.get(what)
        if not isinstance(found, list) or not found:
            raise self._wrong(f"no [[{what}]] in it")
        return found

    def _data(self, given: dict[str, Any]) -> Data:
        where = f"[[data]] {given.get('name', '')}".strip()
        self._keys(given, where, {field.name for field in fields(Data)})
        for key in ("name", "src", "trg", "gold"):
            if not isinstance(given.get(key), str):
                raise self._wrong(f"{where} has no {key}")
        paths = {
            key: self.root / Path(given[key]).expanduser()
            for key in ("src", "trg", "gold", "lexicon")
            if key in given
        }
        for path in paths.values():
            if not path.is_file():
                raise InputError(
                    f"{shown(path)}: no such file, but {where} of {self.name} names it; say with "
                    "--data DIR, or ISOLEX_DATA, where the data is"
                )
        return Data(given["name"], max_words=given.get("max_words"), **paths)

    def _entry(self, key: str, given: dict[str, Any]) -> Entry:
        where = f"[systems.{key}]"
        known = {"system", "label", "pairs", "runs", "cutoff", "budget", "train"}
        self._keys(given, where, known)
        try:
            system = systems.get(given.get("system", key))
            if train := given.get("train"):
                if system.train is None:
                    raise UsageError(f"system {system.name!r} does no training")
                system = replace(system, train=replace(system.train, **train))  # type: ignore[type-var]
            system = aligning.configure(
                system,
                lexicon=[] if system.takes_lexicon else None,
                cutoff=given.get("cutoff"),
                budget=given.get("budget"),
            )
        except (UsageError, TypeError) as error:
            raise self._wrong(f"{where}: {error}") from error
        return Entry(key, given.get("label", key), system, given.get("pairs"), given.get("runs"))

    def _table(self, given: dict[str, Any]) -> Table:
        where = f"[[table]] {given.get('title', '')}".strip()
        self._keys(given, where, {"title", "layout", "systems"})
        layout = given.get("layout", "runs")
        if layout not in LAYOUTS:
            raise self._wrong(f"{where}: layout {layout!r}; choose from {', '.join(LAYOUTS)}")
        if not given.get("systems"):
            raise self._wrong(f"{where} has no systems")
        return Table(given.get("title", ""), layout, tuple(given["systems"]))

    def _keys(self, given: Mapping[str, Any], where: str, known: set[str]) -> None:
        if strange := sorted(set(given) - known):
            raise self._wrong(
                f"unknown key {strange[0]!r} in {where}; known: {', '.join(sorted(known))}"
            )

    def _wrong(self, what: str) -> InputError:
        return refuse(self.name, what)
