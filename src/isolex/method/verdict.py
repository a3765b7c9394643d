"""Did it work? An answer with no gold dictionary.

A mapping that found nothing looks well: every word has a partner, half of the pairs are mutual,
and the objective is high, for there is much room to fit noise in hundreds of dimensions. Two things
tell it from one that found something, both looked at in the leading principal components, where
there is little such room:

- *recovery*: learnt again from a few of its own pairs, a true solution comes back, for the other
  pairs follow from the few. An accidental one goes elsewhere.
- *fit*: its objective, against that of solutions learnt from shuffled pairs.

Shuffled pairs give accidental solutions of the very same vectors: what these reach is the zero.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.core.verdict import Figures, Verdict
from isolex.kernels.types import Inducer
from isolex.method.schedule import Schedule, Stage, annealing
from isolex.method.self_learning import Iteration, Learnt, learn
from isolex.method.view import View

WORDS, DIMS = 2000, 50
"""How many words of each side are looked at, in how many principal components."""


FEW = 0.7
"""From how many pairs a solution is learnt again, per component: too few to fix a map."""


TRIALS, ITERATIONS = 2, 15
"""How often it is learnt again, and for how long."""


NULL_ITERATIONS, CLOSE_NULL_ITERATIONS = 25, 100
"""For how long an accidental solution is learnt, and for how long where it is a close call."""


CLEAR = 0.6
"""Recovery that no accidental solution comes near."""


class Jury:
    """Judges solutions of one pair of spaces.

    Args:
        src: ``(n, d)`` normalised source vectors, most frequent first.
        trg: ``(m, e)`` normalised target vectors likewise.
        seed: Of the pairs that are drawn.
        inducer: What does an induction; by default the CPU.
    """

    def __init__(
        self, src: Vectors, trg: Vectors, seed: int = 0, inducer: Inducer | None = None
    ) -> None:
        self.words = min(WORDS, len(src), len(trg))
        self._view = View.of(src, trg, self.words, DIMS)
        self._stage = Stage(1.0, self.words, patience=2, threshold=1e-4)
        self._few = int(FEW * min(self._view.src.shape[1], self._view.trg.shape[1]))
        self._seed, self._inducer = seed, inducer

    def recovered(self, lexicon: Lexicon) -> float:
        """The share of a lexicon's own pairs that come back when learnt again from a few."""
        return self._recovered(self._seen(lexicon))

    def verdict(self, lexicon: Lexicon) -> Verdict:
        """The verdict on what a run ended with."""
        seen = self._seen(lexicon)
        recovered = self._recovered(seen)
        null = self._accident(NULL_ITERATIONS if recovered >= CLEAR else CLOSE_NULL_ITERATIONS)
        return Verdict.of(
            Figures(
                recovered=recovered,
                null_recovered=self._recovered(null),
                objective=seen.objective or 0.0,
                null_objective=null.objective or 0.0,
                words=self.words,
            )
        )

    def _accident(self, iterations: int) -> Learnt:
        """What is learnt from shuffled pairs."""
        shuffled = Lexicon.shuffled(self.words, self._seed)
        return self._learn(shuffled, annealing(last=self._stage), iterations)

    def _seen(self, lexicon: Lexicon) -> Learnt:
        """The solution in the view: what its map induces there."""
        return self._learn(lexicon, Schedule((self._stage,)), 1)

    def _recovered(self, solution: Learnt) -> float:
        pairs, rng = mutual(solution.lexicon), np.random.default_rng(self._seed)
        if len(pairs) < 4:
            return 0.0
        shares = []
        for _ in range(TRIALS):
            count = max(1, min(self._few, len(pairs) // 4))
            few, rest = np.split(rng.permutation(len(pairs)), [count])
            again = self._learn(pairs.pairs(few), Schedule((self._stage,)), ITERATIONS)
            shares.append(np.isin(_codes(pairs)[rest], _codes(again.lexicon)).mean())
        return float(np.mean(shares))

    def _learn(self, start: Lexicon, schedule: Schedule, iterations: int) -> Learnt:
        ends = [partial(_reached, iterations)]
        view = self._view
        return learn(view.src, view.trg, start, schedule, self._seed, ends, self._inducer)


def mutual(lexicon: Lexicon) -> Lexicon:
    """The pairs that were induced both ways: those that are there twice."""
    _, first, counts = np.unique(_codes(lexicon), return_index=True, return_counts=True)
    return lexicon.pairs(first[counts > 1])


def _codes(lexicon: Lexicon) -> NDArray[np.int64]:
    """One number for each pair."""
    codes: NDArray[np.int64] = (lexicon.src.astype(np.int64) << 32) | lexicon.trg
    return codes


def _reached(iterations: int, iteration: Iteration) -> bool:
    return iteration.number >= iterations
