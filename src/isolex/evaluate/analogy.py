"""Word analogies: a is to b as c is to ... (Mikolov et al., 2013), within one language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.normaliser import unit
from isolex.errors import UsageError
from isolex.io.analogies import Question
from isolex.kernels.similarity import topk
from isolex.kernels.types import Tick


@dataclass(frozen=True)
class SectionResult:
    """Accuracy in one section.

    Attributes:
        accuracy: Percent of the questions answered correctly; ``None`` if there are none.
        entries: Questions with all four words in the vocabulary.
        oov: Number of other questions.
    """

    accuracy: float | None
    entries: int
    oov: int


@dataclass(frozen=True)
class AnalogyResult:
    """Accuracy per section and over all questions."""

    sections: dict[str, SectionResult]
    total: SectionResult

    @property
    def coverage(self) -> float:
        """Percent of the questions whose words are in the vocabulary."""
        return 100 * self.total.entries / (self.total.entries + self.total.oov)

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self.total) | {
            "coverage": self.coverage,
            "sections": {name: asdict(result) for name, result in self.sections.items()},
        }


def evaluate_analogy(
    embeddings: Embeddings,
    sections: Mapping[str, Sequence[Question]],
    tick: Tick | None = None,
) -> AnalogyResult:
    """Answer each question with the word nearest to ``b - a + c`` that is none of the three."""
    vectors = unit(embeddings.vectors)
    asked = {
        name: [[embeddings.index[word] for word in q] for q in questions if _known(embeddings, q)]
        for name, questions in sections.items()
    }
    everything = [question for questions in asked.values() for question in questions]
    if not everything:
        raise UsageError(
            "no question has all four words in the vocabulary: check language and case "
            "(--lowercase)"
        )
    right = iter(_right(vectors, np.array(everything, dtype=np.int32), tick).tolist())
    results = {}
    correct = 0
    for name, questions in asked.items():
        hits = sum(next(right) for _ in questions)
        correct += hits
        results[name] = _section(hits, len(questions), len(sections[name]))
    total = sum(len(questions) for questions in sections.values())
    return AnalogyResult(results, _section(correct, len(everything), total))


def count_known(embeddings: Embeddings, sections: Mapping[str, Sequence[Question]]) -> int:
    """How many questions have all four words in the vocabulary."""
    return sum(_known(embeddings, q) for questions in sections.values() for q in questions)


def _known(embeddings: Embeddings, question: Question) -> bool:
    return all(word in embeddings for word in question)


def _section(hits: int, entries: int, total: int) -> SectionResult:
    return SectionResult(100 * hits / entries if entries else None, entries, total - entries)


def _right(vectors: Vectors, questions: np.ndarray[Any, Any], tick: Tick | None) -> Any:
    """Whether each question ``(n, 4)`` is answered correctly: ``(n,)`` booleans."""
    a, b, c, d = questions.T
    found, _ = topk(unit(vectors[b] - vectors[a] + vectors[c]), vectors, 4, tick=tick)
    given = (found[:, :, None] == questions[:, None, :3]).any(axis=2)
    answers = found[np.arange(len(found)), given.argmin(axis=1)]
    return answers == d
