"""The results of a bench: a file for each run, so that nothing that was done is done again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from isolex.bench.plan import Job, Plan
from isolex.bench.running import Result, mark
from isolex.bench.tables import Tables
from isolex.core.files import shown, write_text
from isolex.errors import UsageError

NAME = re.compile(r".+--(\d+)--[0-9a-f]{6}\.json")
"""What a file of results is called; its seed."""
TABLES = ("table.md", "table.tex", "table.json")


@dataclass(frozen=True)
class Store:
    """A folder of results."""

    path: Path

    def prepare(self) -> None:
        """Make the folder, before any work is done for it; tables of somebody else stay."""
        try:
            if not (self.begun or self._empty):
                self._refuse_others()
            self._runs.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"{shown(self.path)}: cannot be written to ({error.strerror}); name another folder"
            ) from error

    @property
    def begun(self) -> bool:
        """Whether there is a run, of whatever settings: without one there are no tables."""
        return bool(self._seeds())

    def find(self, job: Job) -> Result | None:
        """The result of a job, if it was run with these settings and these files."""
        try:
            found: Result = json.loads(self._file(job).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        expected = mark(job)
        return found if {key: found.get(key) for key in expected} == expected else None

    def outdated(self, jobs: Iterable[Job]) -> int:
        """How many of the jobs without a result have a file: of other settings, or spoilt."""
        return sum(self._file(job).exists() for job in jobs)

    def found(self, jobs: Iterable[Job]) -> dict[str, Result]:
        """The results that are there of several jobs, by their names."""
        known = {job.name: self.find(job) for job in jobs}
        return {name: result for name, result in known.items() if result is not None}

    def everything(self, plan: Plan) -> dict[str, Result]:
        """All results of a plan, those of more seeds than it has too, by the names of the jobs."""
        return self.found(
            Job(data, entry, seed)
            for seed in sorted(self._seeds())
            for data in plan.data
            for entry in plan.entries.values()
        )

    def keep(self, job: Job, result: Result) -> None:
        """Write a result, whole or not at all."""
        write_text(self._file(job), json.dumps(result, indent=2) + "\n")

    def write_tables(self, plan: Plan, results: Iterable[Result], told: Mapping[str, str]) -> None:
        """Write the tables of a plan in all formats; ``told`` as in `Tables.of`."""
        made = Tables.of(plan, results, told)
        texts = (made.markdown, made.latex, json.dumps(made.plain, indent=2) + "\n")
        for name, text in zip(TABLES, texts, strict=True):
            write_text(self.path / name, text)

    @property
    def _runs(self) -> Path:
        return self.path / "runs"

    @property
    def _empty(self) -> bool:
        """Whether all runs were taken away, to be done again."""
        return self._runs.is_dir() and not any(self._runs.iterdir())

    def _seeds(self) -> set[int]:
        """Those of which there are runs."""
        paths = self._runs.iterdir() if self._runs.is_dir() else ()
        named = (NAME.fullmatch(path.name) for path in paths)
        return {int(name[1]) for name in named if name}

    def _refuse_others(self) -> None:
        for path in (self.path / name for name in TABLES):
            if path.exists():
                raise UsageError(f"{shown(path)}: is not of a bench: name another folder")

    def _file(self, job: Job) -> Path:
        names = (job.data.name, job.entry.key, str(job.seed))
        shown = "--".join(re.sub(r"[^\w.+-]", "_", name) for name in names)
        mark = sha256("\n".join(names).encode()).hexdigest()[:6]  # "a b" and "a/b" look alike
        return self._runs / f"{shown}--{mark}.json"
