"""Problem: two languages to be aligned, and what is known about them at the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.linear_map import LinearMap


@dataclass(frozen=True, eq=False)
class Problem:
    """Two languages to be aligned.

    Attributes:
        source: Source words with their original vectors.
        target: Target words with their original vectors.
        x: ``(n, d)`` normalised source vectors.
        z: ``(m, e)`` normalised target vectors.
        seed_pairs: Training pairs of words, for systems that learn from them.
        seed: Random seed.
        trained: The maps of source and target, if the system has trained them.
    """

    source: Embeddings
    target: Embeddings
    x: Vectors
    z: Vectors
    seed_pairs: Sequence[tuple[str, str]] | None = None
    seed: int = 0
    trained: tuple[LinearMap, LinearMap] | None = None
