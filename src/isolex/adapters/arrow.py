"""Arrow tables, and so Parquet: a column ``word`` and a column ``vector`` of fixed-size lists.

Words that are not UTF-8 cannot be Arrow strings: where there are any, the column is binary.
Tables of others are understood too: `columns` says how.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from isolex.adapters import extras
from isolex.errors import UsageError

Floats = NDArray[np.float32]

WORD, VECTOR = "word", "vector"


@dataclass(frozen=True)
class Columns:
    """Where the words and the vectors of a table are.

    Attributes:
        word: The column of words.
        vector: The column of lists of numbers, or "" where the dimensions are columns.
        numbers: Those columns, in their order.
    """

    word: str
    vector: str
    numbers: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """All of them."""
        return [self.word, *([self.vector] if self.vector else self.numbers)]


def columns(schema: Any, what: str) -> Columns:
    """The columns of a table: by name, else the only ones that can be meant.

    Words are in ``word`` or the only column of text or bytes. Vectors are in ``vector`` or the only
    column of lists, or else the columns of numbers are the dimensions.
    """
    from pyarrow import types

    word = _one(schema, WORD, is_text)
    if not word:
        raise UsageError(f"{what}: which column has the words? name it {WORD!r}")
    vector = _one(schema, VECTOR, _is_list)
    numbers = tuple(
        field.name
        for field in schema
        if field.name != word
        and (types.is_floating(field.type) or types.is_integer(field.type))
        and not field.name.startswith("__index_level_")  # of a frame without words as its index
    )
    if not vector and not numbers:
        raise UsageError(
            f"{what}: no vectors in it; put lists of numbers into a column {VECTOR!r}, or one "
            "column for each dimension"
        )
    return Columns(word, vector, numbers)


def _one(schema: Any, name: str, suits: Any) -> str:
    suiting = [field.name for field in schema if suits(field.type)]
    if name in suiting:
        return name
    return suiting[0] if len(suiting) == 1 else ""


def is_text(kind: Any) -> bool:
    """Whether a column holds text, or bytes that may be text."""
    from pyarrow import types

    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(
        types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_string_view(kind)
        or types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_binary_view(kind)
    )


def _is_list(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def rows(batch: Any, places: Columns, what: str, first: int = 0) -> tuple[list[bytes], Floats]:
    """The words of a batch or table in UTF-8, and their ``(n, dims)`` vectors.

    ``first`` is the number of its first row, for messages. A missing word is empty, a missing
    number NaN, a missing vector all NaN.
    """
    import pyarrow as pa

    table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch
    words = _encoded(table.column(places.word))
    if not places.vector:
        columns = [_numbers(table.column(name), what) for name in places.numbers]
        return words, np.stack(columns, axis=1)
    return words, _lists(table.column(places.vector), what, first)


def words(column: Any) -> list[str]:
    """The words of a column of text or bytes; a missing one is empty."""
    return [word.decode("utf-8", "surrogateescape") for word in _encoded(column)]


def _encoded(column: Any) -> list[bytes]:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return [word or b"" for word in column.cast(pa.large_binary()).to_pylist()]


def _lists(column: Any, what: str, first: int) -> Floats:
    import pyarrow.compute as pc

    column = column.combine_chunks()
    there = np.asarray(column.is_valid())
    column = column.drop_null()
    lengths = np.asarray(pc.list_value_length(column))
    dims = int(lengths[0]) if len(lengths) else 0
    if (lengths != dims).any():
        odd = int(np.flatnonzero(lengths != dims)[0])
        row = first + int(np.flatnonzero(there)[odd])
        raise UsageError(
            f"{what}: the vector of row {row} has {int(lengths[odd])} numbers, the first {dims}; "
            "all must be of one space"
        )
    vectors = np.full((len(there), dims), np.nan, dtype=np.float32)
    vectors[there] = _numbers(column.flatten(), what).reshape(len(column), dims)
    return vectors


def _numbers(column: Any, what: str) -> Floats:
    values = column.to_numpy(zero_copy_only=False)
    if values.dtype.kind not in "fiu":
        raise UsageError(f"{what}: its vectors hold {values.dtype}, not numbers")
    with np.errstate(over="ignore"):
        return np.asarray(values, dtype=np.float32)


def take(table: Any) -> tuple[list[str], Floats]:
    """Words and vectors of a table or record batch, in its order."""
    extras.require(["arrow"], "an Arrow table")
    import pyarrow as pa

    if not isinstance(table, pa.Table | pa.RecordBatch):
        raise UsageError(f"from_arrow takes a pyarrow Table, not {type(table).__name__}")
    words, vectors = rows(table, columns(table.schema, "Arrow table"), "Arrow table")
    return [word.decode("utf-8", "surrogateescape") for word in words], vectors


def text(words: Sequence[str]) -> Any:
    """Words as an array of strings, or of bytes where some are not UTF-8."""
    extras.require(["arrow"], "an Arrow table")
    import pyarrow as pa

    try:
        return pa.array(words, pa.string())
    except UnicodeEncodeError:
        encoded = [word.encode("utf-8", "surrogateescape") for word in words]
        return pa.array(encoded, pa.binary())


def give(words: Sequence[str], vectors: Floats) -> Any:
    """A table with the columns ``word`` and ``vector``; the vectors are not copied."""
    encoded = text(words)
    import pyarrow as pa

    values = pa.array(vectors.reshape(-1))
    lists = pa.FixedSizeListArray.from_arrays(values, vectors.shape[1])
    return pa.table({WORD: encoded, VECTOR: lists})


def give_pairs(columns: dict[str, Any]) -> Any:
    """A table of a lexicon's columns."""
    import pyarrow as pa

    return pa.table(columns)


def write(table: Any, file: BinaryIO) -> None:
    """Write a table as Parquet; equal tables give equal bytes."""
    import pyarrow.parquet as pq

    pq.write_table(table, file, compression="zstd", use_dictionary=False)
