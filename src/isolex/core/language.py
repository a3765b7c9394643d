"""Language: one of the vocabularies in a shared space."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from isolex.core.embeddings import Embeddings, Subwords, Vectors
from isolex.core.linear_map import LinearMap
from isolex.core.normaliser import Normaliser, unit
from isolex.core.words import Words, folded
from isolex.errors import UsageError


def check_name(name: str) -> None:
    """Refuse a name that cannot be part of the name of a file and of a tensor."""
    if not name.strip(".") or set("/\\\0") & set(name):
        raise UsageError(f"{name!r} cannot be the name of a language: it is used in file names")


class Checksums(NamedTuple):
    """SHA-256 of the words and of the original vectors of a language."""

    words: str
    vectors: str

    @classmethod
    def of(cls, embeddings: Embeddings) -> Checksums:
        """The checksums of embeddings."""
        return cls(embeddings.words_checksum, embeddings.vectors_checksum)


@dataclass(frozen=True, eq=False)
class Language:
    """One language of a space.

    Attributes:
        name: Its name, such as ``"en"``.
        words: Its words, most frequent first.
        vectors: ``(n, k)`` their vectors in the shared space, of unit length and read-only.
        normaliser: The normalisation that original vectors go through first.
        map: The linear map from there into the shared space.
        checksums: Identify the original words and vectors.
        subwords: Composes original vectors of other words, if the language can.
    """

    name: str
    words: Sequence[str] = field(repr=False)
    vectors: Vectors = field(repr=False)
    normaliser: Normaliser = field(repr=False)
    map: LinearMap = field(repr=False)
    checksums: Checksums = field(repr=False)
    subwords: Subwords | None = field(default=None, repr=False)

    @classmethod
    def from_mapped(cls, embeddings: Embeddings) -> Language:
        """A language whose vectors are already in the shared space; only their length changes."""
        vectors = unit(embeddings.vectors)
        vectors.flags.writeable = False
        return cls(
            embeddings.name,
            embeddings.words,
            vectors,
            Normaliser(("unit",), (np.empty(0, dtype=np.float32),)),
            LinearMap.identity(embeddings.dims),
            Checksums.of(embeddings),
            embeddings.subwords,
        )

    @classmethod
    def mapped(
        cls, embeddings: Embeddings, normaliser: Normaliser, linear: LinearMap, normalised: Vectors
    ) -> Language:
        """A language from its normalised vectors, which are overwritten if they are writable."""
        vectors = linear.transform_to_unit(normalised, overwrite=True)
        vectors.flags.writeable = False
        return cls(
            embeddings.name,
            embeddings.words,
            vectors,
            normaliser,
            linear,
            Checksums.of(embeddings),
            embeddings.subwords,
        )

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.row(word) is not None

    @property
    def dims(self) -> int:
        """The number of dimensions of the original vectors."""
        return int(self.map.matrix.shape[0])

    def row(self, word: str) -> int | None:
        """The row of a word, or ``None`` if it is not in the vocabulary."""
        return self.words.row(word) if isinstance(self.words, Words) else self.index.get(word)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Each word's row."""
        if isinstance(self.words, Words):
            return self.words.rows
        return {word: row for row, word in enumerate(self.words)}

    @cached_property
    def folded(self) -> Sequence[str]:
        """The words without case and accents."""
        return [folded(word) for word in self.words]

    @cached_property
    def embeddings(self) -> Embeddings:
        """The words with their vectors in the shared space."""
        return Embeddings(self.words, self.vectors, name=self.name)

    def transform(self, vectors: Vectors) -> Vectors:
        """Map original ``(n, d)`` vectors, seen before or not, to unit vectors ``(n, k)``."""
        return unit(self.project(vectors))

    def project(self, vectors: Vectors) -> Vectors:
        """Map original ``(n, d)`` vectors to ``(n, k)`` without scaling them to unit length."""
        vectors = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
        if vectors.shape[1] != self.dims:
            raise UsageError(
                f"{self.name or 'this language'} takes vectors of {self.dims} dimensions, not "
                f"{vectors.shape[1]}"
            )
        if not np.isfinite(vectors).all():
            raise UsageError("vectors must be finite: drop the rows with NaN or infinite values")
        return self.map.transform(self.normaliser.transform(vectors))

    def inverse_transform(self, mapped: Vectors) -> Vectors:
        """Map ``(n, k)`` vectors of the shared space back to normalised vectors ``(n, d)``."""
        return self.map.inverse().transform(np.atleast_2d(np.asarray(mapped, np.float32)))

    def compose(self, words: Iterable[str]) -> dict[str, Vectors]:
        """Unit vectors ``(k,)`` of words outside the vocabulary, composed from sub-words."""
        made = self.subwords.compose(words) if self.subwords else {}
        if not made:
            return {}
        mapped = self.transform(np.stack(list(made.values())))
        return dict(zip(made, mapped, strict=True))

    def is_from(self, embeddings: Embeddings) -> bool:
        """Whether the first or all of these vectors are the ones this language was made from."""
        if len(embeddings) < len(self) or embeddings.dims != self.dims:
            return False
        return Checksums.of(embeddings.head(len(self))) == self.checksums

    def unknown(self, word: str, elsewhere: str = "") -> str:
        """A message about a word that is not in the vocabulary.

        Args:
            word: The word.
            elsewhere: A hint that the word belongs to another language, if it does.
        """
        forms = (unicodedata.normalize(form, word.strip()) for form in ("NFC", "NFD"))
        alike = [form for plain in forms for form in (plain, plain.lower()) if form in self]
        hint = f"; did you mean {alike[0]!r}?" if alike else ""
        hint = f"; {elsewhere}" if elsewhere else hint
        return f"{word!r} is not in the vocabulary of {self.name} ({len(self):,} words){hint}"
