"""A run of `isolex map`: checkpoints, the alignment, lexicons, and the folder they go to.

Only `isolex map` imports this module, and it does so first, so that everything is imported before
the folder is created: if a signal arrives while a module defines dataclasses, CPython exits with
the code of an unhandled interrupt.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from isolex.adapters import extras
from isolex.cli.console import Reporter
from isolex.cli.heeding import Heeding
from isolex.cli.inputs import read_languages
from isolex.cli.interrupt import interrupt
from isolex.cli.options import is_on
from isolex.core.checkpoint import Checkpoint, SpaceCheckpoint
from isolex.core.choices import VectorFormat
from isolex.core.files import tidied
from isolex.core.lexicon import Lexicon
from isolex.core.observer import Observers
from isolex.core.space import Space
from isolex.errors import UsageError
from isolex.kernels.parallel import use_threads
from isolex.kernels.types import part
from isolex.method.system import System
from isolex.run import checkpoint
from isolex.run.folder import RunFolder
from isolex.run.inputs import (
    LanguageFile,
    PairFiles,
    PairsInput,
    VectorInput,
    describe,
    fingerprint,
)
from isolex.run.results import Results
from isolex.systems.align import align, check_counts, check_scheduler, configure
from isolex.web.report import render


@dataclass(frozen=True)
class Resources:
    """Where a run takes place: this machine, or a cluster and each of its workers."""

    threads: int | None
    memory: int | None
    device: str
    scheduler: str | None


@dataclass(frozen=True)
class MapRun:
    """A run of `isolex map` into a folder."""

    folder: RunFolder
    languages: Sequence[LanguageFile]
    system: System
    pairs: PairFiles
    counts: Sequence[Path]
    options: Mapping[str, Any]
    seed: int
    written: VectorFormat
    resources: Resources

    @classmethod
    def of(
        cls,
        files: Sequence[str],
        out: str,
        system: str,
        pairs: Mapping[str, Sequence[str] | None],
        counts: Sequence[Path],
        options: Mapping[str, Any],
        seed: int,
        written: VectorFormat,
        resources: Resources,
    ) -> MapRun:
        """The run that the command line requests; the files of word pairs are read."""
        languages = LanguageFile.parse_all(files)
        read = read_pair_files([one.name for one in languages], pairs)
        roles = {role: role in read for role in pairs}
        configured = configure(
            system,
            len(languages),
            **roles,
            cutoff=options["cutoff"],
            budget=options["budget"],
            spelling=is_on(options["spelling"]),
        )
        _check_counts(counts, len(languages), configured)
        given = {name: value for name, value in options.items() if value is not None}
        return cls(
            RunFolder(Path(out)),
            languages,
            configured,
            read,
            counts,
            given,
            seed,
            written,
            resources,
        )

    def execute(self, reporter: Reporter, *, resume: bool = False) -> tuple[dict[str, Any], int]:
        """Read, align and write, unless the same run is already finished.

        Returns:
            The contents of run.json, and the size of the smallest vocabulary.
        """
        interrupt.advice = lambda: how_to_continue(kept=resume)
        if self.resources.scheduler is not None:
            check_scheduler(self.resources.scheduler, len(self.languages))
        with use_threads(self.resources.threads), tidied(self.folder.path):
            began = time.perf_counter()
            inputs = read_languages(
                self.languages, reporter, self.options.get("max-words"), self.counts
            )
            timings = {"read": time.perf_counter() - began}
            facts = self._map(inputs, timings, reporter, resume=resume)
        interrupt.advice = lambda: ""
        return facts, min(len(one.embeddings) for one in inputs)

    def _map(
        self,
        inputs: list[VectorInput],
        timings: dict[str, float],
        reporter: Reporter,
        *,
        resume: bool,
    ) -> dict[str, Any]:
        """Align and write, unless the same run is already finished; returns run.json."""
        extras.require(self.system.extras, f"system {self.system.name!r}")
        others = [one.path for files in self.pairs.values() for one in files]
        self.folder.prepare(inputs, self.written, [*others, *self.counts])
        settings = self.system.describe() | {"seed": self.seed}
        identity = fingerprint(settings, describe(inputs, self.pairs))
        saved = self.folder.checkpoint
        interrupt.advice = lambda: how_to_continue(kept=checkpoint.fits(saved, identity))
        start = checkpoint.load(saved, identity) if resume else None
        if resume and start is None:
            done = self.folder.finished(identity, self.written)
            if done is not None:
                reporter.note(f"{self.folder.path}: this run is already finished")
                return done
        if start is not None:
            reporter.note(f"continuing after {describe_progress(start)}")
        elif resume:
            reporter.note(f"{self.folder.path}: nothing to continue, starting from the beginning")
        saver = checkpoint.CheckpointSaver(saved, identity)
        return self._align(inputs, timings, reporter, saver, start)

    def _align(
        self,
        inputs: list[VectorInput],
        timings: dict[str, float],
        reporter: Reporter,
        saver: checkpoint.CheckpointSaver,
        start: Checkpoint | SpaceCheckpoint | None,
    ) -> dict[str, Any]:
        space = align(
            *(one.embeddings for one in inputs),
            system=self.system,
            lexicon=self._pairs("lexicon"),
            validation=self._pairs("validation"),
            seed=self.seed,
            **asdict(self.resources),
            progress=reporter.shown,
            observer=Observers(Heeding(), saver),
            resume=start,
        )
        lexicons = build_lexicons(space, timings, reporter)
        saver.finish()
        results = Results(space, lexicons, inputs, self.pairs, timings, self.options)
        with reporter.task("writing") as tick:
            return self.folder.write(results, self.written, render, tick)

    def _pairs(self, role: str) -> dict[tuple[str, str], list[tuple[str, str]]] | None:
        """The word pairs of a role by their languages."""
        return {given.languages: given.pairs for given in self.pairs.get(role, ())} or None


def build_lexicons(
    space: Space, timings: dict[str, float], reporter: Reporter
) -> dict[tuple[str, str], Lexicon]:
    """The lexicons of the first language with each other one; their time is recorded."""
    began, lexicons, first = time.perf_counter(), {}, space.names[0]
    what = "building lexicons" if len(space) > 2 else "building the lexicon"
    with reporter.task(what) as tick:
        for number, other in enumerate(space.names[1:]):
            watch = part(tick, number, len(space) - 1)
            lexicons[first, other] = space.lexicon(first, other, tick=watch)
    timings["lexicon"] = time.perf_counter() - began
    return lexicons


def read_pair_files(names: Sequence[str], given: Mapping[str, Sequence[str] | None]) -> PairFiles:
    """Read the files of word pairs that were given for each role."""
    return {role: PairsInput.parse_all(files, names) for role, files in given.items() if files}


def _check_counts(counts: Sequence[Path], languages: int, system: System) -> None:
    """Refuse counts that the system does not use, and a number of files that does not fit."""
    check_counts(system, [True] * len(counts))
    if counts and len(counts) != languages:
        raise UsageError(
            f"files of counts: {len(counts)}, languages: {languages}; give --counts once for each "
            "language, in the same order"
        )


def how_to_continue(*, kept: bool) -> str:
    """What to do after a run was interrupted."""
    return "continue with --resume" if kept else "nothing was saved yet, start again"


def describe_progress(start: Checkpoint | SpaceCheckpoint) -> str:
    """How far an interrupted run had got."""
    if isinstance(start, Checkpoint):
        return f"iteration {start.solution.iterations}"
    runs = len(start.runs) + len(start.restarted)
    rounds = len(start.round.history) if start.round else 0
    return f"round {rounds}" if rounds else f"{runs} pair run{'s' * (runs != 1)}"
