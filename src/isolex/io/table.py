"""The words and vectors read so far: repaired, counted, and kept in one growing matrix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.files import StrPath, refuse
from isolex.core.repairs import Repairs

_GROWTH = 1.5
_FIRST_BYTES = 1 << 20


class Table:
    """Collects rows in their order; the first of each word is kept.

    Attributes:
        dims: Numbers per row.
        entries: Rows seen so far, repaired away or not.
        counts: What was repaired, by the names of ``Repairs``.
        header: What the header said wrongly about the dimensions, or "".
    """

    def __init__(self, dims: int, max_words: int | None = None, likely: int = 0) -> None:
        self.dims = dims
        self.entries = 0
        self.counts: Counter[str] = Counter()
        self.header = ""
        self._limit = max_words
        self._words: dict[str, None] = {}
        rows = max(1, likely, _FIRST_BYTES // (4 * dims))
        self._matrix = np.empty((min(rows, max_words or rows), dims), dtype=np.float32)

    @property
    def full(self) -> bool:
        """Whether ``max_words`` are there."""
        return self._limit is not None and len(self._words) >= self._limit

    def add(self, words: Sequence[bytes], rows: Vectors) -> None:
        """Take in words and their ``(len(words), dims)`` vectors."""
        finite, zero = _scan(rows)
        done = len(self._words)
        if not self._add_all(words, finite):
            kept = self._add_each(words, finite)
            rows, zero = rows[kept], zero[kept]
        if len(rows):
            self.counts["zero"] += int(zero.sum())
            self._reserve(done + len(rows))
            self._matrix[done : done + len(rows)] = rows

    def _add_all(self, words: Sequence[bytes], finite: NDArray[np.bool_]) -> bool:
        """Take all words at once; false, and nothing done, if that is not possible."""
        try:
            texts = b"\n".join(words).decode("utf-8").split("\n")
        except UnicodeDecodeError:
            return False
        fresh = dict.fromkeys(texts)
        room = self._limit is None or len(self._words) + len(words) <= self._limit
        plain = len(fresh) == len(words) and "" not in fresh and bool(finite.all())
        if not (room and plain and self._words.keys().isdisjoint(fresh)):
            return False
        self._words.update(fresh)
        self.entries += len(words)
        return True

    def _add_each(self, words: Sequence[bytes], finite: NDArray[np.bool_]) -> list[int]:
        """Take words one by one until the table is full; which of them were kept."""
        kept: list[int] = []
        for row, (word, good) in enumerate(zip(words, finite.tolist(), strict=True)):
            if self.full:
                break
            self.entries += 1
            if self._keeps(word, good):
                kept.append(row)
        return kept

    def finish(self, path: StrPath, promised: int | None = None) -> tuple[Embeddings, Repairs]:
        """What was kept, and what was mended; ``promised`` is the header's number of words."""
        header = self.header
        if promised is not None and not self.full and promised != self.entries:
            said = f"header said {promised:,} words, file has {self.entries:,}"
            header = f"{header} and {said}" if header else said
        repairs = Repairs(**self.counts, header=header)
        if not self._words:
            notes = repairs.notes()
            why = f" ({notes})" if notes else ""
            raise refuse(
                path, f"no usable word vectors in it{why}; check that it is the right file"
            )
        self._matrix.resize((len(self._words), self._matrix.shape[1]), refcheck=False)
        self._matrix.flags.writeable = False
        return Embeddings(self._words, self._matrix), repairs

    def _keeps(self, word: bytes, finite: bool) -> bool:
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

    def _reserve(self, rows: int) -> None:
        if rows > len(self._matrix):
            # resize can often extend the block where it lies, with no copy.
            larger = max(rows, int(len(self._matrix) * _GROWTH))
            self._matrix.resize((larger, self._matrix.shape[1]), refcheck=False)


def _scan(rows: Vectors) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which rows are finite, and which are all zeros."""
    with np.errstate(all="ignore"):
        squares = np.einsum("ij,ij->i", rows, rows)
        finite, zero = np.isfinite(squares), squares == 0
        # Squares overflow and vanish sooner than the numbers themselves.
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
