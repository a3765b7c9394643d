"""The words and vectors read so far: repaired, counted, and kept in one growing matrix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from isolex.embeddings import Embeddings, Vectors
from isolex.io.refuse import StrPath, refuse
from isolex.io.repairs import Repairs

_GROWTH = 1.5
_FIRST_BYTES = 1 << 20


class Table:
    """Collects rows in their order; the first of each word is kept.

    Attributes:
        entries: Rows seen so far, repaired away or not.
        counts: What was repaired, by the names of ``Repairs``.
        header: What the header said wrongly about the dimensions, or "".
    """

    def __init__(self, dims: int, max_words: int | None = None, likely: int = 0) -> None:
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
        done = len(self._words)
        finite = np.logical_and.reduce(np.isfinite(rows), axis=1)
        kept: list[int] = []
        for row, word in enumerate(words):
            if self.full:
                break
            self.entries += 1
            if self._keeps(word, bool(finite[row])):
                kept.append(row)
        if kept:
            chosen = rows if len(kept) == len(rows) else rows[kept]
            self.counts["zero"] += len(chosen) - int(chosen.any(axis=1).sum())
            self._reserve(done + len(kept))
            self._matrix[done : done + len(kept)] = chosen

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


def _is_utf8(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
