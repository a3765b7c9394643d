"""Scored word pairs: two words and a number a line, as in WordSim-353 and SemEval-2017."""

from __future__ import annotations

from math import isfinite, nan

from isolex.core.files import StrPath, refuse
from isolex.io.pairs import read_columns

COLUMNS = 3


def read_similarity(path: StrPath, *, lowercase: bool = False) -> list[tuple[str, str, float]]:
    """The pairs of a word-similarity file with their scores, in order.

    Columns are separated by tabs if a line has any, else by spaces.

    Raises:
        InputError: If the file cannot be read, is empty, or a line is not two words and a number.
    """
    rows = []
    for number, columns in read_columns(path):
        if len(columns) < COLUMNS:
            what = f"expected two words and a number, found {len(columns)} columns; mend the line"
            raise refuse(path, what, number)
        left, right, score = columns[:COLUMNS]
        value = _number(score)
        if not isfinite(value):
            raise refuse(path, f"{score!r} is not a number; mend the line", number)
        rows.append((left.lower(), right.lower(), value) if lowercase else (left, right, value))
    if not rows:
        raise refuse(path, "no word pairs in it; put two words and a number on each line")
    return rows


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return nan
