"""RCSLS: maximise the CSLS score of the training pairs (Joulin et al., 2018)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import LinearMap, rotation
from isolex.core.problem import Problem
from isolex.kernels import linalg
from isolex.kernels.similarity import topk
from isolex.kernels.types import Ints


@dataclass(frozen=True)
class RelaxedCsls:
    """A map trained to maximise the mean CSLS score of the training pairs (RCSLS).

    The map starts as the orthogonal one and is trained by gradient descent. A step that does not
    improve the score is undone, and the learning rate is halved.

    Attributes:
        neighbours: Neighbours per neighbourhood mean.
        cutoff: Only this many of the most frequent words of each language can be neighbours.
        iterations: Number of steps tried.
        rate: Initial learning rate.
    """

    neighbours: int = 10
    cutoff: int = 20_000
    iterations: int = 10
    rate: float = 1.0

    def __call__(self, problem: Problem, lexicon: Lexicon) -> tuple[LinearMap, LinearMap]:
        """Return the maps of source and target; the target's is the identity."""
        x, y = problem.x[lexicon.sources], problem.z[lexicon.targets]
        matrix, rate = rotation(problem.x, problem.z, lexicon), self.rate
        lowest, gradient = self._loss_and_gradient(problem, x, y, matrix)
        for _ in range(self.iterations):
            moved = matrix - np.float32(rate) * gradient
            loss, moved_gradient = self._loss_and_gradient(problem, x, y, moved)
            if loss < lowest:
                matrix, lowest, gradient = moved, loss, moved_gradient
            else:
                rate /= 2
        return LinearMap(matrix), LinearMap.identity(problem.z.shape[1])

    def _loss_and_gradient(
        self, problem: Problem, x: Vectors, y: Vectors, matrix: Vectors
    ) -> tuple[float, Vectors]:
        """Negative mean CSLS of the pairs, and its gradient ``(d, e)`` at the map."""
        sources, targets = problem.x[: self.cutoff], problem.z[: self.cutoff]
        mapped = linalg.product(x, matrix)
        near_targets, target_scores = topk(mapped, targets, self.neighbours)
        near_sources, source_scores = topk(y, linalg.product(sources, matrix), self.neighbours)
        neighbourhood = float(target_scores.mean() + source_scores.mean())
        score = 2 * float((mapped * y).sum(axis=1).mean()) - neighbourhood
        pulls = _mean_of_rows(targets, near_targets) - 2 * y
        gradient = linalg.cross_moment(x, pulls)
        gradient = gradient + linalg.cross_moment(_mean_of_rows(sources, near_sources), y)
        return -score, (gradient / len(x)).astype(np.float32)


def _mean_of_rows(vectors: Vectors, indices: Ints) -> Vectors:
    """Mean ``(n, d)`` of the vectors that each row of ``(n, k)`` indices selects."""
    mean: Vectors = vectors[indices].mean(axis=1)
    return mean
