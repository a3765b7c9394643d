"""Linear algebra on d x d matrices, and the tall products that lead to them."""

from __future__ import annotations

import numpy as np

from isolex.kernels.parallel import for_bands, single_threaded_blas
from isolex.kernels.types import Doubles, Floats

BAND = 2048


def product(left: Floats, right: Floats) -> Floats:
    """``left @ right`` for a tall ``left`` of shape ``(n, d)`` and a small ``right`` ``(d, e)``."""
    out = np.empty((len(left), right.shape[1]), dtype=np.float32)
    right = np.ascontiguousarray(right, dtype=np.float32)

    def multiply(band: slice) -> None:
        np.matmul(left[band], right, out=out[band])

    for_bands(len(left), BAND, lambda: multiply)
    return out


def cross_moment(left: Floats, right: Floats) -> Doubles:
    """``left.T @ right`` of ``(n, d)`` and ``(n, e)``: bands in float32, their sum in float64."""
    parts: dict[int, Floats] = {}

    def multiply(band: slice) -> None:
        parts[band.start] = left[band].T @ right[band]

    for_bands(len(left), BAND, lambda: multiply)
    total = np.zeros((left.shape[1], right.shape[1]))
    for start in sorted(parts):
        total += parts[start]
    return total


def svd(matrix: Doubles) -> tuple[Doubles, Doubles, Doubles]:
    """Thin SVD ``matrix = (u * s) @ v.T`` with stable signs.

    The entry of largest magnitude in each column of ``u`` is positive, so that two machines
    agree on the signs.
    """
    with single_threaded_blas():
        u, s, vt = np.linalg.svd(matrix, full_matrices=False)
    signs = _signs(u)
    return u * signs, s, vt.T * signs


def procrustes(cross: Doubles) -> Floats:
    """The orthogonal map ``U V'`` that is nearest to a cross moment ``U S V'``."""
    u, _, v = svd(cross)
    with single_threaded_blas():
        nearest: Floats = (u @ v.T).astype(np.float32)
    return nearest


def power(symmetric: Doubles, exponent: float) -> Doubles:
    """A power of a positive semi-definite matrix; directions that carry nothing stay at zero."""
    with single_threaded_blas():
        values, vectors = np.linalg.eigh(symmetric)
        carries = values > values[-1] * len(values) * np.finfo(np.float32).eps
        scaled = vectors[:, carries] * values[carries] ** exponent
        result: Doubles = scaled @ vectors[:, carries].T
    return result


def least_squares(gram: Doubles, cross: Doubles) -> Doubles:
    """``W`` that minimises ``|X W - Z|`` given ``gram = X.T X`` and ``cross = X.T Z``."""
    with single_threaded_blas():
        solution: Doubles = power(gram, -1.0) @ cross
    return solution


def principal(vectors: Floats, count: int) -> Floats:
    """The ``count`` directions ``(d, count)`` in which ``(n, d)`` vectors vary most, in that order.

    Signs are stable as those of `svd`; where there are fewer dimensions, all of them.
    """
    moment = cross_moment(vectors, vectors)
    with single_threaded_blas():
        _, bases = np.linalg.eigh(moment)
    leading = bases[:, ::-1][:, :count]
    result: Floats = (leading * _signs(leading)).astype(np.float32)
    return result


def _signs(columns: Doubles) -> Doubles:
    """The sign of the entry of largest magnitude of each column."""
    signs: Doubles = np.sign(columns[np.abs(columns).argmax(axis=0), np.arange(columns.shape[1])])
    return signs
