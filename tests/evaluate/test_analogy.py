"""Analogies by vector offset; the words of a question are never its answer."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import Embeddings
from isolex.errors import UsageError
from isolex.evaluate import evaluate_analogy
from isolex.evaluate.analogy import count_known


@pytest.fixture
def embeddings() -> Embeddings:
    """Capitals are countries plus a common offset."""
    rng = np.random.default_rng(1)
    countries = rng.normal(size=(8, 40))
    offset = rng.normal(size=40)
    names = [f"country{i}" for i in range(8)] + [f"capital{i}" for i in range(8)]
    return Embeddings(names, np.concatenate([countries, countries + offset]))


def question(a: int, b: int) -> tuple[str, str, str, str]:
    return f"country{a}", f"capital{a}", f"country{b}", f"capital{b}"


def test_accuracy_is_given_per_section_and_in_total(embeddings: Embeddings) -> None:
    right = [question(a, b) for a in range(4) for b in range(4, 8)]
    wrong = [("country0", "capital0", "country1", "capital2")]
    missing = [("country0", "capital0", "country1", "atlantis")]
    found = evaluate_analogy(embeddings, {"good": right, "bad": wrong + missing, "none": missing})
    assert found.sections["good"].accuracy == 100
    assert found.sections["bad"].accuracy == 0
    assert (found.sections["bad"].entries, found.sections["bad"].oov) == (1, 1)
    assert found.sections["none"].accuracy is None
    assert (found.total.entries, found.total.oov) == (17, 2)
    assert found.coverage == pytest.approx(100 * 17 / 19)
    assert found.as_dict()["sections"]["none"]["oov"] == 1


def test_question_words_are_never_the_answer(embeddings: Embeddings) -> None:
    same = [("country0", "country0", "country1", "country1")]
    assert evaluate_analogy(embeddings, {"x": same}).total.accuracy == 0


def test_questions_outside_the_vocabulary_are_refused(embeddings: Embeddings) -> None:
    with pytest.raises(UsageError, match="no question"):
        evaluate_analogy(embeddings, {"x": [("a", "b", "c", "d")]})


def test_known_questions_are_counted(embeddings: Embeddings) -> None:
    sections = {"x": [question(0, 1), ("a", "b", "c", "d")], "y": [question(2, 3)]}
    assert count_known(embeddings, sections) == 2
