"""Ctrl-C and SIGTERM, heard even while Numba compiles: LLVM would swallow the exception."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

EXIT_INTERRUPTED, EXIT_TERMINATED = 130, 143


class Interrupt:
    """Ends the command by an exception, so that it tidies up: at once, or when compiling is over.

    A second signal ends it at once.

    Attributes:
        advice: Says of a command that ends so what is to be known, beside that it does.
    """

    def __init__(self) -> None:
        self.advice: Callable[[], str] = lambda: ""
        self._seen: int | None = None
        self._waits = False

    def install(self) -> None:
        """Take the place of Python's own handlers; one that ignores a signal stays."""
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._hear)
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, self._hear)

    def step(self, name: str) -> None:
        """A step of an alignment begins."""
        self._waits = name == "compile"
        self.heed()

    def heed(self, _: Any = None) -> None:
        """End here if a signal came before; fit to be called after each iteration."""
        if self._seen is not None and not self._waits:
            self._end()

    def _hear(self, number: int, _: Any) -> None:
        again, self._seen = self._seen is not None, number
        if again or not self._waits:
            self._end()

    def _end(self) -> None:
        if self._seen == signal.SIGTERM:
            raise SystemExit(EXIT_TERMINATED)
        raise KeyboardInterrupt


interrupt = Interrupt()
