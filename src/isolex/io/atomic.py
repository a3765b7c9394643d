"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from isolex.io.refuse import StrPath, refuse_os


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
