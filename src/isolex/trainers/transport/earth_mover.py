"""Earth mover's distance: a Wasserstein GAN finds a rough map, exact transport refines it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from isolex.core.linear_map import LinearMap
from isolex.core.observer import Epoch, OnEpoch
from isolex.core.problem import Problem
from isolex.kernels import linalg
from isolex.kernels.parallel import single_threaded_blas, single_threaded_torch
from isolex.kernels.types import Doubles
from isolex.trainers.transport.coupling import (
    exact_coupling,
    maps_to_target,
    most_frequent,
    orthogonal_map,
)
from isolex.trainers.transport.wasserstein_gan import WassersteinGan

TOLERANCE = 1e-6
"""The refinement stops when no entry of the map changes by more than this."""


@dataclass(frozen=True)
class EarthMover:
    """WGAN, then EMDOT (Zhang, Liu, Luan and Sun, EMNLP 2017).

    A linear generator is trained against a critic that estimates the earth mover's distance. Its
    nearest orthogonal map is then refined: the exact transport of the most frequent words and the
    orthogonal map of that transport are computed in turns until the map stops changing. The
    criterion is the mean cosine of those words under the exact transport.

    Attributes:
        starts: Number of attempts with different random weights; the map with the best criterion
            is returned.
        words: Use this many of the most frequent words of each language.
        zipf: The GAN samples a word with probability proportional to ``rank ** -zipf``.
        epochs: Epochs of GAN training.
        steps: Steps of the generator per epoch.
        lessons: Steps of the critic per step of the generator.
        batch: Words of each language per step.
        hidden: Hidden units of the critic.
        clip: Largest magnitude of the critic's weights.
        rate: RMSprop's learning rate for the generator.
        critic_rate: RMSprop's learning rate for the critic.
        orthogonality: Strength of the pull towards an orthogonal map after each step.
        rounds: Maximum number of rounds of refinement.
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

    def __call__(
        self, problem: Problem, device: str, on_epoch: OnEpoch
    ) -> tuple[LinearMap, LinearMap]:
        """Return the maps of source and target; the target's is the identity."""
        x, z = most_frequent(problem.x, self.words), most_frequent(problem.z, self.words)
        per_start = self.epochs + self.rounds
        best, highest = np.eye(x.shape[1], z.shape[1]), -np.inf
        with single_threaded_blas(), single_threaded_torch():
            for start in range(self.starts):
                gan = self._gan(x, z, (problem.seed, start), device)
                for number, (matrix, criterion) in enumerate(self._attempt(x, z, gan), 1):
                    on_epoch(Epoch(start * per_start + number, self.starts * per_start, criterion))
                    if criterion > highest:
                        best, highest = matrix, criterion
        return maps_to_target(best, problem)

    def _attempt(
        self, x: Doubles, z: Doubles, gan: WassersteinGan
    ) -> Iterator[tuple[Doubles, float]]:
        """Train and refine a map; yield it with its criterion after each epoch and each round."""
        for _ in range(self.epochs):
            for _ in range(self.steps):
                gan.step(self.lessons, self.orthogonality)
            matrix = linalg.procrustes(gan.matrix).astype(np.float64)
            coupling, criterion = exact_coupling(x @ matrix @ z.T)
            yield matrix, criterion
        yield from self.refine(x, z, matrix, coupling)

    def refine(
        self, x: Doubles, z: Doubles, matrix: Doubles, coupling: Doubles
    ) -> Iterator[tuple[Doubles, float]]:
        """Alternate orthogonal map and exact transport; yield map and criterion of each round.

        Args:
            x: ``(n, d)`` source vectors.
            z: ``(m, e)`` target vectors.
            matrix: ``(d, e)`` map to refine.
            coupling: ``(n, m)`` exact transport under that map.
        """
        for _ in range(self.rounds):
            refined = orthogonal_map(x, coupling, z)
            if np.abs(refined - matrix).max() <= TOLERANCE:
                return
            matrix = refined
            coupling, criterion = exact_coupling(x @ matrix @ z.T)
            yield matrix, criterion

    def _gan(self, x: Doubles, z: Doubles, seed: tuple[int, int], device: str) -> WassersteinGan:
        return WassersteinGan(
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
