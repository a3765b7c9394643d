"""A run of `isolex add`: the space with one more language, written as a whole."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from isolex.cli.console import Reporter
from isolex.cli.heeding import Heeding
from isolex.cli.inputs import read_languages
from isolex.cli.map_run import build_lexicons, read_pair_files
from isolex.cli.options import is_on
from isolex.core.space import RUN
from isolex.errors import UsageError
from isolex.kernels.parallel import use_threads
from isolex.method.system import System
from isolex.run.folder import HISTORY, RunFolder
from isolex.run.inputs import LanguageFile, PairFiles
from isolex.run.opening import open_space
from isolex.run.results import Results, read_history
from isolex.systems.add import add
from isolex.systems.align import configure
from isolex.web.report import render


@dataclass(frozen=True)
class AddRun:
    """A run of `isolex add`.

    Attributes:
        folder: The folder of the space.
        before: The contents of its run.json.
        language: The file of the new language.
        pairs: The files of training pairs.
        system: The system.
        options: The options as given, to repeat the run.
    """

    folder: RunFolder
    before: Mapping[str, Any]
    language: LanguageFile
    pairs: PairFiles
    system: System
    options: Mapping[str, Any]

    @classmethod
    def of(
        cls, folder: Path, file: str, lexicons: Sequence[str], options: Mapping[str, Any]
    ) -> AddRun:
        """The run that the command line requests; the files of word pairs are read."""
        open_space(folder)  # refuses what is not the folder of a space
        if not (folder / RUN).exists():
            raise UsageError(f"{folder}: no {RUN}, it was saved from Python: use isolex.add there")
        run = RunFolder(folder)
        before, [language] = run.facts(), LanguageFile.parse_all([file])
        if language.name in before["languages"]:
            raise UsageError(
                f"{folder}: contains {language.name!r} already; name the new language with "
                f"NAME=FILE, such as {language.name}2={language.path}"
            )
        names = [*before["languages"], language.name]
        pairs = read_pair_files(names, {"lexicon": lexicons})
        system = configure(
            options["system"],
            len(names),
            lexicon=bool(pairs),
            cutoff=options.get("cutoff"),
            budget=options.get("budget"),
            spelling=is_on(options.get("spelling")),
        )
        return cls(run, before, language, pairs, system, options)

    def execute(self, reporter: Reporter, resources: Mapping[str, Any]) -> dict[str, Any]:
        """Read, align and write; returns the contents of run.json."""
        with use_threads(resources["threads"]):
            began = time.perf_counter()
            space = open_space(self.folder.path)
            [given] = read_languages([self.language], reporter, self.options.get("max-words"))
            timings = {"read": time.perf_counter() - began}
            written = self.folder.vector_format
            files = [one.path for files in self.pairs.values() for one in files]
            self.folder.prepare([given], written, files, space.names)
            history = read_history(self.folder.path / HISTORY, space.names)
            found = add(
                replace(space, history=history),
                given.embeddings,
                system=self.system,
                lexicon={one.languages: one.pairs for one in self.pairs.get("lexicon", ())} or None,
                seed=self.options["seed"],
                **resources,
                progress=reporter.shown,
                observer=Heeding(),
            )
            lexicons = build_lexicons(found, timings, reporter)
            results = Results(
                found, lexicons, [given], self.pairs, timings, self.options, self.before
            )
            with reporter.task("writing") as tick:
                return self.folder.write(results, written, render, tick)
