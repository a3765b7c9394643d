"""Collect words and vectors while a file is read: repair, count, and store in one matrix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.file_errors import StrPath, refuse
from isolex.core.repairs import Repairs

_GROWTH = 1.5
_INITIAL_BYTES = 1 << 20


class VectorTable:
    """Words and vectors in the order of the file; the first row of each word is kept.

    Args:
        dims: Numbers per row.
        max_words: Keep at most this many words.
        expected_rows: Number of rows to allocate memory for.

    Attributes:
        dims: Numbers per row.
        rows_seen: Number of rows so far, including dropped ones.
        counts: Number of repairs by field of ``Repairs``.
        header: How the header contradicts the dimensions of the rows, or "".
    """

    def __init__(self, dims: int, max_words: int | None = None, expected_rows: int = 0) -> None:
        self.dims = dims
        self.rows_seen = 0
        self.counts: Counter[str] = Counter()
        self.header = ""
        self._max_words = max_words
        self._words: dict[str, None] = {}
        rows = max(1, expected_rows, _INITIAL_BYTES // (4 * dims))
        self._matrix = np.empty((min(rows, max_words or rows), dims), dtype=np.float32)

    @property
    def full(self) -> bool:
        """Whether the table has ``max_words`` words."""
        return self._max_words is not None and len(self._words) >= self._max_words

    def add(self, words: Sequence[bytes], rows: Vectors) -> None:
        """Add words and their ``(len(words), dims)`` vectors until the table is full."""
        finite, zero = _finite_and_zero(rows)
        done = len(self._words)
        if not self._add_all(words, finite):
            kept = self._add_each(words, finite)
            rows, zero = rows[kept], zero[kept]
        if len(rows):
            self.counts["zero"] += int(zero.sum())
            self._reserve(done + len(rows))
            self._matrix[done : done + len(rows)] = rows

    def _add_all(self, words: Sequence[bytes], finite: NDArray[np.bool_]) -> bool:
        """Add all words at once if none needs a repair; otherwise do nothing and return false."""
        try:
            texts = b"\n".join(words).decode("utf-8").split("\n")
        except UnicodeDecodeError:
            return False
        new = dict.fromkeys(texts)
        fits = self._max_words is None or len(self._words) + len(words) <= self._max_words
        clean = len(new) == len(words) and "" not in new and bool(finite.all())
        if not (fits and clean and self._words.keys().isdisjoint(new)):
            return False
        self._words.update(new)
        self.rows_seen += len(words)
        return True

    def _add_each(self, words: Sequence[bytes], finite: NDArray[np.bool_]) -> list[int]:
        """Add words one by one until the table is full; return the rows that were kept."""
        kept: list[int] = []
        for row, (word, good) in enumerate(zip(words, finite.tolist(), strict=True)):
            if self.full:
                break
            self.rows_seen += 1
            if self._add_one(word, good):
                kept.append(row)
        return kept

    def _add_one(self, word: bytes, finite: bool) -> bool:
        if not word:
            self.counts["empty"] += 1
        elif not finite:
            self.counts["not_finite"] += 1
        elif (text := word.decode("utf-8", "surrogateescape")) in self._words:
            self.counts["duplicates"] += 1
        else:
            self._words[text] = None
            self.counts["invalid_utf8"] += not _is_utf8(text)
            return True
        return False

    def finish(self, path: StrPath, declared: int | None = None) -> tuple[Embeddings, Repairs]:
        """Return the embeddings and the repairs; ``declared`` is the word count of the header.

        Raises:
            InputError: If no row is usable.
        """
        header = self.header
        if declared is not None and not self.full and declared != self.rows_seen:
            words = f"header said {declared:,} words, file has {self.rows_seen:,}"
            header = f"{header} and {words}" if header else words
        repairs = Repairs(**self.counts, header=header)
        if not self._words:
            notes = repairs.notes()
            why = f" ({notes})" if notes else ""
            raise refuse(path, f"no usable word vectors{why}; is this the right file?")
        self._matrix.resize((len(self._words), self._matrix.shape[1]), refcheck=False)
        self._matrix.flags.writeable = False
        return Embeddings(self._words, self._matrix), repairs

    def _reserve(self, rows: int) -> None:
        if rows > len(self._matrix):
            # resize can often extend the memory in place, without a copy.
            larger = max(rows, int(len(self._matrix) * _GROWTH))
            self._matrix.resize((larger, self._matrix.shape[1]), refcheck=False)


def _finite_and_zero(rows: Vectors) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which rows are finite, and which are all zeros."""
    with np.errstate(all="ignore"):
        squares = np.einsum("ij,ij->i", rows, rows)
        finite, zero = np.isfinite(squares), squares == 0
        # Squares overflow and underflow sooner than the numbers themselves.
        for row in np.flatnonzero(~finite | zero):
            finite[row], zero[row] = np.isfinite(rows[row]).all(), not rows[row].any()
    return finite, zero


def _is_utf8(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
