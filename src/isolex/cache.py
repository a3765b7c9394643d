"""What a run read of its inputs, kept beside it in the format that needs no parsing.

It may be deleted at any time, and must never be the reason why a run fails.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import Any

from isolex import io
from isolex.embeddings import Embeddings
from isolex.errors import IsolexError
from isolex.files import StrPath


def stamp(path: StrPath) -> dict[str, int] | None:
    """What changes when a file does; nothing of a pipe, or of what is not there."""
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return None
    if not S_ISREG(status.st_mode):
        return None
    return {"size": status.st_size, "time": status.st_mtime_ns}


@dataclass(frozen=True)
class Cache:
    """The folder of the cache."""

    path: Path

    def file(self, name: str) -> Path:
        """Where the vectors of a side, ``src`` or ``trg``, are kept."""
        return self.path / f"{name}.safetensors"

    def keep(self, name: str, embeddings: Embeddings) -> None:
        """Keep the vectors of a side, if it can be done."""
        with suppress(OSError, IsolexError):
            self.path.mkdir(exist_ok=True)
            io.save(embeddings, self.file(name))

    def drop(self, name: str) -> None:
        """Forget a side; what isolex did not put there stays."""
        with suppress(OSError):
            self.file(name).unlink(missing_ok=True)
            self.path.rmdir()

    def find(self, name: str, original: Path, known: Any) -> Embeddings | None:
        """The vectors of a side, if its original still has the stamp that is ``known`` of it."""
        now = stamp(original)
        if now is None or now != known:
            return None
        with suppress(IsolexError):  # deleted or damaged
            return io.read(self.file(name))[0]
        return None
