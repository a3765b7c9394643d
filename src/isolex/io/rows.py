"""One line of a text file: the obvious way, for every line that is not plain."""

from __future__ import annotations

import re

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.files import quoted

# Only these separate fields: words may hold U+00A0, U+0085, U+2028, which str.split would cut at.
BLANK = b" \t\r"
_SEPARATOR = re.compile(rb"[ \t]+")
_FIELD = re.compile(rb"[^ \t]+")
_NUMBER = re.compile(
    rb"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|nan|inf(?:inity)?)", re.IGNORECASE
)
_PLAIN = re.compile(rb"[0-9eE.+\- ]*")  # float() takes more, such as 1_000


class LineError(ValueError):
    """A line that is not a word and its numbers; the text says why."""


def split(line: bytes) -> list[bytes]:
    """The fields of a line; the first is empty if the line begins with a separator."""
    return _SEPARATOR.split(line.rstrip(BLANK))


def count_numbers(fields: list[bytes]) -> int:
    """How many numbers end the line; its first field is always taken as a word."""
    count = 0
    for field in reversed(fields[1:]):
        if not _NUMBER.fullmatch(field):
            break
        count += 1
    return count


def parse_line(line: bytes, dims: int) -> tuple[bytes, Vectors]:
    """The word and the ``(dims,)`` vector of a line, numbers taken from the right.

    Raises:
        LineError: If there are too few numbers, or something else in their place.
    """
    fields = split(line)
    if len(fields) <= dims:
        numbers = "1 number" if dims == 1 else f"{dims} numbers"
        raise LineError(f"expected a word and {numbers}, found {count_numbers(fields)}")
    vector = parse_numbers(fields[-dims:])
    if len(fields) == dims + 1:
        return fields[0], vector
    starts = [field.start() for field in _FIELD.finditer(line.rstrip(BLANK))]
    return line[: starts[-dims]].strip(b" \t"), vector


def ends_in_number(word: bytes) -> bool:
    """Whether the last of several parts of a word is a number with a fraction."""
    parts = split(word)
    return len(parts) > 1 and b"." in parts[-1] and bool(_NUMBER.fullmatch(parts[-1]))


def parse_numbers(tokens: list[bytes]) -> Vectors:
    """The tokens as float32, each as ``np.float32(float(token))``.

    Raises:
        LineError: If one of them is not a number.
    """
    if not _PLAIN.fullmatch(b" ".join(tokens)):
        _check(tokens)
    try:
        values = [float(token) for token in tokens]
    except ValueError:
        _check(tokens)
        raise
    with np.errstate(over="ignore"):  # too large for float32 is infinite, and dropped later
        return np.array(values, dtype=np.float64).astype(np.float32)


def _check(tokens: list[bytes]) -> None:
    for token in tokens:
        if not _NUMBER.fullmatch(token):
            raise LineError(f"{quoted(token)} is not a number")
