"""Gromov-Wasserstein: couple words so that their distances within each language agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from isolex.core.linear_map import LinearMap
from isolex.core.normaliser import unit
from isolex.core.observer import Epoch, OnEpoch
from isolex.core.problem import Problem
from isolex.kernels.parallel import single_threaded_blas
from isolex.kernels.types import Doubles
from isolex.trainers.transport.coupling import (
    EntropicCoupling,
    maps_to_target,
    most_frequent,
    orthogonal_map,
    sinkhorn,
)


@dataclass(frozen=True)
class GromovWasserstein:
    """Entropic Gromov-Wasserstein (Alvarez-Melis and Jaakkola, EMNLP 2018).

    Only distances within a language are compared across languages: coupling two pairs of words
    costs the squared difference of their cosine distances. Each iteration linearises the cost at
    the current coupling. The regularisation decreases over the iterations; if it were small from
    the start, the first, coarse coupling would never change. The map is the orthogonal one that
    brings coupled words closest.

    Attributes:
        words: Couple this many of the most frequent words of each language.
        regularisation: Final weight of the entropy; distances are scaled to a mean of one.
        first: Initial weight of the entropy.
        cooling: Factor applied to the weight at each iteration until it reaches the final one.
        iterations: Number of linear problems to solve.
        zipf: The mass of a word is ``rank ** -zipf``; zero for equal masses.
    """

    words: int = 2000
    regularisation: float = 5e-4
    first: float = 0.05
    cooling: float = 0.9
    iterations: int = 50
    zipf: float = 0.0

    extras: ClassVar[tuple[str, ...]] = ("ot",)

    def __call__(
        self,
        problem: Problem,
        device: str,  # noqa: ARG002 - POT runs on the CPU
        on_epoch: OnEpoch,
    ) -> tuple[LinearMap, LinearMap]:
        """Return the maps of source and target; the target's is the identity."""
        x, z = (most_frequent(unit(v[: self.words]), self.words) for v in (problem.x, problem.z))
        source, target = PointCloud.of(x, self.zipf), PointCloud.of(z, self.zipf)
        with single_threaded_blas():
            coupling = np.outer(source.masses, target.masses)
            steps = iterate_couplings(source, target, self.regularisations())
            for number, (improved, loss) in enumerate(steps, 1):
                coupling = improved
                on_epoch(Epoch(number, self.iterations, -loss))
            return maps_to_target(orthogonal_map(x, coupling, z), problem)

    def regularisations(self) -> list[float]:
        """Weight of the entropy at each iteration."""
        cooled = (self.first * self.cooling**number for number in range(self.iterations))
        return [max(weight, self.regularisation) for weight in cooled]


@dataclass(frozen=True, eq=False)
class PointCloud:
    """The words of one language as points with masses.

    The distance matrix ``D = (1 - X X') / scale`` has low rank, so products with it are computed
    without forming it.

    Attributes:
        vectors: ``(n, d)`` unit vectors.
        masses: ``(n,)``, summing to one.
        scale: Mean cosine distance, which scales ``D`` to a mean of one.
    """

    vectors: Doubles
    masses: Doubles
    scale: float

    @classmethod
    def of(cls, vectors: Doubles, zipf: float = 0.0) -> PointCloud:
        """Create a cloud from ``(n, d)`` unit vectors, most frequent words first."""
        masses: Doubles = np.arange(1.0, len(vectors) + 1) ** -zipf
        masses /= masses.sum()
        centre = vectors.mean(axis=0)
        return cls(vectors, masses, max(float(1 - centre @ centre), 1e-12))

    def distances_times(self, matrix: Doubles) -> Doubles:
        """``D @ matrix`` for an ``(n, k)`` matrix."""
        product: Doubles = matrix.sum(axis=0) - self.vectors @ (self.vectors.T @ matrix)
        return product / self.scale

    def mean_squared_distances(self) -> Doubles:
        """``D**2 @ masses``: mean squared distance ``(n,)`` of each word to the others."""
        weighted = self.vectors * self.masses[:, None]
        moment = self.vectors.T @ weighted
        linear = self.vectors @ weighted.sum(axis=0)
        square = ((self.vectors @ moment) * self.vectors).sum(axis=1)
        result: Doubles = (1 - 2 * linear + square) / self.scale**2
        return result


def iterate_couplings(
    source: PointCloud, target: PointCloud, regularisations: list[float], tolerance: float = 1e-3
) -> Iterator[tuple[Doubles, float]]:
    """Yield the coupling ``(n, m)`` after each iteration, and its cost.

    With constant regularisation these are the projected gradient steps of Peyre, Cuturi and
    Solomon (ICML 2016), starting from the product of the masses.

    Args:
        source: The source words.
        target: The target words.
        regularisations: Weight of the entropy at each iteration.
        tolerance: Allowed error of the masses of a coupling, see `sinkhorn`.
    """
    constant = source.mean_squared_distances()[:, None] + target.mean_squared_distances()

    def linearised_cost(coupling: Doubles) -> Doubles:
        product = target.distances_times(source.distances_times(coupling).T).T
        cost: Doubles = constant - 2 * product
        return cost

    cost = linearised_cost(np.outer(source.masses, target.masses))
    solution: EntropicCoupling | None = None
    for regularisation in regularisations:
        solution = sinkhorn(
            2 * cost,
            source.masses,
            target.masses,
            regularisation,
            start=solution,
            tolerance=tolerance,
        )
        cost = linearised_cost(solution.coupling)
        yield solution.coupling, float((cost * solution.coupling).sum())
