"""Spelling: in related languages, words that are spelled alike are likely translations.

How likely is learned from the pairs that are surest without it: how often are they alike, compared
with wrong pairs? The answer, a log-likelihood ratio for each degree of similarity, is added to the
CSLS score when the last lexicons are induced. Languages whose sure pairs are not alike, such as
those with different scripts, are left as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.core.pair import SpellingFacts
from isolex.core.problem import Problem
from isolex.core.words import folded
from isolex.kernels import similarity
from isolex.kernels.induction import neighbourhood_means
from isolex.kernels.parallel import thread_count
from isolex.kernels.types import Doubles, Floats, Ints
from isolex.method.maps import IterationMaps
from isolex.method.schedule import Stage
from isolex.method.view import View

GRADES = 11
"""Similarities are divided into tenths; the last grade is for words that are the same."""

LENGTHS = (4, 7)
"""Words are short up to the first length, long above the second; the longer of a pair counts."""

ALIKE = 0.6
"""Similarity from which two words count as alike in reports and for the gate."""

FEW = 50
"""With fewer sure pairs than this, spelling is not used."""

BLOCK = 500
"""Words that are compared with a whole vocabulary at once."""


@dataclass(frozen=True)
class Spelling:
    """Spelling as evidence in the last iterations of self-learning.

    Attributes:
        weight: Weight of the log-likelihood ratio, compared with the CSLS score.
        rounds: Number of iterations.
        candidates: Number of targets with the best CSLS scores to choose from.
        alike: Number of targets with the most similar spelling to choose from.
        rivals: The wrong pairs that sure pairs are compared with: their next best targets, up to
            this number.
        least: Spelling is used if at least this share of the sure pairs is alike,
        contrast: and if this is at least so many times as often as among wrong pairs.
    """

    weight: float = 0.15
    rounds: int = 2
    candidates: int = 10
    alike: int = 8
    rivals: int = 30
    least: float = 0.005
    contrast: float = 2.0

    def __call__(
        self, problem: Problem, lexicon: Lexicon, stage: Stage
    ) -> tuple[Lexicon, SpellingFacts]:
        """Induce the lexicon again with spelling as evidence, if it is any.

        Args:
            problem: The two languages.
            lexicon: The lexicon that was induced without it.
            stage: The stage of self-learning that induced it.
        """
        view = View.of(problem.x, problem.z, stage.cutoff, stage.dims, stage.flatten)
        x, z = stage.words(view.x, view.z)
        own = [folded(word) for word in problem.source.words[: len(x)]]
        theirs = [folded(word) for word in problem.target.words[: len(z)]]
        alike: list[Ints] | None = None
        facts = SpellingFacts(0.0, used=False)
        for number in range(self.rounds):
            maps = IterationMaps.of(view.x, view.z, lexicon, stage.reweight)
            sides = self._sides(own, theirs, *maps.transform(x, z), stage.neighbours)
            evidence, measured = self._evidence(*sides, problem.seed)
            facts = measured if number == 0 else facts
            if not facts.used:
                break
            if alike is None:
                alike = [
                    _most_alike(own, theirs, self.alike),
                    _most_alike(theirs, own, self.alike),
                ]
            lexicon = self._induced(sides, alike, evidence)
        return lexicon, facts

    def _sides(
        self, own: list[str], theirs: list[str], x: Vectors, z: Vectors, neighbours: int
    ) -> tuple[_Side, _Side]:
        """The best targets of each source word, and the best sources of each target word."""
        x_means, z_means = neighbourhood_means(x, z, neighbours)
        x_penalty, z_penalty = (
            (0.5 * x_means).astype(np.float32),
            (0.5 * z_means).astype(np.float32),
        )
        one = similarity.topk(x, z, self.rivals, z_penalty)
        other = similarity.topk(z, x, self.rivals, x_penalty)
        return (
            _Side(own, theirs, x, z, x_penalty, z_penalty, *one),
            _Side(theirs, own, z, x, z_penalty, x_penalty, *other),
        )

    def _evidence(self, side: _Side, other: _Side, seed: int) -> tuple[Doubles, SpellingFacts]:
        """The log-likelihood ratio for each length and grade, and whether spelling can be used."""
        best = side.found[:, 0]
        mutual = _rows(other.found[best, 0] == np.arange(len(best)))
        certainty = side.scores[mutual, 0] - side.penalty[mutual]
        sure = mutual[certainty >= np.median(certainty)] if len(mutual) else mutual
        if len(sure) < FEW:
            return np.zeros((len(LENGTHS) + 1, GRADES)), SpellingFacts(0.0, used=False)
        rng = np.random.default_rng(seed)
        chance = rng.integers(len(side.theirs), size=(len(sure), self.candidates), dtype=np.int32)
        right, rivals, random = (
            _similarities(side.own, side.theirs, sure, some)
            for some in (side.found[sure, :1], side.found[sure, 1:], chance)
        )
        shares, wrong, by_chance = (_shares(one) for one in (right, rivals, random))
        ratio = np.log(shares / np.maximum(wrong, by_chance))
        often = float((right.values >= ALIKE).mean())
        otherwise = max(float((one.values >= ALIKE).mean()) for one in (rivals, random))
        used = often >= self.least and often >= self.contrast * otherwise
        return np.maximum.accumulate(ratio, axis=1), SpellingFacts(often, used)

    def _induced(self, sides: tuple[_Side, _Side], alike: list[Ints], evidence: Doubles) -> Lexicon:
        """The pairs of both directions, with spelling as evidence."""
        (forward, backward) = (
            self._best(side, near, evidence) for side, near in zip(sides, alike, strict=True)
        )
        sources, targets = (np.arange(len(one), dtype=np.int32) for one in (forward, backward))
        return Lexicon.joined([Lexicon(sources, forward), Lexicon(backward, targets)])

    def _best(self, side: _Side, near: Ints, evidence: Doubles) -> Ints:
        """The best target of each word."""
        found = np.concatenate([side.found[:, : self.candidates], near], axis=1)
        rows = np.arange(len(found), dtype=np.int32)
        seen = _similarities(side.own, side.theirs, rows, found)
        ratio = evidence[seen.lengths, seen.grades]
        dots = np.einsum("nd,nkd->nk", side.x, side.z[np.maximum(found, 0)])
        scores = dots - side.their_penalty[found] + self.weight / 2 * ratio
        best: Ints = found[rows, np.where(found < 0, -np.inf, scores).argmax(axis=1)]
        return best


def _rows(chosen: NDArray[np.bool_]) -> Ints:
    return np.flatnonzero(chosen).astype(np.int32)


class _Side(NamedTuple):
    """One direction of a retrieval: words, vectors, CSLS penalties, best targets and scores."""

    own: Sequence[str]
    theirs: Sequence[str]
    x: Vectors
    z: Vectors
    penalty: Vectors
    their_penalty: Vectors
    found: Ints
    scores: Vectors


class _Similarities(NamedTuple):
    """How similar the spelling of some pairs is, and how long the longer word is."""

    values: Floats
    lengths: Ints

    @property
    def grades(self) -> Ints:
        """The grade of each pair, from 0."""
        tenths: Ints = (self.values * (GRADES - 1) + 1e-6).astype(np.int32)
        return tenths


def _similarities(
    own: Sequence[str], theirs: Sequence[str], rows: Ints, found: Ints
) -> _Similarities:
    """Compare words ``rows`` ``(n,)`` with others ``(n, k)``; -1 for a missing one gives 0."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    place, column = np.nonzero(found >= 0)
    pairs = [own[row] for row in rows[place]], [theirs[row] for row in found[place, column]]
    values = np.zeros(found.shape, dtype=np.float32)
    values[place, column] = cpdist(
        *pairs,
        scorer=Levenshtein.normalized_similarity,
        dtype=np.float32,
        workers=thread_count(),
    )
    sizes = [np.array([len(word) for word in words]) for words in (own, theirs)]
    longest = np.maximum(sizes[0][rows][:, None], sizes[1][found])
    return _Similarities(values, np.searchsorted(LENGTHS, longest, side="left").astype(np.int32))


def _shares(seen: _Similarities) -> Doubles:
    """The share of each grade among the pairs of each length, smoothed."""
    counts = np.full((len(LENGTHS) + 1, GRADES), 0.5)
    np.add.at(counts, (seen.lengths, seen.grades), 1)
    shares: Doubles = counts / counts.sum(axis=1, keepdims=True)
    return shares


def _most_alike(own: Sequence[str], theirs: Sequence[str], count: int) -> Ints:
    """The ``(n, count)`` words of ``theirs`` that are most similar to each word; -1 if too few."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    count = min(count, len(theirs))
    found = np.empty((len(own), count), dtype=np.int32)
    for block in similarity.tiles(len(own), BLOCK):
        values = cdist(
            own[block],
            theirs,
            scorer=Levenshtein.normalized_similarity,
            score_cutoff=ALIKE - 0.1,
            dtype=np.float32,
            workers=thread_count(),
        )
        best = np.argpartition(-values, count - 1, axis=1)[:, :count]
        best[np.take_along_axis(values, best, axis=1) == 0] = -1
        found[block] = best
    return found
