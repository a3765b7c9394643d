"""Embeddings: the words of one language and their vectors, in order of frequency."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isolex.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from gensim.models import KeyedVectors

Vectors = NDArray[np.float32]


class Subwords(Protocol):
    """A model that makes vectors of words it has not seen, from their parts."""

    def compose(self, words: Iterable[str]) -> dict[str, Vectors]:
        """A vector ``(dims,)`` of each of the words that can have one."""
        ...


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
        subwords: What makes vectors of other words, where they come from a model that can.
    """

    words: Sequence[str]
    vectors: Vectors = field(repr=False)
    subwords: Subwords | None = field(repr=False)

    def __init__(
        self, words: Iterable[str], vectors: ArrayLike, subwords: Subwords | None = None
    ) -> None:
        words = tuple(words)
        matrix = np.ascontiguousarray(vectors, dtype=np.float32)
        if matrix.flags.writeable and np.may_share_memory(matrix, vectors):
            matrix = matrix.copy()
        matrix.flags.writeable = False
        if matrix.ndim != 2 or len(words) != len(matrix):
            raise UsageError(
                "give a row of vectors for each word: "
                f"words {len(words):,}, shape of the vectors {matrix.shape}"
            )
        if not all(isinstance(word, str) for word in words):
            other = next(word for word in words if not isinstance(word, str))
            raise UsageError(f"words are text, and {other!r} is not: give it as str")
        if matrix.size == 0:
            raise UsageError("embeddings need at least one word and one dimension")
        if not np.isfinite(matrix).all():
            raise UsageError("vectors must be finite: drop the rows with NaN or infinite values")
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "vectors", matrix)
        object.__setattr__(self, "subwords", subwords)
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
        if count >= len(self):
            return self
        return Embeddings(self.words[:count], self.vectors[:count], self.subwords)

    def compose(self, words: Iterable[str]) -> dict[str, Vectors]:
        """A vector ``(dims,)`` of each of the words that is in the vocabulary or has sub-words."""
        asked = list(dict.fromkeys(words))
        others = [word for word in asked if word not in self]
        made = self.subwords.compose(others) if self.subwords and others else {}
        found = {word: self[word] if word in self else made.get(word) for word in asked}
        return {word: vector for word, vector in found.items() if vector is not None}

    def __reduce__(self) -> tuple[type[Embeddings], tuple[Any, ...]]:
        return Embeddings, (self.words, self.vectors, self.subwords)

    # Other libraries: what each form looks like is told in `isolex.adapters` and in
    # docs/ecosystem.md. What cannot be used of what is given is left out and logged.

    @classmethod
    def from_numpy(cls, words: Iterable[str], vectors: ArrayLike) -> Embeddings:
        """Words and their ``(n, dims)`` vectors, repaired where the constructor would refuse."""
        return cls._repaired(words, vectors, "NumPy array")

    def to_numpy(self) -> tuple[NDArray[np.object_], Vectors]:
        """The words ``(n,)`` and their ``(n, dims)`` vectors, which can be written to."""
        words = np.empty(len(self), dtype=object)
        words[:] = self.words
        return words, self.vectors.copy()

    @classmethod
    def from_gensim(cls, model: Any) -> Embeddings:
        """KeyedVectors, or a gensim model that has them; words by falling ``count``."""
        from isolex.adapters import gensim

        return cls._repaired(*gensim.take(model), "KeyedVectors", gensim.Subwords.of(model))

    def to_gensim(self) -> KeyedVectors:
        """Gensim's KeyedVectors."""
        from isolex.adapters import gensim

        return gensim.give(self.words, self.vectors)

    @classmethod
    def from_spacy(cls, source: Any) -> Embeddings:
        """The vectors of a spaCy Language, Vocab or Vectors; by probability, else in row order."""
        from isolex.adapters import spacy

        return cls._repaired(*spacy.take(source), "spaCy vectors")

    def to_spacy(self, into: Any = None) -> Any:
        """A spaCy Vocab with these vectors; or ``into``, a Language or Vocab that is given them."""
        from isolex.adapters import spacy

        return spacy.give(self.words, self.vectors, into)

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> Embeddings:
        """A pandas frame: words as index or column ``word``; a column a dimension or ``vector``."""
        from isolex.adapters import frames

        return cls._repaired(*frames.take(frame), "data frame")

    def to_frame(self) -> pd.DataFrame:
        """A pandas frame with the index ``word`` and a column for each dimension."""
        from isolex.adapters import frames

        return frames.give(self.words, self.vectors)

    @classmethod
    def from_arrow(cls, table: pa.Table) -> Embeddings:
        """An Arrow table: columns ``word`` and ``vector``, or the only ones that can be meant."""
        from isolex.adapters import arrow

        return cls._repaired(*arrow.take(table), "Arrow table")

    def to_arrow(self) -> pa.Table:
        """An Arrow table with columns ``word`` and ``vector``, a fixed-size list of float32."""
        from isolex.adapters import arrow

        return arrow.give(self.words, self.vectors)

    @classmethod
    def _repaired(
        cls, words: Iterable[Any], vectors: Any, what: str, subwords: Subwords | None = None
    ) -> Embeddings:
        from isolex.core.repairs import usable

        return cls(*usable(words, vectors, what), subwords)
