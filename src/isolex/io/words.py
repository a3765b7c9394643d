"""Word lists: one word per line."""

from __future__ import annotations

from isolex.core.file_errors import StrPath, refuse
from isolex.io.columns import read_lines
from isolex.io.line_parser import BLANK
from isolex.io.streams import Stream


def read_words(path: StrPath) -> list[str]:
    """Read the distinct words of a list, in order; the file may be compressed.

    Raises:
        InputError: If the file cannot be read or has no words.
    """
    with Stream(path) as stream:
        lines = [
            line.strip(BLANK).decode("utf-8", "surrogateescape") for line in read_lines(stream)
        ]
    words = list(dict.fromkeys(filter(None, lines)))
    if not words:
        raise refuse(path, "no words; put one word on each line")
    return words
