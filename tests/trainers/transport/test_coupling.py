"""Couplings against brute force and POT on small problems."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import ot
import pytest

from isolex.trainers.transport.coupling import exact_coupling, orthogonal_map, sinkhorn, uniform


def test_the_exact_coupling_is_the_best_permutation() -> None:
    similarity = np.random.default_rng(0).normal(size=(6, 6))
    coupling, mean = exact_coupling(similarity)
    best = max(
        np.mean([similarity[row, column] for row, column in enumerate(order)])
        for order in permutations(range(6))
    )
    assert mean == pytest.approx(best)
    np.testing.assert_allclose(np.sort(coupling, axis=1)[:, -1], 1 / 6)


def test_sinkhorn_agrees_with_pot_and_a_solution_is_a_fixed_point() -> None:
    rng = np.random.default_rng(1)
    cost, source, target = rng.random((7, 9)), uniform(7), rng.dirichlet(np.ones(9))
    found = sinkhorn(cost, source, target, 0.1, tolerance=1e-9)
    np.testing.assert_allclose(found.coupling, ot.sinkhorn(source, target, cost, 0.1), atol=1e-8)
    again = sinkhorn(cost, source, target, 0.1, start=found, iterations=1)
    np.testing.assert_allclose(again.coupling, found.coupling, atol=1e-8)


def test_potentials_determine_the_coupling_with_and_without_a_start() -> None:
    rng = np.random.default_rng(2)
    cost, other = rng.random((2, 5, 4))
    first = sinkhorn(cost, uniform(5), uniform(4), 0.2)
    second = sinkhorn(other, uniform(5), uniform(4), 0.1, start=first)
    for plan, costs, regularisation in ((first, cost, 0.2), (second, other, 0.1)):
        potentials = plan.source_potentials[:, None] + plan.target_potentials
        np.testing.assert_allclose(plan.coupling, np.exp((potentials - costs) / regularisation))
        np.testing.assert_allclose(plan.coupling.sum(axis=1), 1 / 5)


def test_large_costs_do_not_underflow() -> None:
    cost = 1e4 + np.random.default_rng(3).random((20, 20))
    coupling = sinkhorn(cost, uniform(20), uniform(20), 1e-3, iterations=5000).coupling
    np.testing.assert_allclose(coupling.sum(), 1)
    assert (coupling * cost).sum() == pytest.approx(1e4 - exact_coupling(1e4 - cost)[1], abs=1e-2)


def test_the_orthogonal_map_of_the_true_coupling_is_the_true_rotation() -> None:
    rng = np.random.default_rng(4)
    x, rotation = rng.normal(size=(20, 5)), np.linalg.qr(rng.normal(size=(5, 5)))[0]
    order = rng.permutation(20)
    coupling = np.eye(20)[:, order] / 20
    np.testing.assert_allclose(orthogonal_map(x, coupling, (x @ rotation)[order]), rotation)
