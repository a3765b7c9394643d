"""Earth mover's distance: a critic finds roughly where to go, exact transport goes there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from isolex.core.linear_map import LinearMap
from isolex.core.observer import Epoch, Watch
from isolex.core.problem import Problem
from isolex.kernels import linalg
from isolex.kernels.parallel import single_threaded_blas, single_threaded_torch
from isolex.kernels.types import Doubles
from isolex.trainers.transport.coupling import exact, frequent, onto_target, orthogonal
from isolex.trainers.transport.generator import Generator

CLOSE = 1e-6
"""Two maps whose entries differ by no more are the same."""


@dataclass(frozen=True)
class EarthMover:
    """WGAN, then EMDOT (Zhang, Liu, Luan and Sun, EMNLP 2017).

    A linear generator is trained against a critic that estimates the earth mover's distance. From
    the orthogonal map next to it, the exact transport of the most frequent words and the
    orthogonal map of that transport are found by turns until nothing changes. The criterion is
    the mean cosine of those words under the exact transport.

    Attributes:
        starts: Each from other random weights; the map with the best criterion is kept.
        words: How many of the most frequent words of each side take part.
        zipf: Drawn by the rank to this power, below the line: the rarer a word the less it counts.
        epochs: Of the generator's training.
        steps: Of the generator in an epoch.
        lessons: Steps of the critic for each of those.
        batch: Words of each side per step.
        hidden: Units of the critic.
        clip: The largest magnitude of the critic's weights.
        rate: Of the generator's RMSProp.
        critic_rate: Of the critic's.
        orthogonality: How far each step goes back to the orthogonal maps.
        rounds: Exact transports at most.
    """

    starts: int = 5
    words: int = 2000
    zipf: float = 0.5
    epochs: int = 3
    steps: int = 200
    lessons: int = 5
    batch: int = 500
    hidden: int = 500
    clip: float = 0.01
    rate: float = 0.005
    critic_rate: float = 0.0005
    orthogonality: float = 0.1
    rounds: int = 30

    seeded: ClassVar[bool] = True
    extras: ClassVar[tuple[str, ...]] = ("torch", "ot")

    def __call__(self, problem: Problem, device: str, watch: Watch) -> tuple[LinearMap, LinearMap]:
        """The two maps; that of the target changes nothing."""
        x, z = frequent(problem.x, self.words), frequent(problem.z, self.words)
        each = self.epochs + self.rounds
        best, highest = np.eye(x.shape[1], z.shape[1]), -np.inf
        with single_threaded_blas(), single_threaded_torch():
            for start in range(self.starts):
                for number, matrix, criterion in self._attempt(x, z, (problem.seed, start), device):
                    watch(Epoch(start * each + number, self.starts * each, criterion))
                    if criterion > highest:
                        best, highest = matrix, criterion
        return onto_target(best, problem)

    def _attempt(
        self, x: Doubles, z: Doubles, seed: tuple[int, int], device: str
    ) -> Iterator[tuple[int, Doubles, float]]:
        """From one start: the number of each epoch, its map and its criterion."""
        generator = self._generator(x, z, seed, device)
        for number in range(1, self.epochs + 1):
            for _ in range(self.steps):
                generator.step(self.lessons, self.orthogonality)
            matrix = _nearest(generator.matrix)
            coupling, criterion = exact(x @ matrix @ z.T)
            yield number, matrix, criterion
        for number in range(self.epochs + 1, self.epochs + self.rounds + 1):
            moved = orthogonal(x, coupling, z)
            if np.abs(moved - matrix).max() <= CLOSE:
                break
            matrix = moved
            coupling, criterion = exact(x @ matrix @ z.T)
            yield number, matrix, criterion

    def _generator(self, x: Doubles, z: Doubles, seed: tuple[int, int], device: str) -> Generator:
        return Generator(
            x,
            z,
            zipf=self.zipf,
            hidden=self.hidden,
            clip=self.clip,
            rates=(self.rate, self.critic_rate),
            batch=self.batch,
            seed=int(np.random.SeedSequence(seed).generate_state(1)[0]),
            device=device,
        )


def _nearest(matrix: Doubles) -> Doubles:
    """The orthogonal map next to one."""
    return linalg.procrustes(matrix).astype(np.float64)
