"""Couplings: how much mass of each source word goes to each target word. POT computes them."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.linear_map import LinearMap
from isolex.core.problem import Problem
from isolex.errors import UsageError
from isolex.kernels import linalg
from isolex.kernels.types import Doubles

TINY = np.finfo(np.float64).tiny
MAX_EXPONENT = 300.0
"""``exp(MAX_EXPONENT)`` can be squared without overflow."""


class EntropicCoupling(NamedTuple):
    """A coupling computed by Sinkhorn's algorithm, with its dual potentials.

    Attributes:
        coupling: ``(n, m)``.
        source_potentials: ``(n,)``.
        target_potentials: ``(m,)``.
    """

    coupling: Doubles
    source_potentials: Doubles
    target_potentials: Doubles


def uniform(count: int) -> Doubles:
    """Equal masses ``(count,)`` that sum to one."""
    return np.full(count, 1 / count)


def sinkhorn(
    cost: Doubles,
    source_masses: Doubles,
    target_masses: Doubles,
    regularisation: float,
    *,
    start: EntropicCoupling | None = None,
    iterations: int = 500,
    tolerance: float = 1e-3,
) -> EntropicCoupling:
    """Find the coupling with the lowest cost minus ``regularisation`` times its entropy.

    The potentials of ``start``, then the minimum of each row and each column, are subtracted from
    the cost. This does not change the solution, and it keeps the exponentials that Sinkhorn
    divides by from underflowing.

    Args:
        cost: ``(n, m)`` cost of moving a unit of mass.
        source_masses: ``(n,)``.
        target_masses: ``(m,)``, with the same sum.
        regularisation: Weight of the entropy.
        start: Solution of a similar problem, to start from.
        iterations: Maximum number of iterations.
        tolerance: Stop at this error of the target masses, relative to their norm.
    """
    import ot  # type: ignore[import-untyped]

    reduced = cost
    if start is not None:
        reduced = cost - start.source_potentials[:, None] - start.target_potentials
    rows = reduced.min(axis=1)
    reduced = reduced - rows[:, None]
    columns = reduced.min(axis=0)
    reduced -= columns
    warm_start = None
    if start is not None:
        warm_start = [
            np.clip(-minima / regularisation, -MAX_EXPONENT, MAX_EXPONENT)
            for minima in (rows, columns)
        ]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # On overflow POT warns and returns to the previous iteration.
        warnings.simplefilter("ignore", UserWarning)
        coupling, log = ot.sinkhorn(
            source_masses,
            target_masses,
            reduced,
            regularisation,
            numItermax=iterations,
            stopThr=tolerance * float(np.linalg.norm(target_masses)),
            log=True,
            warn=False,
            warmstart=warm_start,
        )
    rows += regularisation * np.log(np.maximum(log["u"], TINY))
    columns += regularisation * np.log(np.maximum(log["v"], TINY))
    if start is not None:
        rows, columns = rows + start.source_potentials, columns + start.target_potentials
    return EntropicCoupling(coupling, rows, columns)


def exact_coupling(similarity: Doubles) -> tuple[Doubles, float]:
    """Coupling ``(n, m)`` of equal masses with the highest mean similarity, and that mean."""
    import ot

    source_masses, target_masses = (uniform(count) for count in similarity.shape)
    cost = float(similarity.max()) - similarity
    coupling: Doubles = ot.emd(source_masses, target_masses, cost, numItermax=10_000_000)
    return coupling, float((coupling * similarity).sum())


def orthogonal_map(x: Doubles, coupling: Doubles, z: Doubles) -> Doubles:
    """The orthogonal map that brings coupled vectors closest: ``U V'`` of ``U S V' = X' P Z``."""
    return linalg.procrustes(x.T @ coupling @ z).astype(np.float64)


def most_frequent(vectors: Vectors, words: int) -> Doubles:
    """Vectors of the most frequent words, in double precision.

    Raises:
        UsageError: ``words`` is less than one.
    """
    if words < 1:
        raise UsageError(f"the setting 'words' must be at least 1, not {words}")
    return vectors[:words].astype(np.float64)


def maps_to_target(matrix: Doubles, problem: Problem) -> tuple[LinearMap, LinearMap]:
    """The maps of both languages: ``matrix`` for the source, the identity for the target."""
    return LinearMap(matrix.astype(np.float32)), LinearMap.identity(problem.z.shape[1])
