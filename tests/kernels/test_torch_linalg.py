"""Orthogonal matrices in PyTorch."""

from __future__ import annotations

import pytest
import torch

from isolex.kernels.torch_linalg import orthogonalised, rotation


def test_repeated_steps_converge_to_an_orthogonal_matrix() -> None:
    matrix = rotation(6, 6, torch.Generator().manual_seed(0)) + 0.1
    for _ in range(2000):
        matrix = orthogonalised(matrix, 0.01)
    torch.testing.assert_close(matrix @ matrix.T, torch.eye(6), rtol=0, atol=1e-5)


@pytest.mark.parametrize(("rows", "columns"), [(5, 5), (3, 5), (5, 3)])
def test_a_random_rotation_is_orthonormal_along_its_shorter_axis(rows: int, columns: int) -> None:
    matrix = rotation(rows, columns, torch.Generator().manual_seed(4))
    gram = matrix @ matrix.T if rows <= columns else matrix.T @ matrix
    torch.testing.assert_close(gram, torch.eye(min(rows, columns)), rtol=0, atol=1e-6)
