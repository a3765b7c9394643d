"""Scoring as in the field: any gold translation counts, missing words are reported apart."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import Embeddings
from isolex.errors import UsageError
from isolex.evaluate import evaluate_lexicon

ANGLES = np.deg2rad([0, 20, 45, 60, 80, 100])
CIRCLE = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
SRC = Embeddings(list("abcdef"), CIRCLE)
TRG = Embeddings(list("ABCDEF"), CIRCLE)


def test_any_gold_translation_counts_and_each_source_word_once() -> None:
    gold = [("a", "A"), ("b", "F"), ("b", "B"), ("c", "D"), ("d", "F")]
    result = evaluate_lexicon(SRC, TRG, gold, "nn", cuts=(1, 2, 5))
    assert result.entries == 4
    assert result.precision == {1: 50.0, 2: 75.0, 5: 100.0}


def test_missing_words_are_reported_apart() -> None:
    gold = [("a", "A"), ("x", "A"), ("b", "Z"), ("b", "Y")]
    result = evaluate_lexicon(SRC, TRG, gold, "nn")
    assert result.oov == ("x", "b")
    assert result.coverage == pytest.approx(1 / 3)
    assert result.as_dict() == {
        "precision": {"1": 100.0, "5": 100.0, "10": 100.0},
        "coverage": pytest.approx(1 / 3),
        "entries": 1,
        "oov": 2,
    }


def test_lengths_do_not_matter() -> None:
    longer = Embeddings(TRG.words, CIRCLE * np.array([[1], [9], [1], [9], [1], [9]]))
    gold = list(zip("abcdef", "ABCDEF", strict=True))
    assert evaluate_lexicon(SRC, longer, gold, "nn").precision[1] == 100.0


def test_nothing_to_score_is_said() -> None:
    with pytest.raises(UsageError, match="no gold pair"):
        evaluate_lexicon(SRC, TRG, [("x", "X")])
    with pytest.raises(UsageError, match="but 1 the other way round"):
        evaluate_lexicon(SRC, TRG, [("A", "a")])


def test_unmapped_vectors_of_other_dimensions_are_refused() -> None:
    wide = Embeddings(TRG.words, np.eye(6))
    with pytest.raises(UsageError, match="not 2 and 6"):
        evaluate_lexicon(SRC, wide, [("a", "A")])
