"""Random sampling for adversarial training: batches, multiplicative noise, reproducibility."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.errors import UsageError
from isolex.kernels.parallel import fast_torch_products, single_threaded_torch

if TYPE_CHECKING:
    import torch
    from torch import Tensor

DRAWS_AHEAD = 256
"""Number of batches, and of positions in the noise pool, that are drawn in one call."""

POOL_FACTOR = 32
"""Size of the noise pool, in multiples of the noise that one step needs."""

RANK_OFFSET = 20
"""Word frequency is modelled as ``1 / (rank + RANK_OFFSET)`` (Zipf-Mandelbrot law). This fits the
frequency lists of Zhang et al. (2017); vector files contain no frequencies."""

COMMON_SHARE = 1e-3
"""Words with a much smaller share of the text are sampled almost uniformly, words with a much
larger share in proportion to their frequency."""


def seeded_generator(device: str, seed: int) -> torch.Generator:
    """Create a random generator on a device.

    Raises:
        UsageError: PyTorch cannot use the device.
    """
    import torch

    try:
        return torch.Generator(device).manual_seed(seed)
    except RuntimeError as error:
        raise UsageError(f"PyTorch cannot use the device {device!r}: {error}") from error


class Batches:
    """Endless random batches of rows.

    Args:
        vectors: ``(n, d)``, most frequent words first; copied to the device of the generator.
        size: Rows per batch.
        generator: Source of randomness.
        by_frequency: Sample in proportion to ``max(f, sqrt(f * t) + t)``, as the code of Zhang et
            al. (2017) does, where ``f`` is the modelled frequency of a word and ``t`` is
            `COMMON_SHARE`. Otherwise sample uniformly.
    """

    def __init__(
        self,
        vectors: Vectors,
        size: int,
        generator: torch.Generator,
        *,
        by_frequency: bool = False,
    ) -> None:
        import torch

        self._vectors = torch.tensor(np.ascontiguousarray(vectors), device=generator.device)
        self._size = size
        self._generator = generator
        self._cumulative_weights: Tensor | None = None
        if by_frequency:
            ranks = torch.arange(1, len(vectors) + 1, dtype=torch.float64, device=generator.device)
            shares = 1 / (ranks + RANK_OFFSET)
            shares /= shares.sum()
            weights = torch.maximum(shares, (shares * COMMON_SHARE).sqrt() + COMMON_SHARE)
            self._cumulative_weights = weights.cumsum(0)
        self._drawn: Iterator[Tensor] = iter(())

    def next_into(self, rows: Tensor) -> Tensor:
        """Write the next batch to ``rows`` and return it."""
        import torch

        indices = next(self._drawn, None)
        if indices is None:
            self._drawn = iter(self._draw((DRAWS_AHEAD, self._size)).unbind())
            indices = next(self._drawn)
        return torch.index_select(self._vectors, 0, indices, out=rows)

    def _draw(self, shape: tuple[int, int]) -> Tensor:
        """Random row indices of the given shape."""
        import torch

        device = self._vectors.device
        if self._cumulative_weights is None:
            return torch.randint(
                len(self._vectors), shape, generator=self._generator, device=device
            )
        uniform = torch.rand(shape, generator=self._generator, dtype=torch.float64, device=device)
        return torch.searchsorted(self._cumulative_weights, uniform * self._cumulative_weights[-1])


class Noise:
    """Normally distributed factors with mean one.

    The factors are slices of a pool, taken at random positions. The pool is redrawn after
    `DRAWS_AHEAD` steps. Drawing fresh factors for every step would take longer than all other work
    of a small network.

    Args:
        deviation: Standard deviation.
        size: Largest number of factors that one step needs.
        generator: Source of randomness.
    """

    def __init__(self, deviation: float, size: int, generator: torch.Generator) -> None:
        import torch

        self._deviation = deviation
        self._generator = generator
        self._pool = torch.empty(POOL_FACTOR * size, device=generator.device)
        self._last_start = (POOL_FACTOR - 1) * size
        self._starts: Iterator[int] = iter(())

    def factors(self, rows: int, widths: Sequence[int]) -> list[Tensor]:
        """Return a ``(rows, width)`` matrix for each width."""
        import torch

        start = next(self._starts, None)
        if start is None:
            self._pool.normal_(1, self._deviation, generator=self._generator)
            drawn = torch.randint(
                self._last_start,
                (DRAWS_AHEAD,),
                generator=self._generator,
                device=self._pool.device,
            )
            self._starts = iter(drawn.tolist())
            start = next(self._starts)
        factors = self._pool[start : start + rows * sum(widths)]
        parts = torch.split(factors, [rows * width for width in widths])
        return [part.view(rows, width) for part, width in zip(parts, widths, strict=True)]


@contextmanager
def reproducible(*, fast_products: bool = False) -> Iterator[None]:
    """Run PyTorch in one thread and without autograd: same bytes on any number of cores.

    Args:
        fast_products: Multiply matrices as fast as the CPU allows, for networks that spend most of
            their time in hidden layers. Not for a GPU, which would round the factors for it.
    """
    import torch

    products = fast_torch_products() if fast_products else nullcontext()
    with single_threaded_torch(), products, torch.no_grad():
        yield
