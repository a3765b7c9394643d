"""Word similarity: two words and a score per line, as in WordSim-353 and SemEval-2017."""

from __future__ import annotations

from math import isfinite, nan

from isolex.core.file_errors import StrPath, refuse
from isolex.io.columns import read_rows


def read_similarity(path: StrPath, *, lowercase: bool = False) -> list[tuple[str, str, float]]:
    """Read word pairs with their similarity scores, in order.

    Columns are separated by tabs if a line has any, otherwise by spaces.

    Raises:
        InputError: If the file cannot be read, has no pairs, or a line is not two words and a
            number.
    """
    rows = []
    for line, columns, _ in read_rows(path):
        if len(columns) < 3:
            what = f"expected two words and a number, found {len(columns)} columns"
            raise refuse(path, f"{what}; fix or remove the line", line)
        left, right, score = columns[:3]
        value = _parse_score(score)
        if not isfinite(value):
            raise refuse(path, f"{score!r} is not a number; fix or remove the line", line)
        rows.append((left.lower(), right.lower(), value) if lowercase else (left, right, value))
    if not rows:
        raise refuse(path, "no word pairs; put two words and a number on each line")
    return rows


def _parse_score(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return nan
