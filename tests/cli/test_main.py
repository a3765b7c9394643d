"""The command line as a whole: version, help, and one line for everything that goes wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from isolex import __version__
from tests.cli.conftest import Run

BROKEN = """
import sys
import isolex.cli
from isolex.core.space import Space

def fail(*_, **__):
    raise RuntimeError("the first line\\nand the second")

Space.translate_all = fail
sys.argv = ["isolex", *sys.argv[1:]]
isolex.cli.main()
"""
"""A command line with a bug in translation."""


def run_broken(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BROKEN, *arguments]
    return subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)


def test_the_version_is_printed(run: Run) -> None:
    assert run("--version").stdout == f"isolex {__version__}\n"


@pytest.mark.parametrize("arguments", [(), ("evaluate",), ("fetch",)])
def test_without_arguments_the_help_is_shown(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Usage: isolex")


def test_an_unexpected_error_is_one_line_and_exit_code_70(home: Path) -> None:
    done = run_broken(home, "translate", "out", "s1")
    assert (done.returncode, done.stdout) == (70, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("isolex: unexpected error: ")
    assert "RuntimeError: the first line and the second" in done.stderr
    assert "--debug" in done.stderr


def test_debug_shows_the_traceback_of_an_unexpected_error(home: Path) -> None:
    done = run_broken(home, "--debug", "translate", "out", "s1")
    assert (done.returncode, done.stdout) == (70, "")
    assert done.stderr.startswith("Traceback (most recent call last):")
    assert "in fail" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("isolex: unexpected error: RuntimeError: ")


def test_debug_changes_nothing_about_an_expected_error(run: Run) -> None:
    plain, debug = run("translate", "absent", "x"), run("--debug", "translate", "absent", "x")
    assert (debug.returncode, debug.stderr) == (plain.returncode, plain.stderr)
    assert plain.returncode == 2
