"""Contrast: move paired words closer to each other than to all other words.

The closed-form maps minimise distances between paired words and ignore all other words. A few
steps of gradient descent on InfoNCE (van den Oord et al., 2018) correct that: each word of a mutual
pair has to recognise its partner among all frequent words, in both directions. Many steps would fit
the maps to the errors of the lexicon.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Indices, Lexicon
from isolex.kernels import linalg
from isolex.kernels.parallel import for_bands
from isolex.kernels.types import Doubles, Floats
from isolex.method.induced_pairs import mutual

MEAN_DECAY, SQUARE_DECAY = 0.9, 0.999
"""How slowly Adam forgets gradients, and their squares."""

TINY = 1e-8
"""Keeps divisions finite."""

BAND = 128
"""Rows of similarities that are processed together."""


@dataclass(frozen=True)
class Contrast:
    """Gradient descent on the contrast between mutual pairs and all other frequent words.

    Attributes:
        words: How many of the most frequent words of each language take part.
        batch: Number of pairs in a step.
        steps: Number of steps.
        temperature: Similarities are divided by this before the softmax.
        rate: Learning rate of Adam, times the square root of the number of dimensions.
    """

    words: int = 5000
    batch: int = 1000
    steps: int = 20
    temperature: float = 0.1
    rate: float = 0.02

    def __call__(
        self, x: Vectors, z: Vectors, lexicon: Lexicon, seed: int
    ) -> tuple[Doubles, Doubles]:
        """The matrices ``(k, k)`` that improve mapped vectors.

        Args:
            x: ``(n, k)`` mapped source vectors of unit length, most frequent first.
            z: ``(m, k)`` mapped target vectors of unit length, most frequent first.
            lexicon: The lexicon that the maps were fitted to.
            seed: Seed of the order of the pairs.
        """
        x, z = x[: self.words], z[: self.words]
        frequent = (lexicon.sources < len(x)) & (lexicon.targets < len(z))
        pairs = mutual(lexicon.select(frequent))
        rate = self.rate / float(np.sqrt(x.shape[1]))
        source, target = _Side(x, rate), _Side(z, rate)
        for some in self.batches(pairs, seed):
            source.map()
            target.map()
            _recognise(source, target, some.sources, some.targets, self.temperature)
            _recognise(target, source, some.targets, some.sources, self.temperature)
            source.step()
            target.step()
        return source.matrix, target.matrix

    def batches(self, pairs: Lexicon, seed: int) -> Iterator[Lexicon]:
        """The pairs of each step; all pairs take part before any takes part again."""
        rng, size = np.random.default_rng(seed), min(self.batch, len(pairs))
        order = np.empty(0, dtype=np.int64)
        for _ in range(self.steps if size else 0):
            if len(order) < size:
                order = rng.permutation(len(pairs))
            yield pairs.select(order[:size])
            order = order[size:]


class _Side:
    """One language: its vectors, the matrix that is learned, and the state of Adam.

    Args:
        vectors: ``(n, k)``, unit length.
        rate: Learning rate.
    """

    def __init__(self, vectors: Vectors, rate: float) -> None:
        dims = vectors.shape[1]
        self.matrix = np.eye(dims)
        self._vectors, self._rate = vectors, rate
        self._mean, self._square, self._steps = np.zeros((dims, dims)), np.zeros((dims, dims)), 0

    def map(self) -> None:
        """Map the vectors, and forget the gradient."""
        mapped = linalg.product(self._vectors, self.matrix.astype(np.float32))
        self._lengths = np.maximum(np.linalg.norm(mapped, axis=1, keepdims=True), TINY)
        self.mapped: Floats = mapped / self._lengths
        self.gradient = np.zeros_like(self.mapped)

    def step(self) -> None:
        """Move the matrix against the gradient."""
        along = np.einsum("nk,nk->n", self.gradient, self.mapped)[:, None] * self.mapped
        gradient = linalg.cross_moment(self._vectors, (self.gradient - along) / self._lengths)
        self._steps += 1
        self._mean += (1 - MEAN_DECAY) * (gradient - self._mean)
        self._square += (1 - SQUARE_DECAY) * (gradient**2 - self._square)
        mean = self._mean / (1 - MEAN_DECAY**self._steps)
        square = self._square / (1 - SQUARE_DECAY**self._steps)
        self.matrix -= self._rate * mean / (np.sqrt(square) + TINY)


def _recognise(
    own: _Side, other: _Side, rows: Indices, partners: Indices, temperature: float
) -> None:
    """Add the gradients of the mean InfoNCE loss of words that look for their partners."""
    queries, keys = own.mapped[rows], other.mapped
    wrong = np.empty((len(rows), len(keys)), dtype=np.float32)
    """How much too probable each key is."""

    def work(band: slice) -> None:
        part = wrong[band]
        np.matmul(queries[band], keys.T, out=part)
        part -= part.max(axis=1, keepdims=True)
        np.exp(part / temperature, out=part)
        part /= part.sum(axis=1, keepdims=True)
        part[np.arange(len(part)), partners[band]] -= 1
        part /= temperature * len(rows)

    for_bands(len(rows), BAND, lambda: work)
    np.add.at(own.gradient, rows, linalg.product(wrong, keys))
    other.gradient += linalg.product(wrong.T, queries)
