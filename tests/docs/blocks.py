"""The code blocks of a page, and whether what they show is what came out.

Run are ``console`` blocks (lines after ``$ `` are typed, what follows is their output) and
``python`` blocks (an ``output`` block behind one is what it prints). Other blocks are not run, and
nothing is claimed of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
TOLERANCE = 0.1
"""Shown figures are of one machine; another's may differ a little, not more."""


@dataclass(frozen=True)
class Step:
    """Something to do: a command, or some Python."""

    kind: str
    text: str
    shown: str = ""


def steps(page: str) -> Iterator[Step]:
    """What a page asks its reader to do, in order."""
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
    assert not head.strip(), f"a console block begins with a command: {head!r}"
    for part in parts:
        command, _, shown = part.partition("\n")
        yield Step("command", command, shown)


def agrees(shown: str, real: str) -> bool:
    """Whether output is as shown: a line ``...`` stands for any lines, layout does not matter."""
    wanted, given = _lines(shown), _lines(real)
    if not wanted:
        return True
    return _match(wanted, given)


def _lines(text: str) -> list[list[str]]:
    """The words of every line that has any; rules of tables are layout."""
    lines = (re.sub(r"[─━]", " ", line).split() for line in text.splitlines())
    return [line for line in lines if line]


def _match(wanted: list[list[str]], given: list[list[str]]) -> bool:
    if not wanted:
        return not given
    if wanted[0] == ["..."]:
        return any(_match(wanted[1:], given[skip:]) for skip in range(len(given) + 1))
    return bool(given) and _same_line(wanted[0], given[0]) and _match(wanted[1:], given[1:])


def _same_line(wanted: list[str], given: list[str]) -> bool:
    if wanted[-1] == "...":
        wanted, given = wanted[:-1], given[: len(wanted) - 1]
    return len(wanted) == len(given) and all(map(_same_word, wanted, given))


def _same_word(wanted: str, given: str) -> bool:
    if NUMBER.sub("#", wanted) != NUMBER.sub("#", given):
        return False
    pairs = zip(NUMBER.findall(wanted), NUMBER.findall(given), strict=True)
    return all(_close(*pair) for pair in pairs)


def _close(wanted: str, given: str) -> bool:
    first, second = (float(number.replace(",", "")) for number in (wanted, given))
    return abs(first - second) <= max(TOLERANCE * abs(first), 0.02)
