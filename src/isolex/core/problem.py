"""Problem: two spaces to be aligned, and what is known of them at the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.linear_map import LinearMap


@dataclass(frozen=True, eq=False)
class Problem:
    """Two spaces to be aligned.

    Attributes:
        src: Source words with their vectors as they came.
        trg: Target words likewise.
        x: ``(n, d)`` normalised source vectors.
        z: ``(m, e)`` normalised target vectors.
        pairs: Training pairs, where there are any.
        seed: Of every random choice.
        maps: Those of the source and of the target, where a system has trained them directly.
    """

    src: Embeddings
    trg: Embeddings
    x: Vectors
    z: Vectors
    pairs: Sequence[tuple[str, str]] | None = None
    seed: int = 0
    maps: tuple[LinearMap, LinearMap] | None = None
