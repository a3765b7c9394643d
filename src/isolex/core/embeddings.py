"""Embeddings: the words of one language and their vectors, in order of frequency."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isolex.core.counts import Counts
from isolex.core.file_errors import StrPath, shown
from isolex.core.words import encode_words
from isolex.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from gensim.models import KeyedVectors

Vectors = NDArray[np.float32]

SHOWN = 10
"""Words that a notebook shows."""

FEWEST_COUNTED = 200
"""With fewer counted words, nothing can be learned from their counts."""


class Subwords(Protocol):
    """A model that composes vectors of unseen words from sub-words."""

    def compose(self, words: Iterable[str]) -> dict[str, Vectors]:
        """A vector ``(dims,)`` for each word that the model can compose."""
        ...


def language_name(path: StrPath) -> str:
    """The name of the language in a file: the file name up to the first dot."""
    return PurePath(path).name.partition(".")[0]


@dataclass(frozen=True, eq=False)
class Embeddings:
    """Words and their vectors; row ``i`` of ``vectors`` belongs to ``words[i]``.

    Attributes:
        words: The words, most frequent first, each of them once.
        vectors: ``(len(words), dims)`` float32, finite, C-contiguous and read-only. A writable
            array is copied; a read-only one is used as it is.
        subwords: Composes vectors of other words, if the vectors come from a model that can.
        name: The name of the language, such as ``"en"``; `isolex.load` takes it from the file.
        counts: Co-occurrence counts of the text that the vectors come from, if there are any.
    """

    words: Sequence[str]
    vectors: Vectors = field(repr=False)
    subwords: Subwords | None = field(repr=False)
    name: str
    counts: Counts | None = field(repr=False)

    def __init__(
        self,
        words: Iterable[str],
        vectors: ArrayLike,
        subwords: Subwords | None = None,
        name: str = "",
        counts: Counts | None = None,
    ) -> None:
        words = tuple(words)
        matrix = np.ascontiguousarray(vectors, dtype=np.float32)
        if matrix.flags.writeable and np.may_share_memory(matrix, vectors):
            matrix = matrix.copy()
        matrix.flags.writeable = False
        if matrix.ndim != 2 or len(words) != len(matrix):
            raise UsageError(
                f"give one row of vectors for each word: {len(words):,} words, but vectors of "
                f"shape {matrix.shape}"
            )
        if not all(isinstance(word, str) for word in words):
            other = next(word for word in words if not isinstance(word, str))
            raise UsageError(f"words must be str, not {type(other).__name__}: {other!r}")
        if matrix.size == 0:
            raise UsageError("embeddings need at least one word and one dimension")
        if not np.isfinite(matrix).all():
            raise UsageError("vectors must be finite: drop the rows with NaN or infinite values")
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "vectors", matrix)
        object.__setattr__(self, "subwords", subwords)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "counts", counts)
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
        name = f"{self.name}: " if self.name else ""
        return f"Embeddings({name}{len(self):,} words x {self.dims} dimensions)"

    def _repr_html_(self) -> str:
        first = ", ".join(escape(shown(word)) for word in self.words[:SHOWN])
        more = ", …" if len(self) > SHOWN else ""
        return f"<p>{escape(repr(self))}<br><small>{first}{more}</small></p>"

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
        """SHA-256 of the words in order."""
        return hashlib.sha256(encode_words(self.words)).hexdigest()

    @cached_property
    def vectors_checksum(self) -> str:
        """SHA-256 of the vectors as little-endian float32."""
        return hashlib.sha256(self.vectors.astype("<f4", copy=False).data).hexdigest()

    def head(self, count: int) -> Embeddings:
        """The ``count`` most frequent words, or all if there are fewer."""
        if count >= len(self):
            return self
        return Embeddings(
            self.words[:count], self.vectors[:count], self.subwords, self.name, self.counts
        )

    def named(self, name: str) -> Embeddings:
        """The same embeddings under another name."""
        renamed = copy(self)
        object.__setattr__(renamed, "name", name)
        return renamed

    def with_counts(self, counts: Counts) -> Embeddings:
        """The same embeddings with the co-occurrence counts of their text."""
        found = len(counts.rows_in(self.index)[0])
        if found < FEWEST_COUNTED:
            raise UsageError(
                f"only {found:,} of the {len(counts):,} counted words have a vector: counts and "
                "vectors must come from the same text"
            )
        counted = copy(self)
        object.__setattr__(counted, "counts", counts)
        return counted

    def compose(self, words: Iterable[str]) -> dict[str, Vectors]:
        """A vector ``(dims,)`` for each word in the vocabulary or composed from sub-words."""
        asked = list(dict.fromkeys(words))
        others = [word for word in asked if word not in self]
        made = self.subwords.compose(others) if self.subwords and others else {}
        found = {word: self[word] if word in self else made.get(word) for word in asked}
        return {word: vector for word, vector in found.items() if vector is not None}

    def __reduce__(self) -> tuple[type[Embeddings], tuple[Any, ...]]:
        return Embeddings, (self.words, self.vectors, self.subwords, self.name, self.counts)

    # Conversions from and to other libraries; docs/ecosystem.md describes each form. Entries that
    # cannot be used are left out, and a log line says so.

    @classmethod
    def from_numpy(cls, words: Iterable[str], vectors: ArrayLike) -> Embeddings:
        """From words and ``(n, dims)`` vectors; repairs what the constructor would refuse."""
        return cls._repaired(words, vectors, "NumPy array")

    def to_numpy(self) -> tuple[NDArray[np.object_], Vectors]:
        """The words ``(n,)`` and a writable copy of their ``(n, dims)`` vectors."""
        words = np.empty(len(self), dtype=object)
        words[:] = self.words
        return words, self.vectors.copy()

    @classmethod
    def from_gensim(cls, model: Any) -> Embeddings:
        """From KeyedVectors or a gensim model that has them; sorted by ``count``."""
        from isolex.adapters import gensim

        return cls._repaired(*gensim.take(model), "KeyedVectors", gensim.GensimSubwords.of(model))

    def to_gensim(self) -> KeyedVectors:
        """As gensim KeyedVectors."""
        from isolex.adapters import gensim

        return gensim.give(self.words, self.vectors)

    @classmethod
    def from_spacy(cls, source: Any) -> Embeddings:
        """From a spaCy Language, Vocab or Vectors; sorted by probability, else in row order."""
        from isolex.adapters import spacy

        return cls._repaired(*spacy.take(source), "spaCy vectors")

    def to_spacy(self, into: Any = None) -> Any:
        """As a spaCy Vocab; or add the vectors to ``into``, a Language or Vocab."""
        from isolex.adapters import spacy

        return spacy.give(self.words, self.vectors, into)

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> Embeddings:
        """From a pandas frame: words as index or ``word``; a column per dimension or ``vector``."""
        from isolex.adapters import frames

        return cls._repaired(*frames.take(frame), "data frame")

    def to_frame(self) -> pd.DataFrame:
        """As a pandas frame with the index ``word`` and one column per dimension."""
        from isolex.adapters import frames

        return frames.give(self.words, self.vectors)

    @classmethod
    def from_arrow(cls, table: pa.Table) -> Embeddings:
        """From an Arrow table with columns ``word`` and ``vector``, or unambiguous other names."""
        from isolex.adapters import arrow

        return cls._repaired(*arrow.take(table), "Arrow table")

    def to_arrow(self) -> pa.Table:
        """As an Arrow table with columns ``word`` and ``vector``, a fixed-size list of float32."""
        from isolex.adapters import arrow

        return arrow.give(self.words, self.vectors)

    @classmethod
    def _repaired(
        cls, words: Iterable[Any], vectors: Any, what: str, subwords: Subwords | None = None
    ) -> Embeddings:
        from isolex.core.repairs import usable

        return cls(*usable(words, vectors, what), subwords)
