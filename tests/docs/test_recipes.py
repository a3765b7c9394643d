"""Every recipe runs exactly as printed, in a folder with its input files."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.typed import isolex
from tests.docs.blocks import Step, agrees, steps
from tests.docs.inputs import INPUTS

RECIPES = Path(__file__).parents[2] / "docs" / "recipes"
SHELL = frozenset("|<>&;$*")
"""A command with one of these characters needs a shell."""

PAGES = sorted(path.stem for path in RECIPES.glob("*.md") if path.stem != "index")


def read_steps(page: str) -> list[Step]:
    return list(steps((RECIPES / f"{page}.md").read_text(encoding="utf-8")))


def test_every_recipe_has_inputs_and_something_to_run() -> None:
    assert sorted(INPUTS) == PAGES
    for page in PAGES:
        assert read_steps(page), page


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_a_recipe_prints_what_it_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, programs = tmp_path / "home", tmp_path / "bin"
    home.mkdir()
    programs.mkdir()
    command = programs / "isolex"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m isolex "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(home)
    INPUTS[page](home)
    namespace: dict[str, Any] = {}
    for step in read_steps(page):
        real = run_command(step) if step.kind == "command" else run_python(step, namespace)
        assert agrees(step.shown, real), f"{step.text}\n--- real output ---\n{real}"


def run_command(step: Step) -> str:
    """The output of a command, which must succeed."""
    if step.text.startswith("isolex ") and not SHELL & set(step.text):
        done = isolex(None, *shlex.split(step.text)[1:])
    else:
        done = subprocess.run(
            ["bash", "-c", step.text], capture_output=True, text=True, check=False
        )
    output = done.stdout + done.stderr
    assert done.returncode == 0, f"{step.text}\n{output}"
    return output


def run_python(step: Step, namespace: dict[str, Any]) -> str:
    """What a block of Python prints; blocks of a page share their names."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(step.text, "<recipe>", "exec"), namespace)
    return printed.getvalue()
