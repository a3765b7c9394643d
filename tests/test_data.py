"""The method on the paper's own data: short runs that show it works; whole runs are benchmarks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from isolex import Embeddings, align, io
from isolex.evaluate import evaluate_lexicon, evaluate_similarity

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def spanish(data: Path) -> Embeddings:
    return io.load(data / "zhang2017" / "es-en" / "es.vec.gz")


@pytest.fixture(scope="module")
def english(data: Path) -> Embeddings:
    return io.load(data / "zhang2017" / "es-en" / "en.vec.gz")


def test_supervised_mapping_reaches_its_accuracy(
    data: Path, spanish: Embeddings, english: Embeddings
) -> None:
    pairs = io.read_pairs(data / "muse" / "es-en.0-5000.txt")
    gold = io.read_pairs(data / "muse" / "es-en.5000-6500.txt")
    made = align(spanish, english, "supervised", lexicon=pairs)
    result = evaluate_lexicon(made.source.mapped, made.target.mapped, gold)
    assert result.precision[1] >= 77


def test_the_unsupervised_method_succeeds_on_the_most_frequent_words(
    data: Path, spanish: Embeddings, english: Embeddings
) -> None:
    made = align(spanish.head(2500), english.head(2500))
    gold = io.read_pairs(data / "muse" / "es-en.txt")
    result = evaluate_lexicon(made.source.mapped, made.target.mapped, gold)
    assert result.precision[1] >= 70


def test_similarity_follows_people(data: Path) -> None:
    english = io.load(data / "eltec" / "eng.vec.gz", max_words=10_000)
    gold = io.read_similarity(data / "similarity" / "EN_WS-353-ALL.txt", lowercase=True)
    result = evaluate_similarity(english, english, gold)
    assert result.spearman > 0.25
    assert result.entries + result.oov == 353


def test_analogy_questions_are_read_whole(data: Path) -> None:
    sections = io.read_analogies(data / "similarity" / "questions-words.txt", lowercase=True)
    assert len(sections) == 14
    assert sum(len(questions) for questions in sections.values()) == 19_544
    assert np.all([len(q) == 4 for questions in sections.values() for q in questions])
