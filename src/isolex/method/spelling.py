"""Spelling: in related languages, words that are spelled alike are likely translations.

How likely is learned from the pairs that are surest without it: how often are they alike, compared
with wrong pairs? The answer, a log-likelihood ratio for each degree of similarity, is added to the
CSLS score when the last lexicons are induced. Languages whose sure pairs are not alike, such as
those with different scripts, are left as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.core.problem import Problem
from isolex.core.spelling import ALIKE, GRADES, LENGTHS, Similarities, SpellingFacts, Spellings
from isolex.core.words import folded
from isolex.kernels import similarity
from isolex.kernels.induction import neighbourhood_means
from isolex.kernels.types import Doubles, Ints
from isolex.method.maps import IterationMaps
from isolex.method.schedule import Stage

FEW = 50
"""With fewer sure pairs than this, spelling is not used."""


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
        view = stage.view(problem.x, problem.z)
        x, z = stage.words(view.x, view.z)
        sized = ((problem.source, len(x)), (problem.target, len(z)))
        words = Spellings(*([folded(word) for word in one.words[:size]] for one, size in sized))
        alike: list[Ints] | None = None
        facts = SpellingFacts(0.0)
        for number in range(self.rounds):
            maps = IterationMaps.of(view.x, view.z, lexicon, stage.reweight)
            sides = self._sides(words, *maps.transform(x, z), stage.neighbours)
            share, ratios = self._evidence(*sides, problem.seed)
            if number == 0:
                facts = SpellingFacts(share)
            if ratios is None:
                break
            facts = SpellingFacts.of(facts.alike, ratios)
            if alike is None:
                alike = [side.words.most_alike(side.rows, self.alike) for side in sides]
            lexicon = self._induced(sides, alike, ratios)
        return lexicon, facts

    def _sides(
        self, words: Spellings, x: Vectors, z: Vectors, neighbours: int
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
            _Side(words, x, z, x_penalty, z_penalty, *one),
            _Side(words.reversed(), z, x, z_penalty, x_penalty, *other),
        )

    def _evidence(self, side: _Side, other: _Side, seed: int) -> tuple[float, Doubles | None]:
        """The share of sure pairs that are alike, and the log-likelihood ratios.

        The ratios are ``None`` if spelling says too little.
        """
        best = side.found[:, 0]
        mutual = _rows(other.found[best, 0] == side.rows)
        certainty = side.scores[mutual, 0] - side.penalty[mutual]
        sure = mutual[certainty >= np.median(certainty)] if len(mutual) else mutual
        if len(sure) < FEW:
            return 0.0, None
        rng = np.random.default_rng(seed)
        size = (len(sure), self.candidates)
        chance = rng.integers(len(side.words.theirs), size=size, dtype=np.int32)
        right, rivals, random = (
            side.words.compare(sure, some)
            for some in (side.found[sure, :1], side.found[sure, 1:], chance)
        )
        often = float((right.values >= ALIKE).mean())
        otherwise = max(float((one.values >= ALIKE).mean()) for one in (rivals, random))
        if often < self.least or often < self.contrast * otherwise:
            return often, None
        shares, wrong, by_chance = (_shares(one) for one in (right, rivals, random))
        ratios = np.log(shares / np.maximum(wrong, by_chance))
        return often, np.maximum.accumulate(ratios, axis=1)

    def _induced(self, sides: tuple[_Side, _Side], alike: list[Ints], ratios: Doubles) -> Lexicon:
        """The pairs of both directions, with spelling as evidence."""
        (forward, backward) = (
            self._best(side, near, ratios) for side, near in zip(sides, alike, strict=True)
        )
        sources, targets = (np.arange(len(one), dtype=np.int32) for one in (forward, backward))
        return Lexicon.joined([Lexicon(sources, forward), Lexicon(backward, targets)])

    def _best(self, side: _Side, near: Ints, ratios: Doubles) -> Ints:
        """The best target of each word."""
        found = np.concatenate([side.found[:, : self.candidates], near], axis=1)
        ratio = side.words.compare(side.rows, found).scored(ratios)
        dots = np.einsum("nd,nkd->nk", side.x, side.z[np.maximum(found, 0)])
        scores = dots - side.their_penalty[found] + self.weight / 2 * ratio
        best: Ints = found[side.rows, np.where(found < 0, -np.inf, scores).argmax(axis=1)]
        return best


def _rows(chosen: NDArray[np.bool_]) -> Ints:
    return np.flatnonzero(chosen).astype(np.int32)


class _Side(NamedTuple):
    """One direction of a retrieval: words, vectors, CSLS penalties, best targets and scores."""

    words: Spellings
    x: Vectors
    z: Vectors
    penalty: Vectors
    their_penalty: Vectors
    found: Ints
    scores: Vectors

    @property
    def rows(self) -> Ints:
        """All source words."""
        return np.arange(len(self.x), dtype=np.int32)


def _shares(seen: Similarities) -> Doubles:
    """The share of each grade among the pairs of each length, smoothed."""
    counts = np.full((len(LENGTHS) + 1, GRADES), 0.5)
    np.add.at(counts, (seen.lengths, seen.grades), 1)
    shares: Doubles = counts / counts.sum(axis=1, keepdims=True)
    return shares
