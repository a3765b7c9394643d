"""Dictionaries: two words per line, as in MUSE, or the first two columns of a lexicon.tsv."""

from __future__ import annotations

from isolex.core.file_errors import StrPath, refuse
from isolex.io.columns import read_rows
from isolex.io.parquet import is_parquet, read_table_pairs

_HEADER = ["source", "target", "score"]  # of the lexicon.tsv that isolex writes


def read_pairs(path: StrPath) -> list[tuple[str, str]]:
    """Read the word pairs of a dictionary, in order; the file may be compressed.

    The words are separated by a space, or by a tab if the line has one. Further columns of a
    tab-separated line are ignored. In a Parquet table, the words are in the columns ``source`` and
    ``target``, or else in the first two columns of text.

    Raises:
        InputError: If the file cannot be read, has no pairs, or a line is not a pair.
    """
    if is_parquet(path):
        return read_table_pairs(path)
    pairs = []
    for line, columns, tabbed in read_rows(path):
        if line == 1 and columns[: len(_HEADER)] == _HEADER:
            continue
        words = columns[:2] if tabbed else columns
        if len(words) != 2 or not all(words):
            found = sum(map(bool, words))
            what = f"expected two words separated by a space or a tab, found {found}"
            raise refuse(path, f"{what}; fix or remove the line", line)
        pairs.append((words[0], words[1]))
    if not pairs:
        raise refuse(path, "no word pairs; put two words on each line")
    return pairs
