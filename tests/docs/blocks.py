"""Extract the code blocks of a page and compare shown output with real output.

``console`` blocks are run: lines after ``$ `` are commands, the lines that follow are their output.
``python`` blocks are run too: an ``output`` block after one is what it prints. Other blocks are not
run or checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
TOLERANCE = 0.1
"""Relative difference allowed between a shown number and the number on another machine."""


@dataclass(frozen=True)
class Step:
    """Something to run: a command or some Python."""

    kind: str
    text: str
    shown: str = ""


def steps(page: str) -> Iterator[Step]:
    """The commands and Python blocks of a page, in order."""
    blocks = list(BLOCK.finditer(page))
    for place, block in enumerate(blocks):
        kind, text = block.groups()
        if kind == "console":
            yield from _commands(text)
        elif kind == "python":
            after = blocks[place + 1] if place + 1 < len(blocks) else None
            shown = after[2] if after is not None and after[1] == "output" else ""
            yield Step("python", text, shown)


def _commands(text: str) -> Iterator[Step]:
    head, *parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not head.strip(), f"a console block must begin with a command: {head!r}"
    for part in parts:
        command, _, shown = part.partition("\n")
        yield Step("command", command, shown)


def agrees(shown: str, real: str) -> bool:
    """Whether real output matches shown output, regardless of layout.

    A line ``...`` stands for any lines, and a final ``...`` for the rest of a line.
    """
    expected, actual = _lines(shown), _lines(real)
    if not expected:
        return True
    return _match(expected, actual)


def _lines(text: str) -> list[list[str]]:
    """The words of every line that has any; the rules of tables are left out."""
    lines = (re.sub(r"[─━]", " ", line).split() for line in text.splitlines())
    return [line for line in lines if line]


def _match(expected: list[list[str]], actual: list[list[str]]) -> bool:
    if not expected:
        return not actual
    if expected[0] == ["..."]:
        return any(_match(expected[1:], actual[skip:]) for skip in range(len(actual) + 1))
    return bool(actual) and _same_line(expected[0], actual[0]) and _match(expected[1:], actual[1:])


def _same_line(expected: list[str], actual: list[str]) -> bool:
    if expected[-1] == "...":
        expected, actual = expected[:-1], actual[: len(expected) - 1]
    return len(expected) == len(actual) and all(map(_same_word, expected, actual))


def _same_word(expected: str, actual: str) -> bool:
    if NUMBER.sub("#", expected) != NUMBER.sub("#", actual):
        return False
    pairs = zip(NUMBER.findall(expected), NUMBER.findall(actual), strict=True)
    return all(_close(*pair) for pair in pairs)


def _close(expected: str, actual: str) -> bool:
    first, second = (float(number.replace(",", "")) for number in (expected, actual))
    return abs(first - second) <= max(TOLERANCE * abs(first), 0.02)
