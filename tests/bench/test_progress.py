"""The progress of a bench: a bar on a terminal, lines elsewhere, and signals are heeded."""

from __future__ import annotations

import pytest

from isolex.bench.plan import Plan
from isolex.cli.bench_progress import BenchProgress
from isolex.cli.console import Reporter
from isolex.core.observer import Epoch
from tests.bench.conftest import make_result, run_named


def test_without_a_terminal_each_finished_run_is_a_line(
    plan: Plan, capsys: pytest.CaptureFixture[str]
) -> None:
    with BenchProgress(Reporter(), total=8, done=3) as progress:
        observer = progress.begin(run_named(plan, "one, few, seed 0"))
        observer.step("learn")
        observer.note("attempt 2 of 9")
        observer.epoch(Epoch(1, 5, 0.5))
        progress.end(4, "one, few, seed 0", make_result("few", "one", 70.126) | {"error": None})
        failed = make_result("few", "two", None, 90) | {"error": "no\tpair"}
        progress.end(5, "two, few, seed 0", failed)
        scores = {"scores": {"a-b": {}, "a-c": {}}, "error": None}
        progress.end(6, "abc, few, seed 0", make_result("few", "abc", 40.0) | scores)
    assert capsys.readouterr().err.splitlines() == [
        "isolex: 4 of 8: one, few, seed 0: 70.13 %, 0:30",
        r"isolex: 5 of 8: two, few, seed 0: no\tpair, 1:30",
        "isolex: 6 of 8: abc, few, seed 0: 40.00 % on average over 2 pairs, 0:30",
    ]


def test_quiet_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with BenchProgress(Reporter(quiet=True), total=1, done=0) as progress:
        progress.print("no worker yet")
    assert capsys.readouterr().err == ""


def test_on_a_terminal_a_bar_shows_the_run_and_its_epoch(
    plan: Plan, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    reporter = Reporter()
    reporter.shown = True
    with BenchProgress(reporter, total=8, done=3) as progress:
        observer = progress.begin(run_named(plan, "one, few, seed 0"))
        observer.epoch(Epoch(2, 5, 0.5))
        progress.print("[[data]] one: no worker yet")
    shown = capsys.readouterr().err
    assert "one, few, seed 0, epoch 2 of 5" in shown
    assert "3/8" in shown
    assert "[[data]] one: no worker yet" in shown, "brackets are no markup"
    with BenchProgress(reporter, total=8, done=3) as progress:
        progress.begin(run_named(plan, "one, few, seed 0")).pair(("en", "es"), 1, 3)
    assert "one, few, seed 0, en-es (1 of 3 pairs done)" in capsys.readouterr().err
