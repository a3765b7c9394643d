"""Problems with a known answer: clustered vectors, rotated, permuted and with noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isolex.core.embeddings import Embeddings


@dataclass(frozen=True)
class Planted:
    """Two languages and the true pairing: source word ``s<i>`` translates to ``t<i>``."""

    source: Embeddings
    target: Embeddings

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return [(word, f"t{word[1:]}") for word in self.source.words]


def noise(words: int, dims: int, seed: int = 0) -> Embeddings:
    """Vectors with no structure at all."""
    vectors = np.random.default_rng(seed).normal(size=(words, dims)).astype(np.float32)
    return Embeddings([f"w{i}" for i in range(words)], vectors)


def planted(
    words: int = 1000,
    dims: int = 40,
    noise: float = 0.05,
    seed: int = 0,
    target_dims: int | None = None,
) -> Planted:
    """A rotation of clusters of Zipf-like size plus noise, target rows in a shuffled order."""
    rng = np.random.default_rng(seed)
    clusters = max(2, words // 20)
    weights = 1 / np.arange(1, clusters + 1)
    centres = rng.normal(size=(clusters, dims)) * np.linspace(2.0, 0.5, dims)
    member = rng.choice(clusters, size=words, p=weights / weights.sum())
    space = centres[member] + 0.6 * rng.normal(size=(words, dims))
    wide = target_dims or dims
    rotation = np.linalg.qr(rng.normal(size=(max(dims, wide), max(dims, wide))))[0][:dims, :wide]
    # Frequency ranks differ a little between the languages.
    order = np.argsort(np.arange(words) + rng.normal(scale=words / 20, size=words))
    turned = space @ rotation + noise * rng.normal(size=(words, wide))
    return Planted(
        Embeddings([f"s{i}" for i in range(words)], space),
        Embeddings([f"t{i}" for i in order], turned[order]),
    )
