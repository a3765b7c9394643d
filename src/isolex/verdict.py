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

from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolex.embeddings import Vectors
from isolex.kernels.types import Inducer
from isolex.lexicon import Lexicon
from isolex.refine import Iteration, Learnt, Schedule, Stage, View, annealing, learn

WORDS, DIMS = 2000, 50
"""How many words of each side are looked at, in how many principal components."""

SEEDS, TRIALS = 25, 3
"""From how many pairs a solution is learnt again, and how often."""

ITERATIONS, NULL_ITERATIONS = 20, 40
SUCCESS, FAILURE = 0.2, 0.1


class Outcome(StrEnum):
    """How a run went."""

    SUCCEEDED = "succeeded"
    DOUBTFUL = "doubtful"
    FAILED = "failed"


@dataclass(frozen=True)
class Figures:
    """What a verdict rests on.

    Attributes:
        recovered: The share of its own pairs that come back when learnt again from a few of them.
        null_recovered: The same of a solution learnt from shuffled pairs.
        objective: Mean highest similarity in the leading principal components.
        null_objective: The same of a solution learnt from shuffled pairs.
        words: How many words of each side were looked at.
    """

    recovered: float
    null_recovered: float
    objective: float
    null_objective: float
    words: int

    @property
    def score(self) -> float:
        """Recovery above the accidental: 0 is chance, 1 all."""
        return (self.recovered - self.null_recovered) / max(1 - self.null_recovered, 1e-9)


@dataclass(frozen=True)
class Verdict:
    """Whether a run worked, and why it is thought so."""

    outcome: Outcome
    figures: Figures

    @classmethod
    def of(cls, figures: Figures) -> Verdict:
        """The verdict on figures."""
        if figures.score >= SUCCESS and figures.objective > figures.null_objective:
            return cls(Outcome.SUCCEEDED, figures)
        if figures.score < FAILURE:
            return cls(Outcome.FAILED, figures)
        return cls(Outcome.DOUBTFUL, figures)

    def evidence(self) -> dict[str, Any]:
        """The figures as plain values."""
        return {"score": round(self.figures.score, 4)} | {
            name: round(value, 4) for name, value in asdict(self.figures).items()
        }


def judge(
    src: Vectors, trg: Vectors, lexicon: Lexicon, seed: int = 0, inducer: Inducer | None = None
) -> Verdict:
    """The verdict on a lexicon.

    Args:
        src: ``(n, d)`` normalised source vectors, most frequent first.
        trg: ``(m, e)`` normalised target vectors likewise.
        lexicon: What a run ended with.
        seed: Of the pairs that are drawn.
        inducer: What does an induction; by default the CPU.
    """
    words = min(WORDS, len(src), len(trg))
    stage = Stage(1.0, words, patience=2, threshold=1e-4)
    view = View.of(src, trg, replace(stage, dims=DIMS))
    rng = np.random.default_rng(seed)

    def relearn(start: Lexicon, schedule: Schedule, iterations: int) -> Learnt:
        ends = [partial(_reached, iterations)]
        return learn(view.src, view.trg, start, schedule, seed, ends, inducer)

    def recovery(pairs: Lexicon) -> float:
        """Learn from a few pairs of a solution; the share of the others that come back."""
        shares = [0.0]
        for _ in range(TRIALS if len(pairs) >= 4 else 0):
            few, rest = np.split(rng.permutation(len(pairs)), [min(SEEDS, len(pairs) // 4)])
            start = Lexicon(pairs.src[few], pairs.trg[few])
            again = relearn(start, Schedule((stage,)), ITERATIONS)
            shares.append(float(np.isin(_codes(pairs)[rest], _codes(again.lexicon)).mean()))
        return sum(shares) / max(1, len(shares) - 1)

    every = np.arange(words, dtype=np.int32)
    shuffled = Lexicon(every, rng.permutation(every))
    found = relearn(lexicon, Schedule((stage,)), 1)
    null = relearn(shuffled, annealing(last=replace(stage, threshold=1e-3)), NULL_ITERATIONS)
    return Verdict.of(
        Figures(
            recovered=recovery(mutual(found.lexicon)),
            null_recovered=recovery(mutual(null.lexicon)),
            objective=found.objective or 0.0,
            null_objective=null.objective or 0.0,
            words=words,
        )
    )


def mutual(lexicon: Lexicon) -> Lexicon:
    """The pairs that were induced both ways: those that are there twice."""
    _, first, counts = np.unique(_codes(lexicon), return_index=True, return_counts=True)
    twice = first[counts > 1]
    return Lexicon(lexicon.src[twice], lexicon.trg[twice])


def _codes(lexicon: Lexicon) -> NDArray[np.int64]:
    """One number for each pair."""
    codes: NDArray[np.int64] = (lexicon.src.astype(np.int64) << 32) | lexicon.trg
    return codes


def _reached(iterations: int, iteration: Iteration) -> bool:
    return iteration.number >= iterations
