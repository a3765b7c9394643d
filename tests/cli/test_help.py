"""The help of every command, and shell completion."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
import typer

from isolex.cli import app
from isolex.cli.help import EXIT_CODES, epilog
from isolex.systems import SYSTEMS
from tests.cli import typed

isolex = partial(typed.isolex, None)


def commands() -> Iterator[tuple[str, Any]]:
    """Every command and group, with its name as it is typed."""
    root: Any = typer.main.get_command(app)
    yield "", root
    for name, command in root.commands.items():
        yield name, command
        for inner, subcommand in getattr(command, "commands", {}).items():
            yield f"{name} {inner}", subcommand


ALL = dict(commands())
GROUPS = [name for name, command in ALL.items() if hasattr(command, "commands")]
COMMANDS = [name for name in ALL if name not in GROUPS]


def examples(name: str) -> list[str]:
    """The examples at the end of a help text."""
    section = (ALL[name].epilog or "").partition("Examples:\n")[2]
    return [line.strip() for line in section.splitlines()]


@cache
def help_text(name: str) -> str:
    return isolex(*name.split(), "--help", COLUMNS="80").stdout


@pytest.mark.parametrize("name", ALL, ids=lambda name: name or "isolex")
def test_every_example_can_be_parsed(name: str) -> None:
    assert examples(name)
    for example in examples(name):
        words = shlex.split(example.partition(" < ")[0].partition(" | ")[0])
        assert words[: 1 + len(name.split())] == ["isolex", *name.split()], example
        own = next(known for known in COMMANDS if example.startswith(f"isolex {known}"))
        context = typer.Context(ALL[own])
        ALL[own].parse_args(context, words[1 + len(own.split()) :])  # raises if it cannot


@pytest.mark.parametrize("name", ALL, ids=lambda name: name or "isolex")
def test_examples_are_printed_one_per_line(name: str) -> None:
    lines = [line.strip() for line in help_text(name).splitlines()]
    assert all(example in lines for example in examples(name))


def test_the_sections_of_the_help_are_in_order() -> None:
    lines = [line.strip() for line in help_text("map").splitlines()]
    sections = ["Arguments:", "Options:", "Files:", "Exit codes:", "Examples:"]
    places = [lines.index(section) for section in sections]
    assert places == sorted(places)
    assert any(line.startswith("DIR/space.safetensors  ") for line in lines)
    assert all(f"{code:5}{meaning}" in lines for code, meaning in EXIT_CODES.items())


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("map", ["A", "B", "C"]),
        ("translate", ["DIR", "WORD"]),
        ("lexicon", ["DIR"]),
        ("apply", ["DIR", "FILE"]),
        ("evaluate lexicon", ["DIR", "GOLD"]),
    ],
)
def test_the_usage_names_every_argument_once(name: str, arguments: list[str]) -> None:
    usage = help_text(name).splitlines()[0]
    assert usage.startswith(f"Usage: isolex {name} [OPTIONS] ")
    assert re.findall(r"\w+", usage.partition("[OPTIONS]")[2]) == arguments
    assert "[[" not in usage


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_no_jargon_of_the_parser(name: str) -> None:
    text = help_text(name)
    assert "range>" not in text
    assert "INTEGER" not in text
    assert "TEXT" not in text


@pytest.mark.parametrize("name", ["lexicon", "apply", "convert", "train"])
def test_help_says_that_an_existing_file_is_replaced(name: str) -> None:
    assert "replaced" in help_text(name)


@pytest.mark.parametrize("name", ["map", "train", "evaluate lexicon"])
def test_help_says_what_quiet_still_prints(name: str) -> None:
    assert "warnings and errors" in " ".join(help_text(name).split())


@pytest.mark.parametrize("name", GROUPS, ids=lambda name: name or "isolex")
def test_summaries_are_not_cut(name: str) -> None:
    listed = help_text(name).partition("Commands:\n")[2].partition("\n\n")[0]
    assert len(listed.splitlines()) == len(ALL[name].commands)
    assert "..." not in listed


def test_an_epilog_has_its_sections_in_order_and_aligned() -> None:
    text = epilog("isolex do it", files={"a.txt": "one", "long.txt": "two"}, exit_codes=True)
    files, codes, shown = (part.removeprefix("\b\n") for part in text.split("\n\n"))
    assert files == "Files:\n  a.txt     one\n  long.txt  two"
    assert codes.splitlines()[:2] == ["Exit codes:", "  0    done"]
    assert shown == "Examples:\n  isolex do it"


def complete(line: str) -> list[str]:
    """What bash is offered for the last word of a line."""
    place = str(len(line.split(" ")) - 1)
    done = isolex(_ISOLEX_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=place)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.slow
def test_names_are_completed_and_files_left_to_the_shell() -> None:
    assert complete("isolex tr")[0] == "translate"
    assert complete("isolex map a.vec b.vec --system ") == list(SYSTEMS)
    assert complete("isolex map a.vec b.vec --system rob") == ["robust"]
    assert complete("isolex translate en-es --retrieval inv") == ["invsoftmax", "invnn"]
    assert "zhang2017" in complete("isolex bench z")
    assert complete("isolex map en") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_there_is_a_completion_script_for_each_shell(shell: str) -> None:
    done = isolex(_ISOLEX_COMPLETE=f"source_{shell}")
    assert done.returncode == 0
    assert f"_ISOLEX_COMPLETE=complete_{shell}" in done.stdout


def test_bash_completes_with_the_script(tmp_path: Path) -> None:
    command = tmp_path / "isolex"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m isolex "$@"\n')
    command.chmod(0o755)
    script = f"""
    {isolex(_ISOLEX_COMPLETE="source_bash").stdout}
    complete -p isolex
    COMP_WORDS=(isolex translate en-es --retrieval cs) COMP_CWORD=4
    _isolex_completion isolex
    printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "complete -o default -F _isolex_completion isolex\ncsls\n", done.stderr
