"""How alike words are spelled, and the evidence that follows from it."""

from __future__ import annotations

import numpy as np

from isolex.core.spelling import SpellingEvidence, Spellings

ROWS = np.array([0, 1], dtype=np.int32)


def test_similarity_is_one_minus_the_edits_per_letter() -> None:
    words = Spellings(["nation", "cat"], ["nacion", "cat", "catalogue"])
    seen = words.compare(ROWS, np.array([[0, -1], [1, 2]], dtype=np.int32))
    np.testing.assert_allclose(seen.values, [[5 / 6, 0], [1, 3 / 9]], rtol=1e-6)
    assert seen.grades.tolist() == [[8, 0], [10, 3]]
    assert seen.lengths[0, 0] == 1
    assert seen.lengths[1].tolist() == [0, 2]


def test_the_most_alike_words_are_found_and_missing_ones_marked() -> None:
    words = Spellings(["nation", "zzz"], ["dog", "nacion", "notion", "nations"])
    found = words.most_alike(ROWS, 3)
    assert set(found[0].tolist()) == {1, 2, 3}
    assert found[1].tolist() == [-1, -1, -1]


def test_words_that_were_found_by_other_means_are_not_found_again() -> None:
    words = Spellings(["nation", "zzz"], ["dog", "nacion", "notion", "nations"])
    evidence = SpellingEvidence(words, np.zeros((3, 11)))
    found = evidence.others_alike(ROWS, np.array([[1, 0], [2, 3]], dtype=np.int32), 3)
    assert sorted(found[0].tolist()) == [-1, 2, 3]
    assert found[1].tolist() == [-1, -1, -1]


def test_evidence_depends_on_length_and_grade() -> None:
    words = Spellings(["nation", "cat"], ["nacion", "cat"])
    ratios = np.arange(33.0).reshape(3, 11)
    evidence = SpellingEvidence(words, ratios)
    pairs = np.array([[0], [1]], dtype=np.int32)
    assert evidence.score(ROWS, pairs).tolist() == [[ratios[1, 8]], [ratios[0, 10]]]
    assert evidence.reversed().score(ROWS, pairs).tolist() == [[ratios[1, 8]], [ratios[0, 10]]]
    other = evidence.about(["Ca\u0301t"])
    assert other.score(ROWS[:1], pairs[1:]).tolist() == [[ratios[0, 10]]]
