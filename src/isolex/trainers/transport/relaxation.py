"""Convex relaxation of matching two sets of words by their similarity matrices."""

from __future__ import annotations

import numpy as np

from isolex.kernels.types import Doubles
from isolex.trainers.transport.coupling import EntropicCoupling, sinkhorn, uniform


def relaxed_matching(x: Doubles, z: Doubles, iterations: int, blur: float) -> Doubles:
    """Find a doubly stochastic ``P`` with a small ``|K P - P L|``; ``K = X X'``, ``L = Z Z'``.

    Frank-Wolfe algorithm, starting from the uniform matrix. Sinkhorn solves the linear problems;
    the step towards a solution has the length that minimises the norm.

    Args:
        x: ``(n, d)`` source vectors ``X``.
        z: ``(n, e)`` target vectors ``Z``; ``L`` is scaled to the norm of ``K``.
        iterations: Maximum number of linear problems to solve.
        blur: Regularisation of the linear problems, in standard deviations of their costs.

    Returns:
        ``(n, n)`` matrix that sums to one.
    """
    masses = uniform(len(x))
    matching = np.outer(masses, masses)
    ratio = np.linalg.norm(x.T @ x) / max(float(np.linalg.norm(z.T @ z)), 1e-12)
    z = z * np.sqrt(ratio)
    solution: EntropicCoupling | None = None
    for _ in range(iterations):
        # Half the gradient of the squared norm: the residual map is self-adjoint.
        gradient = _residual(x, z, _residual(x, z, matching))
        spread = float(gradient.std())
        if not spread > 0:
            break
        # Costs in units of their spread change little, so the last potentials are a good start.
        solution = sinkhorn(
            gradient / spread, masses, masses, blur, start=solution, iterations=100, tolerance=1e-2
        )
        direction = solution.coupling - matching
        change = _residual(x, z, direction)
        descent, curvature = -float((gradient * direction).sum()), float((change * change).sum())
        if not descent > 0 or not curvature > 0:
            break
        matching = matching + min(descent / curvature, 1.0) * direction
    return matching


def _residual(x: Doubles, z: Doubles, matrix: Doubles) -> Doubles:
    """``K M - M L``; the loss is its norm."""
    residual: Doubles = x @ (x.T @ matrix) - (matrix @ z) @ z.T
    return residual
