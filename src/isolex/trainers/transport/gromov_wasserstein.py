"""Gromov-Wasserstein: words are coupled so that their distances within each language agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from isolex.core.linear_map import LinearMap
from isolex.core.normaliser import unit
from isolex.core.observer import Epoch, Watch
from isolex.core.problem import Problem
from isolex.kernels.parallel import single_threaded_blas
from isolex.kernels.types import Doubles
from isolex.trainers.transport.coupling import Entropic, frequent, onto_target, orthogonal, sinkhorn


@dataclass(frozen=True)
class GromovWasserstein:
    """Entropic Gromov-Wasserstein (Alvarez-Melis and Jaakkola, EMNLP 2018).

    Nothing is compared across the languages but distances: the coupling of two pairs of words
    costs the squared difference of their cosine distances. Each iteration takes the cost to be
    linear where it stands. The regularisation falls from iteration to iteration: with little from
    the start, the first and coarsest coupling would be the last. The map is the orthogonal one
    that brings coupled words closest.

    Attributes:
        words: How many of the most frequent words of each side are coupled.
        regularisation: The worth of entropy in the end; distances have a mean of one.
        first: Its worth at the start.
        cooling: What it is multiplied with at each iteration in between.
        iterations: Linear problems to solve.
        zipf: A word's mass is its rank to this power, below the line; zero: equal masses.
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
        device: str,  # noqa: ARG002 - POT computes on the processor
        watch: Watch,
    ) -> tuple[LinearMap, LinearMap]:
        """The two maps; that of the target changes nothing."""
        src = Cloud.of(frequent(unit(problem.x[: self.words]), self.words), self.zipf)
        trg = Cloud.of(frequent(unit(problem.z[: self.words]), self.words), self.zipf)
        with single_threaded_blas():
            coupling = np.outer(src.masses, trg.masses)
            for number, (better, loss) in enumerate(couplings(src, trg, self.worths()), 1):
                coupling = better
                watch(Epoch(number, self.iterations, -loss))
            return onto_target(orthogonal(src.vectors, coupling, trg.vectors), problem)

    def worths(self) -> list[float]:
        """The regularisation of each iteration."""
        falling = (self.first * self.cooling**number for number in range(self.iterations))
        return [max(worth, self.regularisation) for worth in falling]


@dataclass(frozen=True, eq=False)
class Cloud:
    """The words of one language.

    Their distances ``D = (1 - X X') / scale`` are of low rank: no product with them needs them.

    Attributes:
        vectors: ``(n, d)`` of unit length.
        masses: ``(n,)``, one in sum.
        scale: The mean distance before it is divided by it.
    """

    vectors: Doubles
    masses: Doubles
    scale: float

    @classmethod
    def of(cls, vectors: Doubles, zipf: float = 0.0) -> Cloud:
        """Words by their rank."""
        masses: Doubles = np.arange(1.0, len(vectors) + 1) ** -zipf
        masses /= masses.sum()
        middle = vectors.mean(axis=0)
        return cls(vectors, masses, max(float(1 - middle @ middle), 1e-12))

    def distances(self, rows: Doubles) -> Doubles:
        """``D @ rows`` of ``(n, k)`` rows."""
        product: Doubles = rows.sum(axis=0) - self.vectors @ (self.vectors.T @ rows)
        return product / self.scale

    def squared(self) -> Doubles:
        """``D**2 @ masses``: how far the other words are from each, squared, in the mean."""
        weighted = self.vectors * self.masses[:, None]
        moment = self.vectors.T @ weighted
        linear = self.vectors @ weighted.sum(axis=0)
        square = ((self.vectors @ moment) * self.vectors).sum(axis=1)
        result: Doubles = (1 - 2 * linear + square) / self.scale**2
        return result


def couplings(
    src: Cloud, trg: Cloud, worths: list[float], tolerance: float = 1e-3
) -> Iterator[tuple[Doubles, float]]:
    """The coupling after each iteration, and what it costs.

    With a constant regularisation these are the projected gradient steps of Peyre, Cuturi and
    Solomon (ICML 2016), from the coupling that knows nothing.

    Args:
        src: The source words.
        trg: The target words.
        worths: The regularisation of each iteration.
        tolerance: How far the masses of a coupling may be off, see `sinkhorn`.
    """
    own = src.squared()[:, None] + trg.squared()
    coupling = np.outer(src.masses, trg.masses)
    cost = own - 2 * trg.distances(src.distances(coupling).T).T
    last: Entropic | None = None
    for worth in worths:
        last = sinkhorn(2 * cost, src.masses, trg.masses, worth, start=last, tolerance=tolerance)
        cost = own - 2 * trg.distances(src.distances(last.coupling).T).T
        yield last.coupling, float((cost * last.coupling).sum())
