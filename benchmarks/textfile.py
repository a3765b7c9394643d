"""Write a word2vec text file with six decimals, independently of isolex and of its rivals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from isolex.kernels.types import Floats

DECIMALS = 6
ROWS = 1024


def write_decimals(path: Path, words: Sequence[str], vectors: Floats) -> None:
    """Write ``vectors`` ``(n, d)`` with absolute values below ten, with six decimals each."""
    rows, dims = vectors.shape
    with path.open("wb") as file:
        file.write(f"{rows} {dims}\n".encode())
        for start in range(0, rows, ROWS):
            lines = _lines(vectors[start : start + ROWS])
            names = words[start : start + ROWS]
            file.writelines(
                name.encode() + line + b"\n" for name, line in zip(names, lines, strict=True)
            )


def _lines(block: Floats) -> list[bytes]:
    """The numbers of each row, with a space before each."""
    scaled = np.rint(block.astype(np.float64) * 10**DECIMALS).astype(np.int64)
    size = np.abs(scaled)
    chars: NDArray[np.uint8] = np.empty((*block.shape, DECIMALS + 4), dtype=np.uint8)
    chars[..., :2] = np.frombuffer(b" -", dtype=np.uint8)
    chars[..., 2] = size // 10**DECIMALS + ord("0")
    chars[..., 3] = ord(".")
    for place in range(DECIMALS):
        chars[..., -1 - place] = size // 10**place % 10 + ord("0")
    shown = np.ones(chars.shape, dtype=np.bool_)
    shown[..., 1] = scaled < 0
    return [row[mask].tobytes() for row, mask in zip(chars, shown, strict=True)]
