"""Errors about files: one line that names the file, the line and what to do."""

from __future__ import annotations

import os
from typing import TypeAlias

from isolex.errors import InputError

StrPath: TypeAlias = str | os.PathLike[str]

_LONGEST = 40  # bytes of a wrong token that are shown


def shown(path: StrPath) -> str:
    """A path fit for one line of a message, whatever bytes are in it."""
    text = os.fspath(path).encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def quoted(token: bytes) -> str:
    """A token of a file fit for one line of a message."""
    tail = "..." if len(token) > _LONGEST else ""
    return repr(token[:_LONGEST].decode("utf-8", "backslashreplace") + tail)


def refuse(path: StrPath, what: str, line: int | None = None) -> InputError:
    """The error to raise about a file."""
    where = shown(path) if line is None else f"{shown(path)}, line {line}"
    return InputError(f"{where}: {what}")


def refuse_os(path: StrPath, error: Exception) -> InputError:
    """The error to raise in place of what the operating system said."""
    match error:
        case FileNotFoundError():
            what = "no such file; check the path"
        case IsADirectoryError():
            what = "is a folder; name a file"
        case PermissionError():
            what = "permission denied; check the rights of the file and its folder"
        case OSError():
            what = f"{error.strerror or error}; check the path and the disk"
        case _:
            what = "not a possible file name; check the path"
    return refuse(path, what)
