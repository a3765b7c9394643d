"""Orthogonal matrices in PyTorch, for trainers that keep their map nearly orthogonal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch
    from torch import Tensor


def rotation(rows: int, columns: int, generator: torch.Generator) -> Tensor:
    """Draw a random ``(rows, columns)`` matrix that is orthonormal along its shorter axis."""
    import torch

    size = max(rows, columns)
    normal = torch.empty(size, size, dtype=torch.float64, device=generator.device)
    q, r = torch.linalg.qr(normal.normal_(generator=generator))
    orthogonal: Tensor = q * r.diagonal().sign()
    return orthogonal[:rows, :columns].float()


def orthogonalised(matrix: Tensor, beta: float) -> Tensor:
    """Step towards the nearest orthogonal matrix: ``(1 + beta) W - beta (W W') W``."""
    if len(matrix) <= matrix.shape[1]:
        cubic = (matrix @ matrix.T) @ matrix
    else:
        cubic = matrix @ (matrix.T @ matrix)
    return (1 + beta) * matrix - beta * cubic
