"""Checkpoint: what an alignment has come to, so that one that was interrupted can go on."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from isolex.method.checkpoint import Checkpoint

FORMAT, VERSION = "isolex-checkpoint", 1


class Saver:
    """Writes a checkpoint now and then.

    Args:
        path: The file.
        mark: Of the run.
        seconds: Between two of them, at least.
    """

    def __init__(self, path: Path, mark: Mapping[str, Any], seconds: float = 20.0) -> None:
        self._path, self._mark, self._seconds = path, mark, seconds
        self._next = time.monotonic() + seconds
        self._last: Checkpoint | None = None

    def __call__(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint, if the last one is old enough."""
        self._last = checkpoint
        if time.monotonic() >= self._next:
            self.finish()

    def finish(self) -> None:
        """Write the last checkpoint: what is learnt is not lost while the results are written."""
        if self._last is not None:
            self._last.save(self._path, self._mark)
        self._next = time.monotonic() + self._seconds
