"""What had to be mended while a file was read."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolex.core.files import StrPath, shown
from isolex.errors import UsageError


@dataclass(frozen=True)
class Repairs:
    """Counts of what was mended or is worth saying about a file that was read.

    Attributes:
        duplicates: Words seen again; the first was kept.
        empty: Vectors without a word, dropped.
        not_finite: Rows with NaN or infinite values, dropped.
        zero: Words whose vector is all zeros, kept.
        blank: Blank lines, skipped.
        truncated: 1 if the last entry was cut off and dropped.
        invalid_utf8: Words that are not UTF-8, kept byte for byte.
        numbered: Words that end in a number after a space: perhaps rows with a number too many.
        header: What the header said wrongly, or "".
    """

    duplicates: int = 0
    empty: int = 0
    not_finite: int = 0
    zero: int = 0
    blank: int = 0
    truncated: int = 0
    invalid_utf8: int = 0
    numbered: int = 0
    header: str = ""

    def notes(self) -> str:
        """All of it, separated by commas; "" if there is nothing to say."""
        counts = (
            (self.duplicates, "duplicate word", "duplicate words", " (first kept)"),
            (self.empty, "empty word", "empty words", " dropped"),
            (self.not_finite, "row", "rows", " with NaN or infinite values dropped"),
            (self.zero, "zero vector", "zero vectors", " kept"),
            (self.blank, "blank line", "blank lines", " skipped"),
            (self.truncated, "cut-off last entry", "cut-off last entries", " dropped"),
            (self.invalid_utf8, "word", "words", " not in UTF-8 kept byte for byte"),
            (self.numbered, "word", "words", " ending in a number (a number too many?)"),
        )
        said = [
            f"{count:,} {one if count == 1 else many}{what}"
            for count, one, many, what in counts
            if count
        ]
        return ", ".join([*said, self.header] if self.header else said)

    def describe(self, path: StrPath) -> str:
        """One line about the file at ``path``; "" if there is nothing to say."""
        notes = self.notes()
        return f"{shown(path)}: {notes}" if notes else ""


_log = logging.getLogger("isolex")


def usable(words: Iterable[Any], vectors: Any, what: str) -> tuple[list[str], NDArray[np.float32]]:
    """Those words that can be used, each once, and their vectors; what was left out is logged.

    Args:
        words: ``n`` words, most frequent first.
        vectors: ``(n, dims)`` numbers.
        what: What they come from, for messages.

    Raises:
        UsageError: If they are not words and as many rows of numbers, or nothing can be used.
    """
    texts, matrix = list(words), _matrix(vectors, what)
    if matrix.ndim != 2 or len(texts) != len(matrix):
        raise UsageError(
            f"{what}: give a row of vectors for each word: "
            f"words {len(texts):,}, shape of the vectors {matrix.shape}"
        )
    kept, counts = _choose(texts, np.logical_and.reduce(np.isfinite(matrix), axis=1), what)
    if len(kept) < len(texts):
        texts, matrix = [texts[row] for row in kept], matrix[kept]
        matrix.flags.writeable = False
    counts["zero"] = int((~matrix.any(axis=1)).sum())
    notes = Repairs(**counts, header="").notes()
    if not matrix.size:
        raise UsageError(f"{what}: no usable word vectors in it" + (f" ({notes})" if notes else ""))
    if notes:
        _log.warning("%s: %s", what, notes)
    return texts, matrix


def _matrix(vectors: Any, what: str) -> NDArray[np.float32]:
    try:
        with np.errstate(over="ignore"):  # what is too large for float32 is dropped as infinite
            return np.asarray(vectors, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{what}: its vectors are not rows of as many numbers each") from error


def _choose(
    words: list[Any], finite: NDArray[np.bool_], what: str
) -> tuple[list[int], dict[str, int]]:
    """The rows to keep, and how many were left out for what reason."""
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
