"""Lists of words: one a line."""

from __future__ import annotations

from isolex.core.files import StrPath, refuse
from isolex.io.pairs import lines
from isolex.io.rows import BLANK
from isolex.io.streams import Stream


def read_words(path: StrPath) -> list[str]:
    """The words of a file, each once, in order; compressed or not.

    Raises:
        InputError: If the file cannot be read or holds no word.
    """
    with Stream(path) as stream:
        found = [line.strip(BLANK).decode("utf-8", "surrogateescape") for line in lines(stream)]
    words = list(dict.fromkeys(filter(None, found)))
    if not words:
        raise refuse(path, "no words in it; put one on each line")
    return words
