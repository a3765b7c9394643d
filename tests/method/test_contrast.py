"""Contrast: its gradient, what it improves, and what it leaves alone."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.lexicon import Lexicon
from isolex.core.normaliser import unit
from isolex.kernels.parallel import use_threads
from isolex.kernels.types import Doubles, Floats
from isolex.method.contrast import Contrast


def noisy_pairs(words: int, dims: int, seed: int, noise: float = 0.6) -> tuple[Floats, Floats]:
    """Two languages whose word i means the same, but with noise in half of the dimensions."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(words, dims))
    own = rng.normal(size=(2, words, dims)) * noise
    own[:, :, dims // 2 :] *= 4
    return unit((shared + own[0]).astype(np.float32)), unit((shared + own[1]).astype(np.float32))


def both_ways(rows: np.ndarray) -> Lexicon:
    """A lexicon that pairs words with themselves, induced in both directions."""
    rows = rows.astype(np.int32)
    return Lexicon(np.concatenate([rows, rows]), np.concatenate([rows, rows]))


def loss(x: Doubles, z: Doubles, pairs: int, temperature: float) -> float:
    """InfoNCE of both directions over the first pairs, as in the definition."""
    x, z = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (x, z))
    total = 0.0
    for own, other in ((x, z), (z, x)):
        scores = np.exp(own[:pairs] @ other.T / temperature)
        total -= np.log(scores[np.arange(pairs), np.arange(pairs)] / scores.sum(axis=1)).mean()
    return total


def right(x: Floats, z: Floats, source: Doubles, target: Doubles) -> float:
    """The share of words whose nearest neighbour is their partner."""
    x, z = unit((x @ source).astype(np.float32)), unit((z @ target).astype(np.float32))
    return float(((x @ z.T).argmax(axis=1) == np.arange(len(x))).mean())


def test_the_first_step_goes_against_the_gradient_of_infonce() -> None:
    """Adam's first step is the sign of the gradient times the rate."""
    x, z = noisy_pairs(40, 5, seed=0)
    plan = Contrast(batch=100, steps=1, temperature=0.3)
    found = plan(x, z, both_ways(np.arange(30)), 0)
    rate, h, identity = plan.rate / np.sqrt(5), 1e-5, np.eye(5)
    for side in range(2):
        for entry in np.ndindex(5, 5):
            moved = []
            for sign in (1, -1):
                matrices = [identity.copy(), identity.copy()]
                matrices[side][entry] += sign * h
                moved.append(loss(x @ matrices[0], z @ matrices[1], 30, plan.temperature))
            slope = (moved[0] - moved[1]) / (2 * h)
            if abs(slope) > 1e-3:
                step = found[side][entry] - identity[entry]
                assert step == pytest.approx(-rate * np.sign(slope), rel=1e-3)


@pytest.mark.parametrize("seed", range(3))
def test_words_without_a_pair_gain_too(seed: int) -> None:
    """The noisy dimensions lose weight, which helps words that no pair names."""
    x, z = noisy_pairs(1500, 40, seed)
    known = np.arange(0, 1500, 2)
    source, target = Contrast(steps=60)(x, z, both_ways(known), seed)
    unknown = slice(1, None, 2)
    before = right(x[unknown], z[unknown], np.eye(40), np.eye(40))
    assert right(x[unknown], z[unknown], source, target) > before + 0.05


def test_only_pairs_of_both_directions_and_of_frequent_words_count() -> None:
    x, z = noisy_pairs(200, 10, seed=1)
    rows = np.arange(200, dtype=np.int32)
    one_way = Lexicon(rows, rows)
    rare = both_ways(np.arange(100, 200))
    for lexicon in (one_way, rare):
        for matrix in Contrast(words=100)(x, z, lexicon, 0):
            np.testing.assert_array_equal(matrix, np.eye(10))


def test_all_pairs_take_part_before_any_takes_part_again() -> None:
    plan = Contrast(batch=30, steps=6)
    batches = list(plan.batches(both_ways(np.arange(100)).select(np.arange(100)), seed=3))
    assert [len(one) for one in batches] == [30] * 6
    for some in (batches[:3], batches[3:]):
        assert len(np.unique(np.concatenate([one.sources for one in some]))) == 90


def test_neither_the_number_of_threads_nor_a_zero_vector_matters() -> None:
    x, z = noisy_pairs(3000, 20, seed=2)
    x[7] = 0
    lexicon = both_ways(np.arange(2500))
    results = []
    for threads in (1, 3):
        with use_threads(threads):
            results.append(Contrast(steps=3)(x, z, lexicon, 0))
    for one, other in zip(*results, strict=True):
        np.testing.assert_array_equal(one, other)
        assert np.isfinite(one).all()


def test_a_word_may_be_in_several_pairs() -> None:
    """Given pairs may contradict induced ones; each counts."""
    x, z = noisy_pairs(50, 5, seed=0)
    rows, partners = np.array([3, 3, 4], np.int32), np.array([3, 9, 4], np.int32)
    twice = Lexicon(np.tile(rows, 2), np.tile(partners, 2))
    once = twice.select(np.array([0, 2, 3, 5]))
    one, other = (Contrast(steps=1)(x, z, some, 0)[0] for some in (twice, once))
    assert not np.array_equal(one, other)
