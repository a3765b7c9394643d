"""isolex apply: map further vectors with a saved mapping."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isolex.cli.console import Reporter, say
from isolex.cli.inputs import check_out, warn
from isolex.cli.options import Folder, MaxWords, Out, Quiet, SideName, Threads

if TYPE_CHECKING:
    pass

SHOWN = 5  # words without a vector that are named


def run(
    folder: Folder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Vectors to map.")],
    side: Annotated[SideName, typer.Option("--side", help="Which language they belong to.")],
    out: Out,
    words: Annotated[
        Path | None,
        typer.Option(
            "--words",
            metavar="LIST",
            help="Map only the words of this file, one a line; a fastText model knows any word.",
        ),
    ] = None,
    max_words: MaxWords = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Map further vectors into the shared space.

    They may be of other words of a language, or of the same ones again. The format is that of the
    suffix: .vec, .txt, .bin, .glove, .parquet or .safetensors. A file that is there is replaced.

    With --words only these words are mapped. Where FILE is a fastText model (.bin), words that are
    not in its vocabulary get the vector of their sub-words. Words without a vector are said on
    standard error.

    Example: isolex apply en-es more-english.vec --side src --out mapped.vec

    Example: isolex apply en-es cc.en.300.bin --words rare.txt --side src --out rare.vec
    """
    from isolex import io
    from isolex.core.embeddings import Embeddings
    from isolex.errors import InputError, UsageError
    from isolex.kernels.parallel import use_threads
    from isolex.run.folder import RunFolder
    from isolex.run.inputs import Input

    reporter = Reporter(quiet=quiet)
    io.check(out)
    check_out(out, file, words, run=folder)
    if words is not None and max_words is not None:
        raise UsageError("--words says which words are mapped: leave out --max-words")
    asked = None if words is None else io.read_words(words)
    missing: list[str] = []
    with use_threads(threads):
        alignment = RunFolder(folder).mapping()
        warn(folder, alignment)
        mapping, other = alignment.source, alignment.target
        if side == SideName.TRG:
            mapping, other = other, mapping
        with reporter.task(f"reading {file.name}") as tick:
            if asked is None:
                given = Input.read(file, max_words, tick)
            else:
                given, missing = Input.read_words(file, asked, tick)
        reporter.note(given.repairs)
        if mapping.origin != other.origin and other.origin.begins(given.embeddings):
            right = SideName.TRG if side == SideName.SRC else SideName.SRC
            raise UsageError(
                f"{file}: these are the {right} vectors of the mapping: use --side {right}"
            )
        if given.embeddings.dims != mapping.origin.dims:
            raise InputError(
                f"{file}: {given.embeddings.dims} dimensions, but this mapping's {side} side takes "
                f"{mapping.origin.dims}; give vectors of the same space"
            )
        mapped = Embeddings(given.embeddings.words, mapping.transform(given.embeddings.vectors))
        with reporter.task(f"writing {out.name}") as tick:
            io.save(mapped, out, tick=tick)
    if missing:
        some = ", ".join(map(repr, missing[:SHOWN])) + (" ..." if len(missing) > SHOWN else "")
        say(f"{file}: no vector of {len(missing):,} of the {len(asked or []):,} words: {some}")
    reporter.note(f"{out}: {len(mapped):,} words x {mapped.dims}")
