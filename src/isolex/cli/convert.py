"""isolex convert: from one vector format to another."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from isolex.cli.console import Reporter
from isolex.cli.inputs import check_out, read_one
from isolex.cli.options import MaxWords, Quiet


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
    format: Annotated[  # noqa: A002 - the option's name
        Format | None,
        typer.Option("--format", show_default="by suffix", help="What to write."),
    ] = None,
    max_words: MaxWords = None,
    quiet: Quiet = False,
) -> None:
    """Convert vectors from one format to another.

    Formats are told by content when reading, by suffix when writing. An OUT that is there is
    replaced.

    Suffixes: .vec .txt .w2v (word2vec text), .glove .glove.txt (text without header), .bin
    (word2vec binary), .parquet (a table of word and vector), .safetensors (memory-mapped); all but
    the last two also with .gz .bz2 .xz .zst behind them. Of a fastText model (.bin) the words of
    its vocabulary are converted.

    Example: isolex convert glove.840B.300d.txt glove.safetensors

    Example: isolex convert wiki.en.vec en.vec.zst --max-words 200000
    """
    from isolex import io

    reporter = Reporter(quiet=quiet)
    chosen = None if format is None else format.value
    io.check(out, format=chosen)
    check_out(out, file)
    given = read_one(file, reporter, max_words)
    with reporter.task(f"writing {out.name}") as tick:
        io.save(given.embeddings, out, format=chosen, tick=tick)
    reporter.note(f"{out}: {len(given.embeddings):,} words x {given.embeddings.dims}")
