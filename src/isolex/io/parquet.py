"""Parquet: tables as `isolex.adapters.arrow` understands and makes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

from isolex.adapters import arrow, extras
from isolex.core.embeddings import Embeddings
from isolex.core.files import StrPath, refuse, refuse_os, shown
from isolex.core.repairs import Repairs
from isolex.errors import UsageError
from isolex.io.streams import Tick
from isolex.io.table import Table

MAGIC = b"PAR1"
_ROWS = 8192  # that are read at a time


def is_parquet(path: StrPath) -> bool:
    """Whether a file begins and ends like Parquet: text may begin with the same letters."""
    try:
        if not Path(path).is_file():  # a pipe can be read only once
            return False
        with Path(path).open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                return False
            file.seek(-len(MAGIC), 2)
            return file.read() == MAGIC
    except (OSError, ValueError):
        return False


def read_parquet(path: StrPath, max_words: int | None, tick: Tick) -> tuple[Embeddings, Repairs]:
    """Read a table of words and vectors, some rows at a time."""
    file = _open(path, "word vectors")
    import pyarrow as pa

    try:
        places = arrow.columns(file.schema_arrow, shown(path))
        table, total = None, file.metadata.num_rows
        done = 0
        for batch in file.iter_batches(_ROWS, columns=places.names):
            words, vectors = arrow.rows(batch, places, shown(path), done)
            if vectors.shape[1] == 0:
                continue
            table = table or Table(vectors.shape[1], max_words, total)
            if vectors.shape[1] != table.dims:
                what = f"vectors of {table.dims} and of {vectors.shape[1]} numbers"
                raise refuse(path, f"{what}; all must be of one space")
            table.add(words, vectors)
            done += len(words)
            if table.full:
                break
            tick(done / total)
    except UsageError as error:
        raise refuse(path, str(error).removeprefix(f"{shown(path)}: ")) from error
    except (pa.ArrowException, OSError) as error:
        raise refuse(path, "a damaged Parquet file; get it again") from error
    if table is None:
        raise refuse(path, "no usable word vectors in it; check that it is the right file")
    return table.finish(path)


def read_table_pairs(path: StrPath) -> list[tuple[str, str]]:
    """The pairs of a table: its columns source and target, or its first two of text."""
    file = _open(path, "word pairs")
    table = file.read()
    texts = [field.name for field in table.schema if arrow.is_text(field.type)]
    names = ["source", "target"] if {"source", "target"} <= set(texts) else texts[:2]
    if len(names) < 2:
        raise refuse(path, "no two columns of words; name them source and target")
    columns = [arrow.words(table.column(name)) for name in names]
    pairs = [(source, target) for source, target in zip(*columns, strict=True) if source and target]
    if not pairs:
        raise refuse(path, "no word pairs in it; put two words into each row")
    return pairs


def write_parquet(file: BinaryIO, embeddings: Embeddings) -> None:
    """Write a table of words and vectors; equal embeddings give equal bytes."""
    arrow.write(embeddings.to_arrow(), file)


def _open(path: StrPath, what: str) -> Any:
    extras.require(["arrow"], f"{shown(path)}: {what} in Parquet")
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    try:
        return ParquetFile(path)
    except pa.ArrowException as error:
        raise refuse(path, "a damaged Parquet file; get it again") from error
    except OSError as error:
        raise refuse_os(path, error) from error
