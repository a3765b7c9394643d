"""Wasserstein-Procrustes: couple words and update the orthogonal map in turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from isolex.core.linear_map import LinearMap
from isolex.core.observer import Epoch, OnEpoch
from isolex.core.problem import Problem
from isolex.kernels import linalg
from isolex.kernels.parallel import single_threaded_blas
from isolex.kernels.types import Doubles
from isolex.trainers.transport.coupling import (
    exact_coupling,
    maps_to_target,
    most_frequent,
    orthogonal_map,
    sinkhorn,
    uniform,
)
from isolex.trainers.transport.relaxation import relaxed_matching


@dataclass(frozen=True)
class WassersteinProcrustes:
    """Stochastic Wasserstein-Procrustes (Grave, Joulin and Berthet, 2018).

    The initial map comes from a convex relaxation. Each step then draws a batch of words from each
    language, couples them by Sinkhorn, moves the map towards the orthogonal map of that coupling
    and makes it orthogonal again. From stage to stage the batches become larger and fewer. Of the
    initial map and the maps after each stage, the one with the best criterion is returned: the
    mean cosine of the most frequent words under an exact coupling.

    Attributes:
        first_words: The convex relaxation uses this many of the most frequent words.
        first_iterations: Iterations of the Frank-Wolfe algorithm for the relaxation.
        blur: Regularisation of its linear problems, in standard deviations of their costs.
        words: Batches are drawn from this many of the most frequent words.
        batch: Words of each language in a batch of the first stage.
        steps: Number of batches in the first stage.
        stages: Each stage has batches twice as large as the one before, and a quarter as many.
        rate: Step length, in multiples of the number of dimensions.
        regularisation: Weight of the entropy in the coupling of a batch.
        judged: The criterion uses this many of the most frequent words.
    """

    first_words: int = 2000
    first_iterations: int = 40
    blur: float = 0.05
    words: int = 20_000
    batch: int = 500
    steps: int = 500
    stages: int = 4
    rate: float = 1.0
    regularisation: float = 0.05
    judged: int = 2000

    seeded: ClassVar[bool] = True
    extras: ClassVar[tuple[str, ...]] = ("ot",)

    def __call__(
        self,
        problem: Problem,
        device: str,  # noqa: ARG002 - POT runs on the CPU
        on_epoch: OnEpoch,
    ) -> tuple[LinearMap, LinearMap]:
        """Return the maps of source and target; the target's is the identity."""
        rng = np.random.default_rng(problem.seed)
        x, z = most_frequent(problem.x, self.words), most_frequent(problem.z, self.words)
        with single_threaded_blas():
            matrix = best = self.initial_map(x, z)
            highest = self._criterion(x, z, matrix)
            on_epoch(Epoch(1, self.stages + 1, highest))
            for stage in range(self.stages):
                batch, steps = self.batch * 2**stage, max(self.steps // 4**stage, 1)
                for _ in range(steps):
                    matrix = self.step(_sample(x, batch, rng), _sample(z, batch, rng), matrix)
                criterion = self._criterion(x, z, matrix)
                on_epoch(Epoch(stage + 2, self.stages + 1, criterion))
                if criterion > highest:
                    best, highest = matrix, criterion
            return maps_to_target(best, problem)

    def initial_map(self, x: Doubles, z: Doubles) -> Doubles:
        """Orthogonal map ``(d, e)`` of the convex relaxation."""
        size = min(self.first_words, len(x), len(z))
        x, z = x[:size], z[:size]
        matching = relaxed_matching(x, z, self.first_iterations, self.blur)
        return orthogonal_map(x, matching, z)

    def step(self, x: Doubles, z: Doubles, matrix: Doubles) -> Doubles:
        """Move a map towards the orthogonal map of a batch's coupling and orthogonalise it.

        Args:
            x: ``(n, d)`` source vectors of the batch.
            z: ``(m, e)`` target vectors of the batch.
            matrix: ``(d, e)`` orthogonal map.
        """
        cost = -(x @ matrix) @ z.T
        plan = sinkhorn(cost, uniform(len(x)), uniform(len(z)), self.regularisation)
        gradient = x.T @ plan.coupling @ z
        return linalg.procrustes(matrix + self.rate * len(matrix) * gradient).astype(np.float64)

    def _criterion(self, x: Doubles, z: Doubles, matrix: Doubles) -> float:
        """Mean similarity of the most frequent words under an exact coupling."""
        return exact_coupling(x[: self.judged] @ matrix @ z[: self.judged].T)[1]


def _sample(vectors: Doubles, count: int, rng: np.random.Generator) -> Doubles:
    """Draw rows without replacement."""
    rows: Doubles = vectors[rng.permutation(len(vectors))[:count]]
    return rows
