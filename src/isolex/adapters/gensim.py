"""gensim: KeyedVectors, and the models that hold them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolex.adapters import extras
from isolex.errors import UsageError

Floats = NDArray[np.float32]


def keyed_vectors(model: Any) -> Any:
    """The KeyedVectors of a model, or what is given if it is such itself."""
    extras.require(["gensim"], "gensim's KeyedVectors")
    from gensim.models import KeyedVectors

    found = getattr(model, "wv", model)
    if not isinstance(found, KeyedVectors):
        raise UsageError(
            f"from_gensim takes KeyedVectors or a model that has them as .wv, "
            f"not {type(model).__name__}"
        )
    return found


def take(model: Any) -> tuple[list[Any], Floats]:
    """Words and vectors, most frequent first.

    They are sorted by gensim's ``count`` of each word where it has one, else left in their order,
    which is that of frequency in whatever gensim trained or read.
    """
    found = keyed_vectors(model)
    # A place that was allocated and never filled has no key.
    words = ["" if key is None else key for key in found.index_to_key]
    vectors = found.vectors
    counts = np.asarray(found.expandos.get("count", []))
    if len(counts) != len(words) or (counts[:-1] >= counts[1:]).all():
        return words, vectors
    order = np.argsort(-counts, kind="stable")
    return [words[row] for row in order], vectors[order]


def give(words: Sequence[str], vectors: Floats) -> Any:
    """KeyedVectors; their ``count`` falls with the rank, as when gensim reads a file without."""
    extras.require(["gensim"], "gensim's KeyedVectors")
    from gensim.models import KeyedVectors

    made = KeyedVectors(vectors.shape[1])
    made.add_vectors(list(words), vectors)
    for rank, word in enumerate(words):
        made.set_vecattr(word, "count", len(words) - rank)
    return made


@dataclass(frozen=True)
class Subwords:
    """Vectors of further words by gensim's fastText."""

    model: Any

    @classmethod
    def of(cls, model: Any) -> Subwords | None:
        """Those of a fastText model; ``None`` of any other."""
        from gensim.models.fasttext import FastTextKeyedVectors

        found = keyed_vectors(model)
        return cls(found) if isinstance(found, FastTextKeyedVectors) and found.bucket else None

    def compose(self, words: Iterable[str]) -> dict[str, Floats]:
        """A vector ``(dims,)`` of each word that can have one."""
        asked = [word for word in dict.fromkeys(words) if word]
        vectors = {word: np.array(self.model.get_vector(word), np.float32) for word in asked}
        return {word: vector for word, vector in vectors.items() if vector.any()}
