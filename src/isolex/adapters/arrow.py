"""Arrow tables, and thus Parquet: a column ``word`` and a column ``vector`` of fixed-size lists.

Arrow strings must be UTF-8, so the word column is binary if any word is not. Tables from other
tools are accepted too; see `columns`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from isolex.adapters import extras
from isolex.errors import UsageError
from isolex.kernels.types import Floats

WORD, VECTOR = "word", "vector"


@dataclass(frozen=True)
class Columns:
    """The columns of a table that hold words and vectors.

    Attributes:
        word: Column of words.
        vector: Column of lists of numbers, or "" if each dimension has its own column.
        numbers: The columns of the dimensions, in order.
    """

    word: str
    vector: str
    numbers: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """The names of all columns to read."""
        return [self.word, *([self.vector] if self.vector else self.numbers)]


def columns(schema: Any, label: str) -> Columns:
    """Find the columns of words and vectors, by name or as the only candidate.

    Words are in the column ``word``, or in the only column of text or bytes. Vectors are in the
    column ``vector``, or in the only column of lists; otherwise each numeric column is a dimension.

    Args:
        schema: Schema of the table.
        label: What to call the table in error messages.
    """
    from pyarrow import types

    word = _find(schema, WORD, is_text)
    if not word:
        raise UsageError(f"{label}: cannot tell which column has the words; name it {WORD!r}")
    vector = _find(schema, VECTOR, _is_list)
    numbers = tuple(
        field.name
        for field in schema
        if field.name != word
        and (types.is_floating(field.type) or types.is_integer(field.type))
        and not field.name.startswith("__index_level_")  # a pandas index that is not the words
    )
    if not vector and not numbers:
        raise UsageError(
            f"{label}: found no vectors in it; add a column {VECTOR!r} with lists of numbers, or "
            "one numeric column per dimension"
        )
    return Columns(word, vector, numbers)


def _find(schema: Any, name: str, suitable: Callable[[Any], bool]) -> str:
    """Return ``name`` or the only other suitable column; "" if there is no unique one."""
    candidates = [field.name for field in schema if suitable(field.type)]
    if name in candidates:
        return name
    return candidates[0] if len(candidates) == 1 else ""


def is_text(dtype: Any) -> bool:
    """Return whether a column type holds text, or bytes that may be text."""
    from pyarrow import types

    if types.is_dictionary(dtype):
        dtype = dtype.value_type
    return bool(
        types.is_string(dtype)
        or types.is_large_string(dtype)
        or types.is_string_view(dtype)
        or types.is_binary(dtype)
        or types.is_large_binary(dtype)
        or types.is_binary_view(dtype)
    )


def _is_list(dtype: Any) -> bool:
    from pyarrow import types

    return bool(
        types.is_list(dtype) or types.is_large_list(dtype) or types.is_fixed_size_list(dtype)
    )


def rows(batch: Any, layout: Columns, label: str, first: int = 0) -> tuple[list[bytes], Floats]:
    """Return the words of a batch or table in UTF-8, and their vectors ``(n, dims)``.

    A missing word is empty, a missing number NaN, and a missing vector all NaN.

    Args:
        batch: Record batch or table.
        layout: Where its words and vectors are.
        label: What to call the table in error messages.
        first: Number of the first row, for error messages.
    """
    import pyarrow as pa

    table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch
    words = _encoded(table.column(layout.word))
    if not layout.vector:
        dimensions = [_numbers(table.column(name), label) for name in layout.numbers]
        return words, np.stack(dimensions, axis=1)
    return words, _lists(table.column(layout.vector), label, first)


def words(column: Any) -> list[str]:
    """Return the words of a column of text or bytes; a missing word is empty."""
    return _decoded(_encoded(column))


def _encoded(column: Any) -> list[bytes]:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return [word or b"" for word in column.cast(pa.large_binary()).to_pylist()]


def _decoded(words: Sequence[bytes]) -> list[str]:
    return [word.decode("utf-8", "surrogateescape") for word in words]


def _lists(column: Any, label: str, first: int) -> Floats:
    """Return the vectors ``(n, dims)`` of a column of lists; missing ones are all NaN."""
    import pyarrow.compute as pc

    column = column.combine_chunks()
    valid = np.asarray(column.is_valid())
    column = column.drop_null()
    lengths = np.asarray(pc.list_value_length(column))
    dims = int(lengths[0]) if len(lengths) else 0
    if (lengths != dims).any():
        odd = int(np.flatnonzero(lengths != dims)[0])
        row = first + int(np.flatnonzero(valid)[odd])
        raise UsageError(
            f"{label}: the vector in row {row} has {int(lengths[odd])} numbers, the first {dims}; "
            "all vectors must have the same length"
        )
    vectors = np.full((len(valid), dims), np.nan, dtype=np.float32)
    vectors[valid] = _numbers(column.flatten(), label).reshape(len(column), dims)
    return vectors


def _numbers(column: Any, label: str) -> Floats:
    values = column.to_numpy(zero_copy_only=False)
    if values.dtype.kind not in "fiu":
        raise UsageError(f"{label}: its vectors contain values of type {values.dtype}, not numbers")
    with np.errstate(over="ignore"):
        return np.asarray(values, dtype=np.float32)


def take(table: Any) -> tuple[list[str], Floats]:
    """Return the words and vectors of a table or record batch, in its order."""
    extras.require(["arrow"], "from_arrow")
    import pyarrow as pa

    if not isinstance(table, pa.Table | pa.RecordBatch):
        raise UsageError(f"from_arrow takes a pyarrow Table, not {type(table).__name__}")
    words, vectors = rows(table, columns(table.schema, "Arrow table"), "Arrow table")
    return _decoded(words), vectors


def text(words: Sequence[str]) -> Any:
    """Return an Arrow array of strings, or of bytes if any word is not UTF-8."""
    extras.require(["arrow"], "to_arrow")
    import pyarrow as pa

    try:
        return pa.array(words, pa.string())
    except UnicodeEncodeError:
        encoded = [word.encode("utf-8", "surrogateescape") for word in words]
        return pa.array(encoded, pa.binary())


def give(words: Sequence[str], vectors: Floats) -> Any:
    """Return a table with the columns ``word`` and ``vector``; the vectors are not copied."""
    encoded = text(words)
    import pyarrow as pa

    values = pa.array(vectors.reshape(-1))
    lists = pa.FixedSizeListArray.from_arrays(values, vectors.shape[1])
    return pa.table({WORD: encoded, VECTOR: lists})


def give_pairs(columns: dict[str, Any]) -> Any:
    """Return a lexicon's columns as a table."""
    import pyarrow as pa

    return pa.table(columns)


def write(table: Any, file: BinaryIO) -> None:
    """Write a table as Parquet; equal tables give equal bytes."""
    import pyarrow.parquet as pq

    pq.write_table(table, file, compression="zstd", use_dictionary=False)
