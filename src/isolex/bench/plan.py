"""A plan: which systems run on which data, how often, and the tables to make of that."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from isolex import systems
from isolex.core.files import refuse, refuse_os, shown
from isolex.errors import InputError, UsageError, did_you_mean
from isolex.method.training import Train
from isolex.systems import System
from isolex.systems import align as aligning

PLANS = files("isolex.bench") / "plans"
LAYOUTS = ("runs", "accuracy")
KINDS: Mapping[Any, str] = {
    int: "a whole number",
    (int, float): "a number",
    str: "a text",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


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
    def files(self) -> dict[str, Path]:
        """The files that it reads, by what they are."""
        every = self.data.files
        if not self.entry.system.takes_lexicon:
            every.pop("lexicon", None)
        return every

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
        return (entry.runs or self.runs) if random(entry.system) else 1

    def only(self, data: list[str], rows: list[str], runs: int | None) -> Plan:
        """A part of the plan."""
        for what, asked, known in (
            ("data", data, [pair.name for pair in self.data]),
            ("system", rows, list(self.entries)),
        ):
            if wrong := [name for name in asked if name not in known]:
                hint = did_you_mean(wrong[0], known) or f"choose from {', '.join(known)}"
                raise UsageError(f"no {what} {wrong[0]!r} in the plan: {hint}")
        entries = {
            key: replace(entry, runs=runs or entry.runs)
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
    parts = (system.initialise, system.mapping, system.train)
    return masked or any(getattr(part, "seeded", False) for part in parts)


def ready() -> list[str]:
    """The names of the plans that come with isolex."""
    return sorted(path.name.removesuffix(".toml") for path in PLANS.iterdir())


def read(plan: str, root: Path | None = None) -> Plan:
    """Read a plan.

    Args:
        plan: A TOML file, or the name of one that comes with isolex.
        root: The folder that its paths start from; by default its own. For a plan that comes with
            isolex, ``ISOLEX_DATA``, else the current one.
    """
    path = Path(plan)
    try:
        if plan in ready():
            text = (PLANS / f"{plan}.toml").read_text(encoding="utf-8")
            home = Path(os.environ.get("ISOLEX_DATA", ""))
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
    return _Reader(plan, root or home).plan(given)


@dataclass(frozen=True)
class _Reader:
    """Turns what a TOML file holds into a plan, and says what is wrong with it."""

    name: str
    root: Path

    def plan(self, given: dict[str, Any]) -> Plan:
        self._keys(given, "the plan", {"runs", "success", "data", "systems", "table"})
        settings = self._typed(given, "systems", "the plan", dict, {})
        tables = tuple(map(self._table, self._several(given, "table")))
        rows = dict.fromkeys(row for table in tables for row in table.rows)
        plan = Plan(
            data=tuple(map(self._data, self._several(given, "data"))),
            entries={
                row: self._entry(row, self._typed(settings, row, "[systems]", dict, {}))
                for row in rows
            },
            tables=tables,
            runs=self._count(given, "runs", "the plan") or Plan.runs,
            success=float(self._typed(given, "success", "the plan", (int, float), Plan.success)),
        )
        if not 0 <= plan.success < 100:
            raise self._wrong(
                f"success of the plan is a percentage from 0 to below 100, not {plan.success:g}"
            )
        if idle := [key for key in settings if key not in rows]:
            raise self._wrong(f"[systems.{idle[0]}] is in no table")
        if len({pair.name for pair in plan.data}) < len(plan.data):
            raise self._wrong("two [[data]] have the same name")
        return plan

    def _several(self, given: dict[str, Any], what: str) -> list[dict[str, Any]]:
        found = given.get(what)
        if not isinstance(found, list) or not found or not isinstance(found[0], dict):
            raise self._wrong(f"no [[{what}]] in it")
        return found

    def _data(self, given: dict[str, Any]) -> Data:
        where = f"[[data]] {given.get('name', '')}".strip()
        self._keys(given, where, {field.name for field in fields(Data)})
        for key in ("name", "src", "trg", "gold"):
            if key not in given:
                raise self._wrong(f"{where} has no {key}")
        paths = {
            key: self.root / Path(self._typed(given, key, where, str)).expanduser()
            for key in ("src", "trg", "gold", "lexicon")
            if key in given
        }
        max_words = self._count(given, "max_words", where)
        return Data(self._line(given, "name", where, ""), max_words=max_words, **paths)

    def _entry(self, key: str, given: dict[str, Any]) -> Entry:
        where = f"[systems.{key}]"
        known = {"system", "label", "pairs", "runs", "cutoff", "budget", "train"}
        self._keys(given, where, known)
        train = self._typed(given, "train", where, dict, {})
        try:
            system = systems.get(self._typed(given, "system", where, str, key))
            if "pairs" in given and not system.takes_lexicon:
                raise UsageError(f"system {system.name!r} takes no training pairs")
            if train:
                system = replace(system, train=self._trained(system, train, where))
            system = aligning.configure(
                system,
                lexicon=[] if system.takes_lexicon else None,
                cutoff=self._count(given, "cutoff", where),
                budget=self._typed(given, "budget", where, (int, float), None),
            )
        except UsageError as error:
            raise self._wrong(f"{where}: {error}") from error
        return Entry(
            key,
            self._line(given, "label", where, key),
            system,
            self._count(given, "pairs", where),
            self._count(given, "runs", where),
        )

    def _trained(self, system: System, changes: dict[str, Any], where: str) -> Train:
        """The training of a system with other settings, each of the kind that it was."""
        if system.train is None:
            raise UsageError(f"system {system.name!r} does no training")
        own = asdict(system.train)  # type: ignore[call-overload]
        self._keys(changes, f"train of {where}", set(own))
        for key, value in changes.items():
            kind = type(own[key])
            self._typed(changes, key, f"train of {where}", (int, float) if kind is float else kind)
            changes[key] = kind(value)
        changed: Train = replace(system.train, **changes)  # type: ignore[type-var]
        return changed

    def _table(self, given: dict[str, Any]) -> Table:
        title = self._line(given, "title", "[[table]]", "")
        where = f"[[table]] {title}".strip()
        self._keys(given, where, {"title", "layout", "systems"})
        layout = given.get("layout", "runs")
        if layout not in LAYOUTS:
            raise self._wrong(f"{where}: layout {layout!r}; choose from {', '.join(LAYOUTS)}")
        rows = self._typed(given, "systems", where, list, [])
        if not rows or not all(isinstance(row, str) for row in rows):
            raise self._wrong(f"{where} has no systems")
        if len(set(rows)) < len(rows):
            raise self._wrong(f"{where} has a system twice")
        return Table(title, layout, tuple(rows))

    def _line(self, given: Mapping[str, Any], key: str, where: str, otherwise: str) -> str:
        """A text that fits into a table."""
        text: str = self._typed(given, key, where, str, otherwise)
        if key in given and (not text.strip() or text.splitlines() != [text]):
            raise self._wrong(f"{key} of {where} is a text of one line, not {text!r}")
        return text

    def _count(self, given: Mapping[str, Any], key: str, where: str) -> int | None:
        value: int | None = self._typed(given, key, where, int, None)
        if value is not None and value < 1:
            raise self._wrong(f"{key} of {where} is a whole number from one up, not {value}")
        return value

    def _typed(
        self, given: Mapping[str, Any], key: str, where: str, kind: Any, otherwise: Any = None
    ) -> Any:
        """A value of the right kind, or another one where there is none."""
        value = given.get(key, otherwise)
        strange = isinstance(value, bool) and kind is not bool  # which Python takes for a number
        if key in given and (strange or not isinstance(value, kind)):
            raise self._wrong(f"{key} of {where} is {KINDS[kind]}, not {value!r}")
        return value

    def _keys(self, given: Mapping[str, Any], where: str, known: set[str]) -> None:
        if strange := sorted(set(given) - known):
            raise self._wrong(
                f"unknown key {strange[0]!r} in {where}; known: {', '.join(sorted(known))}"
            )

    def _wrong(self, what: str) -> InputError:
        return refuse(self.name, what)
