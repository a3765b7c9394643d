"""Lexicons: pairs, coverage of a word list, and what is shown of them."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import Embeddings, Lexicon
from isolex.core.lexicon import LexiconEntry, match, match_directed
from isolex.errors import UsageError

SOURCE = Embeddings(["dog", "cat", "\udcff"], np.eye(3))
TARGET = Embeddings(["perro", "gato", "can"], np.eye(3))


def rows(*numbers: int) -> np.ndarray:
    return np.array(numbers, dtype=np.int32)


def pairs(lexicon: Lexicon) -> list[tuple[int, int]]:
    return list(zip(lexicon.sources.tolist(), lexicon.targets.tolist(), strict=True))


def scored() -> Lexicon:
    return Lexicon(
        rows(0, 2),
        rows(1, 0),
        np.array([0.5, 0.25], dtype=np.float32),
        np.array([True, False]),
        (SOURCE.words, TARGET.words),
    )


def test_coverage_counts_source_words_and_names_the_missing() -> None:
    given = [("dog", "perro"), ("dog", "can"), ("dog", "perro"), ("cow", "vaca"), ("cat", "felino")]
    lexicon, coverage = match(given, SOURCE, TARGET)
    assert pairs(lexicon) == [(0, 0), (0, 2)]
    assert coverage.entries == 1
    assert coverage.oov == ("cow", "cat")
    assert coverage.percent == pytest.approx(100 / 3)


def test_no_pairs_cover_nothing() -> None:
    lexicon, coverage = match([], SOURCE, TARGET)
    assert (len(lexicon), coverage.entries, coverage.oov, coverage.percent) == (0, 0, (), 0.0)


def test_pairs_with_the_target_word_first_are_refused() -> None:
    source = Embeddings(["uno", "dos", "tres", "no", "sol"], np.eye(5))
    target = Embeddings(["one", "two", "three", "no", "sun"], np.eye(5))
    given = [("uno", "one"), ("dos", "two"), ("tres", "three"), ("no", "no")]
    assert len(match_directed(given, source, target)[0]) == 4
    with pytest.raises(UsageError, match=r"1 pairs are in .* but 4 if .* swapped"):
        match_directed([(t, s) for s, t in given], source, target)


def test_rows_are_entries_with_words_and_scores() -> None:
    assert list(scored()) == [
        LexiconEntry("dog", "gato", 0.5, True),
        LexiconEntry("\udcff", "perro", 0.25, False),
    ]


def test_mutual_pairs_are_counted() -> None:
    assert scored().mutual_count == 1
    assert Lexicon(rows(0), rows(0)).mutual_count == 0


def test_pairs_without_words_and_scores_have_no_entries() -> None:
    with pytest.raises(UsageError, match=r"Space\.lexicon"):
        list(Lexicon(rows(0), rows(0)))


def test_pairs_are_selected_by_position_or_by_a_mask() -> None:
    assert pairs(scored().select(np.array([1]))) == [(2, 0)]
    assert pairs(scored().select(np.array([True, False]))) == [(0, 1)]


def test_joined_lexicons_keep_duplicates() -> None:
    once = Lexicon(rows(0, 1), rows(5, 6))
    assert pairs(Lexicon.joined([once, once])) == [(0, 5), (1, 6), (0, 5), (1, 6)]


def test_a_shuffled_lexicon_pairs_each_word_once_and_follows_the_seed() -> None:
    first, again, other = (Lexicon.shuffled(50, seed) for seed in (1, 1, 2))
    assert sorted(first.targets.tolist()) == first.sources.tolist() == list(range(50))
    assert pairs(first) == pairs(again) != pairs(other)


def test_a_printed_lexicon_shows_its_size() -> None:
    assert repr(scored()) == "Lexicon(2 pairs, 1 mutual)"
    every = np.arange(1200, dtype=np.int32)
    assert repr(Lexicon(every, every)) == "Lexicon(1,200 pairs)"


def test_a_notebook_shows_the_first_pairs_escaped() -> None:
    sources = ["<b>&", "caf\udce9", *(f"s{row}" for row in range(2, 30))]
    targets = [f"t{row}" for row in range(30)]
    every = np.arange(30, dtype=np.int32)
    scores, mutual = np.full(30, 0.5, dtype=np.float32), every % 2 == 0
    page = Lexicon(every, every, scores, mutual, (sources, targets))._repr_html_()
    assert "<td>&lt;b&gt;&amp;</td><td>t0</td><td>0.5000</td><td>✓</td>" in page
    assert "<b>" not in page
    assert page.count("<tr>") == 11
    assert "t9" in page
    assert "t10" not in page
    page.encode()  # bytes that are not UTF-8 are escaped too
    assert Lexicon(every, every)._repr_html_() == "<p>Lexicon(30 pairs)</p>"
