"""What a run read of its inputs, kept beside it in the format that needs no parsing.

It may be deleted at any time, and must never be the reason why a run fails.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isolex import io
from isolex.core.embeddings import Embeddings
from isolex.core.files import stamp
from isolex.errors import IsolexError


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
