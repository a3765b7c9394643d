"""One-line messages about files: where every "no such file" is worded."""

from __future__ import annotations

import os
from typing import TypeAlias

from isolex.errors import InputError

StrPath: TypeAlias = str | os.PathLike[str]

_MAX_QUOTED = 40  # bytes of an invalid token that a message shows


def shown(path: StrPath) -> str:
    """Format a path for a one-line message; unprintable characters are escaped."""
    text = os.fspath(path).encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def quoted(token: bytes) -> str:
    """Quote a token from a file for a one-line message, shortened if it is long."""
    tail = "..." if len(token) > _MAX_QUOTED else ""
    return repr(token[:_MAX_QUOTED].decode("utf-8", "backslashreplace") + tail)


def refuse(path: StrPath, what: str, line: int | None = None) -> InputError:
    """Build the error to raise about a file, with a line number if there is one."""
    where = shown(path) if line is None else f"{shown(path)}, line {line}"
    return InputError(f"{where}: {what}")


def refuse_os(path: StrPath, error: Exception) -> InputError:
    """Build the error to raise in place of an exception from the operating system."""
    match error:
        case FileNotFoundError():
            what = "no such file; check the path"
        case IsADirectoryError():
            what = "is a folder; give the path of a file"
        case PermissionError():
            what = "permission denied; check the permissions of the file and its folder"
        case OSError():
            what = f"{error.strerror or error}; check the path and the disk"
        case _:
            what = "not a valid file name; check the path"
    return refuse(path, what)
