"""The convex relaxation keeps its promises."""

from __future__ import annotations

import numpy as np

from isolex.kernels.types import Doubles
from isolex.trainers.transport.relaxation import relaxed_matching
from tests.trainers.transport.conftest import problem


def loss(src: Doubles, trg: Doubles, matching: Doubles) -> float:
    ours, theirs = src @ src.T, trg @ trg.T
    theirs *= np.linalg.norm(ours) / np.linalg.norm(theirs)
    return float(np.linalg.norm(ours @ matching - matching @ theirs))


def test_every_iteration_lowers_the_loss_and_keeps_the_masses() -> None:
    given = problem(words=80, dims=6)
    src, trg = given.x.astype(np.float64), given.z.astype(np.float64)
    losses = []
    for iterations in (0, 1, 2, 5, 10, 20):
        matching = relaxed_matching(src, trg, iterations, blur=0.05)
        np.testing.assert_allclose(matching.sum(axis=1), 1 / 80, rtol=1e-6)
        np.testing.assert_allclose(matching.sum(axis=0), 1 / 80, rtol=0.1)
        losses.append(loss(src, trg, matching))
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.8 * losses[0]
