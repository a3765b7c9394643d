"""Ctrl-C and SIGTERM, heeded even while Numba compiles: LLVM would swallow the exception."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

EXIT_INTERRUPTED, EXIT_TERMINATED = 130, 143


class Interrupt:
    """Ends the command with an exception, so that it cleans up: at once, or after compiling.

    A second signal ends it at once.

    Attributes:
        advice: Returns what the user can do after the command was ended.
    """

    def __init__(self) -> None:
        self.advice: Callable[[], str] = lambda: ""
        self._seen: int | None = None
        self._compiling = False

    def install(self) -> None:
        """Replace Python's default handlers; a signal that is ignored stays ignored."""
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._hear)
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, self._hear)

    def step(self, name: str) -> None:
        """A step of an alignment begins."""
        self._compiling = name == "compile"
        self.heed()

    def heed(self) -> None:
        """End the command here if a signal arrived earlier."""
        if self._seen is not None and not self._compiling:
            self._end()

    def _hear(self, number: int, _: Any) -> None:
        again, self._seen = self._seen is not None, number
        if again or not self._compiling:
            self._end()

    def _end(self) -> None:
        if self._seen == signal.SIGTERM:
            raise SystemExit(EXIT_TERMINATED)
        raise KeyboardInterrupt


interrupt = Interrupt()
