"""Planted pairs: synthetic vectors of any size whose translations are known.

Words fall into clusters of Zipf-like size. A word lies around the centre of its cluster. A few are
so close to it that they are near neighbours of all the others: hubs. The target vectors are the
rotated source vectors with noise, in a slightly different order of frequency.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from isolex.core.embeddings import Embeddings
from isolex.kernels.types import Floats, Ints

WORDS, DIMS = 200_000, 300
BLOCK = 8192
WORDS_PER_CLUSTER = 100
# Chosen so that the mapped pair resembles a real one (eltec English and Spanish, 300 dimensions) in
# the highest and tenth highest cosines, and in how often the greatest hubs are neighbours.
SPREAD = 0.8
"""Distance of a word from its centre, relative to the components of the centre."""
HUB = 0.9
"""How much closer the first hub is; the others follow with their rank."""
SPECTRUM = 0.5
"""The weight of a direction falls with this power of its number."""
NOISE = 1.4
RANK_JITTER = 0.05
"""Standard deviation of the log of a frequency rank between the languages."""


@dataclass(frozen=True)
class Planted:
    """Unit vectors of two languages and how they belong together.

    Attributes:
        source: ``(n, d)`` source vectors, most frequent first.
        target: ``(n, d)`` target vectors, likewise.
        rotation: ``(d, d)`` the planted map from source to target.
        order: ``(n,)`` target row ``j`` translates source row ``order[j]``.
    """

    source: Floats
    target: Floats
    rotation: Floats
    order: Ints

    @property
    def mapped(self) -> Floats:
        """The mapped source vectors ``(n, d)``."""
        mapped: Floats = self.source @ self.rotation
        return mapped

    def embeddings(self) -> tuple[Embeddings, Embeddings]:
        """Both languages with words: source word ``s<i>`` translates to ``t<i>``."""
        return (
            Embeddings((f"s{i}" for i in range(len(self.source))), self.source, name="source"),
            Embeddings((f"t{i}" for i in self.order.tolist()), self.target, name="target"),
        )

    def pairs(self, count: int) -> list[tuple[str, str]]:
        """The true translations of the ``count`` most frequent source words."""
        return [(f"s{i}", f"t{i}") for i in range(min(count, len(self.source)))]


def planted(words: int = WORDS, dims: int = DIMS, noise: float = NOISE, seed: int = 0) -> Planted:
    """Make a pair; the same arguments give the same pair.

    Args:
        words: Number of words per language.
        dims: Number of dimensions.
        noise: Length of the noise of a target vector, relative to its own length.
        seed: Random seed.
    """
    rng = np.random.default_rng(seed)
    source = np.empty((words, dims), dtype=np.float32)
    target = np.empty_like(source)
    rotation = np.linalg.qr(rng.normal(size=(dims, dims)))[0].astype(np.float32)
    centres, member, spread = _plan(words, dims, rng)
    spectrum = np.arange(1, dims + 1, dtype=np.float32) ** np.float32(-SPECTRUM)
    jitter = np.log(np.arange(1, words + 1)) + rng.normal(scale=RANK_JITTER, size=words)
    order = np.argsort(jitter, kind="stable").astype(np.int32)
    for block in _blocks(words):
        own = rng.standard_normal((block.stop - block.start, dims), dtype=np.float32)
        source[block] = _unit(spectrum * (centres[member[block]] + spread[block, None] * own))
    _fill_target(target, source, order, rotation, noise, rng)
    source.flags.writeable = target.flags.writeable = False
    return Planted(source, target, rotation, order)


def planted_languages(
    count: int, words: int, dims: int = DIMS, noise: float = NOISE, seed: int = 0
) -> list[Embeddings]:
    """Make several languages: word ``l3w<i>`` of language ``l3`` translates to ``l0w<i>``.

    Every language has its own noise, so between two of them there is twice as much.
    """
    source, rng = planted(words, dims, seed=seed).source, np.random.default_rng(seed + 1)
    languages = []
    for number in range(count):
        jitter = np.log(np.arange(1, words + 1)) + rng.normal(scale=RANK_JITTER, size=words)
        order = np.argsort(jitter, kind="stable").astype(np.int32)
        rotation = np.linalg.qr(rng.normal(size=(dims, dims)))[0].astype(np.float32)
        vectors = np.empty_like(source)
        _fill_target(vectors, source, order, rotation, noise, rng)
        vectors.flags.writeable = False
        name = f"l{number}"
        languages.append(Embeddings((f"{name}w{i}" for i in order.tolist()), vectors, name=name))
    return languages


def _fill_target(
    target: Floats,
    source: Floats,
    order: Ints,
    rotation: Floats,
    noise: float,
    rng: np.random.Generator,
) -> None:
    """Fill ``target`` with the rotated source vectors in another order, with noise."""
    words, dims = source.shape
    for block in _blocks(words):
        own = rng.standard_normal((block.stop - block.start, dims), dtype=np.float32)
        own *= np.float32(noise / np.sqrt(dims))
        target[block] = _unit(source[order[block]] @ rotation + own)


def _plan(words: int, dims: int, rng: np.random.Generator) -> tuple[Floats, Ints, Floats]:
    """Centres ``(c, d)``, the cluster of each word and its distance from the centre ``(n,)``."""
    clusters = max(2, words // WORDS_PER_CLUSTER)
    weights = 1 / (np.arange(clusters) + 10)  # Zipf-Mandelbrot: no cluster dominates
    centres = rng.standard_normal((clusters, dims), dtype=np.float32)
    member = rng.choice(clusters, size=words, p=weights / weights.sum()).astype(np.int32)
    closeness = (rng.permutation(words) + 1) ** -0.25
    return centres, member, (SPREAD * (1 - HUB * closeness)).astype(np.float32)


def _blocks(words: int) -> Iterator[slice]:
    return (slice(start, min(start + BLOCK, words)) for start in range(0, words, BLOCK))


def _unit(vectors: Floats) -> Floats:
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    vectors /= lengths[:, None]
    return vectors
