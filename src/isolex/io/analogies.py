"""Analogy questions: ``: section`` lines, then four words a line (Mikolov et al., 2013)."""

from __future__ import annotations

from isolex.core.files import StrPath, refuse
from isolex.io.pairs import read_columns

COLUMNS = 4

Question = tuple[str, str, str, str]


def read_analogies(path: StrPath, *, lowercase: bool = False) -> dict[str, list[Question]]:
    """The questions of an analogy file by section; those before any section under ``""``.

    Raises:
        InputError: If the file cannot be read, holds no question, or a line is not four words.
    """
    sections: dict[str, list[Question]] = {}
    section = ""
    for number, columns in read_columns(path):
        if columns[0].startswith(":"):
            section = " ".join(columns).lstrip(": ")
            continue
        if len(columns) != COLUMNS:
            what = f"expected four words, found {len(columns)}; mend the line"
            raise refuse(path, what, number)
        words = [word.lower() for word in columns] if lowercase else columns
        sections.setdefault(section, []).append((words[0], words[1], words[2], words[3]))
    if not sections:
        raise refuse(path, "no questions in it; put four words on each line")
    return sections
