"""Files: written whole or not at all, and one line that says what is wrong with one."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO, TypeAlias

from isolex.errors import InputError, UsageError

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


def check_target(path: StrPath, *inputs: StrPath) -> None:
    """Refuse a file that could not be written, or that is one of the inputs, before any work."""
    target = Path(path)
    if not str(path):
        raise UsageError("an empty name for a file; name the file to write")
    if target.is_dir():
        raise refuse_os(path, IsADirectoryError())
    if not target.parent.is_dir():
        raise refuse(target.parent, "no such folder; make it first")
    if target.resolve() in {Path(given).resolve() for given in inputs}:
        raise UsageError(f"{shown(path)}: would overwrite an input; name another file")


@contextmanager
def tidied(folder: Path) -> Iterator[None]:
    """Whatever ends this early, ``folder`` and its parents are gone again if made in vain."""
    absent = [path for path in (folder, *folder.parents) if not os.path.lexists(path)]
    try:
        yield
    except BaseException:
        for path in absent:
            with suppress(OSError):  # there is something in it
                path.rmdir()
        raise


@contextmanager
def atomic(path: StrPath) -> Iterator[BinaryIO]:
    """A temporary file beside ``path`` that takes its place on success and is removed on failure.

    Raises:
        InputError: If the file cannot be written.
    """
    try:
        # A link is followed, as a plain open() would do.
        target = Path(os.path.realpath(path))
        device = target.exists() and not target.is_file() and not target.is_dir()
    except (OSError, ValueError) as error:
        raise refuse_os(path, error) from error
    try:
        # A pipe or /dev/stdout cannot be replaced.
        with target.open("wb") if device else _beside(target) as file:
            yield file
    except OSError as error:
        raise refuse_os(path, error) from error


@contextmanager
def _beside(target: Path) -> Iterator[BinaryIO]:
    if target.is_dir():
        raise IsADirectoryError(str(target))
    temporary = target.with_name(f".isolex-{secrets.token_hex(6)}.tmp")
    try:
        with temporary.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with suppress(OSError):
            temporary.chmod(target.stat().st_mode & 0o7777)
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def write_bytes(path: StrPath, data: bytes) -> None:
    """Write ``data`` whole or not at all."""
    with atomic(path) as file:
        file.write(data)


def write_text(path: StrPath, text: str) -> None:
    """Write ``text`` as UTF-8, whole or not at all; bytes that were not UTF-8 stay as they were."""
    write_bytes(path, text.encode("utf-8", "surrogateescape"))


def stamp(path: StrPath) -> dict[str, int] | None:
    """What changes when a file does; nothing of a pipe, or of what is not there."""
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return None
    if not S_ISREG(status.st_mode):
        return None
    return {"size": status.st_size, "time": status.st_mtime_ns}
