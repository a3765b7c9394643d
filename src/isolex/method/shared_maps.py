"""One map per language into the space of all of them, re-weighted once for all pairs.

This is the symmetric mapping of section 3.4 for several languages: whiten each language, rotate all
of them together, scale the components by their mean correlation, and restore the variance.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.linear_map import LinearMap
from isolex.kernels import linalg
from isolex.kernels.parallel import single_threaded_blas
from isolex.kernels.types import Doubles
from isolex.method.joining import Key
from isolex.method.mapping import Moments
from isolex.method.rounds import move

LEAST = 0.01
"""Correlations are raised to this share of the highest one, so that every map can be inverted."""


def shared_maps(
    rotations: Mapping[int, Vectors], moments: Mapping[Key, Moments]
) -> dict[int, LinearMap]:
    """The maps of languages that are connected.

    Args:
        rotations: ``(d, k)`` for each language, from the last round.
        moments: Means over the paired vectors of two languages; every language is in some pair.
    """
    spreads = {place: _spread(place, moments) for place in rotations}
    with single_threaded_blas():
        white = {place: linalg.power(one, -0.5) for place, one in spreads.items()}
        restored = {place: linalg.power(one, 0.5) for place, one in spreads.items()}
        crosses = {
            (one, other): white[one] @ both.cross @ white[other]
            for (one, other), both in moments.items()
        }
        turned = move(rotations, crosses)
        weights, base = _components(turned, crosses)
        maps = {}
        for place, rotation in turned.items():
            u = rotation.astype(np.float64) @ base
            matrix = white[place] @ (u * np.sqrt(weights)) @ (u.T @ restored[place] @ u)
            maps[place] = LinearMap(matrix.astype(np.float32))
    return maps


def _spread(place: int, moments: Mapping[Key, Moments]) -> Doubles:
    """The mean second moment of one language over all its pairs."""
    found = [
        both.source if key[0] == place else both.target
        for key, both in moments.items()
        if place in key
    ]
    mean: Doubles = np.mean(found, axis=0)
    return mean


def _components(
    rotations: Mapping[int, Vectors], crosses: Mapping[Key, Doubles]
) -> tuple[Doubles, Doubles]:
    """The mean correlations ``(k,)`` of all pairs, and the directions ``(k, k)`` they belong to."""
    width = next(iter(rotations.values())).shape[1]
    total = np.zeros((width, width))
    for (one, other), cross in crosses.items():
        seen = rotations[one].T @ cross @ rotations[other]
        total += seen + seen.T
    values, base = np.linalg.eigh(total)
    values, base = values[::-1] / (2 * len(crosses)), base[:, ::-1]
    return np.maximum(values, LEAST * values[0]), base * linalg.signs(base)
