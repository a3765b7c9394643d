"""gensim's KeyedVectors, and models that contain them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from isolex.adapters import extras
from isolex.errors import UsageError
from isolex.kernels.types import Floats


def keyed_vectors(model: Any) -> Any:
    """Return the KeyedVectors of a model, or the argument if it is KeyedVectors itself."""
    extras.require(["gensim"], "from_gensim")
    from gensim.models import KeyedVectors

    found = getattr(model, "wv", model)
    if not isinstance(found, KeyedVectors):
        raise UsageError(
            "from_gensim takes KeyedVectors or a model with an attribute .wv, "
            f"not {type(model).__name__}"
        )
    return found


def take(model: Any) -> tuple[list[Any], Floats]:
    """Return the words and vectors of a model, most frequent first.

    Words are sorted by gensim's ``count``. Without counts they stay in order, which is by frequency
    for models that gensim trained or read.
    """
    found = keyed_vectors(model)
    # Rows that were allocated but never filled have no key.
    words = ["" if key is None else key for key in found.index_to_key]
    vectors = found.vectors
    counts = np.asarray(found.expandos.get("count", []))
    if len(counts) != len(words) or (counts[:-1] >= counts[1:]).all():
        return words, vectors
    order = np.argsort(-counts, kind="stable")
    return [words[row] for row in order], vectors[order]


def give(words: Sequence[str], vectors: Floats) -> Any:
    """Return KeyedVectors whose ``count`` falls with the rank.

    gensim does the same for files that contain no counts.
    """
    extras.require(["gensim"], "to_gensim")
    from gensim.models import KeyedVectors

    keyed = KeyedVectors(vectors.shape[1])
    keyed.add_vectors(list(words), vectors)
    for rank, word in enumerate(words):
        keyed.set_vecattr(word, "count", len(words) - rank)
    return keyed


@dataclass(frozen=True)
class GensimSubwords:
    """Vectors of out-of-vocabulary words from a gensim fastText model."""

    model: Any

    @classmethod
    def of(cls, model: Any) -> GensimSubwords | None:
        """Return the sub-words of a fastText model, or ``None`` for any other model."""
        from gensim.models.fasttext import FastTextKeyedVectors

        found = keyed_vectors(model)
        return cls(found) if isinstance(found, FastTextKeyedVectors) and found.bucket else None

    def compose(self, words: Iterable[str]) -> dict[str, Floats]:
        """Return a vector ``(dims,)`` for each word that has one."""
        unique = [word for word in dict.fromkeys(words) if word]
        vectors = {word: np.array(self.model.get_vector(word), np.float32) for word in unique}
        return {word: vector for word, vector in vectors.items() if vector.any()}
