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
    """The CSLS score of the training pairs, raised by descent (RCSLS; Joulin et al., 2018).

    The neighbourhoods are those of the most frequent words. A step that lowers the score is taken
    back and the next ones are half as long.

    Attributes:
        neighbours: Per neighbourhood mean.
        cutoff: How many of the most frequent words of each side may be neighbours.
        iterations: Steps at most.
        rate: The length of the first steps.
    """

    neighbours: int = 10
    cutoff: int = 20_000
    iterations: int = 10
    rate: float = 1.0

    def __call__(self, problem: Problem, lexicon: Lexicon) -> tuple[LinearMap, LinearMap]:
        """The two maps; that of the target changes nothing."""
        x, y = problem.x[lexicon.src], problem.z[lexicon.trg]
        matrix, rate = rotation(problem.x, problem.z, lexicon), self.rate
        best, gradient = self._loss(problem, x, y, matrix)
        for _ in range(self.iterations):
            moved = matrix - np.float32(rate) * gradient
            loss, slope = self._loss(problem, x, y, moved)
            if loss < best:
                matrix, best, gradient = moved, loss, slope
            else:
                rate /= 2
        return LinearMap(matrix), LinearMap.unchanged(problem.z.shape[1])

    def _loss(
        self, problem: Problem, x: Vectors, y: Vectors, matrix: Vectors
    ) -> tuple[float, Vectors]:
        """Minus the mean CSLS of the pairs, and the direction in which it rises most."""
        words, targets = problem.x[: self.cutoff], problem.z[: self.cutoff]
        mapped = linalg.product(x, matrix)
        ahead, near = topk(mapped, targets, self.neighbours)
        back, far = topk(y, linalg.product(words, matrix), self.neighbours)
        score = 2 * float((mapped * y).sum(axis=1).mean()) - float(near.mean() + far.mean())
        pulls = _mean_of(targets, ahead) - 2 * y
        gradient = linalg.cross_moment(x, pulls) + linalg.cross_moment(_mean_of(words, back), y)
        return -score, (gradient / len(x)).astype(np.float32)


def _mean_of(vectors: Vectors, neighbours: Ints) -> Vectors:
    """The mean vector of each row of neighbours."""
    mean: Vectors = vectors[neighbours].mean(axis=1)
    return mean
