"""Ctrl-C, heard even while Numba compiles: LLVM's callbacks would swallow the exception."""

from __future__ import annotations

import signal
from typing import Any


class Interrupt:
    """Raises KeyboardInterrupt at once, or when compiling is over; a second time at once."""

    def __init__(self) -> None:
        self._seen = False
        self._waits = False

    def install(self) -> None:
        """Take the place of Python's own handler; one that ignores the signal stays."""
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._hear)

    def step(self, name: str) -> None:
        """A step of an alignment begins."""
        self._waits = name == "compile"
        self.heed()

    def heed(self, _: Any = None) -> None:
        """End here if Ctrl-C was pressed before; fit to be called after each iteration."""
        if self._seen and not self._waits:
            raise KeyboardInterrupt

    def _hear(self, *_: Any) -> None:
        again, self._seen = self._seen, True
        if again or not self._waits:
            raise KeyboardInterrupt


interrupt = Interrupt()
