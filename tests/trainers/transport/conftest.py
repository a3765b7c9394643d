"""Planted problems for the systems of transport, and settings small enough for them."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.embeddings import Embeddings
from isolex.core.linear_map import LinearMap
from isolex.core.normaliser import unit
from isolex.core.observer import Epoch
from isolex.core.problem import Problem
from isolex.method import normalise
from isolex.method.training import Train
from isolex.trainers.transport import EarthMover, GromovWasserstein, WassersteinProcrustes
from tests.planted import planted

QUICK: dict[str, Train] = {
    "wasserstein-procrustes": WassersteinProcrustes(
        first_words=300, first_iterations=30, batch=150, steps=40, stages=2, judged=300
    ),
    "gromov-wasserstein": GromovWasserstein(words=300, iterations=35),
    "earth-mover": EarthMover(
        starts=8, words=300, epochs=1, steps=60, batch=200, hidden=100, rate=0.02
    ),
}


def problem(
    words: int = 300, dims: int = 15, seed: int = 0, trg_dims: int | None = None
) -> Problem:
    """A planted problem, normalised as the systems do."""
    made = planted(words=words, dims=dims, seed=seed, trg_dims=trg_dims)
    x, z = (
        normalise.fit(("unit", "center", "unit"), side.vectors)[1] for side in (made.src, made.trg)
    )
    return Problem(made.src, made.trg, x, z, seed=seed)


def run(train: Train, given: Problem) -> tuple[tuple[LinearMap, LinearMap], list[Epoch]]:
    """The maps of a training and what its watch heard."""
    heard: list[Epoch] = []
    return train(given, "cpu", heard.append), heard


def right(given: Problem, maps: tuple[LinearMap, LinearMap]) -> float:
    """The share of source words whose nearest target is their translation."""
    mapped = unit(maps[0].transform(given.x))
    targets = unit(maps[1].transform(given.z))
    nearest = (mapped @ targets.T).argmax(axis=1)
    found = [given.trg.words[place] for place in nearest]
    return float(np.mean([f"t{s[1:]}" == t for s, t in zip(given.src.words, found, strict=True)]))


def cut(given: Problem, src: int, trg: int) -> Problem:
    """The most frequent words of a problem only."""
    return Problem(
        Embeddings(given.src.words[:src], given.src.vectors[:src]),
        Embeddings(given.trg.words[:trg], given.trg.vectors[:trg]),
        given.x[:src],
        given.z[:trg],
        seed=given.seed,
    )


@pytest.fixture(params=list(QUICK))
def train(request: pytest.FixtureRequest) -> Train:
    return QUICK[request.param]
