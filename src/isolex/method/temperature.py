"""The temperature of the inverted softmax, fitted to pairs (Smith et al., 2017, section 2.3)."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log

import numpy as np

from isolex.core.lexicon import Lexicon
from isolex.core.retrieval import Space
from isolex.errors import UsageError
from isolex.kernels import similarity
from isolex.kernels.types import Ints

COLDEST, HOTTEST = 1e-3, 1.0
PRECISION = 0.01
"""How near the temperature is to the best one, as a share of it."""

PAIRS = 1000
"""So many pairs, evenly taken from all, tell it."""

GOLDEN = (5**0.5 - 1) / 2


def fitted(space: Space, pairs: Lexicon) -> float:
    """The temperature that makes pairs of a mapped space likeliest."""
    if not len(pairs):
        raise UsageError("a temperature is fitted to pairs, and there are none")
    some = np.unique(np.linspace(0, len(pairs) - 1, PAIRS).astype(np.int64))
    src, trg = pairs.src[some], pairs.trg[some]
    best = _lowest(lambda t: -likelihood(space, src, trg, exp(t)), log(COLDEST), log(HOTTEST))
    return exp(best)


def likelihood(space: Space, src: Ints, trg: Ints, temperature: float) -> float:
    """The mean log probability of source words ``(n,)`` given their translations ``(n,)``.

    It is concave in one over the temperature, so it has one maximum.
    """
    scale = 1 / temperature
    asked = space.trg[trg]
    own = scale * np.einsum("nd,nd->n", space.src[src], asked, dtype=np.float64)
    return float((own - similarity.log_sum_exp(asked, space.src, scale)).mean())


def _lowest(cost: Callable[[float], float], low: float, high: float) -> float:
    """Where a function with one valley is lowest: golden-section search."""
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
