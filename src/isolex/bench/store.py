"""The results of a bench, one file per run, so that no run has to be repeated."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from isolex.bench.plan import BenchRun, Plan
from isolex.bench.running import Result, fingerprint
from isolex.bench.tables import Tables
from isolex.core.file_errors import shown
from isolex.core.files import write_text
from isolex.errors import UsageError

RUN_FILE = re.compile(r".+--(\d+)--[0-9a-f]{6}\.json")
"""The name of the file of a run; the group is its seed."""
TABLE_FILES = ("table.md", "table.tex", "table.json")


@dataclass(frozen=True)
class ResultStore:
    """A folder of results."""

    path: Path

    def prepare(self) -> None:
        """Create the folder before any work is done; refuse one with tables of something else."""
        try:
            if not (self.has_runs or self._is_emptied):
                self._refuse_foreign_tables()
            self._runs.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"{shown(self.path)}: cannot be written ({error.strerror}); choose another folder"
            ) from error

    @property
    def has_runs(self) -> bool:
        """Whether there is a run, with whatever settings."""
        return bool(self._seeds())

    def find(self, run: BenchRun) -> Result | None:
        """The result of a run, if it was done with the same settings and files."""
        try:
            found: Result = json.loads(self._file(run).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        expected = fingerprint(run)
        return found if {key: found.get(key) for key in expected} == expected else None

    def find_all(self, plan: Plan) -> dict[str, Result]:
        """All results of a plan by the names of the runs, also for seeds beyond the plan's."""
        every = (run for seed in sorted(self._seeds()) for run in plan.runs_with(seed))
        known = {run.name: self.find(run) for run in every}
        return {name: result for name, result in known.items() if result is not None}

    def count_files(self, runs: Iterable[BenchRun]) -> int:
        """How many of the runs have a file, whether or not its result is still valid."""
        return sum(self._file(run).exists() for run in runs)

    def save(self, run: BenchRun, result: Result) -> None:
        """Write a result, whole or not at all."""
        write_text(self._file(run), json.dumps(result, indent=2) + "\n")

    def write_tables(
        self, plan: Plan, results: Iterable[Result], warnings: Mapping[str, str]
    ) -> None:
        """Write the tables of a plan in all formats; ``warnings`` as in `Tables.of`."""
        made = Tables.of(plan, results, warnings)
        texts = (made.markdown, made.latex, json.dumps(made.plain, indent=2) + "\n")
        for name, text in zip(TABLE_FILES, texts, strict=True):
            write_text(self.path / name, text)

    @property
    def _runs(self) -> Path:
        return self.path / "runs"

    @property
    def _is_emptied(self) -> bool:
        """Whether all runs were deleted, to be repeated."""
        return self._runs.is_dir() and not any(self._runs.iterdir())

    def _seeds(self) -> set[int]:
        """The seeds that there are runs of."""
        paths = self._runs.iterdir() if self._runs.is_dir() else ()
        names = (RUN_FILE.fullmatch(path.name) for path in paths)
        return {int(name[1]) for name in names if name}

    def _refuse_foreign_tables(self) -> None:
        for path in (self.path / name for name in TABLE_FILES):
            if path.exists():
                raise UsageError(
                    f"{shown(path)}: not written by isolex bench; choose another folder"
                )

    def _file(self, run: BenchRun) -> Path:
        names = (run.dataset.name, run.row.key, str(run.seed))
        readable = "--".join(re.sub(r"[^\w.+-]", "_", name) for name in names)
        # Tells "a b" from "a/b", which read alike.
        unique = sha256("\n".join(names).encode()).hexdigest()[:6]
        return self._runs / f"{readable}--{unique}.json"
