"""Spaces and files as commands open them, with progress."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from isolex.cli.console import Reporter
from isolex.errors import UsageError

if TYPE_CHECKING:
    from isolex.core.space import Space
    from isolex.run.inputs import LanguageFile, VectorInput


def check_out(out: Path, *inputs: Path | None, run: Path | None = None, spare: str = "") -> None:
    """Refuse an output file that cannot be written or that would overwrite something, early.

    Args:
        out: The file to write.
        inputs: Files that are read.
        run: A run folder that is read; the files it was made from are inputs too.
        spare: A file of a run folder that may be replaced.
    """
    from isolex.core.file_errors import shown
    from isolex.core.files import check_target
    from isolex.run.folder import RunFolder

    sources = [] if run is None else RunFolder(run).sources()
    check_target(out, *filter(None, inputs), *sources)
    if out.name != spare and RunFolder(out.parent).owns(out):
        read = run is not None and run.resolve() == out.parent.resolve()
        whose = "an input" if read else f"a file of the run {out.parent}"
        raise UsageError(f"{shown(out)}: would overwrite {whose}; choose another file")


def read_vectors(path: Path, reporter: Reporter, max_words: int | None = None) -> VectorInput:
    """Read a vector file."""
    from isolex.run.inputs import VectorInput

    with reporter.task(f"reading {path.name}") as tick:
        given = VectorInput.read(path, max_words, tick)
    reporter.note(given.repairs)
    return given


def read_languages(
    languages: Sequence[LanguageFile],
    reporter: Reporter,
    max_words: int | None = None,
    counts: Sequence[Path] = (),
) -> list[VectorInput]:
    """Read the vector files of several languages, and their co-occurrence counts, if given."""
    from isolex.run.inputs import VectorInput

    names = " and ".join(language.path.name for language in languages)
    with reporter.task(f"reading {names}") as tick:
        found = VectorInput.read_all(languages, max_words, tick)
    for given in found:
        reporter.note(given.repairs)
    if counts:
        found = [one.with_counts(path) for one, path in zip(found, counts, strict=True)]
    return found


def open_space(folder: Path | None, vectors: Sequence[str] | None, reporter: Reporter) -> Space:
    """The space of a run folder, or of vectors that another program mapped."""
    if (folder is None) == (not vectors):
        raise UsageError("give either a folder that `isolex map` wrote, or --vectors FILE twice")
    if folder is not None:
        from isolex.run import opening

        return opening.open_space(folder)
    from isolex.core.space import Space
    from isolex.run.inputs import LanguageFile

    given = list(vectors or ())
    if len(given) < 2:
        raise UsageError("--vectors: give it once for each of two or more languages")
    languages = LanguageFile.parse_all(given)
    return Space.from_vectors(*(one.embeddings for one in read_languages(languages, reporter)))


def language_names(
    space: Space, source: str | None, target: str | None, *, reverse: bool
) -> tuple[str, str]:
    """The names of the source and the target language."""
    one, other = space.pair(source, target)
    return (other.name, one.name) if reverse else (one.name, other.name)
