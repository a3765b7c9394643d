"""Spelling as evidence: learned from sure pairs, used only where it says something."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from isolex import Embeddings
from isolex.core.lexicon import Lexicon
from isolex.core.problem import Problem
from isolex.kernels.parallel import use_threads
from isolex.method import normalise
from isolex.method.schedule import Stage
from isolex.method.spelling import Spelling
from tests.planted import planted

STAGE = Stage(1.0, cutoff=600, reweight=0.5)
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def spelled(words: list[str], related: bool, seed: int) -> list[str]:
    """Words of random letters; in related languages, one letter of a word with the same number
    differs."""
    found = []
    for word in words:
        rng = np.random.default_rng(int(word[1:]) if related else [int(word[1:]), seed])
        letters = [LETTERS[place] for place in rng.integers(26, size=int(rng.integers(4, 11)))]
        letters[1] = LETTERS[seed]
        found.append("".join(letters))
    return found


def problem_with(related: bool, seed: int = 0) -> tuple[Problem, np.ndarray]:
    """A planted problem with noise, so that vectors alone leave errors, and the true targets."""
    made = planted(words=600, dims=20, noise=0.9, seed=seed)
    numbers = {word[1:]: row for row, word in enumerate(made.target.words)}
    truth = np.array([numbers[word[1:]] for word in made.source.words])
    sides = []
    for place, one in enumerate((made.source, made.target)):
        words = spelled(list(one.words), related, place)
        vectors = normalise.fit(("unit", "center", "unit"), one.vectors)[1]
        sides.append(Embeddings(make_unique(words), vectors, name=one.name))
    return Problem(*sides, *(one.vectors for one in sides)), truth


def make_unique(words: list[str]) -> list[str]:
    seen: set[str] = set()
    unique = []
    for word in words:
        while word in seen:
            word += "x"
        seen.add(word)
        unique.append(word)
    return unique


def right(lexicon: Lexicon, truth: np.ndarray) -> float:
    return float(np.mean(truth[lexicon.sources] == lexicon.targets))


def start(truth: np.ndarray) -> Lexicon:
    return Lexicon(np.arange(len(truth), dtype=np.int32), truth.astype(np.int32))


def without(problem: Problem, lexicon: Lexicon) -> Lexicon:
    """What the same iterations induce without spelling."""
    return Spelling(weight=0.0, least=0.0, contrast=0.0)(problem, lexicon, STAGE)[0]


@pytest.mark.parametrize("seed", range(3))
def test_spelling_corrects_pairs_of_related_languages(seed: int) -> None:
    problem, truth = problem_with(related=True, seed=seed)
    found, facts = Spelling()(problem, start(truth), STAGE)
    assert facts.used
    assert facts.alike > 0.5
    before = right(without(problem, start(truth)), truth)
    assert before < 0.9, "the problem leaves something to correct"
    assert right(found, truth) > before + 0.05


@pytest.mark.parametrize("seed", range(3))
def test_spelling_that_says_nothing_is_not_used(seed: int) -> None:
    problem, truth = problem_with(related=False, seed=seed)
    lexicon = start(truth)
    found, facts = Spelling()(problem, lexicon, STAGE)
    assert not facts.used
    assert facts.alike < 0.05
    assert found is lexicon


def test_few_words_are_too_few() -> None:
    problem, truth = problem_with(related=True)
    few = replace(problem, x=problem.x[:40], z=problem.z[:40])
    lexicon = start(truth[:40]).select(truth[:40] < 40)
    assert Spelling()(few, lexicon, STAGE)[0] is lexicon


def test_the_result_does_not_depend_on_threads() -> None:
    problem, truth = problem_with(related=True)
    results = []
    for threads in (1, 2):
        with use_threads(threads):
            results.append(Spelling()(problem, start(truth), STAGE)[0])
    np.testing.assert_array_equal(results[0].targets, results[1].targets)
    np.testing.assert_array_equal(results[0].sources, results[1].sources)
