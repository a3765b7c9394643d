"""Couplings against the truth on small cases."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import ot
import pytest

from isolex.trainers.transport.coupling import exact, sinkhorn, uniform


def test_the_exact_coupling_is_the_best_permutation() -> None:
    similarity = np.random.default_rng(0).normal(size=(6, 6))
    coupling, mean = exact(similarity)
    best = max(
        np.mean([similarity[row, column] for row, column in enumerate(order)])
        for order in permutations(range(6))
    )
    assert mean == pytest.approx(best)
    np.testing.assert_allclose(np.sort(coupling, axis=1)[:, -1], 1 / 6)


def test_sinkhorn_is_that_of_pot() -> None:
    rng = np.random.default_rng(1)
    cost, src, trg = rng.random((7, 9)), uniform(7), rng.dirichlet(np.ones(9))
    ours = sinkhorn(cost, src, trg, 0.1, tolerance=1e-9)
    np.testing.assert_allclose(ours.coupling, ot.sinkhorn(src, trg, cost, 0.1), atol=1e-8)
    again = sinkhorn(cost, src, trg, 0.1, start=ours, iterations=1)
    np.testing.assert_allclose(again.coupling, ours.coupling, atol=1e-8)


def test_its_prices_explain_the_coupling_with_and_without_a_start() -> None:
    rng = np.random.default_rng(2)
    cost, other = rng.random((2, 5, 4))
    first = sinkhorn(cost, uniform(5), uniform(4), 0.2)
    second = sinkhorn(other, uniform(5), uniform(4), 0.1, start=first)
    for plan, of, worth in ((first, cost, 0.2), (second, other, 0.1)):
        told = np.exp((plan.src[:, None] + plan.trg - of) / worth)
        np.testing.assert_allclose(plan.coupling, told)
        np.testing.assert_allclose(plan.coupling.sum(axis=1), 1 / 5)


def test_costs_far_from_zero_do_not_vanish() -> None:
    cost = 1e4 + np.random.default_rng(3).random((20, 20))
    coupling = sinkhorn(cost, uniform(20), uniform(20), 1e-3, iterations=5000).coupling
    np.testing.assert_allclose(coupling.sum(), 1)
    assert (coupling * cost).sum() == pytest.approx(1e4 - exact(1e4 - cost)[1], abs=1e-2)
