"""The method on the paper's own data: short runs that show it works; whole runs are benchmarks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from isolex import Embeddings, align, io
from isolex.core.verdict import Outcome
from isolex.evaluate import evaluate_lexicon, evaluate_similarity
from isolex.systems import get

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


def test_chinese_is_found_where_the_first_attempt_fails_and_the_verdict_knows(data: Path) -> None:
    chinese = io.load(data / "zhang2017" / "zh-en" / "zh.vec.gz")
    english = io.load(data / "zhang2017" / "zh-en" / "en.vec.gz")
    gold = io.read_pairs(data / "muse" / "zh-en.txt")
    for system, outcome in (
        (replace(get("robust"), search=None), Outcome.FAILED),
        (get("robust"), Outcome.SUCCEEDED),
    ):
        made = align(chinese, english, system)
        assert made.verdict is not None
        assert made.verdict.outcome == outcome, made.verdict
        result = evaluate_lexicon(made.source.mapped, made.target.mapped, gold)
        right = result.precision[1]
        assert right >= 57 if outcome == Outcome.SUCCEEDED else right < 10


def test_english_beside_its_own_values_in_disorder_fails(english: Embeddings) -> None:
    rng = np.random.default_rng(0)
    some = english.head(500)
    disorder = rng.permuted(some.vectors, axis=1)[rng.permutation(len(some))]
    made = align(some, Embeddings(some.words, disorder))
    assert made.verdict is not None
    assert made.verdict.outcome == Outcome.FAILED, made.verdict


@pytest.mark.parametrize(("language", "seed"), [("spa", 0), ("pol", 1)])
def test_two_hundred_words_of_novels_fail(data: Path, language: str, seed: int) -> None:
    src, trg = (
        io.load(data / "eltec" / f"{name}.vec.gz", max_words=200) for name in ("eng", language)
    )
    made = align(src, trg, seed=seed)
    assert made.verdict is not None
    assert made.verdict.outcome == Outcome.FAILED, made.verdict
