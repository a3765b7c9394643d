"""Did it work? A verdict without a gold dictionary.

A mapping that found nothing looks fine: every word has a partner, half of the pairs are mutual, and
the objective is high, because hundreds of dimensions leave much room to fit noise. Two things
distinguish it from one that found something. Both are measured in the leading principal components,
where there is little such room:

- *Recovery*: retrained on a few of its own pairs, a true solution recovers the rest, because the
  rest follow from the few. An accidental one ends up elsewhere.
- *Lift*: its objective is higher than the objective of solutions learned from shuffled pairs.

Shuffled pairs give accidental solutions for the very same vectors; their figures are the baseline.
"""

from __future__ import annotations

import numpy as np

from isolex.core.checkpoint import Solution
from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.core.verdict import Evidence, Verdict
from isolex.kernels.types import Inducer
from isolex.method.induced_pairs import codes, mutual
from isolex.method.schedule import Schedule, Stage, annealing
from isolex.method.self_learning import learn
from isolex.method.view import View

WORDS, DIMS = 2000, 50
"""Number of words per language that are examined, and of principal components."""

FEW = 0.7
"""Pairs per component that a solution is retrained on: too few to determine a map."""

RETRAININGS, ITERATIONS = 2, 15
"""How often a solution is retrained, and for how many iterations."""

NULL_ITERATIONS, CLOSE_NULL_ITERATIONS = 25, 100
"""Iterations for an accidental solution, and for one that a close call is compared with."""

CLEAR = 0.6
"""Recovery that no accidental solution comes near."""


class Judge:
    """Judges solutions for one pair of languages.

    Args:
        x: ``(n, d)`` normalised source vectors, most frequent first.
        z: ``(m, e)`` normalised target vectors, most frequent first.
        seed: Seed of the random draws.
        inducer: Computes an induction; by default on the CPU.
    """

    def __init__(
        self, x: Vectors, z: Vectors, seed: int = 0, inducer: Inducer | None = None
    ) -> None:
        self.words = min(WORDS, len(x), len(z))
        self._view = View.of(x, z, self.words, DIMS)
        self._stage = Stage(1.0, self.words, patience=2, threshold=1e-4)
        self._few = int(FEW * min(self._view.x.shape[1], self._view.z.shape[1]))
        self._seed, self._inducer = seed, inducer

    def recovered(self, lexicon: Lexicon) -> float:
        """The share of its own pairs that a solution recovers when retrained on a few."""
        return self._recovered(self._seen(lexicon))

    def verdict(self, lexicon: Lexicon) -> Verdict:
        """The verdict on the final lexicon of a run."""
        seen = self._seen(lexicon)
        recovered = self._recovered(seen)
        null = self._accident(NULL_ITERATIONS if recovered >= CLEAR else CLOSE_NULL_ITERATIONS)
        return Verdict.of(
            Evidence(
                recovered=recovered,
                null_recovered=self._recovered(null),
                objective=seen.objective or 0.0,
                null_objective=null.objective or 0.0,
                words=self.words,
            )
        )

    def _accident(self, iterations: int) -> Solution:
        """A solution learned from shuffled pairs."""
        shuffled = Lexicon.shuffled(self.words, self._seed)
        return self._learn(shuffled, annealing(last=self._stage), iterations)

    def _seen(self, lexicon: Lexicon) -> Solution:
        """The solution as the principal components show it: what its map induces there."""
        return self._learn(lexicon, Schedule((self._stage,)), 1)

    def _recovered(self, solution: Solution) -> float:
        pairs, rng = mutual(solution.lexicon), np.random.default_rng(self._seed)
        if len(pairs) < 4:
            return 0.0
        shares = []
        for _ in range(RETRAININGS):
            count = max(1, min(self._few, len(pairs) // 4))
            few, rest = np.split(rng.permutation(len(pairs)), [count])
            again = self._learn(pairs.select(few), Schedule((self._stage,)), ITERATIONS)
            shares.append(np.isin(codes(pairs)[rest], codes(again.lexicon)).mean())
        return float(np.mean(shares))

    def _learn(self, start: Lexicon, schedule: Schedule, iterations: int) -> Solution:
        return learn(
            self._view.x,
            self._view.z,
            start,
            schedule,
            self._seed,
            lambda state: state.solution.iterations >= iterations,
            self._inducer,
        )
