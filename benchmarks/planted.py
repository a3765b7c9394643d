"""A made-up pair of any size whose answer is known: clusters and hubs, turned, roughened, shuffled.

Words fall into clusters of Zipf-like size. A word lies around the centre of its cluster; a few lie
so close to it that they are near neighbours of all the others: hubs. The target space is the source
space turned, with noise of its own, its words in a slightly different order of frequency.
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
# Chosen so that the mapped pair resembles a real one (eltec English and Spanish, 300 dimensions):
# the highest cosines, the tenth highest, and how often the greatest hubs are a neighbour.
SPREAD = 0.8
"""How far a word lies from its centre, the components of a centre being about one."""
HUB = 0.9
"""How much closer the first hub lies; the others follow with their rank."""
SPECTRUM = 0.5
"""Directions say less the later they come, by this power of their number."""
NOISE = 1.4
RANK_JITTER = 0.05
"""Standard deviation of the logarithm of a frequency rank between the languages."""


@dataclass(frozen=True)
class Planted:
    """Two spaces of unit vectors and how they belong together.

    Attributes:
        src: ``(n, d)`` source vectors, most frequent first.
        trg: ``(n, d)`` target vectors likewise.
        rotation: ``(d, d)`` the map from source to target that was planted.
        order: ``(n,)`` target row ``j`` translates source row ``order[j]``.
    """

    src: Floats
    trg: Floats
    rotation: Floats
    order: Ints

    @property
    def mapped(self) -> Floats:
        """The source in the target's space: ``(n, d)``."""
        mapped: Floats = self.src @ self.rotation
        return mapped

    def embeddings(self) -> tuple[Embeddings, Embeddings]:
        """Both with words: source word ``s<i>`` translates to ``t<i>``."""
        return (
            Embeddings((f"s{i}" for i in range(len(self.src))), self.src),
            Embeddings((f"t{i}" for i in self.order.tolist()), self.trg),
        )

    def pairs(self, count: int) -> list[tuple[str, str]]:
        """The first ``count`` true pairs of words."""
        return [(f"s{i}", f"t{i}") for i in range(min(count, len(self.src)))]


def planted(words: int = WORDS, dims: int = DIMS, noise: float = NOISE, seed: int = 0) -> Planted:
    """Make a pair; the same arguments give the same one.

    Args:
        words: Of each language.
        dims: Of both spaces.
        noise: Length of the noise of a target vector, whose own length is one.
        seed: Of every random choice.
    """
    rng = np.random.default_rng(seed)
    src = np.empty((words, dims), dtype=np.float32)
    trg = np.empty_like(src)
    rotation = np.linalg.qr(rng.normal(size=(dims, dims)))[0].astype(np.float32)
    centres, member, spread = _plan(words, dims, rng)
    spectrum = np.arange(1, dims + 1, dtype=np.float32) ** np.float32(-SPECTRUM)
    jitter = np.log(np.arange(1, words + 1)) + rng.normal(scale=RANK_JITTER, size=words)
    order = np.argsort(jitter, kind="stable").astype(np.int32)
    for block in _blocks(words):
        own = rng.standard_normal((block.stop - block.start, dims), dtype=np.float32)
        src[block] = _unit(spectrum * (centres[member[block]] + spread[block, None] * own))
    for block in _blocks(words):
        own = rng.standard_normal((block.stop - block.start, dims), dtype=np.float32)
        own *= np.float32(noise / np.sqrt(dims))
        trg[block] = _unit(src[order[block]] @ rotation + own)
    src.flags.writeable = trg.flags.writeable = False
    return Planted(src, trg, rotation, order)


def _plan(words: int, dims: int, rng: np.random.Generator) -> tuple[Floats, Ints, Floats]:
    """Centres ``(c, d)``, the cluster of each word and its distance from the centre ``(n,)``."""
    clusters = max(2, words // WORDS_PER_CLUSTER)
    weights = 1 / (np.arange(clusters) + 10)  # Zipf and Mandelbrot: no cluster swallows the rest
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
