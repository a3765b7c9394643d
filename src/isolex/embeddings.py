"""Embeddings: the words of one language and their vectors, in order of frequency."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isolex.errors import UsageError

Vectors = NDArray[np.float32]


def encode_words(words: Iterable[str]) -> bytes:
    r"""All words as bytes, each ended by ``\n``; bytes that were not UTF-8 come back unchanged."""
    return "".join(f"{word}\n" for word in words).encode("utf-8", "surrogateescape")


@dataclass(frozen=True, eq=False)
class Embeddings:
    """Words and their vectors; row ``i`` of ``vectors`` belongs to ``words[i]``.

    Attributes:
        words: The words, most frequent first, each of them once.
        vectors: ``(len(words), dims)`` float32, finite, C-contiguous and read-only. An array that
            can be written to is copied; one that cannot is taken as it is.
    """

    words: Sequence[str]
    vectors: Vectors = field(repr=False)

    def __init__(self, words: Iterable[str], vectors: ArrayLike) -> None:
        words = tuple(words)
        matrix = np.ascontiguousarray(vectors, dtype=np.float32)
        if matrix.flags.writeable and np.may_share_memory(matrix, vectors):
            matrix = matrix.copy()
        matrix.flags.writeable = False
        if matrix.ndim != 2 or len(words) != len(matrix):
            raise UsageError(
                f"{len(words)} words need as many rows of vectors; got shape {matrix.shape}"
            )
        if matrix.size == 0:
            raise UsageError("embeddings need at least one word and one dimension")
        if not np.isfinite(matrix).all():
            raise UsageError("vectors must be finite: drop the rows with NaN or infinite values")
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "vectors", matrix)
        if len(self.index) != len(words):
            raise UsageError("words must be unique: keep the first of each")

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self.index

    def __getitem__(self, word: str) -> Vectors:
        """The vector of a word."""
        vector: Vectors = self.vectors[self.index[word]]
        return vector

    def __repr__(self) -> str:
        return f"Embeddings({len(self):,} words x {self.dims} dimensions)"

    @property
    def dims(self) -> int:
        """The number of dimensions."""
        return int(self.vectors.shape[1])

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Each word's row."""
        return MappingProxyType({word: row for row, word in enumerate(self.words)})

    @cached_property
    def words_checksum(self) -> str:
        """SHA-256 of the words in their order."""
        return hashlib.sha256(encode_words(self.words)).hexdigest()

    @cached_property
    def vectors_checksum(self) -> str:
        """SHA-256 of the vectors as little-endian float32."""
        return hashlib.sha256(self.vectors.astype("<f4", copy=False).data).hexdigest()

    def head(self, count: int) -> Embeddings:
        """The ``count`` most frequent words; all of them when there are fewer."""
        return self if count >= len(self) else Embeddings(self.words[:count], self.vectors[:count])
