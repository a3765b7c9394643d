"""Slow, obvious versions of the kernels, against which the fast ones are tested.

They use whole matrices, no blocks and no threads. Names and results match the fast kernels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isolex.kernels.types import RANK_TOLERANCE, Doubles, Floats, Induction, Ints

MASK_STEP = np.uint64(0x9E3779B97F4A7C15)
MASK_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def mix(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Apply the SplitMix64 finaliser (Steele, Lea and Flood, 2014) to each element."""
    state = (state ^ (state >> np.uint64(30))) * MASK_MIX[0]
    state = (state ^ (state >> np.uint64(27))) * MASK_MIX[1]
    return state ^ (state >> np.uint64(31))


def keep_masks(
    shape: tuple[int, int], keep_prob: float, key: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Draw which entries of the similarity matrix are kept, independently for each direction."""
    rows, columns = np.indices(shape, dtype=np.uint64)
    bits = mix(np.uint64(key) + ((rows << np.uint64(32)) | columns) * MASK_STEP)
    limit = np.uint64(round(keep_prob * 2**32))
    return (bits & np.uint64(0xFFFFFFFF)) < limit, (bits >> np.uint64(32)) < limit


def topk(
    queries: Floats, keys: Floats, k: int, penalty: Floats | None = None
) -> tuple[Ints, Floats]:
    """Return each query's ``k`` best keys by dot product minus penalty, ties by index."""
    scores = queries @ keys.T
    if penalty is not None:
        scores = scores - penalty
    best = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return best.astype(np.int32), np.take_along_axis(scores, best, axis=1)


def topk_mean(queries: Floats, keys: Floats, k: int) -> Floats:
    """Return the mean of each query's ``k`` highest dot products, or of all if there are fewer."""
    scores = np.sort(queries @ keys.T, axis=1)[:, ::-1][:, :k]
    means: Floats = scores.mean(axis=1, dtype=np.float64).astype(np.float32)
    return means


def log_sum_exp(queries: Floats, keys: Floats, scale: float) -> Floats:
    """Return ``log(sum(exp(scale * dot)))`` over all keys for each query."""
    scores = scale * (queries @ keys.T).astype(np.float64)
    top = scores.max(axis=1, keepdims=True)
    sums: Floats = (top[:, 0] + np.log(np.exp(scores - top).sum(axis=1))).astype(np.float32)
    return sums


def rank_topk(queries: Floats, keys: Floats, pivots: Floats, k: int) -> tuple[Ints, Doubles]:
    """Return each query's ``k`` best keys by dot product minus the query's rank for the key.

    The rank is the number of pivots more similar to the key than the query is, by more than
    `RANK_TOLERANCE`.
    """
    scores = (queries @ keys.T).astype(np.float64)
    pivot_scores = pivots @ keys.T
    for row in scores:
        row -= (pivot_scores > row.astype(np.float32) + RANK_TOLERANCE).sum(axis=0)
    best = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return best.astype(np.int32), np.take_along_axis(scores, best, axis=1)


def induce(
    src: Floats, trg: Floats, neighbours: int, keep_prob: float = 1.0, key: int = 0
) -> Induction:
    """Find the CSLS arg-max in both directions over the kept entries, and the raw maxima."""
    scores = src @ trg.T
    if neighbours:
        src_means, trg_means = topk_mean(src, trg, neighbours), topk_mean(trg, src, neighbours)
    else:
        src_means, trg_means = (np.zeros(len(rows), dtype=np.float32) for rows in (src, trg))
    forward_kept, backward_kept = keep_masks(scores.shape, keep_prob, key)
    forward = np.where(forward_kept, scores - trg_means / 2, -np.inf)
    backward = np.where(backward_kept, scores - src_means[:, None] / 2, -np.inf)
    return Induction(
        forward=np.where(forward_kept.any(axis=1), forward.argmax(axis=1), -1).astype(np.int32),
        backward=np.where(backward_kept.any(axis=0), backward.argmax(axis=0), -1).astype(np.int32),
        src_means=src_means,
        trg_means=trg_means,
        src_best=scores.max(axis=1),
        trg_best=scores.max(axis=0),
    )


def similarity_profile(vectors: Floats) -> Floats:
    """Return the sorted rows of the square root of ``vectors @ vectors.T`` (section 3.2)."""
    u, s, _ = np.linalg.svd(vectors.astype(np.float64), full_matrices=False)
    return np.sort((u * s) @ u.T, axis=1).astype(np.float32)


def cross_moment(left: Floats, right: Floats) -> Doubles:
    """Return ``left.T @ right`` in double precision."""
    moment: Doubles = left.astype(np.float64).T @ right.astype(np.float64)
    return moment


def product(left: Floats, right: Floats) -> Floats:
    """Return ``left @ right``."""
    result: Floats = left @ right
    return result
