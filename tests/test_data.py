"""The method on the data of the paper, in short runs; the benchmarks have the whole runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from isolex import Embeddings, align, io
from isolex.core.choices import Outcome
from isolex.evaluate import evaluate_lexicon, evaluate_similarity
from isolex.method.initialise import Unsupervised
from isolex.method.restarts import Restarts
from isolex.method.schedule import COARSE, coarse_to_fine
from isolex.systems import get

pytestmark = [pytest.mark.data, pytest.mark.slow]

ROBUST = get("robust")
ONE_ROUND = replace(ROBUST, restarts=replace(ROBUST.restarts or Restarts(), rounds=1))
"""With half of the restarts, for vectors on which all of them fail."""


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
    space = align(spanish, english, system="supervised", lexicon=pairs)
    assert evaluate_lexicon(space, gold).precision[1] >= 77


def test_the_unsupervised_method_succeeds_on_the_most_frequent_words(
    data: Path, spanish: Embeddings, english: Embeddings
) -> None:
    space = align(spanish.head(2500), english.head(2500))
    gold = io.read_pairs(data / "muse" / "es-en.txt")
    assert evaluate_lexicon(space, gold).precision[1] >= 70


def test_similarity_correlates_with_human_scores(data: Path) -> None:
    english = io.load(data / "eltec" / "eng.vec.gz", max_words=10_000)
    gold = io.read_similarity(data / "similarity" / "EN_WS-353-ALL.txt", lowercase=True)
    result = evaluate_similarity(english, english, gold)
    assert result.spearman > 0.25
    assert result.entries + result.oov == 353


def test_all_analogy_questions_are_read(data: Path) -> None:
    sections = io.read_analogies(data / "similarity" / "questions-words.txt", lowercase=True)
    assert len(sections) == 14
    assert sum(len(questions) for questions in sections.values()) == 19_544
    assert np.all([len(q) == 4 for questions in sections.values() for q in questions])


@pytest.mark.parametrize(("start", "restarts"), [(True, False), (False, False), (False, True)])
def test_chinese_needs_the_start_of_robust_or_restarts_and_the_verdict_knows(
    data: Path, start: bool, restarts: bool
) -> None:
    chinese = io.load(data / "zhang2017" / "zh-en" / "zh.vec.gz")
    english = io.load(data / "zhang2017" / "zh-en" / "en.vec.gz")
    gold = io.read_pairs(data / "muse" / "zh-en.txt")
    system = ROBUST if restarts else replace(ROBUST, restarts=None)
    if not start:
        schedule = coarse_to_fine(replace(COARSE, center=False))
        system = replace(system, initialise=Unsupervised(), schedule=schedule)
    space = align(chinese, english, system=system)
    assert space.verdict is not None
    assert space.verdict.outcome == (Outcome.SUCCEEDED if start or restarts else Outcome.FAILED)
    precision = evaluate_lexicon(space, gold).precision[1]
    assert precision >= 57 if start or restarts else precision < 10
    assert bool(space.attempts) == restarts


def test_english_and_its_own_values_in_random_order_fail(english: Embeddings) -> None:
    rng = np.random.default_rng(0)
    some = english.head(500)
    shuffled = rng.permuted(some.vectors, axis=1)[rng.permutation(len(some))]
    space = align(some, Embeddings(some.words, shuffled, name="shuffled"), system=ONE_ROUND)
    assert space.verdict is not None
    assert space.verdict.outcome == Outcome.FAILED, space.verdict


def test_two_hundred_words_of_novels_fail(data: Path) -> None:
    source, target = (
        io.load(data / "eltec" / f"{name}.vec.gz", max_words=200) for name in ("eng", "pol")
    )
    space = align(source, target, system=ONE_ROUND, seed=1)
    assert space.verdict is not None
    assert space.verdict.outcome == Outcome.FAILED, space.verdict
