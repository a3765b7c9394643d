"""Max-margin ranking against intruders (Lazaridou et al., 2015)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import LinearMap, rotation
from isolex.core.normaliser import unit
from isolex.core.problem import Problem
from isolex.kernels.parallel import single_threaded_blas
from isolex.kernels.types import Doubles

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class MaxMargin:
    """A map that ranks a translation above every other target word by a margin.

    Each training pair has one *intruder*: the other target word of the lexicon that is closest to
    the mapped source word and farthest from the translation. The loss of a pair is positive if
    the cosine of its translation does not exceed the cosine of the intruder by the margin. The map
    starts as the orthogonal one and is trained with Adagrad.

    Attributes:
        margin: Required difference of the two cosines.
        epochs: Number of passes over the training pairs.
        batch: Pairs per step.
        rate: Learning rate of Adagrad.
    """

    margin: float = 0.5
    epochs: int = 10
    batch: int = 100
    rate: float = 0.001

    seeded: ClassVar[bool] = True

    def __call__(self, problem: Problem, lexicon: Lexicon) -> tuple[LinearMap, LinearMap]:
        """Return the maps of source and target; the target's is the identity."""
        rng = np.random.default_rng(problem.seed)
        x = problem.x[lexicon.sources].astype(np.float64)
        targets, own = np.unique(lexicon.targets, return_inverse=True)
        y = unit(problem.z)[targets].astype(np.float64)
        translations = [own[lexicon.sources == source] for source in lexicon.sources]
        matrix: Doubles = rotation(problem.x, problem.z, lexicon).astype(np.float64)
        squares = np.full_like(matrix, 1e-8)
        with single_threaded_blas():
            for _ in range(self.epochs):
                order = rng.permutation(len(x))
                for start in range(0, len(x), self.batch):
                    rows = order[start : start + self.batch]
                    excluded = [translations[row] for row in rows]
                    gradient = self._gradient(x[rows], y, own[rows], excluded, matrix)
                    squares += gradient**2
                    matrix = matrix - self.rate * gradient / np.sqrt(squares)
        return LinearMap(matrix.astype(np.float32)), LinearMap.identity(problem.z.shape[1])

    def _gradient(
        self, x: Doubles, y: Doubles, own: Indices, excluded: Sequence[Indices], matrix: Doubles
    ) -> Doubles:
        """Gradient ``(d, e)`` of the mean loss of a batch.

        Args:
            x: ``(n, d)`` source vectors.
            y: ``(t, e)`` unit vectors of all targets of the lexicon.
            own: ``(n,)`` target of each pair.
            excluded: All targets of each source word; none of them can be its intruder.
            matrix: ``(d, e)`` map.
        """
        mapped = x @ matrix
        lengths = np.maximum(np.linalg.norm(mapped, axis=1, keepdims=True), 1e-12)
        mapped /= lengths
        cosines = mapped @ y.T
        intrusion = cosines - y[own] @ y.T
        rows = np.arange(len(x))
        excluded_rows = np.repeat(rows, [len(some) for some in excluded])
        intrusion[excluded_rows, np.concatenate(excluded)] = -np.inf
        intruders = intrusion.argmax(axis=1)
        right, wrong = cosines[rows, own], cosines[rows, intruders]
        violated = (self.margin + wrong - right > 0)[:, None]
        # The gradient of a cosine is orthogonal to the mapped vector and shrinks with its length.
        at_mapped = y[intruders] - y[own] - (wrong - right)[:, None] * mapped
        gradient: Doubles = x.T @ np.where(violated, at_mapped / lengths, 0.0) / len(x)
        return gradient
