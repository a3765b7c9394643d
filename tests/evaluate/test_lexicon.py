"""Precision on gold translations: any of them counts, and missing words are reported apart."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import Embeddings, Space
from isolex.errors import UsageError
from isolex.evaluate import evaluate_lexicon

ANGLES = np.deg2rad([0, 20, 45, 60, 80, 100])
CIRCLE = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)


def space_of(target: np.ndarray) -> Space:
    en, es = Embeddings(list("abcdef"), CIRCLE, name="en"), Embeddings(list("ABCDEF"), target)
    return Space.from_vectors(en, es.named("es"))


SPACE = space_of(CIRCLE)


def test_any_gold_translation_counts_and_each_source_word_once() -> None:
    gold = [("a", "A"), ("b", "F"), ("b", "B"), ("c", "D"), ("d", "F")]
    result = evaluate_lexicon(SPACE, gold, "nn", cuts=(1, 2, 5))
    assert result.entries == 4
    assert result.precision == {1: 50.0, 2: 75.0, 5: 100.0}


def test_missing_words_are_reported_apart() -> None:
    gold = [("a", "A"), ("x", "A"), ("b", "Z"), ("b", "Y")]
    result = evaluate_lexicon(SPACE, gold, "nn")
    assert result.oov == ("x", "b")
    assert result.coverage == pytest.approx(100 / 3)
    assert result.as_dict() == {
        "precision": {"1": 100.0, "5": 100.0, "10": 100.0},
        "coverage": pytest.approx(100 / 3),
        "entries": 1,
        "oov": 2,
    }


def test_the_length_of_vectors_does_not_matter() -> None:
    longer = space_of(CIRCLE * np.array([[1], [9], [1], [9], [1], [9]]))
    gold = list(zip("abcdef", "ABCDEF", strict=True))
    assert evaluate_lexicon(longer, gold, "nn").precision[1] == 100.0


def test_any_direction_can_be_evaluated() -> None:
    rng = np.random.default_rng(0)
    common = rng.normal(size=(30, 8))
    space = Space.from_vectors(
        *(
            Embeddings([f"{name}{row}" for row in range(30)], common, name=name)
            for name in ("en", "de", "pl")
        )
    )
    gold = [(f"pl{row}", f"de{row}") for row in range(20)]
    assert evaluate_lexicon(space, gold, source="pl", target="de").precision[1] == 100.0
    with pytest.raises(UsageError, match="no gold pair"):
        evaluate_lexicon(space, gold)


def test_the_retrieval_of_the_system_is_the_default() -> None:
    gold = list(zip("abcdef", "BBCCEE", strict=True))
    by_default = evaluate_lexicon(SPACE, gold, cuts=(1, 2, 3))
    assert by_default == evaluate_lexicon(SPACE, gold, "csls", cuts=(1, 2, 3))
    assert by_default == evaluate_lexicon(SPACE, gold, SPACE.retrieval, cuts=(1, 2, 3))


def test_progress_runs_to_the_end() -> None:
    seen: list[float] = []
    evaluate_lexicon(SPACE, [("a", "A")], tick=seen.append)
    assert seen[-1] == 1.0


def test_gold_pairs_that_cannot_be_scored_are_refused() -> None:
    with pytest.raises(UsageError, match="no gold pair"):
        evaluate_lexicon(SPACE, [("x", "X")])
    with pytest.raises(UsageError, match=r"0 pairs .* 1 if .* swapped"):
        evaluate_lexicon(SPACE, [("A", "a")])


def test_unmapped_vectors_of_other_dimensions_are_refused() -> None:
    with pytest.raises(UsageError, match="not 2 and 6"):
        space_of(np.eye(6))
