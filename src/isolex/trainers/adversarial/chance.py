"""Chance: what a training draws, from a seed of its own, and the single thread it runs in."""

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

AHEAD = 256
"""Batches whose rows are drawn at once; noise lasts as many steps."""

STOCK = 32
"""How many times what is wanted at once the stock of noise holds."""

OFFSET = 20
"""A word's frequency falls as one over its rank and this (Zipf's law as Mandelbrot has it): so it
does in the frequency lists of Zhang et al. (2017), which vector files come without."""

COMMON = 1e-3
"""Words with far less than this share of a text are drawn nearly alike, those with far more as
often as they are there."""


def generator(device: str, seed: int) -> torch.Generator:
    """Random numbers of a device; an error where PyTorch cannot use it."""
    import torch

    try:
        return torch.Generator(device).manual_seed(seed)
    except RuntimeError as error:
        raise UsageError(f"PyTorch cannot use the device {device!r}: {error}") from error


class Batches:
    """Rows drawn from vectors, again and again.

    Args:
        vectors: ``(n, d)``; they are copied to the generator's device.
        size: Rows per batch.
        chance: What draws.
        by_frequency: Frequent words more often, as in the program of Zhang et al. (2017): in
            proportion to ``max(f, sqrt(f t) + t)``, where ``f`` is the share of a text that words
            of their rank have and ``t`` is `COMMON`; else with equal chances.
    """

    def __init__(
        self,
        vectors: Vectors,
        size: int,
        chance: torch.Generator,
        *,
        by_frequency: bool = False,
    ) -> None:
        import torch

        self._all = torch.tensor(np.ascontiguousarray(vectors), device=chance.device)
        self._size = size
        self._chance = chance
        self._shares: Tensor | None = None
        if by_frequency:
            ranks = torch.arange(1, len(vectors) + 1, dtype=torch.float64, device=chance.device)
            shares = 1 / (ranks + OFFSET)
            shares /= shares.sum()
            self._shares = torch.maximum(shares, (shares * COMMON).sqrt() + COMMON).cumsum(0)
        self._drawn: Iterator[Tensor] = iter(())

    def into(self, rows: Tensor) -> Tensor:
        """The next batch, written to ``rows``."""
        import torch

        chosen = next(self._drawn, None)
        if chosen is None:
            self._drawn = iter(self._draw((AHEAD, self._size)).unbind())
            chosen = next(self._drawn)
        return torch.index_select(self._all, 0, chosen, out=rows)

    def _draw(self, shape: tuple[int, int]) -> Tensor:
        """Row numbers."""
        import torch

        device = self._all.device
        if self._shares is None:
            return torch.randint(len(self._all), shape, generator=self._chance, device=device)
        marks = torch.rand(shape, generator=self._chance, dtype=torch.float64, device=device)
        return torch.searchsorted(self._shares, marks * self._shares[-1])


class Noise:
    """Factors around one, normally distributed.

    They are cut at random places from a stock that is drawn anew now and then: to draw each one
    would take longer than all else that a small network does.

    Args:
        deviation: Of the factors.
        size: How many are wanted at once, at most.
        chance: What draws.
    """

    def __init__(self, deviation: float, size: int, chance: torch.Generator) -> None:
        import torch

        self._deviation = deviation
        self._chance = chance
        self._stock = torch.empty(STOCK * size, device=chance.device)
        self._last_start = (STOCK - 1) * size
        self._starts: Iterator[int] = iter(())

    def factors(self, rows: int, widths: Sequence[int]) -> list[Tensor]:
        """A ``(rows, width)`` matrix for each width."""
        import torch

        start = next(self._starts, None)
        if start is None:
            self._stock.normal_(1, self._deviation, generator=self._chance)
            drawn = torch.randint(
                self._last_start, (AHEAD,), generator=self._chance, device=self._stock.device
            )
            self._starts = iter(drawn.tolist())
            start = next(self._starts)
        some = self._stock[start : start + rows * sum(widths)]
        parts = torch.split(some, [rows * width for width in widths])
        return [part.view(rows, width) for part, width in zip(parts, widths, strict=True)]


@contextmanager
def alone(*, wide: bool = False) -> Iterator[None]:
    """One thread of PyTorch's and no gradients kept: the same bytes on any number of cores.

    Args:
        wide: Hidden layers are multiplied on the processor, which takes most of the time: as fast
            as can be. (A graphics card would give up bits for it.)
    """
    import torch

    products = fast_torch_products() if wide else nullcontext()
    with single_threaded_torch(), products, torch.no_grad():
        yield
