"""A folder of gold dictionaries: which file belongs to which pair of languages."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from glob import escape
from itertools import permutations
from pathlib import Path

from isolex import io
from isolex.core.file_errors import refuse, refuse_os
from isolex.errors import InputError, UsageError

PATTERN = "{from}-{to}.*"
"""The default pattern of the names of gold files."""


def read_gold(path: Path, *, lowercase: bool) -> list[tuple[str, str]]:
    """The word pairs of a gold dictionary."""
    pairs = io.read_pairs(path)
    return [(one.lower(), other.lower()) for one, other in pairs] if lowercase else pairs


@dataclass(frozen=True)
class GoldFile:
    """The gold dictionary of a source and a target language.

    Attributes:
        path: The file.
        swapped: Whether it is the file of the opposite direction, to be read with its columns
            swapped.
    """

    path: Path
    swapped: bool = False

    def read(self, *, lowercase: bool = False) -> Iterator[tuple[str, str]]:
        """The word pairs, source word first; the file is read when the first one is needed."""
        for one, other in read_gold(self.path, lowercase=lowercase):
            yield (other, one) if self.swapped else (one, other)


def find_gold(
    folder: Path,
    languages: Sequence[str],
    pattern: str | None = None,
    codes: Mapping[str, str] | None = None,
) -> dict[tuple[str, str], GoldFile]:
    """The gold files of all pairs of languages that have one, by source and target language.

    A pair without a file of its own uses the file of the opposite direction.

    Args:
        folder: The folder.
        languages: The names of the languages.
        pattern: The name of the file of a pair, where ``{from}`` and ``{to}`` stand for the
            languages and ``*`` and ``?`` are wildcards. By default ``{from}-{to}.*``; then
            ``en-es.txt`` is preferred to ``en-es.test.txt``.
        codes: Codes of languages in file names, where they differ from the names of the languages.

    Raises:
        InputError: If there is no such file, or more than one for a pair.
    """
    if pattern and not all(place in pattern for place in ("{from}", "{to}")):
        example = "such as '{from}-{to}.test.*'"
        raise UsageError(f"--gold-pattern {pattern}: needs {{from}} and {{to}}, {example}")
    files = _files(folder)
    own = {}
    for names in permutations(languages, 2):
        one, other = ((codes or {}).get(name, name) for name in names)
        fitting = _fitting(files, pattern or PATTERN, one, other)
        if not pattern:
            start = len(f"{one}-{other}.")
            fitting = [name for name in fitting if "." not in name[start:]] or fitting
        if len(fitting) > 1:
            raise refuse(folder, _ambiguous(names, fitting, pattern, f"{one}-{other}"))
        if fitting:
            own[names] = GoldFile(folder / fitting[0])
    if not own:
        known = ", ".join((codes or {}).get(name, name) for name in languages)
        raise refuse(
            folder,
            f"no file is called {pattern or PATTERN} with two of {known}; if files call the "
            f"languages otherwise, use --as such as --as {languages[0]}=xx, or else --gold-pattern",
        )
    opposite = {
        (other, one): GoldFile(gold.path, swapped=True) for (one, other), gold in own.items()
    }
    return own | {names: gold for names, gold in opposite.items() if names not in own}


def _files(folder: Path) -> list[str]:
    """The names of the files in a folder, sorted."""
    if folder.is_file():
        raise InputError(f"{folder}: is a file; give a folder of gold files")
    try:
        return sorted(entry.name for entry in os.scandir(folder) if entry.is_file())
    except FileNotFoundError as error:
        raise refuse(folder, "no such folder; check the path") from error
    except OSError as error:
        raise refuse_os(folder, error) from error


def _fitting(files: Sequence[str], pattern: str, one: str, other: str) -> list[str]:
    """The files whose name fits a pattern for two languages."""
    pattern = pattern.replace("{from}", escape(one)).replace("{to}", escape(other))
    return [name for name in files if fnmatchcase(name, pattern)]


def _ambiguous(
    names: tuple[str, str], fitting: Sequence[str], pattern: str | None, label: str
) -> str:
    """What to do if several files fit a pair of languages."""
    listed = ", ".join(fitting[:3]) + (" ..." if len(fitting) > 3 else "")
    tests = [name for name in fitting if "test" in name]
    example = f"'{{from}}-{{to}}{(tests or fitting)[-1].removeprefix(label)}'"
    advice = f", such as --gold-pattern {example}" if not pattern else ""
    return (
        f"more than one file fits {'-'.join(names)}: {listed}; choose with --gold-pattern{advice}"
    )
