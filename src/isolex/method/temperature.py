"""Fit the temperature of the inverted softmax to pairs (Smith et al., 2017, section 2.3)."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.errors import UsageError
from isolex.kernels import similarity
from isolex.kernels.types import Ints

COLDEST, HOTTEST = 1e-3, 1.0
PRECISION = 0.01
"""Relative precision of the fitted temperature."""

PAIRS = 1000
"""The temperature is fitted to this many pairs, taken evenly from all."""

GOLDEN = (5**0.5 - 1) / 2


def fit_temperature(x: Vectors, z: Vectors, pairs: Lexicon) -> float:
    """The temperature that makes pairs of mapped unit vectors most likely."""
    if not len(pairs):
        raise UsageError("there are no pairs to fit a temperature to")
    some = np.unique(np.linspace(0, len(pairs) - 1, PAIRS).astype(np.int64))
    sources, targets = pairs.sources[some], pairs.targets[some]
    best = _minimum(
        lambda t: -log_likelihood(x, z, sources, targets, exp(t)), log(COLDEST), log(HOTTEST)
    )
    return exp(best)


def log_likelihood(
    x: Vectors, z: Vectors, sources: Ints, targets: Ints, temperature: float
) -> float:
    """Mean log-probability of source words ``(n,)`` given their translations ``(n,)``.

    It is concave in the inverse temperature, so it has one maximum.
    """
    scale = 1 / temperature
    queries = z[targets]
    own = scale * np.einsum("nd,nd->n", x[sources], queries, dtype=np.float64)
    return float((own - similarity.log_sum_exp(queries, x, scale)).mean())


def _minimum(cost: Callable[[float], float], low: float, high: float) -> float:
    """The minimum of a unimodal function, by golden-section search."""
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = cost(left), cost(right)
    while high - low > PRECISION:
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = cost(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = cost(right)
    return (low + high) / 2
