"""Dictionary induction in PyTorch, for GPUs; see `isolex.kernels.induction`.

A band of source rows is multiplied with all targets, with as many rows as the memory budget allows.
As on the CPU there are two scans, and the product is stored between them if it fits.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from isolex.kernels.scans import MASK_MIX_1, MASK_MIX_2, MASK_STEP
from isolex.kernels.similarity import row_means, tiles
from isolex.kernels.types import Floats, Induction, at_least_one

if TYPE_CHECKING:
    import torch
    from torch import Tensor

TILE = 256
"""Source rows multiplied at once.

While a band has at least this many rows, the memory budget does not change a single bit.
"""

PRODUCT_BYTES = 4
"""Memory per entry for its similarity."""

SCRATCH_BYTES = 24
"""Memory per entry for everything else, at worst: two int64 of the draw, masks, reserve."""

KEEP_ALL = 1 << 32
"""A limit above every 32-bit number: no entry is dropped."""

LOW_BITS = 0xFFFFFFFF
"""Selects the low half of 64 bits."""


class TorchInducer:
    """Induces on one PyTorch device within a memory budget.

    Args:
        device: PyTorch device name, such as ``"cuda"``, ``"cuda:1"`` or ``"cpu"``.
        budget: Bytes for the similarities held at once; half of the GPU's free memory by
            default, or 1 GiB on other devices.

    Raises:
        ImportError: If PyTorch is not installed.
        ValueError: If PyTorch cannot use the device.
    """

    def __init__(self, device: str = "cuda", budget: int | None = None) -> None:
        self.device = _checked_device(device)
        self.budget = _default_budget(self.device) if budget is None else budget

    def __call__(
        self, src: Floats, trg: Floats, neighbours: int, keep_prob: float = 1.0, key: int = 0
    ) -> Induction:
        """Find the CSLS arg-max in both directions over a random part of the similarities.

        Args:
            src: ``(n, d)`` mapped source vectors of unit length.
            trg: ``(m, d)`` mapped target vectors of unit length.
            neighbours: Number of nearest neighbours in a neighbourhood mean; 0 chooses the plain
                nearest neighbour.
            keep_prob: Share of similarities kept, drawn independently for each direction.
            key: Random seed of the draw, in [0, 2**64); draws the same entries on every device.
        """
        import torch

        at_least_one(min(len(src), len(trg)))
        with torch.inference_mode(), _full_precision():
            product = _Product.within(self.budget, self._load(src), self._load(trg))
            src_top, trg_top = _highest(product, max(neighbours, 1))
            src_means, trg_means = (
                row_means(top) * np.float32(neighbours > 0) for top in (src_top, trg_top)
            )
            penalties = self._load(src_means) / 2, self._load(trg_means) / 2
            forward, backward = _argmax(product, penalties, key, round(keep_prob * KEEP_ALL))
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

        # Copy even on the CPU: PyTorch warns about read-only memory.
        return torch.tensor(np.ascontiguousarray(array, dtype=np.float32), device=self.device)


@dataclass(frozen=True)
class _Product:
    """The similarities of all source and target words, band by band."""

    src: Tensor  # (n, d)
    trg: Tensor  # (m, d)
    height: int  # rows per band
    memory: Tensor  # (n, m) if the product is stored, else (height, m)

    @classmethod
    def within(cls, budget: int, src: Tensor, trg: Tensor) -> _Product:
        """Choose the largest bands that fit ``budget`` bytes together with the scans' memory."""
        n, m = len(src), len(trg)
        left = budget - PRODUCT_BYTES * n * m
        stored = left >= SCRATCH_BYTES * min(TILE, n) * m
        if stored:
            height = left // (SCRATCH_BYTES * m)
        else:
            height = budget // ((PRODUCT_BYTES + SCRATCH_BYTES) * m)
        height = min(n, max(1, height // TILE * TILE or height))
        return cls(src, trg, height, src.new_empty(n if stored else height, m))

    def bands(self, *, again: bool) -> Iterator[tuple[slice, Tensor]]:
        """Yield each band of source rows with its similarities ``(r, m)``.

        The similarities are valid until the next band. When the bands are needed ``again``, a
        stored product is not recomputed.
        """
        import torch

        stored = len(self.memory) == len(self.src)
        for band in tiles(len(self.src), self.height):
            block = self.memory[band] if stored else self.memory[: band.stop - band.start]
            if not (stored and again):
                for tile in tiles(len(block), TILE):
                    torch.mm(self.src[band][tile], self.trg.T, out=block[tile])
            yield band, block


def _highest(product: _Product, count: int) -> tuple[Floats, Floats]:
    """Return each word's ``count`` highest similarities, descending: ``(n, k)`` and ``(m, l)``."""
    import torch

    n, m = len(product.src), len(product.trg)
    src_tops, width = [], min(count, n)
    trg_top = product.src.new_full((width, m), -torch.inf)
    for _, block in product.bands(again=False):
        src_tops.append(block.topk(min(count, m), dim=1).values)
        found = block.topk(min(width, len(block)), dim=0).values
        trg_top = torch.cat([trg_top, found]).topk(width, dim=0).values
    return torch.cat(src_tops).cpu().numpy(), np.ascontiguousarray(trg_top.cpu().numpy().T)


def _argmax(
    product: _Product, penalties: tuple[Tensor, Tensor], key: int, limit: int
) -> tuple[Tensor, Tensor]:
    """Return each word's arg-max over its kept similarities minus the others' penalties.

    Penalties and results are ``(n,)`` and ``(m,)``; `_dropped` says which entries are not kept.
    """
    import torch

    src_penalty, trg_penalty = penalties
    forward = []
    best = torch.full_like(trg_penalty, -torch.inf)
    backward = torch.full_like(best, -1, dtype=torch.int32)
    for band, block in product.bands(again=True):
        forward_dropped, backward_dropped = _dropped(block, band, key, limit)
        _, found = _first_best(block - trg_penalty, forward_dropped, dim=1)
        forward.append(found)
        scores, found = _first_best(block - src_penalty[band, None], backward_dropped, dim=0)
        better = scores > best  # on ties the earlier band wins: its indices are lower
        best = torch.where(better, scores, best)
        backward = torch.where(better, found + band.start, backward)
    return torch.cat(forward), backward


def _first_best(scores: Tensor, dropped: Tensor | None, dim: int) -> tuple[Tensor, Tensor]:
    """Return the maximum of ``scores`` ``(r, c)`` along ``dim`` and its lowest index.

    Dropped entries are skipped; the index is -1 if all are dropped.
    """
    import torch

    if dropped is not None:
        scores.masked_fill_(dropped, -torch.inf)
    size = scores.shape[dim]
    best = scores.amax(dim)
    # Devices differ in which of several equal entries `max` returns.
    places = torch.arange(size, dtype=torch.int32, device=scores.device).unsqueeze(1 - dim)
    first = torch.where(scores == best.unsqueeze(dim), places, size).amin(dim)
    return best, torch.where(best > -torch.inf, first, -1)


def _dropped(
    block: Tensor, band: slice, key: int, limit: int
) -> tuple[Tensor, Tensor] | tuple[None, None]:
    """Return which entries ``(r, m)`` of a band are dropped, for each direction.

    An entry is dropped if its 32 random bits are not below ``limit``.
    """
    if limit >= KEEP_ALL:
        return None, None
    bits = _draw(band, block.shape[1], key, block.device)
    return (bits & LOW_BITS) >= limit, _shift(bits, 32) >= limit


def _draw(band: slice, columns: int, key: int, device: torch.device) -> Tensor:
    """Draw the same 64 random bits ``(r, columns)`` as `scans`; signed products wrap alike."""
    import torch

    # (row << 32 | column) * step is the sum of a row term and a column term.
    rows = torch.arange(band.start, band.stop, device=device)
    row_parts = rows * _signed(MASK_STEP << np.uint64(32)) + _signed(np.uint64(key))
    state = row_parts[:, None] + torch.arange(columns, device=device) * _signed(MASK_STEP)
    for shift, factor in ((30, MASK_MIX_1), (27, MASK_MIX_2)):
        state.bitwise_xor_(_shift(state, shift)).mul_(_signed(factor))
    return state.bitwise_xor_(_shift(state, 31))


def _shift(bits: Tensor, places: int) -> Tensor:
    """Shift right and fill with zeros; PyTorch would fill with the sign."""
    return (bits >> places).bitwise_and_((1 << (64 - places)) - 1)


def _signed(bits: np.uint64) -> int:
    return int(bits.astype(np.int64))


def _checked_device(name: str) -> torch.device:
    """Return the named device after checking that it works."""
    try:
        import torch
    except ModuleNotFoundError as error:
        raise ImportError("PyTorch is not installed: pip install 'isolex[torch]'") from error
    try:
        device = torch.device(name)
        torch.zeros(1, device=device).cpu()
    except (RuntimeError, AssertionError) as error:  # AssertionError: built without CUDA
        reason = str(error).partition("\n")[0].partition(". ")[0]
        raise ValueError(f"PyTorch cannot use the device {name!r} here: {reason}") from error
    return device


def _default_budget(device: torch.device) -> int:
    import torch

    if device.type != "cuda":
        return 1 << 30
    # Memory that PyTorch has reserved but not allocated is free too.
    unused = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
    return (torch.cuda.mem_get_info(device)[0] + unused) // 2


@contextmanager
def _full_precision() -> Iterator[None]:
    """Multiply without TF32 inside the block; the setting is process-wide and is restored."""
    import torch

    matmul = torch.backends.cuda.matmul
    newer = hasattr(matmul, "fp32_precision")  # PyTorch 2.9, where reading the old setting may fail
    setting, exact = ("fp32_precision", "ieee") if newer else ("allow_tf32", False)
    before = getattr(matmul, setting)
    setattr(matmul, setting, exact)
    try:
        yield
    finally:
        setattr(matmul, setting, before)
