"""The run folder: the files that `isolex map` writes. `isolex.run.opening` opens it again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from isolex import io
from isolex.core.choices import VectorFormat
from isolex.core.files import write_text
from isolex.core.lexicon import Lexicon
from isolex.core.space import RUN, SPACE, Space
from isolex.core.space_file import is_space, write_space
from isolex.errors import InputError, UsageError
from isolex.kernels.types import Tick, part
from isolex.run.checkpoint import is_checkpoint
from isolex.run.inputs import PairFiles, VectorInput, fingerprint, pair_files
from isolex.run.opening import open_space, read_facts
from isolex.run.results import Results, history_table

LEXICON, LEXICONS = "lexicon.tsv", "lexicons"
HISTORY, REPORT = "history.tsv", "report.html"
CHECKPOINT, CACHE = "checkpoint.safetensors", "cache.safetensors"
SUFFIXES = {VectorFormat.TEXT: ".vec", VectorFormat.BIN: ".bin"}

Render = Callable[[Space, Mapping[tuple[str, str], Lexicon], Mapping[str, Any], PairFiles], str]
"""Makes the report of a run from the space, its lexicons, run.json and the files of pairs."""


@dataclass(frozen=True)
class RunFolder:
    """A folder with the results of a run; each file is written whole or not at all."""

    path: Path

    @property
    def checkpoint(self) -> Path:
        """Where an unfinished run saves its progress."""
        return self.path / CHECKPOINT

    @property
    def cache(self) -> Path:
        """Where the explorer keeps what it has computed. It may be deleted."""
        return self.path / CACHE

    def open(self) -> Space:
        """The space of the run; needs no other file than the space itself."""
        return open_space(self.path)

    def facts(self) -> dict[str, Any]:
        """The contents of run.json."""
        return read_facts(self.path)

    def finished(self, wanted: Mapping[str, Any], vectors: VectorFormat) -> dict[str, Any] | None:
        """The contents of run.json if a run with this fingerprint is finished here.

        Raises:
            UsageError: If the finished run has another fingerprint.
        """
        try:
            run = self.facts()
        except InputError:
            return None
        if fingerprint(run["settings"], run["inputs"]) != wanted:
            raise UsageError(
                f"{self.path}: contains a finished run with other inputs or options; run without "
                "--resume to replace it, or choose another folder"
            )
        languages = run["languages"]
        names = (SPACE, HISTORY, *lexicon_files(languages), *_vector_files(languages, vectors))
        return run if all((self.path / name).is_file() for name in names) else None

    @property
    def vector_format(self) -> VectorFormat:
        """How the mapped vectors of the run in this folder are written."""
        languages = self.facts()["languages"]
        for written in SUFFIXES:
            if all((self.path / name).is_file() for name in _vector_files(languages, written)):
                return written
        return VectorFormat.NONE

    def owns(self, path: Path) -> bool:
        """Whether a path is a file of the run, or of the saved space, in this folder."""
        if not any((self.path / name).is_file() for name in (RUN, SPACE)):
            return False
        return path.resolve() in {(self.path / name).resolve() for name in self._names()}

    def sources(self) -> list[Path]:
        """The files that the run was made from, as far as they are known and still there."""
        try:
            inputs = self.facts()["inputs"]
        except InputError:
            return []
        given = [*inputs["vectors"].values(), *(about for _, _, about in pair_files(inputs))]
        paths = (Path(one["path"]) for one in given)
        return [path for path in paths if path.is_file()]

    def prepare(
        self,
        vectors: Sequence[VectorInput],
        written: VectorFormat,
        others: Iterable[Path] = (),
        known: Sequence[str] = (),
    ) -> None:
        """Create the folder and check that the results can be written, before any work is done.

        Args:
            vectors: The vector files that were read.
            written: How the mapped vectors will be written; the format must be able to hold the
                words.
            others: Further files that must not be overwritten.
            known: The names of the languages that these vectors are added to.
        """
        languages = [*known, *(given.embeddings.name for given in vectors)]
        names = self._names(languages)
        targets = {(self.path / name).resolve() for name in names}
        for path in (*others, *(given.path for given in vectors)):
            if path.resolve() in targets:
                raise UsageError(f"{path}: writing to {self.path} would overwrite this input")
        for given in vectors:
            for name in _vector_files([given.embeddings.name], written):
                io.check(self.path / name, given.embeddings.words)
        present = sorted(name for name in names if (self.path / name).exists())
        if present and not self._is_ours():
            raise UsageError(
                f"{self.path / present[0]}: isolex did not write this file; choose another folder"
            )
        lexicons = self.path / LEXICONS
        if len(languages) > 2 and lexicons.exists() and not lexicons.is_dir():
            raise UsageError(f"{lexicons}: is a file; choose another folder")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=self.path):
                pass
        except FileExistsError as error:
            raise UsageError(f"{self.path}: is a file; --out takes a folder") from error
        except OSError as error:
            raise UsageError(
                f"{self.path}: cannot be written ({error.strerror}); choose another folder"
            ) from error

    def write(
        self,
        results: Results,
        written: VectorFormat,
        render: Render | None = None,
        tick: Tick | None = None,
    ) -> dict[str, Any]:
        """Write every file; returns the contents of run.json.

        Args:
            results: What to write.
            written: How the mapped vectors are written.
            render: Makes the report; without it none is written.
            tick: Called with the share of the vectors that is written.
        """
        space, run = results.space, results.describe()
        stale = set(self._names()) - {RUN, CHECKPOINT}
        (self.path / RUN).unlink(missing_ok=True)  # from now on files of two runs are mixed
        write_space(space, self.path / SPACE)
        lexicons = dict(zip(lexicon_files(space.names), results.lexicons.values(), strict=True))
        if len(space) > 2:
            (self.path / LEXICONS).mkdir(exist_ok=True)
        for name, lexicon in lexicons.items():
            lexicon.save(self.path / name)
        write_text(self.path / HISTORY, history_table(space))
        current = {SPACE, HISTORY, *lexicons}
        if render is not None:
            page = render(space, results.lexicons, run, results.pairs)
            write_text(self.path / REPORT, page)
            current.add(REPORT)
        if written in SUFFIXES:
            for done, language in enumerate(space):
                name = f"{language.name}{SUFFIXES[written]}"
                io.save(language.embeddings, self.path / name, tick=part(tick, done, len(space)))
                current.add(name)
        for name in stale - current:  # left by an earlier run in this folder
            (self.path / name).unlink(missing_ok=True)
        if not any(name.startswith(LEXICONS) for name in current):
            with suppress(OSError):  # the folder does not exist, or contains other files
                (self.path / LEXICONS).rmdir()
        write_text(self.path / RUN, json.dumps(run, indent=2) + "\n")  # last: now it is complete
        if is_checkpoint(self.checkpoint):
            self.checkpoint.unlink()
        return run

    def _is_ours(self) -> bool:
        """Whether isolex wrote to this folder."""
        try:
            return "isolex" in self.facts()
        except InputError:
            return is_checkpoint(self.checkpoint) or is_space(self.path / SPACE)

    def _names(self, languages: Sequence[str] = ()) -> set[str]:
        """The names of the files of the run in this folder, and of one with these languages."""
        try:
            known = self.facts()["languages"]
        except (InputError, KeyError):
            known = []
        vectors = [name for form in SUFFIXES for name in _vector_files([*known, *languages], form)]
        lexicons = (*lexicon_files(known), *lexicon_files(languages))
        return {SPACE, HISTORY, RUN, REPORT, CHECKPOINT, CACHE, LEXICON, *lexicons, *vectors}


def lexicon_files(languages: Sequence[str]) -> list[str]:
    """The files with the lexicons of the first language with each other one."""
    if len(languages) <= 2:
        return [LEXICON]
    return [f"{LEXICONS}/{languages[0]}-{name}.tsv" for name in languages[1:]]


def _vector_files(languages: Sequence[str], written: VectorFormat) -> list[str]:
    return [f"{name}{SUFFIXES[written]}" for name in languages] if written in SUFFIXES else []
