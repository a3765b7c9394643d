"""The progress bar: shown on a terminal or in a notebook, or when it is requested."""

from __future__ import annotations

import io
import sys

import pytest

from isolex import align
from isolex.core.observer import Epoch, Iteration
from isolex.method.pipeline import STEPS
from isolex.systems.progress import DOING, ProgressBar, can_show, clock
from tests.planted import planted


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def replace_stderr(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Make standard error a terminal; pytest would undo that if a fixture did it."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    return terminal


def supervised(progress: bool | None) -> None:
    made = planted(words=60, dims=6)
    align(made.source, made.target, system="supervised", lexicon=made.pairs, progress=progress)


@pytest.mark.parametrize("progress", [None, True])
def test_there_is_a_bar_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, progress: bool | None
) -> None:
    terminal = replace_stderr(monkeypatch)
    supervised(progress)
    assert "\x1b[" in terminal.getvalue()


def test_there_is_no_bar_if_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = replace_stderr(monkeypatch)
    supervised(progress=False)
    assert terminal.getvalue() == ""


def test_there_is_no_bar_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    supervised(progress=None)
    assert capsys.readouterr() == ("", "")


def test_a_notebook_can_show_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert not can_show()
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    assert can_show()


def test_every_step_has_words_of_its_own() -> None:
    assert DOING.keys() == STEPS.keys()
    assert len(set(DOING.values())) == len(DOING)


def test_the_bar_shows_steps_epochs_and_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = replace_stderr(monkeypatch)
    monkeypatch.setenv("COLUMNS", "200")
    with ProgressBar() as bar:
        for step in STEPS:
            bar.step(step)
        bar.note("restart 3 of 9")
        bar.epoch(Epoch(2, 5, 0.25))
        assert bar.iteration(Iteration(4, 0.5, 400, 0.625, 0.625, 12, 20.0)) is None
        bar._progress.refresh()
    text = terminal.getvalue()
    assert "restart 3 of 9" in text
    assert "iteration 4" in text
    assert "0.6250" in text
    assert "1:00" in text


@pytest.mark.parametrize("kernel", [False, True], ids=["terminal", "notebook"])
def test_the_bar_shows_how_many_pairs_are_done(
    monkeypatch: pytest.MonkeyPatch, kernel: bool
) -> None:
    terminal = replace_stderr(monkeypatch)
    monkeypatch.setenv("COLUMNS", "100")
    if kernel:
        monkeypatch.setitem(sys.modules, "ipykernel", sys)
    with ProgressBar() as bar:
        bar.step("learn")
        bar._progress.refresh()
        assert "pairs" not in terminal.getvalue(), "there may be only two languages"
        bar.pair(("en", "[b]\x1b"), 3, 28)
        bar._progress.refresh()
    text = terminal.getvalue()
    assert "3 of 28 done  en-[b]\\x1b" in text
    assert text.rindex("pairs") < text.rindex("self-learning")


def test_time_is_shown_in_minutes_and_seconds() -> None:
    assert [clock(seconds) for seconds in (0, 59.6, 61, 600)] == ["0:00", "1:00", "1:01", "10:00"]
