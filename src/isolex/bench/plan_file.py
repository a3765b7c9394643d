"""Plan files: TOML to a `Plan`, with one line about whatever is wrong in it."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from isolex import systems
from isolex.bench.plan import PLANS, TWO, Dataset, LanguagePair, Plan, TablePlan, TableRow, ready
from isolex.bench.plan_section import PlanSection
from isolex.core.file_errors import refuse, refuse_os, shown
from isolex.core.language import check_name
from isolex.core.pair import pair_labels
from isolex.errors import InputError, UsageError
from isolex.method.system import System
from isolex.method.trainer import Train
from isolex.systems.align import configure

LAYOUTS = ("runs", "accuracy")
ROW_KEYS = {"system", "label", "pairs", "runs", "together", "cutoff", "budget", "spelling", "train"}
DATA_KEYS = {"name", "languages", "source", "target", "gold", "lexicon", "max_words"}
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
        for names in [dataset.name for dataset in plan.datasets], plan.columns:
            if twice := [name for name in names if names.count(name) > 1]:
                raise top.wrong(f"two [[data]] are called {twice[0]!r}: rename one")
        self._check_many(plan)
        return plan

    def _check_many(self, plan: Plan) -> None:
        """Refuse systems that align only two languages if a dataset has more."""
        many = [dataset for dataset in plan.datasets if dataset.has_many]
        wrong = [row for row in plan.rows.values() if row.together and not row.system.takes_many]
        if many and wrong:
            raise refuse(
                self.file,
                f"[systems.{wrong[0].key}]: system {wrong[0].system.name!r} aligns two languages, "
                f"but [[data]] {many[0].name} has {len(many[0].languages)}: add together = false "
                "to run each pair on its own, or choose another system",
            )

    def _dataset(self, given: PlanSection) -> Dataset:
        given = given.titled("name")
        for old, new in RENAMED.items():
            if old in given.values:
                raise given.wrong(f"the key {old!r} is now called {new!r}: rename it")
        given.allow(DATA_KEYS)
        several = "languages" in given.values
        if several and (mixed := [role for role in TWO if role in given.values]):
            raise given.wrong(f"give either languages or {mixed[0]}, not both")
        for key in ("name", *([] if several else TWO), "gold"):
            if key not in given.values:
                raise given.wrong(f"the key {key!r} is missing")
        if several:
            return self._several(given)
        files = {key: self._path(given, key) for key in (*TWO, "gold")}
        return Dataset(
            given.line("name"),
            languages={role: files[role] for role in TWO},
            gold={TWO: files["gold"]},
            lexicon={TWO: self._path(given, "lexicon")} if "lexicon" in given.values else {},
            max_words=given.count("max_words"),
        )

    def _several(self, given: PlanSection) -> Dataset:
        """A dataset of more than two languages, with tables of files instead of single files."""
        languages = self._files(given, "languages")
        if len(languages) <= len(TWO):
            raise given.wrong("languages must name three or more; for two, give source and target")
        try:
            for name in languages:
                check_name(name)
            labels = pair_labels(languages)
        except UsageError as error:
            raise given.wrong(f"languages: {error}") from error
        gold = self._pairs(given, "gold", labels)
        if not gold:
            raise given.wrong("gold must name at least one pair of languages")
        return Dataset(
            given.line("name"),
            languages,
            gold,
            self._pairs(given, "lexicon", labels),
            given.count("max_words"),
        )

    def _pairs(
        self, given: PlanSection, key: str, labels: Mapping[str, LanguagePair]
    ) -> dict[LanguagePair, Path]:
        """Files of word pairs by the names of their languages."""
        files = self._files(given, key)
        if unknown := [label for label in files if label not in labels]:
            raise given.wrong(
                f"{key}: {unknown[0]!r} is no pair of its languages; give pairs such as "
                f"{next(iter(labels))}"
            )
        return {labels[label]: path for label, path in files.items()}

    def _files(self, given: PlanSection, key: str) -> dict[str, Path]:
        """A table of files by name."""
        table = PlanSection(self.file, f"{given.where} {key}", given.get(key, dict, {}))
        return {name: self._path(table, name) for name in table.values}

    def _path(self, given: PlanSection, key: str) -> Path:
        return self.root / Path(given.get(key, str)).expanduser()

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
                spelling=given.get("spelling", bool),
            )
        except UsageError as error:
            raise given.wrong(str(error)) from error
        label, pairs, runs = given.line("label", key), given.count("pairs"), given.count("runs")
        return TableRow(key, label, system, pairs, runs, given.get("together", bool, True))

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
