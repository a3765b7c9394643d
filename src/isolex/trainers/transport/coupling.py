"""Couplings: how much of each source word goes to each target word; POT finds them."""

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

LEAST = np.finfo(np.float64).tiny
LARGE = 300.0
"""A power of e that can be squared."""


class Entropic(NamedTuple):
    """A coupling of Sinkhorn's, and the prices that led to it.

    Attributes:
        coupling: ``(n, m)``.
        src: ``(n,)`` price of each source word.
        trg: ``(m,)`` price of each target word.
    """

    coupling: Doubles
    src: Doubles
    trg: Doubles


def uniform(count: int) -> Doubles:
    """The same mass for all of ``count`` words, one in sum."""
    return np.full(count, 1 / count)


def sinkhorn(
    cost: Doubles,
    src: Doubles,
    trg: Doubles,
    regularisation: float,
    *,
    start: Entropic | None = None,
    iterations: int = 500,
    tolerance: float = 1e-3,
) -> Entropic:
    """The cheapest coupling, less its entropy.

    Prices are taken off the costs: those of ``start``, then the least of what is left in a row or
    a column. This changes no coupling, and keeps the powers of e that Sinkhorn divides by from
    vanishing.

    Args:
        cost: ``(n, m)`` of moving a unit of mass.
        src: ``(n,)`` masses.
        trg: ``(m,)`` masses, of the same sum.
        regularisation: What a unit of entropy is worth.
        start: What a similar problem ended with.
        iterations: At most.
        tolerance: How far the target masses may be off, by their norm.
    """
    import ot  # type: ignore[import-untyped]

    rest = cost if start is None else cost - start.src[:, None] - start.trg
    rows = rest.min(axis=1)
    rest = rest - rows[:, None]
    columns = rest.min(axis=0)
    rest -= columns
    begin = None
    if start is not None:  # at its prices, as far as they can be told in powers of e
        begin = [np.clip(-least / regularisation, -LARGE, LARGE) for least in (rows, columns)]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # Where a number would overflow POT warns and goes back to the iteration before.
        warnings.simplefilter("ignore", UserWarning)
        coupling, log = ot.sinkhorn(
            src,
            trg,
            rest,
            regularisation,
            numItermax=iterations,
            stopThr=tolerance * float(np.linalg.norm(trg)),
            log=True,
            warn=False,
            warmstart=begin,
        )
    rows += regularisation * np.log(np.maximum(log["u"], LEAST))
    columns += regularisation * np.log(np.maximum(log["v"], LEAST))
    if start is not None:
        rows, columns = rows + start.src, columns + start.trg
    return Entropic(coupling, rows, columns)


def exact(similarity: Doubles) -> tuple[Doubles, float]:
    """The coupling of equal masses whose mean similarity is highest, and that similarity."""
    import ot

    src, trg = (uniform(count) for count in similarity.shape)
    highest = float(similarity.max())
    coupling: Doubles = ot.emd(src, trg, highest - similarity, numItermax=10_000_000)
    return coupling, float((coupling * similarity).sum())


def orthogonal(src: Doubles, coupling: Doubles, trg: Doubles) -> Doubles:
    """The orthogonal map that brings coupled vectors closest: ``U V'`` of ``U S V' = X' P Z``."""
    return linalg.procrustes(src.T @ coupling @ trg).astype(np.float64)


def frequent(vectors: Vectors, words: int) -> Doubles:
    """The vectors of the most frequent words, in double precision."""
    if words < 1:
        raise UsageError(f"transport needs one word at least, not {words}")
    return vectors[:words].astype(np.float64)


def onto_target(matrix: Doubles, problem: Problem) -> tuple[LinearMap, LinearMap]:
    """The maps of both sides, where the source is mapped into the target's space."""
    return LinearMap(matrix.astype(np.float32)), LinearMap.unchanged(problem.z.shape[1])
