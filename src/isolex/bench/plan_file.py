"""Plan files: TOML to a `Plan`, with one line about whatever is wrong in it."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from isolex import systems
from isolex.bench.plan import PLANS, Dataset, Plan, TablePlan, TableRow, ready
from isolex.bench.plan_section import PlanSection
from isolex.core.file_errors import refuse, refuse_os, shown
from isolex.errors import InputError, UsageError
from isolex.method.system import System
from isolex.method.trainer import Train
from isolex.systems.align import configure

LAYOUTS = ("runs", "accuracy")
ROW_KEYS = {"system", "label", "pairs", "runs", "cutoff", "budget", "train"}
RENAMED = {"src": "source", "trg": "target"}
"""Keys of earlier versions."""


def read_plan(plan: str, root: Path | None = None) -> Plan:
    """Read a plan.

    Args:
        plan: A TOML file, or the name of a plan that comes with isolex.
        root: The folder that relative paths start from. By default the folder of the file; for a
            plan that comes with isolex ``ISOLEX_DATA``, or else the current folder.

    Raises:
        InputError: If the file cannot be read or is not a plan.
    """
    path = Path(plan)
    try:
        if plan in ready():
            text = (PLANS / f"{plan}.toml").read_text(encoding="utf-8")
            home = Path(os.environ.get("ISOLEX_DATA", ""))
        else:
            text, home = path.read_text(encoding="utf-8"), path.absolute().parent
        values = tomllib.loads(text)
    except FileNotFoundError as error:
        raise InputError(
            f"{shown(plan)}: no such file; give a TOML file or one of {', '.join(ready())}"
        ) from error
    except OSError as error:
        raise refuse_os(path, error) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise refuse(path, f"not a TOML file ({error})") from error
    return _PlanReader(plan, root or home).plan(values)


@dataclass(frozen=True)
class _PlanReader:
    """Turns the contents of a TOML file into a plan.

    Attributes:
        file: The name of the plan, for messages.
        root: The folder that relative paths start from.
    """

    file: str
    root: Path

    def plan(self, values: Mapping[str, Any]) -> Plan:
        top = PlanSection(self.file, "", values)
        top.allow({"runs", "success", "data", "systems", "table"})
        settings = PlanSection(self.file, "[systems]", top.get("systems", dict, {}))
        tables = tuple(map(self._table, top.sections("table")))
        keys = dict.fromkeys(key for table in tables for key in table.keys)
        plan = Plan(
            datasets=tuple(map(self._dataset, top.sections("data"))),
            rows={key: self._row(key, settings.get(key, dict, {})) for key in keys},
            tables=tables,
            seeds=top.count("runs") or Plan.seeds,
            success=float(top.get("success", (int, float), Plan.success)),
        )
        if not 0 <= plan.success < 100:
            raise top.wrong(f"success must be from 0 to below 100 percent, not {plan.success:g}")
        if unused := [key for key in settings.values if key not in keys]:
            raise top.wrong(f"[systems.{unused[0]}] is in no [[table]]: add or remove it")
        names = [dataset.name for dataset in plan.datasets]
        if twice := [name for name in names if names.count(name) > 1]:
            raise top.wrong(f"two [[data]] are called {twice[0]!r}: rename one")
        return plan

    def _dataset(self, given: PlanSection) -> Dataset:
        given = given.titled("name")
        for old, new in RENAMED.items():
            if old in given.values:
                raise given.wrong(f"the key {old!r} is now called {new!r}: rename it")
        given.allow({field.name for field in fields(Dataset)})
        for key in ("name", "source", "target", "gold"):
            if key not in given.values:
                raise given.wrong(f"the key {key!r} is missing")
        paths = {
            key: self.root / Path(given.get(key, str)).expanduser()
            for key in ("source", "target", "gold", "lexicon")
            if key in given.values
        }
        return Dataset(given.line("name"), max_words=given.count("max_words"), **paths)

    def _row(self, key: str, values: Mapping[str, Any]) -> TableRow:
        given = PlanSection(self.file, f"[systems.{key}]", values)
        given.allow(ROW_KEYS)
        try:
            system = systems.get(given.get("system", str, key))
            if "pairs" in values and not system.takes_lexicon:
                raise UsageError(f"system {system.name!r} takes no training pairs")
            if "train" in values:
                system = replace(system, train=self._trainer(system, given))
            system = configure(
                system,
                lexicon=system.takes_lexicon,
                cutoff=given.count("cutoff"),
                budget=given.get("budget", (int, float)),
            )
        except UsageError as error:
            raise given.wrong(str(error)) from error
        label, pairs, runs = given.line("label", key), given.count("pairs"), given.count("runs")
        return TableRow(key, label, system, pairs, runs)

    def _trainer(self, system: System, row: PlanSection) -> Train:
        """The trainer of a system with other settings, each of the same type as before."""
        if system.train is None:
            raise UsageError(f"system {system.name!r} does no training")
        given = PlanSection(self.file, f"{row.where} train", row.get("train", dict))
        own = asdict(system.train)  # type: ignore[call-overload]
        given.allow(set(own))
        changes = {}
        for key in given.values:
            kind = type(own[key])
            changes[key] = kind(given.get(key, (int, float) if kind is float else kind))
        changed: Train = replace(system.train, **changes)  # type: ignore[type-var]
        return changed

    def _table(self, given: PlanSection) -> TablePlan:
        title = given.line("title")
        given = given.titled("title")
        given.allow({"title", "layout", "systems"})
        layout = given.values.get("layout", "runs")
        if layout not in LAYOUTS:
            raise given.wrong(f"unknown layout {layout!r}: choose from {', '.join(LAYOUTS)}")
        keys = given.get("systems", list, [])
        if not keys or not all(isinstance(key, str) for key in keys):
            raise given.wrong("systems must be a list of one or more names")
        if twice := [key for key in keys if keys.count(key) > 1]:
            raise given.wrong(f"{twice[0]!r} is in systems twice: remove one")
        return TablePlan(title, layout, tuple(keys))
