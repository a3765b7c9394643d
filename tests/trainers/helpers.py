"""Planted problems for trainers, and settings that train in a fraction of a second."""

from __future__ import annotations

from typing import NamedTuple

from isolex.core.linear_map import LinearMap
from isolex.core.observer import Epoch
from isolex.core.problem import Problem
from isolex.kernels.types import Doubles
from isolex.method import normalise
from isolex.method.trainer import Train
from isolex.trainers.adversarial import Adversarial, AutoEncoder
from isolex.trainers.transport import EarthMover, GromovWasserstein, WassersteinProcrustes
from tests.planted import planted

BRIEF: dict[str, Train] = {
    "conneau2018": Adversarial(epochs=2, samples=640, hidden=32),
    "zhang2017": AutoEncoder(epochs=2, steps=20, hidden=32),
    "micelibarone2016": AutoEncoder(
        tied=False, layers=2, noise=0.0, selected=False, epochs=2, steps=20, hidden=32
    ),
    "earth-mover": EarthMover(
        starts=2, words=300, epochs=2, steps=3, batch=30, hidden=20, rate=0.02, rounds=3
    ),
    "gromov-wasserstein": GromovWasserstein(words=300, iterations=6),
    "wasserstein-procrustes": WassersteinProcrustes(
        first_words=300, first_iterations=5, batch=40, steps=4, stages=2, judged=300
    ),
}
"""Every unsupervised trainer, with just enough work to run all of its parts."""


class Trained(NamedTuple):
    """The maps of a training and the epochs it reported."""

    source: LinearMap
    target: LinearMap
    epochs: list[Epoch]


def planted_problem(
    words: int = 120,
    dims: int = 8,
    target_dims: int | None = None,
    seed: int = 0,
    noise: float = 0.05,
    normalisation: tuple[str, ...] = ("unit", "center", "unit"),
) -> Problem:
    """A planted problem, always with the same vectors; ``seed`` is the training seed."""
    made = planted(words=words, dims=dims, target_dims=target_dims, noise=noise)
    x, z = (normalise.fit(normalisation, given.vectors)[1] for given in (made.source, made.target))
    return Problem(made.source, made.target, x, z, seed=seed)


def true_rows(problem: Problem) -> list[int]:
    """The target row that translates each source row."""
    return [problem.target.index[f"t{word[1:]}"] for word in problem.source.words]


def share_right(problem: Problem, matrix: Doubles) -> float:
    """Share of the source words whose nearest target, by dot product, is their translation."""
    nearest = (problem.x @ matrix @ problem.z.T).argmax(axis=1)
    return float((nearest == true_rows(problem)).mean())


def run(train: Train, problem: Problem) -> Trained:
    """Train on the CPU."""
    epochs: list[Epoch] = []
    source, target = train(problem, "cpu", epochs.append)
    return Trained(source, target, epochs)
