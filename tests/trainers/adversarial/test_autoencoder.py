"""Selection of a map and early stopping of adversarial auto-encoders."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.trainers.adversarial.autoencoder import DIVERGED, AutoEncoder, EpochResult, Selection
from tests.trainers.helpers import planted_problem, run


@pytest.mark.parametrize(
    ("losses", "selected"),
    [
        pytest.param((0.1, 0.2, 0.9, 0.6, 0.7), 0.6, id="early losses are ignored"),
        pytest.param((0.9, 0.8, 0.7, 0.6), 0.6, id="falling"),
        pytest.param((0.1, 0.2), 0.2, id="ends within the early epochs"),
        pytest.param((0.5, 0.6, 0.9, DIVERGED, 0.1, 0.2, 0.7, 0.8), 0.7, id="better after restart"),
        pytest.param((0.5, 0.6, 0.7, DIVERGED, 0.1, 0.2, 0.8), 0.7, id="better before restart"),
    ],
)
def test_the_map_with_the_lowest_loss_after_the_early_epochs_is_selected(
    losses: tuple[float, ...], selected: float
) -> None:
    selection = Selection(np.zeros((1, 1), np.float32), early=2, window=9)
    for loss in losses:
        selection.update(EpochResult(np.full((1, 1), loss, np.float32), loss))
    assert selection.best == np.float32(selected)


@pytest.mark.parametrize(
    ("losses", "epochs", "selected"),
    [
        pytest.param((0.5, 1.0, 0.9, 0.95, 0.8, 0.85, 0.9, 0.7), 7, 0.8, id="stops after the drop"),
        pytest.param((1.0, 0.5, 0.6, 0.7, 0.8), 5, 0.6, id="drop in the early epochs"),
        pytest.param((0.5, 0.8, 0.9, 1.0, 0.95, 0.92, 1.1, 1.2), 8, 0.9, id="no drop"),
        pytest.param(
            (0.5, 0.8, 0.9, DIVERGED, 0.5, 0.9, 0.7, 0.8, 0.9, 1.0), 9, 0.7, id="after restart"
        ),
        pytest.param(
            (0.5, 0.8, 1.0, DIVERGED, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8),
            10,
            0.8,
            id="a restart is not a drop",
        ),
        pytest.param(
            (0.5, 1.0, 0.95, 0.9, 0.85, 0.8, 0.85, 0.9, 0.95, 0.9), 10, 0.8, id="slow drift"
        ),
    ],
)
def test_training_stops_early_only_after_a_sharp_drop_of_the_loss(
    losses: tuple[float, ...], epochs: int, selected: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = [EpochResult(np.full((8, 8), loss, np.float32), loss) for loss in losses]
    monkeypatch.setattr(AutoEncoder, "_epochs", lambda *_: iter(results))
    trained = run(AutoEncoder(early=2, fall=0.15, patience=2), planted_problem())
    assert len(trained.epochs) == epochs
    assert trained.source.matrix[0, 0] == np.float32(selected)


def test_without_selection_the_last_map_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    losses = (0.5, 1.0, 0.3, 0.9, 0.95, 0.97)
    results = [EpochResult(np.full((8, 8), loss, np.float32), loss) for loss in losses]
    monkeypatch.setattr(AutoEncoder, "_epochs", lambda *_: iter(results))
    train = AutoEncoder(selected=False, early=2, fall=0.15, patience=2)
    trained = run(train, planted_problem())
    assert len(trained.epochs) == len(losses)
    assert trained.source.matrix[0, 0] == np.float32(0.97)
