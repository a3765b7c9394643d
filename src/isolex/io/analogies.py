"""Analogy questions: ``: section`` lines and lines of four words (Mikolov et al., 2013)."""

from __future__ import annotations

from isolex.core.file_errors import StrPath, refuse
from isolex.io.columns import read_rows

Question = tuple[str, str, str, str]


def read_analogies(path: StrPath, *, lowercase: bool = False) -> dict[str, list[Question]]:
    """Read analogy questions by section; questions before the first section are under ``""``.

    Raises:
        InputError: If the file cannot be read, has no questions, or a line is not four words.
    """
    sections: dict[str, list[Question]] = {}
    section = ""
    for line, columns, _ in read_rows(path):
        if columns[0].startswith(":"):
            section = " ".join(columns).lstrip(": ")
            continue
        if len(columns) != 4:
            what = f"expected four words, found {len(columns)}; fix or remove the line"
            raise refuse(path, what, line)
        words = [word.lower() for word in columns] if lowercase else columns
        sections.setdefault(section, []).append((words[0], words[1], words[2], words[3]))
    if not sections:
        raise refuse(path, "no analogy questions; put four words on each line")
    return sections
