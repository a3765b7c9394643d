"""Correlations with human judgements."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import Embeddings
from isolex.errors import UsageError
from isolex.evaluate import evaluate_similarity

ANGLES = np.deg2rad([0, 10, 30, 60, 90])
WORDS = Embeddings(list("abcde"), np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1))


def test_correlations_with_ties_equal_those_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(0)
    left = Embeddings([f"l{i}" for i in range(60)], rng.normal(size=(60, 5)))
    right = Embeddings([f"r{i}" for i in range(60)], rng.normal(size=(60, 5)))
    gold = [(f"l{i}", f"r{i}", float(rng.integers(0, 10))) for i in range(60)]
    cosines = [
        left[a] @ right[b] / np.linalg.norm(left[a]) / np.linalg.norm(right[b]) for a, b, _ in gold
    ]
    scores = [score for _, _, score in gold]
    found = evaluate_similarity(left, right, gold)
    assert found.pearson == pytest.approx(stats.pearsonr(cosines, scores)[0], abs=1e-6)
    assert found.spearman == pytest.approx(stats.spearmanr(cosines, scores)[0], abs=1e-6)


def test_spearman_depends_on_the_order_only() -> None:
    gold = [("a", "b", 9.0), ("a", "c", 8.9), ("a", "d", 2.0), ("a", "e", 1.0)]
    found = evaluate_similarity(WORDS, WORDS, gold)
    assert found.spearman == pytest.approx(1.0)
    assert found.pearson < 1.0


def test_pairs_out_of_vocabulary_are_counted() -> None:
    gold = [("a", "b", 2.0), ("a", "c", 1.0), ("a", "zzz", 1.0), ("q", "a", 1.0)]
    found = evaluate_similarity(WORDS, WORDS, gold)
    assert (found.entries, found.oov, found.coverage) == (2, 2, 50.0)


@pytest.mark.parametrize(
    ("gold", "facts"),
    [([("a", "b", 1.0)], "fewer than two"), ([("a", "b", 1.0), ("a", "c", 1.0)], "all scores")],
)
def test_pairs_that_cannot_be_correlated_are_refused(gold: list, facts: str) -> None:
    with pytest.raises(UsageError, match=facts):
        evaluate_similarity(WORDS, WORDS, gold)
