"""isolex convert: from one vector format to another."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from isolex.cli.console import Reporter
from isolex.cli.help import epilog
from isolex.cli.inputs import check_out, read_vectors
from isolex.cli.options import MaxWords, Quiet

EPILOG = epilog(
    "isolex convert glove.840B.300d.txt glove.safetensors",
    "isolex convert wiki.en.vec en.vec.zst --max-words 200000",
)


class Format(StrEnum):
    """The formats that can be written."""

    WORD2VEC = "word2vec"
    GLOVE = "glove"
    BIN = "bin"
    PARQUET = "parquet"
    SAFETENSORS = "safetensors"


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Vectors in any known format.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.")],
    format: Annotated[  # noqa: A002 - the name of the option
        Format | None,
        typer.Option("--format", show_default="by suffix", help="The format to write."),
    ] = None,
    max_words: MaxWords = None,
    quiet: Quiet = False,
) -> None:
    """Convert vectors from one format to another.

    When reading, the format is recognised by content; when writing, it is chosen by suffix. An
    existing OUT is replaced.

    Suffixes: .vec .txt .w2v (word2vec text), .glove .glove.txt (text without header), .bin
    (word2vec binary), .parquet (columns word and vector), .safetensors (memory-mapped). All but the
    last two may be followed by .gz .bz2 .xz .zst. From a fastText model (.bin), the words of its
    vocabulary are converted.
    """
    from isolex import io

    reporter = Reporter(quiet=quiet)
    chosen = None if format is None else format.value
    io.check(out, format=chosen)
    check_out(out, file)
    given = read_vectors(file, reporter, max_words)
    with reporter.task(f"writing {out.name}") as tick:
        io.save(given.embeddings, out, format=chosen, tick=tick)
    reporter.note(f"{out}: {len(given.embeddings):,} words x {given.embeddings.dims}")
