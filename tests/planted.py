"""Problems with a known answer: clustered vectors, rotated, permuted and with noise."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from isolex.core.counts import Counts
from isolex.core.embeddings import Embeddings
from isolex.core.space import Space


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
    space = clustered(words, dims, rng)
    wide = target_dims or dims
    rotation = np.linalg.qr(rng.normal(size=(max(dims, wide), max(dims, wide))))[0][:dims, :wide]
    # Frequency ranks differ a little between the languages.
    order = np.argsort(np.arange(words) + rng.normal(scale=words / 20, size=words))
    turned = space @ rotation + noise * rng.normal(size=(words, wide))
    return Planted(
        Embeddings([f"s{i}" for i in range(words)], space),
        Embeddings([f"t{i}" for i in order], turned[order]),
    )


def planted_languages(
    count: int, words: int = 400, dims: int = 20, noise: float = 0.1, seed: int = 0
) -> list[Embeddings]:
    """Languages "a", "b", "c", ... whose words ``a<i>``, ``b<i>``, ``c<i>``, ... mean the same."""
    rng = np.random.default_rng(seed)
    space = clustered(words, dims, rng)
    languages = []
    for name in ascii_lowercase[:count]:
        rotation = np.linalg.qr(rng.normal(size=(dims, dims)))[0]
        order = np.argsort(np.arange(words) + rng.normal(scale=words / 20, size=words))
        turned = space @ rotation + noise * rng.normal(size=(words, dims))
        languages.append(Embeddings([f"{name}{i}" for i in order], turned[order], name=name))
    return languages


def scrambled(language: Embeddings, name: str, seed: int = 0) -> Embeddings:
    """The values of each vector in a random order: they look real and fit no other language."""
    vectors = np.random.default_rng(seed).permuted(language.vectors, axis=1)
    return Embeddings(language.words, vectors, name=name)


def share_right(space: Space, source: str, target: str) -> float:
    """The share of words that a lexicon between planted languages translates correctly."""
    entries = space.lexicon(source, target)
    return float(np.mean([entry.source[1:] == entry.target[1:] for entry in entries]))


def clustered(words: int, dims: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Vectors in clusters of Zipf-like size."""
    clusters = max(2, words // 20)
    weights = 1 / np.arange(1, clusters + 1)
    centres = rng.normal(size=(clusters, dims)) * np.linspace(2.0, 0.5, dims)
    member = rng.choice(clusters, size=words, p=weights / weights.sum())
    found: NDArray[np.float64] = centres[member] + 0.6 * rng.normal(size=(words, dims))
    return found


def with_counts(problem: Planted, seed: int = 0, dims: int = 8) -> Planted:
    """The same languages with counts of two texts in which translations have the same neighbours.

    Their vectors tell nothing about the counts.
    """
    rng = np.random.default_rng(seed)
    words = len(problem.source)
    meaning = rng.normal(size=(words, dims)) * 1.5 / np.sqrt(dims)
    often = 1 / np.sqrt(np.arange(10, words + 10))
    expected = 60 * words * np.outer(often, often) / often.sum() * np.exp(meaning @ meaning.T)
    rows = {word: row for row, word in enumerate(f"s{i}" for i in range(words))}
    languages = []
    for one in (problem.source, problem.target):
        place = [rows[f"s{word[1:]}"] for word in one.words]
        drawn = np.triu(rng.poisson(expected[np.ix_(place, place)]))
        first, second = np.nonzero(drawn)
        counts = Counts(one.words, first, second, drawn[first, second])
        languages.append(one.with_counts(counts))
    return Planted(*languages)
