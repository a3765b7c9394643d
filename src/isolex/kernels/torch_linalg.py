"""Orthogonal maps in PyTorch, for trainings that keep near them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch
    from torch import Tensor


def rotation(rows: int, columns: int, chance: torch.Generator) -> Tensor:
    """A random matrix whose rows, or columns where these are fewer, are orthonormal."""
    import torch

    wide = max(rows, columns)
    normal = torch.empty(wide, wide, dtype=torch.float64, device=chance.device)
    basis, upper = torch.linalg.qr(normal.normal_(generator=chance))
    turned: Tensor = basis * upper.diagonal().sign()
    return turned[:rows, :columns].float()


def orthogonalised(matrix: Tensor, beta: float) -> Tensor:
    """A step towards the nearest orthogonal matrix: ``(1 + beta) W - beta (W W') W``."""
    if len(matrix) <= matrix.shape[1]:
        square = (matrix @ matrix.T) @ matrix
    else:
        square = matrix @ (matrix.T @ matrix)
    return (1 + beta) * matrix - beta * square
