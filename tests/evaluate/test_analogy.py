"""Analogies by vector offset, question words excluded."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import Embeddings
from isolex.errors import UsageError
from isolex.evaluate import evaluate_analogy


@pytest.fixture
def words() -> Embeddings:
    """Capitals are countries plus a common step."""
    rng = np.random.default_rng(1)
    countries = rng.normal(size=(8, 40))
    step = rng.normal(size=40)
    names = [f"country{i}" for i in range(8)] + [f"capital{i}" for i in range(8)]
    return Embeddings(names, np.concatenate([countries, countries + step]))


def question(a: int, b: int) -> tuple[str, str, str, str]:
    return f"country{a}", f"capital{a}", f"country{b}", f"capital{b}"


def test_sections_and_total(words: Embeddings) -> None:
    right = [question(a, b) for a in range(4) for b in range(4, 8)]
    wrong = [("country0", "capital0", "country1", "capital2")]
    missing = [("country0", "capital0", "country1", "atlantis")]
    found = evaluate_analogy(words, {"good": right, "bad": wrong + missing, "none": missing})
    assert found.sections["good"].accuracy == 100
    assert found.sections["bad"].accuracy == 0
    assert (found.sections["bad"].entries, found.sections["bad"].oov) == (1, 1)
    assert found.sections["none"].accuracy is None
    assert (found.total.entries, found.total.oov) == (17, 2)
    assert found.coverage == pytest.approx(17 / 19)
    assert found.as_dict()["sections"]["none"]["oov"] == 1


def test_question_words_are_never_the_answer(words: Embeddings) -> None:
    same = [("country0", "country0", "country1", "country1")]
    assert evaluate_analogy(words, {"x": same}).total.accuracy == 0


def test_nothing_to_ask_is_said(words: Embeddings) -> None:
    with pytest.raises(UsageError, match="no question"):
        evaluate_analogy(words, {"x": [("a", "b", "c", "d")]})
