"""Linear algebra on d x d matrices, and the tall products that lead to them."""

from __future__ import annotations

import numpy as np

from isolex.kernels.parallel import for_bands, single_threaded_blas
from isolex.kernels.types import Doubles, Floats

BAND = 2048
"""Rows multiplied at once."""


def product(left: Floats, right: Floats) -> Floats:
    """Return ``left @ right`` for a tall ``left`` ``(n, d)`` and a small ``right`` ``(d, e)``."""
    out = np.empty((len(left), right.shape[1]), dtype=np.float32)
    right = np.ascontiguousarray(right, dtype=np.float32)

    def multiply(band: slice) -> None:
        np.matmul(left[band], right, out=out[band])

    for_bands(len(left), BAND, lambda: multiply)
    return out


def cross_moment(left: Floats, right: Floats) -> Doubles:
    """Return ``left.T @ right`` for ``(n, d)`` and ``(n, e)``.

    Each band of rows is multiplied in float32; the bands are summed in float64.
    """
    parts: dict[int, Floats] = {}

    def multiply(band: slice) -> None:
        parts[band.start] = left[band].T @ right[band]

    for_bands(len(left), BAND, lambda: multiply)
    total = np.zeros((left.shape[1], right.shape[1]))
    for start in sorted(parts):
        total += parts[start]
    return total


def svd(matrix: Doubles) -> tuple[Doubles, Doubles, Doubles]:
    """Thin SVD ``matrix = (u * s) @ v.T`` with reproducible signs.

    The entry of largest magnitude in each column of ``u`` is positive, so that all machines agree
    on the signs.
    """
    with single_threaded_blas():
        u, s, vt = np.linalg.svd(matrix, full_matrices=False)
    flips = signs(u)
    return u * flips, s, vt.T * flips


def procrustes(cross: Doubles) -> Floats:
    """Return the orthogonal map ``U V'`` nearest to a cross moment ``U S V'``."""
    u, _, v = svd(cross)
    with single_threaded_blas():
        nearest: Floats = (u @ v.T).astype(np.float32)
    return nearest


def power(symmetric: Doubles, exponent: float) -> Doubles:
    """Raise a positive semi-definite matrix to a power, leaving its null space at zero."""
    with single_threaded_blas():
        values, vectors = np.linalg.eigh(symmetric)
        positive = values > values[-1] * len(values) * np.finfo(np.float32).eps
        scaled = vectors[:, positive] * values[positive] ** exponent
        result: Doubles = scaled @ vectors[:, positive].T
    return result


def least_squares(gram: Doubles, cross: Doubles) -> Doubles:
    """Return ``W`` that minimises ``|X W - Z|``, given ``gram = X.T X`` and ``cross = X.T Z``."""
    with single_threaded_blas():
        solution: Doubles = power(gram, -1.0) @ cross
    return solution


def pseudo_inverse(matrix: Floats) -> Doubles:
    """Return the Moore-Penrose inverse ``(k, d)`` of a ``(d, k)`` matrix.

    Directions that float32 cannot tell from null ones stay at zero.
    """
    with single_threaded_blas():
        inverse: Doubles = np.linalg.pinv(matrix.astype(np.float64), rcond=1e-6)
    return inverse


def principal(vectors: Floats, count: int) -> Floats:
    """Return the ``count`` directions of largest variance in ``(n, d)`` vectors, largest first.

    The result is ``(d, count)``, or ``(d, d)`` if ``count`` exceeds ``d``. Signs are reproducible,
    as in `svd`.
    """
    moment = cross_moment(vectors, vectors)
    with single_threaded_blas():
        _, eigenvectors = np.linalg.eigh(moment)
    leading = eigenvectors[:, ::-1][:, :count]
    result: Floats = (leading * signs(leading)).astype(np.float32)
    return result


def signs(columns: Doubles) -> Doubles:
    """Return the sign of each column's entry of largest magnitude."""
    found: Doubles = np.sign(columns[np.abs(columns).argmax(axis=0), np.arange(columns.shape[1])])
    return found
