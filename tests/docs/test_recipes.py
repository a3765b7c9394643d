"""Every recipe is run as it stands, in a folder with the files that it begins with."""

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

from tests.docs.blocks import Step, agrees, steps
from tests.docs.inputs import INPUTS

RECIPES = Path(__file__).parents[2] / "docs" / "recipes"
PAGES = sorted(path.stem for path in RECIPES.glob("*.md") if path.stem != "index")


def test_every_recipe_has_its_inputs_and_something_to_run() -> None:
    assert sorted(INPUTS) == PAGES
    for page in PAGES:
        ran = {step.kind for step in steps((RECIPES / f"{page}.md").read_text(encoding="utf-8"))}
        assert ran & {"command", "python"}, page


@pytest.mark.parametrize("page", PAGES)
def test_a_recipe_does_what_it_says(
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
    names: dict[str, Any] = {}
    for step in steps((RECIPES / f"{page}.md").read_text(encoding="utf-8")):
        _do(step, names)


def _do(step: Step, names: dict[str, Any]) -> None:
    if step.kind == "command":
        done = _bash(step.text)
        assert done.returncode == 0, f"{step.text}\n{done.stdout}{done.stderr}"
        real = done.stdout + done.stderr
        assert agrees(step.shown, real), f"{step.text}\n--- came out ---\n{real}"
    else:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(step.text, "<recipe>", "exec"), names)
        real = printed.getvalue()
        assert agrees(step.shown, real), f"{step.text}\n--- came out ---\n{real}"


def _bash(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
