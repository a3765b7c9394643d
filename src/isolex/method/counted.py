"""Counted: a lexicon from co-occurrence counts of both texts, after Wang (2023).

If two texts are about similar things, translations occur near translations. So a word can be
described by its counts with all other words, and given a lexicon, the counts of both languages are
compared column by column. There is no map that has to be learned: self-learning only renumbers
columns. For small texts this finds lexicons where vectors find nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.lexicon import Lexicon
from isolex.core.normaliser import unit
from isolex.core.problem import Problem
from isolex.kernels.types import Doubles, Floats, Inducer, Induction, Ints
from isolex.method import normalise
from isolex.method.induced_pairs import induced_pairs
from isolex.method.initialise import Unsupervised
from isolex.method.schedule import Stage, annealing
from isolex.method.self_learning import mask_key

STEPS = ("unit", "center", "unit")


@dataclass(frozen=True)
class Counted:
    """A lexicon from co-occurrence counts.

    Attributes:
        words: How many words take part at first, with the square roots of their counts.
        patience: Each stage of the annealing ends after so many iterations without improvement.
        threshold: The smallest increase of the objective that counts as an improvement.
        wider: Numbers of words and of iterations that follow, with pointwise mutual information.
        smooth: Exponent of the frequency of the context in it, which makes rare contexts count
            less.
        clip: Extreme values are clipped: this percentage at either end.
        neighbours: Number of neighbours in CSLS.
    """

    words: int = 2000
    patience: int = 5
    threshold: float = 1e-4
    wider: tuple[tuple[int, int], ...] = ((2000, 5), (3000, 5), (5000, 3))
    smooth: float = 0.75
    clip: float = 1.0
    neighbours: int = 10

    def __call__(
        self, source: Embeddings, target: Embeddings, seed: int, inducer: Inducer
    ) -> Lexicon:
        """The mutual pairs, in rows of the embeddings.

        Args:
            source: The source language, with counts.
            target: The target language, with counts.
            seed: Seed of the random masks.
            inducer: Computes an induction.
        """
        (own, rows), (other, columns) = _counted(source), _counted(target)
        x, z = self._roots(own), self._roots(other)
        lexicon = Unsupervised(self.words)(Problem(source, target, x, z))
        induced = self._annealed(x, z, lexicon, seed, inducer)
        for words, iterations in self.wider:
            x, z = self._informative(own, words), self._informative(other, words)
            for _ in range(iterations):
                induced = self._induced(x, z, induced_pairs(induced), inducer)
        found = induced_pairs(induced, "mutual")
        return Lexicon(rows[found.sources], columns[found.targets])

    def _annealed(
        self, x: Vectors, z: Vectors, lexicon: Lexicon, seed: int, inducer: Inducer
    ) -> Induction:
        """Self-learning with random masks, as in section 3.3 of the paper."""
        number = 0
        for stage in annealing(last=Stage(1.0, patience=self.patience)).stages:
            best, waited = -np.inf, 0
            while waited < stage.patience:
                number += 1
                key = mask_key(seed, number)
                induced = self._induced(x, z, lexicon, inducer, stage.keep_prob, key)
                found = induced_pairs(induced)
                lexicon = found if len(found) else lexicon
                waited = 0 if induced.objective > best + self.threshold else waited + 1
                best = max(best, induced.objective)
        return induced

    def _induced(
        self,
        x: Vectors,
        z: Vectors,
        lexicon: Lexicon,
        inducer: Inducer,
        keep_prob: float = 1.0,
        key: int = 0,
    ) -> Induction:
        """Compare words by the columns that a lexicon pairs."""
        one, other = unit(x[:, lexicon.sources]), unit(z[:, lexicon.targets])
        return inducer(one, other, self.neighbours, keep_prob, key)

    def _roots(self, counts: Floats) -> Vectors:
        """Square roots of the counts, with a zero diagonal."""
        roots = self._clipped(np.sqrt(counts[: self.words, : self.words]))
        np.fill_diagonal(roots, 0)
        return unit(roots)

    def _informative(self, counts: Floats, words: int) -> Vectors:
        """Positive pointwise mutual information."""
        counts = counts[:words, :words]
        often = counts.sum(axis=1, dtype=np.float64)
        context: Doubles = often**self.smooth
        with np.errstate(divide="ignore", invalid="ignore"):
            information = np.log(counts * (context.sum() / context) / often[:, None])
        information[~(information > 0)] = 0
        return self._clipped(information.astype(np.float32))

    def _clipped(self, matrix: Floats) -> Vectors:
        """Normalised rows without extreme values."""
        normal = normalise.fit(STEPS, matrix)[1]
        low, high = np.percentile(normal, [self.clip, 100 - self.clip])
        clipped: Vectors = np.clip(normal, np.float32(low), np.float32(high))
        return clipped


def _counted(language: Embeddings) -> tuple[Floats, Ints]:
    """The counts of the words that have vectors, and the rows of these words."""
    assert language.counts is not None
    here, there = language.counts.rows_in(language.index)
    return language.counts.square(here), there
