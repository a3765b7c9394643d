"""Dictionaries: two words a line, as in MUSE, or the first columns of a lexicon.tsv."""

from __future__ import annotations

from collections.abc import Iterator

from isolex.core.files import StrPath, refuse
from isolex.io.parquet import is_parquet, read_table_pairs
from isolex.io.rows import BLANK, split
from isolex.io.sniff import LONGEST_LINE
from isolex.io.streams import Stream

_CHUNK = 1 << 20
_BOM = b"\xef\xbb\xbf"
_HEADER = ["source", "target", "score"]  # of the lexicon.tsv that isolex writes


def read_pairs(path: StrPath) -> list[tuple[str, str]]:
    """The word pairs of a dictionary, in order; compressed or not.

    The words are separated by a space, or by a tab if the line has one; columns after the second
    are passed over. Of a Parquet table they are the columns source and target.

    Raises:
        InputError: If the file cannot be read, is empty, or a line is not two words.
    """
    if is_parquet(path):
        return read_table_pairs(path)
    pairs = []
    for number, columns, tabbed in _rows(path):
        if number == 1 and columns[: len(_HEADER)] == _HEADER:
            continue
        words = columns[:2] if tabbed else columns
        if len(words) != 2 or not all(words):
            found = sum(map(bool, words))
            what = f"expected two words separated by a space or a tab, found {found}"
            raise refuse(path, f"{what}; mend or remove the line", number)
        pairs.append((words[0], words[1]))
    if not pairs:
        raise refuse(path, "no word pairs in it; put two words on each line")
    return pairs


def read_columns(path: StrPath) -> Iterator[tuple[int, list[str]]]:
    """Each line's number and columns, cut at tabs if it has any, else at spaces; no blank lines."""
    for number, columns, _ in _rows(path):
        yield number, columns


def _rows(path: StrPath) -> Iterator[tuple[int, list[str], bool]]:
    with Stream(path) as stream:
        for number, line in enumerate(lines(stream), start=1):
            if not line.strip(BLANK):
                continue
            tabbed = b"\t" in line
            columns = line.split(b"\t") if tabbed else split(line.lstrip(b" "))
            words = [part.strip(b" \r").decode("utf-8", "surrogateescape") for part in columns]
            yield number, words, tabbed


def lines(stream: Stream) -> Iterator[bytes]:
    """The lines of a text file, without their ends and without a byte order mark."""
    if stream.peek(len(_BOM)) == _BOM:
        stream.skip(len(_BOM))
    rest = b""
    while piece := stream.read(_CHUNK):
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
        if len(rest) > LONGEST_LINE:
            raise refuse(stream.path, "a line has no end; check that it is the right file")
    if rest:
        yield rest
