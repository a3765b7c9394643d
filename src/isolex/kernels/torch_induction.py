"""The pass of `isolex.kernels.induction` in PyTorch, for a graphics card.

A band of source rows is multiplied with all targets, as many rows as the memory budget allows. As
on the processor there are two scans, and the product is kept between them where it fits.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from isolex.kernels.scans import MASK_MIX_1, MASK_MIX_2, MASK_STEP
from isolex.kernels.similarity import tiles
from isolex.kernels.types import Floats, Induction, at_least_one

if TYPE_CHECKING:
    import torch
    from torch import Tensor

TILE = 256
"""Source rows multiplied at once: free memory changes no bit while a band has as many rows."""

PRODUCT, SCRATCH = 4, 24
"""Bytes of an entry: its similarity; at worst, all else (two int64 of the draw, masks, slack)."""

ALL, LOW = 1 << 32, 0xFFFFFFFF
"""The limit below which every 32 random bits fall; the low half of 64 bits."""


class TorchInducer:
    """Induces on one PyTorch device, within a budget of memory.

    Args:
        device: As PyTorch names it: ``"cuda"``, ``"cuda:1"``, ``"cpu"``.
        budget: Bytes for the similarities held at once; by default half of the card's free
            memory, 1 GiB elsewhere.

    Raises:
        ImportError: PyTorch is not installed.
        ValueError: PyTorch cannot use the device here.
    """

    def __init__(self, device: str = "cuda", budget: int | None = None) -> None:
        self.device = _usable(device)
        self.budget = _default_budget(self.device) if budget is None else budget

    def __call__(
        self, src: Floats, trg: Floats, neighbours: int, keep_prob: float = 1.0, key: int = 0
    ) -> Induction:
        """CSLS arg-max both ways over a random part of the similarities.

        Args:
            src: ``(n, d)`` mapped source vectors of unit length.
            trg: ``(m, d)`` mapped target vectors of unit length.
            neighbours: How many nearest neighbours make a neighbourhood mean; with none the plain
                nearest neighbour is chosen.
            keep_prob: The share of similarities that may be chosen, drawn for each direction.
            key: Seeds the draw, in [0, 2**64); the same key draws the same entries on any device.
        """
        import torch

        at_least_one(min(len(src), len(trg)))
        with torch.inference_mode(), _full_precision():
            product = _Product.within(self.budget, self._load(src), self._load(trg))
            tops = _tops(product, max(neighbours, 1))
            src_top, trg_top = tops
            src_means, trg_means = (_means(top) * np.float32(neighbours > 0) for top in tops)
            penalties = self._load(src_means) / 2, self._load(trg_means) / 2
            forward, backward = _choices(product, penalties, key, round(keep_prob * ALL))
        return Induction(
            forward=forward.cpu().numpy(),
            backward=backward.cpu().numpy(),
            src_means=src_means,
            trg_means=trg_means,
            src_best=src_top[:, 0].copy(),
            trg_best=trg_top[:, 0].copy(),
        )

    def _load(self, array: Floats) -> Tensor:
        import torch

        # A copy even on the processor: PyTorch warns of memory that may not be written to.
        return torch.tensor(np.ascontiguousarray(array, dtype=np.float32), device=self.device)


@dataclass(frozen=True)
class _Product:
    """The similarities of all source and target words, band by band."""

    src: Tensor  # (n, d)
    trg: Tensor  # (m, d)
    height: int  # rows of a band
    memory: Tensor  # (n, m) where the product is kept, else (height, m)

    @classmethod
    def within(cls, budget: int, src: Tensor, trg: Tensor) -> _Product:
        """As much of the product at once as ``budget`` bytes hold, with what its scans need."""
        n, m = len(src), len(trg)
        left = budget - PRODUCT * n * m
        kept = left >= SCRATCH * min(TILE, n) * m
        height = left // (SCRATCH * m) if kept else budget // ((PRODUCT + SCRATCH) * m)
        height = min(n, max(1, height // TILE * TILE or height))
        return cls(src, trg, height, src.new_empty(n if kept else height, m))

    def bands(self, *, again: bool) -> Iterator[tuple[slice, Tensor]]:
        """Each band of source rows with its similarities ``(r, m)``, good until the next.

        A kept product is not multiplied ``again``.
        """
        import torch

        kept = len(self.memory) == len(self.src)
        for band in tiles(len(self.src), self.height):
            block = self.memory[band] if kept else self.memory[: band.stop - band.start]
            if not (kept and again):
                for tile in tiles(len(block), TILE):
                    torch.mm(self.src[band][tile], self.trg.T, out=block[tile])
            yield band, block


def _tops(product: _Product, neighbours: int) -> tuple[Floats, Floats]:
    """The highest similarities of each word, descending: ``(n, k)`` and ``(m, l)``."""
    import torch

    n, m = len(product.src), len(product.trg)
    ahead, width = [], min(neighbours, n)
    back = product.src.new_full((width, m), -torch.inf)
    for _, block in product.bands(again=False):
        ahead.append(block.topk(min(neighbours, m), dim=1).values)
        found = block.topk(min(width, len(block)), dim=0).values
        back = torch.cat([back, found]).topk(width, dim=0).values
    return torch.cat(ahead).cpu().numpy(), np.ascontiguousarray(back.cpu().numpy().T)


def _choices(
    product: _Product, penalties: tuple[Tensor, Tensor], key: int, limit: int
) -> tuple[Tensor, Tensor]:
    """The arg-max of each word over its kept similarities less the other's penalty.

    Penalties and results are ``(n,)`` and ``(m,)``; entries are kept as `_dropped` tells.
    """
    import torch

    src_penalty, trg_penalty = penalties
    forward = []
    best = torch.full_like(trg_penalty, -torch.inf)
    backward = torch.full_like(best, -1, dtype=torch.int32)
    for band, block in product.bands(again=True):
        ahead, back = _dropped(block, band, key, limit)
        _, found = _first_best(block - trg_penalty, ahead, dim=1)
        forward.append(found)
        scores, found = _first_best(block - src_penalty[band, None], back, dim=0)
        better = scores > best  # an equal score of an earlier band has the lower index
        best = torch.where(better, scores, best)
        backward = torch.where(better, found + band.start, backward)
    return torch.cat(forward), backward


def _first_best(scores: Tensor, dropped: Tensor | None, dim: int) -> tuple[Tensor, Tensor]:
    """The maximum of ``scores (r, c)`` along ``dim`` and its lowest index, -1 if all dropped."""
    import torch

    if dropped is not None:
        scores.masked_fill_(dropped, -torch.inf)
    size = scores.shape[dim]
    best = scores.amax(dim)
    # Spelt out, so as not to rest on the place that a device's `max` gives among equals.
    places = torch.arange(size, dtype=torch.int32, device=scores.device).unsqueeze(1 - dim)
    first = torch.where(scores == best.unsqueeze(dim), places, size).amin(dim)
    return best, torch.where(best > -torch.inf, first, -1)


def _dropped(
    block: Tensor, band: slice, key: int, limit: int
) -> tuple[Tensor, Tensor] | tuple[None, None]:
    """Which entries ``(r, m)`` of a band drew 32 bits of ``limit`` or more, for each direction."""
    if limit >= ALL:
        return None, None
    bits = _draw(band, block.shape[1], key, block.device)
    return (bits & LOW) >= limit, _shift(bits, 32) >= limit


def _draw(band: slice, columns: int, key: int, device: torch.device) -> Tensor:
    """64 random bits ``(r, columns)``, as `scans` draws them: signed products wrap alike."""
    import torch

    # (row << 32 | column) * step is a sum of what the row and what the column give.
    rows = torch.arange(band.start, band.stop, device=device)
    row_parts = rows * _signed(MASK_STEP << np.uint64(32)) + _signed(np.uint64(key))
    state = row_parts[:, None] + torch.arange(columns, device=device) * _signed(MASK_STEP)
    for shift, factor in ((30, MASK_MIX_1), (27, MASK_MIX_2)):
        state.bitwise_xor_(_shift(state, shift)).mul_(_signed(factor))
    return state.bitwise_xor_(_shift(state, 31))


def _shift(bits: Tensor, places: int) -> Tensor:
    """Shift right and fill with zeros; PyTorch fills with the sign."""
    return (bits >> places).bitwise_and_((1 << (64 - places)) - 1)


def _signed(bits: np.uint64) -> int:
    return int(bits.astype(np.int64))


def _means(tops: Floats) -> Floats:
    means: Floats = tops.mean(axis=1, dtype=np.float64).astype(np.float32)
    return means


def _usable(name: str) -> torch.device:
    """The device of that name, once it has proved to work."""
    try:
        import torch
    except ModuleNotFoundError as error:
        raise ImportError("PyTorch is not installed: pip install 'isolex[torch]'") from error
    try:
        device = torch.device(name)
        torch.zeros(1, device=device).cpu()
    except (RuntimeError, AssertionError) as error:  # an assertion where built without CUDA
        reason = str(error).partition("\n")[0].partition(". ")[0]
        raise ValueError(f"PyTorch cannot use the device {name!r} here: {reason}") from error
    return device


def _default_budget(device: torch.device) -> int:
    import torch

    if device.type != "cuda":
        return 1 << 30
    # What PyTorch has taken and does not use is free too.
    spare = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
    return (torch.cuda.mem_get_info(device)[0] + spare) // 2


@contextmanager
def _full_precision() -> Iterator[None]:
    """Multiply without TF32; the setting belongs to the process, and is put back."""
    import torch

    matmul = torch.backends.cuda.matmul
    newer = hasattr(matmul, "fp32_precision")  # PyTorch 2.9; with it, reading the older may fail
    setting, exact = ("fp32_precision", "ieee") if newer else ("allow_tf32", False)
    before = getattr(matmul, setting)
    setattr(matmul, setting, exact)
    try:
        yield
    finally:
        setattr(matmul, setting, before)
