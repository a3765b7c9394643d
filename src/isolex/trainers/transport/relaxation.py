"""The convex relaxation of matching two sets of words by their similarities."""

from __future__ import annotations

import numpy as np

from isolex.kernels.types import Doubles
from isolex.trainers.transport.coupling import Entropic, sinkhorn, uniform


def relaxed_matching(src: Doubles, trg: Doubles, iterations: int, blur: float) -> Doubles:
    """A doubly stochastic ``P`` that makes ``|K P - P L|`` small; ``K = X X'``, ``L = Z Z'``.

    By Frank and Wolfe's method, from the one that knows nothing. Its linear problem is solved by
    Sinkhorn, and the step towards the solution is as long as lowers the norm most.

    Args:
        src: ``(n, d)`` source vectors ``X``.
        trg: ``(n, e)`` target vectors ``Z``; ``L`` is scaled to the norm of ``K``.
        iterations: Linear problems to solve.
        blur: The regularisation of each, in standard deviations of its costs.

    Returns:
        ``(n, n)``, one in sum.
    """
    mass = uniform(len(src))
    matching = np.outer(mass, mass)
    ratio = np.linalg.norm(src.T @ src) / max(float(np.linalg.norm(trg.T @ trg)), 1e-12)
    trg = trg * np.sqrt(ratio)
    last: Entropic | None = None
    for _ in range(iterations):
        slope = _across(src, trg, _across(src, trg, matching))
        spread = float(slope.std())
        if not spread > 0:
            break
        # In units of its spread the costs, and so their prices, change little between iterations.
        last = sinkhorn(
            slope / spread, mass, mass, blur, start=last, iterations=100, tolerance=1e-2
        )
        towards = last.coupling - matching
        change = _across(src, trg, towards)
        fall, bend = -float((slope * towards).sum()), float((change * change).sum())
        if not fall > 0 or not bend > 0:
            break
        matching = matching + min(fall / bend, 1.0) * towards
    return matching


def _across(src: Doubles, trg: Doubles, matrix: Doubles) -> Doubles:
    """``K M - M L``, of which the norm is the loss; twice, it is half of the loss's slope."""
    across: Doubles = src @ (src.T @ matrix) - (matrix @ trg) @ trg.T
    return across
