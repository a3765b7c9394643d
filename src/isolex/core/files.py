"""Atomic writes, and checks before anything is written."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO

from isolex.core.file_errors import StrPath, refuse, refuse_os, shown
from isolex.errors import UsageError


def check_target(path: StrPath, *inputs: StrPath) -> None:
    """Check before any work that ``path`` can be written and is not one of the inputs.

    Raises:
        InputError: If ``path`` is a folder or its folder does not exist.
        UsageError: If ``path`` is empty or an input.
    """
    target = Path(path)
    if not str(path):
        raise UsageError("the file name is empty; give the path of the file to write")
    if target.is_dir():
        raise refuse_os(path, IsADirectoryError())
    if not target.parent.is_dir():
        raise refuse(target.parent, "no such folder; create it first")
    if target.resolve() in {Path(given).resolve() for given in inputs}:
        raise UsageError(f"{shown(path)}: would overwrite an input; choose another file name")


@contextmanager
def tidied(folder: Path) -> Iterator[None]:
    """Remove ``folder`` and its parents on failure, if they are new and still empty."""
    absent = [path for path in (folder, *folder.parents) if not os.path.lexists(path)]
    try:
        yield
    except BaseException:
        for path in absent:
            with suppress(OSError):  # not empty, or never created
                path.rmdir()
        raise


@contextmanager
def atomic(path: StrPath) -> Iterator[BinaryIO]:
    """Open a temporary file that replaces ``path`` on success and is removed on failure.

    Symbolic links are followed. Pipes and devices are written directly.

    Raises:
        InputError: If the file cannot be written.
    """
    try:
        target = Path(os.path.realpath(path))
        device = target.exists() and not target.is_file() and not target.is_dir()
    except (OSError, ValueError) as error:
        raise refuse_os(path, error) from error
    try:
        with target.open("wb") if device else _replacement(target) as file:
            yield file
    except OSError as error:
        raise refuse_os(path, error) from error


@contextmanager
def _replacement(target: Path) -> Iterator[BinaryIO]:
    """Open a temporary file in the folder of ``target``, which replaces it on success."""
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
    """Write ``data`` atomically."""
    with atomic(path) as file:
        file.write(data)


def write_text(path: StrPath, text: str) -> None:
    """Write ``text`` atomically as UTF-8; bytes that were not UTF-8 when read stay unchanged."""
    write_bytes(path, text.encode("utf-8", "surrogateescape"))


def stamp(path: StrPath) -> dict[str, int] | None:
    """Return size and modification time of a regular file; ``None`` for anything else."""
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return None
    if not S_ISREG(status.st_mode):
        return None
    return {"size": status.st_size, "time": status.st_mtime_ns}
