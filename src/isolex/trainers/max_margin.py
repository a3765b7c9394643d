"""Maps that are learnt from training pairs by descent, where no closed form is known."""

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

Places = NDArray[np.int64]


@dataclass(frozen=True)
class MaxMargin:
    """A translation is to be nearer than any other word by a margin (Lazaridou et al., 2015).

    For each pair one other target of the lexicon is the *intruder*: nearest to the mapped source
    and farthest from its translation. Where it is not farther from the mapped source than the
    translation is, by a margin of cosines, the map is moved by a step of Adagrad. It starts as an
    orthogonal one.

    Attributes:
        margin: By how much.
        epochs: How often all pairs are seen.
        batch: Pairs per step.
        rate: The length of the first steps.
    """

    margin: float = 0.5
    epochs: int = 10
    batch: int = 100
    rate: float = 0.001

    seeded: ClassVar[bool] = True

    def __call__(self, problem: Problem, lexicon: Lexicon) -> tuple[LinearMap, LinearMap]:
        """The two maps; that of the target changes nothing."""
        rng = np.random.default_rng(problem.seed)
        x = problem.x[lexicon.src].astype(np.float64)
        targets, own = np.unique(lexicon.trg, return_inverse=True)
        y = unit(problem.z)[targets].astype(np.float64)
        right = [own[lexicon.src == source] for source in lexicon.src]
        matrix: Doubles = rotation(problem.x, problem.z, lexicon).astype(np.float64)
        seen = np.full_like(matrix, 1e-8)
        with single_threaded_blas():
            for _ in range(self.epochs):
                order = rng.permutation(len(x))
                for start in range(0, len(x), self.batch):
                    rows = order[start : start + self.batch]
                    step = self._gradient(x[rows], y, own[rows], [right[r] for r in rows], matrix)
                    seen += step**2
                    matrix = matrix - self.rate * step / np.sqrt(seen)
        return LinearMap(matrix.astype(np.float32)), LinearMap.unchanged(problem.z.shape[1])

    def _gradient(
        self, x: Doubles, y: Doubles, own: Places, right: Sequence[Places], matrix: Doubles
    ) -> Doubles:
        """The direction in which a batch's mean loss rises most.

        Args:
            x: ``(n, d)`` the source vectors.
            y: ``(t, e)`` all targets.
            own: ``(n,)`` the target of each pair.
            right: All targets of each source word: none of them intrudes.
            matrix: The map.
        """
        mapped = x @ matrix
        lengths = np.maximum(np.linalg.norm(mapped, axis=1, keepdims=True), 1e-12)
        mapped /= lengths
        cosines = mapped @ y.T
        intrusion = cosines - y[own] @ y.T
        every = np.arange(len(x))
        intrusion[np.repeat(every, [len(some) for some in right]), np.concatenate(right)] = -np.inf
        intruders = intrusion.argmax(axis=1)
        near, wrong = cosines[every, own], cosines[every, intruders]
        hurts = (self.margin + wrong - near > 0)[:, None]
        # The slope of a cosine at a mapped vector: across it, and the less the longer it is.
        pull = y[intruders] - y[own] - (wrong - near)[:, None] * mapped
        gradient: Doubles = x.T @ np.where(hurts, pull / lengths, 0.0) / len(x)
        return gradient
