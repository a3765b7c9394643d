"""The numbers behind the plots and tables of the report.

Everything comes from the shared space, which holds mapped vectors only. Normalised vectors are
recovered from them by the inverse maps, so the original files are not needed. A map that drops
dimensions has no inverse; then `distributions` and `pair_points` have nothing to show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolex.core.embeddings import Vectors
from isolex.core.language import Language
from isolex.core.lexicon import Lexicon
from isolex.core.normaliser import unit
from isolex.core.space import Space, Translation
from isolex.kernels import linalg
from isolex.web.plots.charts import Point

FREQUENT = 20_000
"""How many of the most frequent words the distributions are computed from."""

RANK_DISTANCE = 50
"""Words at most this many ranks apart count as about equally frequent."""

PointPairs = list[tuple[Point, Point]]


@dataclass(frozen=True)
class Distribution:
    """Figure 1 of the paper: similarities of a word, its translation and an unrelated word.

    Attributes:
        words: The three words.
        centres: ``(b,)`` centres of the bins.
        densities: ``(3, b)``.
    """

    words: tuple[str, str, str]
    centres: NDArray[np.float64]
    densities: NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """A source word with its best translations; ``mutual`` refers to the first of them."""

    rank: int
    word: str
    translations: list[Translation]
    mutual: bool


def spread_ranks(size: int, count: int) -> list[int]:
    """Choose ``count`` ranks from 1 to ``size``, denser among frequent words.

    The distance between them grows linearly: three in ten are in the rarer half.
    """
    ranks = 1 + (size - 1) * np.linspace(0, 1, count) ** 2
    unique = np.unique(ranks.round().astype(int))
    more = np.setdiff1d(np.arange(1, size + 1), unique)[: max(0, min(count, size) - len(unique))]
    return sorted([*unique.tolist(), *more.tolist()])


def samples(space: Space, lexicon: Lexicon, count: int = 50, k: int = 3) -> list[Sample]:
    """Source words over the whole frequency range with their ``k`` best translations."""
    source, _ = space.pair()
    ranks = spread_ranks(len(source), count)
    words = [source.words[rank - 1] for rank in ranks]
    found = space.translate_all(words, k)
    mutual = set(lexicon.sources[lexicon.mutual].tolist()) if lexicon.mutual is not None else set()
    return [
        Sample(rank, word, found[word], rank - 1 in mutual)
        for rank, word in zip(ranks, words, strict=True)
    ]


def participating_words(space: Space) -> list[int]:
    """How many of the most frequent words of a language took part in each iteration.

    That is the cutoff, or the size of the larger vocabulary if it is smaller than the cutoff. In an
    even stage the smaller vocabulary decides.
    """
    sizes = [len(language) for language in space.pair()]
    stages = space.settings["schedule"]
    even = {(stage["keep_prob"], stage["cutoff"]) for stage in stages if stage["even"]}
    return [
        min(record.cutoff, min(sizes) if (record.keep_prob, record.cutoff) in even else max(sizes))
        for record in space.history
    ]


def hubs(
    space: Space, lexicon: Lexicon, count: int = 10, target_name: str | None = None
) -> list[tuple[str, int]]:
    """The target words that are the best translation of the most words, with the number of these.

    The target is the second language by default.
    """
    target = space.languages[1] if target_name is None else space[target_name]
    counts = np.bincount(lexicon.targets, minlength=len(target))
    most = np.argsort(-counts, kind="stable")[:count]
    return [(target.words[row], int(counts[row])) for row in most.tolist()]


def mutual_pairs(
    lexicon: Lexicon, first: int, count: int, last: int | None = None
) -> list[tuple[int, int]]:
    """Choose mutual best pairs over the frequency range.

    Args:
        lexicon: The lexicon.
        first: Row of the first source word to choose. If all pairs come before it, they are used
            instead.
        count: Number of pairs.
        last: Both words of a pair come before this row.
    """
    if lexicon.mutual is None or not lexicon.mutual.any():
        return []
    sources, targets = lexicon.sources[lexicon.mutual], lexicon.targets[lexicon.mutual]
    near = np.flatnonzero(np.maximum(sources, targets) < (last or np.inf))
    later = near[sources[near] >= first]
    chosen = later if len(later) else near
    places = [chosen[rank - 1] for rank in spread_ranks(len(chosen), min(count, len(chosen)))]
    return [(int(sources[place]), int(targets[place])) for place in places]


def distributions(space: Space, lexicon: Lexicon, count: int = 3) -> list[Distribution]:
    """Figure 1 for a few words, each with its translation and an unrelated word.

    Empty if a map cannot be inverted or the lexicon has too few mutual pairs.
    """
    pairs = mutual_pairs(lexicon, 20, 4 * count, FREQUENT)
    if len(pairs) < 2 or not is_invertible(space):
        return []
    source, target = space.pair()
    x, z = (normalised(language, slice(FREQUENT)) for language in (source, target))
    made = []
    step = max(1, len(pairs) // count)
    for s, t in pairs[::step][:count]:
        other = unrelated_word(space, s, t)
        words = source.words[s], target.words[t], target.words[other]
        made.append(_distribution(words, [x @ x[s], z @ z[t], z @ z[other]]))
    return made


def is_invertible(space: Space) -> bool:
    """Whether the normalised vectors of both languages can be recovered."""
    return all(language.map.is_invertible for language in space.pair())


def normalised(language: Language, rows: slice | NDArray[np.int64]) -> Vectors:
    """The normalised unit vectors ``(r, d)`` of some words, recovered from their mapped vectors."""
    return unit(language.inverse_transform(language.vectors[rows]))


def unrelated_word(space: Space, source_row: int, target_row: int) -> int:
    """The target word least similar to a source word among those as frequent as its translation.

    Args:
        space: The space.
        source_row: Row of the source word.
        target_row: Row of its translation.
    """
    source, target = space.pair()
    first = max(0, target_row - RANK_DISTANCE)
    nearby = target.vectors[first : min(target_row + RANK_DISTANCE + 1, FREQUENT)]
    similarities = nearby @ source.vectors[source_row]
    similarities[target_row - first] = np.inf
    return first + int(np.argmin(similarities))


def _distribution(words: tuple[str, str, str], similarities: Sequence[Vectors]) -> Distribution:
    others = [np.sort(values)[:-1] for values in similarities]  # without the word itself
    low, high = (float(f(np.concatenate(others))) for f in (np.min, np.max))
    edges = np.linspace(low, high, 61)
    counts = [np.histogram(values, edges, density=True)[0] for values in others]
    smooth = [np.convolve(np.pad(c, 2, mode="edge"), np.ones(5) / 5, "valid") for c in counts]
    return Distribution(words, (edges[:-1] + edges[1:]) / 2, np.array(smooth))


def pair_points(
    space: Space, pairs: Sequence[tuple[int, int]]
) -> tuple[PointPairs, PointPairs] | None:
    """Translation pairs in two dimensions, before and after mapping.

    Before: each language in its own leading principal components, which have nothing to do
    with each other. After: both languages in the leading components of the shared space.

    ``None`` if a map cannot be inverted or there are fewer than three pairs.
    """
    if len(pairs) < 3 or not is_invertible(space):
        return None
    columns = list(zip(space.pair(), np.array(pairs).T, strict=True))
    before = [_flat(normalised(language, rows)) for language, rows in columns]
    after = _flat(np.concatenate([language.vectors[rows] for language, rows in columns]))
    return _join(*before), _join(after[: len(pairs)], after[len(pairs) :])


def _flat(vectors: Vectors) -> Vectors:
    """Project ``(n, d)`` vectors to their two leading principal components: ``(n, 2)``."""
    # Unlike `plots.neighbourhood.flat`, signs must not depend on one word: the first words of two
    # languages are a pair, and would align their components before any mapping.
    centred = vectors - vectors.mean(axis=0)
    points = centred @ linalg.principal(centred, 2)
    return np.pad(points, ((0, 0), (0, 2 - points.shape[1])))


def _join(one: Vectors, other: Vectors) -> PointPairs:
    points = zip(one.tolist(), other.tolist(), strict=True)
    return [((a[0], a[1]), (b[0], b[1])) for a, b in points]
