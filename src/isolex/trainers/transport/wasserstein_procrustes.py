"""Wasserstein-Procrustes: which words belong together, and the rotation, found by turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from isolex.core.linear_map import LinearMap
from isolex.core.observer import Epoch, Watch
from isolex.core.problem import Problem
from isolex.kernels import linalg
from isolex.kernels.parallel import single_threaded_blas
from isolex.kernels.types import Doubles
from isolex.trainers.transport.coupling import (
    exact,
    frequent,
    onto_target,
    orthogonal,
    sinkhorn,
    uniform,
)
from isolex.trainers.transport.relaxation import relaxed_matching


@dataclass(frozen=True)
class WassersteinProcrustes:
    """Stochastic matching and rotation (Grave, Joulin and Berthet, 2018).

    The start is the rotation of a convex relaxation. Then a batch of words is drawn from each
    side, coupled by Sinkhorn, and the map takes a step towards the rotation of that coupling and
    is made orthogonal again. At each stage the batches are larger and fewer. Of the start and the
    stages the map with the best criterion is returned: the mean cosine of the most frequent words
    under an exact coupling.

    Attributes:
        first_words: So many of the most frequent words take part in the convex relaxation.
        first_iterations: Of Frank and Wolfe's method there.
        blur: The regularisation of its linear problems, in standard deviations of their costs.
        words: Batches are drawn from so many of the most frequent words.
        batch: Words of each side in a batch of the first stage.
        steps: Batches of the first stage.
        stages: Each has batches twice as large as the last one's, and a quarter as many.
        rate: The length of a step, by the number of dimensions.
        regularisation: The worth of entropy when a batch is coupled.
        judged: The criterion is of so many of the most frequent words.
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
        device: str,  # noqa: ARG002 - POT computes on the processor
        watch: Watch,
    ) -> tuple[LinearMap, LinearMap]:
        """The two maps; that of the target changes nothing."""
        rng = np.random.default_rng(problem.seed)
        x, z = frequent(problem.x, self.words), frequent(problem.z, self.words)
        with single_threaded_blas():
            matrix = best = self.start(x, z)
            highest = self._watched(x, z, matrix, 0, watch)
            for stage in range(self.stages):
                batch, steps = self.batch * 2**stage, max(self.steps // 4**stage, 1)
                for _ in range(steps):
                    matrix = self._step(_drawn(x, batch, rng), _drawn(z, batch, rng), matrix)
                criterion = self._watched(x, z, matrix, stage + 1, watch)
                if criterion > highest:
                    best, highest = matrix, criterion
            return onto_target(best, problem)

    def start(self, x: Doubles, z: Doubles) -> Doubles:
        """The rotation of the convex relaxation."""
        size = min(self.first_words, len(x), len(z))
        x, z = x[:size], z[:size]
        matching = relaxed_matching(x, z, self.first_iterations, self.blur)
        return orthogonal(x, matching, z)

    def _step(self, x: Doubles, z: Doubles, matrix: Doubles) -> Doubles:
        """Towards the rotation of a batch's coupling, and back to the orthogonal maps."""
        cost = -(x @ matrix) @ z.T
        plan = sinkhorn(cost, uniform(len(x)), uniform(len(z)), self.regularisation)
        pull = x.T @ plan.coupling @ z
        return linalg.procrustes(matrix + self.rate * len(matrix) * pull).astype(np.float64)

    def _watched(self, x: Doubles, z: Doubles, matrix: Doubles, stage: int, watch: Watch) -> float:
        """The criterion of a map, told."""
        _, criterion = exact(x[: self.judged] @ matrix @ z[: self.judged].T)
        watch(Epoch(stage + 1, self.stages + 1, criterion))
        return criterion


def _drawn(vectors: Doubles, count: int, rng: np.random.Generator) -> Doubles:
    """Vectors of a batch, drawn without replacement."""
    some: Doubles = vectors[rng.permutation(len(vectors))[:count]]
    return some
