"""Parquet tables, in the forms that `isolex.adapters.arrow` reads and writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

from isolex.adapters import arrow, extras
from isolex.core.embeddings import Embeddings
from isolex.core.file_errors import StrPath, refuse, refuse_os, shown
from isolex.core.repairs import Repairs
from isolex.errors import UsageError
from isolex.io.streams import Tick
from isolex.io.vector_table import VectorTable

_MAGIC = b"PAR1"
_ROWS_PER_BATCH = 8192
_DAMAGED = "a damaged Parquet file; download or copy it again"


def is_parquet(path: StrPath) -> bool:
    """Whether a file starts and ends like Parquet; a text may start with the same letters."""
    try:
        if not Path(path).is_file():  # a pipe can be read only once
            return False
        with Path(path).open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                return False
            file.seek(-len(_MAGIC), 2)
            return file.read() == _MAGIC
    except (OSError, ValueError):
        return False


def read_parquet(path: StrPath, max_words: int | None, tick: Tick) -> tuple[Embeddings, Repairs]:
    """Read a table of words and vectors in batches."""
    file = _open(path, "word vectors")
    import pyarrow as pa

    try:
        columns = arrow.columns(file.schema_arrow, shown(path))
        table, total = None, file.metadata.num_rows
        done = 0
        for batch in file.iter_batches(_ROWS_PER_BATCH, columns=columns.names):
            words, vectors = arrow.rows(batch, columns, shown(path), done)
            dims = vectors.shape[1]
            if dims == 0:
                continue
            table = table or VectorTable(dims, max_words, total)
            if dims != table.dims:
                what = f"vectors of {table.dims} and of {dims} numbers"
                raise refuse(path, f"{what}; give all vectors the same length")
            table.add(words, vectors)
            done += len(words)
            if table.full:
                break
            tick(done / total)
    except UsageError as error:
        raise refuse(path, str(error).removeprefix(f"{shown(path)}: ")) from error
    except (pa.ArrowException, OSError) as error:
        raise refuse(path, _DAMAGED) from error
    if table is None:
        raise refuse(path, "no usable word vectors; is this the right file?")
    return table.finish(path)


def read_table_pairs(path: StrPath) -> list[tuple[str, str]]:
    """Read the columns source and target of a table, or else its first two columns of text."""
    table = _open(path, "word pairs").read()
    texts = [field.name for field in table.schema if arrow.is_text(field.type)]
    names = ["source", "target"] if {"source", "target"} <= set(texts) else texts[:2]
    if len(names) < 2:
        raise refuse(path, "fewer than two columns of words; name them source and target")
    columns = [arrow.words(table.column(name)) for name in names]
    pairs = [(source, target) for source, target in zip(*columns, strict=True) if source and target]
    if not pairs:
        raise refuse(path, "no word pairs; put two words in each row")
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
        raise refuse(path, _DAMAGED) from error
    except OSError as error:
        raise refuse_os(path, error) from error
