"""Parse a single line of word vectors: the slow way, for lines that the kernel cannot parse."""

from __future__ import annotations

import re

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.file_errors import quoted

# str.split() would also cut at U+00A0, U+0085 and U+2028, which occur inside words.
BLANK = b" \t\r"
_SEPARATOR = re.compile(rb"[ \t]+")
_FIELD = re.compile(rb"[^ \t]+")
_NUMBER = re.compile(
    rb"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|nan|inf(?:inity)?)", re.IGNORECASE
)
_NUMERIC = re.compile(rb"[0-9eE.+\- ]*")  # float() accepts more, such as 1_000


class LineError(ValueError):
    """A line that is not a word followed by numbers; the message says why."""


def split(line: bytes) -> list[bytes]:
    """Split a line into fields; the first is empty if the line starts with a separator."""
    return _SEPARATOR.split(line.rstrip(BLANK))


def count_numbers(fields: list[bytes]) -> int:
    """Count the numbers at the end of a line; its first field always counts as a word."""
    count = 0
    for field in reversed(fields[1:]):
        if not _NUMBER.fullmatch(field):
            break
        count += 1
    return count


def parse_line(line: bytes, dims: int) -> tuple[bytes, Vectors]:
    """Parse a line into its word and ``(dims,)`` vector, counting numbers from the right.

    Raises:
        LineError: If there are too few numbers, or one of them is malformed.
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


def ends_in_decimal(word: bytes) -> bool:
    """Whether a word has several parts and the last is a number with a decimal point."""
    parts = split(word)
    return len(parts) > 1 and b"." in parts[-1] and bool(_NUMBER.fullmatch(parts[-1]))


def parse_numbers(tokens: list[bytes]) -> Vectors:
    """Parse tokens as float32, each rounded like ``np.float32(float(token))``.

    Raises:
        LineError: If a token is not a number.
    """
    if not _NUMERIC.fullmatch(b" ".join(tokens)):
        _check_numbers(tokens)
    try:
        values = [float(token) for token in tokens]
    except ValueError:
        _check_numbers(tokens)
        raise
    with np.errstate(over="ignore"):  # overflow gives infinity; those rows are dropped later
        return np.array(values, dtype=np.float64).astype(np.float32)


def _check_numbers(tokens: list[bytes]) -> None:
    for token in tokens:
        if not _NUMBER.fullmatch(token):
            raise LineError(f"{quoted(token)} is not a number")
