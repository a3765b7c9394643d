"""Signals, and when they are heard."""

from __future__ import annotations

import signal

import pytest

from isolex.cli.interrupt import Interrupt


@pytest.mark.parametrize(
    ("number", "raised"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)]
)
def test_a_signal_waits_for_the_end_of_compiling(number: int, raised: type[BaseException]) -> None:
    interrupt = Interrupt()
    interrupt.step("compile")
    interrupt._hear(number, None)
    interrupt.heed()
    with pytest.raises(raised):
        interrupt.step("normalise")


def test_a_second_signal_ends_at_once() -> None:
    interrupt = Interrupt()
    interrupt.step("compile")
    interrupt._hear(signal.SIGINT, None)
    with pytest.raises(SystemExit):
        interrupt._hear(signal.SIGTERM, None)
