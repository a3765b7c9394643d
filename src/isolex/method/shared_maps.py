"""The final maps: one per language into the shared space, and a re-weighting for each pair.

Both follow the symmetric mapping of section 3.4: whiten, rotate, scale each component by its
correlation, and restore the variance. The shared space uses all pairs together, and a pair uses
only its two languages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.linear_map import LinearMap
from isolex.kernels import linalg
from isolex.kernels.parallel import single_threaded_blas
from isolex.kernels.types import Doubles
from isolex.method.joining import Key
from isolex.method.mapping import Dewhiten, MappingStep, Moments, Whiten
from isolex.method.rounds import move

LEAST = 0.01
"""Correlations are at least this share of the highest one, so that every map can be inverted."""


def shared_maps(
    rotations: Mapping[int, Vectors], moments: Mapping[Key, Moments], steps: Sequence[MappingStep]
) -> dict[int, LinearMap]:
    """The maps of languages that are connected.

    Args:
        rotations: The rotation ``(d, k)`` of each language after the last round.
        moments: Means over the paired vectors of two languages; every language is in some pair, or
            there is only one.
        steps: The mapping of the system. If it does not whiten, the rotations are the maps.
    """
    if Whiten() not in steps or not moments:
        return {place: LinearMap(rotation) for place, rotation in rotations.items()}
    variances = {place: _variance(place, moments) for place in rotations}
    with single_threaded_blas():
        white = {place: linalg.power(one, -0.5) for place, one in variances.items()}
        restore = next((step for step in steps if isinstance(step, Dewhiten)), Dewhiten()).restore
        restored = {place: restore(one) for place, one in variances.items()}
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


def pair_maps(
    shared: Mapping[int, LinearMap], own: Mapping[Key, tuple[LinearMap, LinearMap]]
) -> dict[Key, tuple[LinearMap, LinearMap]]:
    """The maps of two languages from the shared space into a space of their own.

    Args:
        shared: The maps into the shared space.
        own: The maps of two languages into their own space, for each pair that gets maps.
    """
    places = {place for key in own for place in key}
    inverses = {place: linalg.pseudo_inverse(shared[place].matrix) for place in places}
    maps = {}
    for key, (source, target) in own.items():
        maps[key] = source.after(inverses[key[0]]), target.after(inverses[key[1]])
    return maps


def map_into(moments: Sequence[Moments]) -> LinearMap:
    """The map of a further language into a space that stays as it is.

    It rotates the whitened language towards the others and gives it their variance, which contains
    the weights of the shared space.

    Args:
        moments: Means over the vectors of other languages in the space (source), and over their
            partners in the new language (target).
    """
    space = np.mean([one.source for one in moments], axis=0)
    new = np.mean([one.target for one in moments], axis=0)
    cross = np.mean([one.cross for one in moments], axis=0)
    with single_threaded_blas():
        white = linalg.power(new, -0.5)
        turned = linalg.procrustes(white @ cross.T @ linalg.power(space, -0.5))
        matrix = white @ turned @ linalg.power(space, 0.5)
    return LinearMap(matrix.astype(np.float32))


def _variance(place: int, moments: Mapping[Key, Moments]) -> Doubles:
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
    """The mean correlations ``(k,)`` of all pairs, and their directions ``(k, k)``."""
    width = next(iter(rotations.values())).shape[1]
    total = np.zeros((width, width))
    for (one, other), cross in crosses.items():
        seen = rotations[one].T @ cross @ rotations[other]
        total += seen + seen.T
    values, base = np.linalg.eigh(total)
    values, base = values[::-1] / (2 * len(crosses)), base[:, ::-1]
    return np.maximum(values, LEAST * values[0]), base * linalg.signs(base)
