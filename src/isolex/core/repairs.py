"""Repairs: which rows were dropped or changed while word vectors were read."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolex.core.file_errors import StrPath, shown
from isolex.errors import UsageError

_log = logging.getLogger("isolex")


@dataclass(frozen=True)
class Repairs:
    """Counts of what was repaired or looked suspicious in a file.

    Attributes:
        duplicates: Repeated words; the first occurrence was kept.
        empty: Vectors without a word, dropped.
        not_finite: Rows with NaN or infinite values, dropped.
        zero: Words whose vector is all zeros, kept.
        blank: Blank lines, skipped.
        truncated: 1 if the last entry was truncated and dropped.
        invalid_utf8: Words that are not valid UTF-8, kept byte for byte.
        numeric_ends: Words that end in a space and a decimal number, kept; their rows may have one
            number too many.
        header: How the header contradicts the rows, or "".
    """

    duplicates: int = 0
    empty: int = 0
    not_finite: int = 0
    zero: int = 0
    blank: int = 0
    truncated: int = 0
    invalid_utf8: int = 0
    numeric_ends: int = 0
    header: str = ""

    def notes(self) -> str:
        """List all repairs, separated by commas; "" if there are none."""
        counts = (
            (self.duplicates, "duplicate word", "duplicate words", " (first kept)"),
            (self.empty, "empty word", "empty words", " dropped"),
            (self.not_finite, "row", "rows", " with NaN or infinite values dropped"),
            (self.zero, "zero vector", "zero vectors", " kept"),
            (self.blank, "blank line", "blank lines", " skipped"),
            (self.truncated, "truncated last entry", "truncated last entries", " dropped"),
            (self.invalid_utf8, "word", "words", " not in UTF-8 kept byte for byte"),
            (self.numeric_ends, "word", "words", " ending in a number (one number too many?)"),
        )
        notes = [
            f"{count:,} {one if count == 1 else many}{what}"
            for count, one, many, what in counts
            if count
        ]
        return ", ".join([*notes, self.header] if self.header else notes)

    def describe(self, path: StrPath) -> str:
        """Describe the repairs to the file at ``path`` in one line; "" if there are none."""
        notes = self.notes()
        return f"{shown(path)}: {notes}" if notes else ""


def usable(words: Iterable[Any], vectors: Any, what: str) -> tuple[list[str], NDArray[np.float32]]:
    """Keep the first row of each usable word, and log what was dropped.

    Args:
        words: ``n`` words, most frequent first.
        vectors: ``(n, dims)`` numbers.
        what: Where they come from, for messages.

    Raises:
        UsageError: If words and vectors do not match, or no row is usable.
    """
    texts, matrix = list(words), _matrix(vectors, what)
    if matrix.ndim != 2 or len(texts) != len(matrix):
        raise UsageError(
            f"{what}: expected one row of vectors for each word, "
            f"found {len(texts):,} words and vectors of shape {matrix.shape}"
        )
    kept, counts = _select(texts, np.logical_and.reduce(np.isfinite(matrix), axis=1), what)
    if len(kept) < len(texts):
        texts, matrix = [texts[row] for row in kept], matrix[kept]
        matrix.flags.writeable = False
    counts["zero"] = int((~matrix.any(axis=1)).sum())
    notes = Repairs(**counts, header="").notes()
    if not matrix.size:
        raise UsageError(f"{what}: no usable word vectors" + (f" ({notes})" if notes else ""))
    if notes:
        _log.warning("%s: %s", what, notes)
    return texts, matrix


def _matrix(vectors: Any, what: str) -> NDArray[np.float32]:
    try:
        with np.errstate(over="ignore"):  # overflow gives infinity; those rows are dropped later
            return np.asarray(vectors, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{what}: vectors must be numbers, and all of the same length") from error


def _select(
    words: list[Any], finite: NDArray[np.bool_], what: str
) -> tuple[list[int], dict[str, int]]:
    """Choose the rows to keep, and count the dropped ones by reason."""
    counts: Counter[str] = Counter()
    rows: dict[str, int] = {}
    for row, (word, good) in enumerate(zip(words, finite.tolist(), strict=True)):
        if not isinstance(word, str):
            raise UsageError(f"{what}: words must be text, not {word!r} ({type(word).__name__})")
        if not word:
            counts["empty"] += 1
        elif not good:
            counts["not_finite"] += 1
        elif word in rows:
            counts["duplicates"] += 1
        else:
            rows[word] = row
    return list(rows.values()), dict(counts)
