"""What there is to see of an alignment: the figures behind the report's pictures and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.core.normaliser import unit
from isolex.core.space import Alignment, Translation
from isolex.kernels import linalg

SEEN = 20_000
"""Of how many of the most frequent words distributions are taken."""

LIKELY = 50
"""How many ranks above or below a word others count as about as frequent."""


@dataclass(frozen=True)
class Distribution:
    """The paper's Figure 1: similarities of a word, its translation and an unrelated word.

    Attributes:
        words: The three of them.
        centres: ``(b,)`` middles of the bins.
        densities: ``(3, b)``.
    """

    words: tuple[str, str, str]
    centres: NDArray[np.float64]
    densities: NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """A word over the frequency range with its translations."""

    rank: int
    word: str
    translations: list[Translation]
    mutual: bool


def spread(size: int, count: int) -> list[int]:
    """So many ranks from one to ``size``, closer together where words are frequent.

    Their distance grows evenly: three in ten are of the rarer half.
    """
    ranks = 1 + (size - 1) * np.linspace(0, 1, count) ** 2
    unique = np.unique(ranks.round().astype(int))
    more = np.setdiff1d(np.arange(1, size + 1), unique)[: max(0, min(count, size) - len(unique))]
    return sorted([*unique.tolist(), *more.tolist()])


def samples(alignment: Alignment, lexicon: Lexicon, count: int = 50, k: int = 3) -> list[Sample]:
    """Words over the whole frequency range with their best translations."""
    words = alignment.source.vocabulary.words
    ranks = spread(len(words), count)
    asked = [words[rank - 1] for rank in ranks]
    found = alignment.translate_all(asked, k)
    mutual = set(lexicon.src[lexicon.mutual].tolist()) if lexicon.mutual is not None else set()
    return [
        Sample(rank, word, found[word], rank - 1 in mutual)
        for rank, word in zip(ranks, asked, strict=True)
    ]


def taking_part(alignment: Alignment) -> list[int]:
    """How many of the most frequent words of a side take part, at each iteration.

    That is the cutoff, where the longer vocabulary has so many; in an even stage, the shorter.
    """
    sizes = alignment.source.origin.count, alignment.target.origin.count
    stages = alignment.settings["schedule"]
    even = {(stage["keep_prob"], stage["cutoff"]) for stage in stages if stage["even"]}
    return [
        min(record.cutoff, min(sizes) if (record.keep_prob, record.cutoff) in even else max(sizes))
        for record in alignment.history
    ]


def hubs(alignment: Alignment, lexicon: Lexicon, count: int = 10) -> list[tuple[str, int]]:
    """The target words that most source words are translated to, and how many those are."""
    times = np.bincount(lexicon.trg, minlength=len(alignment.target.vocabulary))
    most = np.argsort(-times, kind="stable")[:count]
    words = alignment.target.vocabulary.words
    return [(words[place], int(times[place])) for place in most.tolist()]


def mutual_pairs(
    lexicon: Lexicon, first: int, count: int, last: int | None = None
) -> list[tuple[int, int]]:
    """Mutual best pairs, spread over the frequency range from a rank on, or up to another."""
    if lexicon.mutual is None or not lexicon.mutual.any():
        return []
    src, trg = lexicon.src[lexicon.mutual], lexicon.trg[lexicon.mutual]
    near = np.flatnonzero(np.maximum(src, trg) < (last or np.inf))
    later = near[src[near] >= first]
    chosen = later if len(later) else near
    places = [chosen[rank - 1] for rank in spread(len(chosen), min(count, len(chosen)))]
    return [(int(src[place]), int(trg[place])) for place in places]


def distributions(alignment: Alignment, lexicon: Lexicon, count: int = 3) -> list[Distribution]:
    """Figure 1 for a few words, each with its translation and an unrelated word."""
    chosen = mutual_pairs(lexicon, 20, 4 * count, SEEN)
    if len(chosen) < 2:
        return []
    sides = alignment.source, alignment.target
    x, z = (side.normaliser.transform(side.vocabulary.vectors[:SEEN]) for side in sides)
    x, z = unit(x), unit(z)
    src, trg = (side.vocabulary.words for side in sides)
    made = []
    step = max(1, len(chosen) // count)
    for s, t in chosen[::step][:count]:
        other = unrelated(alignment, s, t)
        likes = [x @ x[s], z @ z[t], z @ z[other]]
        made.append(_distribution((src[s], trg[t], trg[other]), likes))
    return made


def unrelated(alignment: Alignment, src: int, trg: int) -> int:
    """Of the target words about as frequent as ``trg``, the one least like ``src`` when mapped."""
    space = alignment.space
    first = max(0, trg - LIKELY)
    likes = space.trg[first : min(trg + LIKELY + 1, SEEN)] @ space.src[src]
    likes[trg - first] = np.inf
    return first + int(np.argmin(likes))


def _distribution(words: tuple[str, str, str], similarities: Sequence[Vectors]) -> Distribution:
    others = [np.sort(values)[:-1] for values in similarities]  # without the word itself
    low, high = (float(f(np.concatenate(others))) for f in (np.min, np.max))
    edges = np.linspace(low, high, 61)
    counts = [np.histogram(values, edges, density=True)[0] for values in others]
    smooth = [np.convolve(np.pad(c, 2, mode="edge"), np.ones(5) / 5, "valid") for c in counts]
    return Distribution(words, (edges[:-1] + edges[1:]) / 2, np.array(smooth))


Couples = list[tuple[tuple[float, float], tuple[float, float]]]


def picture(
    alignment: Alignment, chosen: Sequence[tuple[int, int]]
) -> tuple[Couples, Couples] | None:
    """Translation pairs in two dimensions, before and after the mapping.

    Before: each language by its own leading components, which have nothing to do with one
    another. After: both by those of the shared space.
    """
    if len(chosen) < 3:
        return None
    rows = np.array(chosen).T
    sides = alignment.source, alignment.target
    vectors = [side.vocabulary.vectors[row] for side, row in zip(sides, rows, strict=True)]
    before = [
        _flat(unit(side.normaliser.transform(own)))
        for side, own in zip(sides, vectors, strict=True)
    ]
    mapped = [unit(side.transform(own)) for side, own in zip(sides, vectors, strict=True)]
    both = _flat(np.concatenate(mapped))
    return _couples(before[0], before[1]), _couples(both[: len(rows[0])], both[len(rows[0]) :])


def _flat(vectors: Vectors) -> Vectors:
    centred = vectors - vectors.mean(axis=0)
    flat = centred @ linalg.principal(centred, 2)
    return np.pad(flat, ((0, 0), (0, 2 - flat.shape[1])))


def _couples(one: Vectors, other: Vectors) -> Couples:
    points = zip(one.tolist(), other.tolist(), strict=True)
    return [((a[0], a[1]), (b[0], b[1])) for a, b in points]
