"""Help as a manual page, and what the Tab key offers."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import typer

from isolex.cli import app, manual
from isolex.systems import SYSTEMS
from tests.cli import typed


def commands() -> Iterator[tuple[str, str]]:
    """The name of every command as it is typed, and its docstring."""
    for prefix, some in [
        ("", app),
        *((f"{group.name} ", group.typer_instance) for group in app.registered_groups),
    ]:
        assert some is not None
        for command in some.registered_commands:
            yield f"{prefix}{command.name}", (command.callback and command.callback.__doc__) or ""


COMMANDS = dict(commands())


isolex = partial(typed.isolex, None)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example_that_can_be_typed(name: str) -> None:
    page = manual.read(COMMANDS[name])
    assert page.examples
    root = typer.main.get_command(app)
    for example in page.examples:
        words = shlex.split(example.partition(" < ")[0])
        assert " ".join(words).startswith(f"isolex {name}"), example
        command = root
        for part in name.split():
            command = command.commands[part]  # type: ignore[attr-defined]
        context = typer.Context(command)
        command.parse_args(context, words[1 + len(name.split()) :])  # raises what it refuses


def test_help_has_the_sections_of_a_manual_in_their_order() -> None:
    text = isolex("map", "--help").stdout
    sections = ["Usage: isolex map [OPTIONS] SRC TRG", "\nArguments:\n", "\nOptions:\n"]
    sections += ["\nFiles:\n", "\nExit codes:\n", "\nExamples:\n"]
    places = [text.find(section) for section in sections]
    assert -1 not in places
    assert places == sorted(places)
    assert "  1    the verdict is failed" in text
    assert "Usage: isolex translate [OPTIONS] DIR [WORD...]" in isolex("translate", "-h").stdout
    assert "Usage: isolex explore [OPTIONS] DIR...\n" in isolex("explore", "-h").stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_no_words_of_the_parser(name: str) -> None:
    assert "range>" not in isolex(*name.split(), "--help", COLUMNS="80").stdout


@pytest.mark.parametrize("name", ["lexicon", "apply", "convert", "train"])
def test_help_says_that_a_file_is_replaced(name: str) -> None:
    assert "that is there is replaced" in " ".join(COMMANDS[name].split())


@pytest.mark.parametrize("name", ["map", "train", "evaluate lexicon"])
def test_help_says_what_the_quiet_are_told(name: str) -> None:
    assert "only warnings and errors" in isolex(*name.split(), "--help").stdout.lower()


@pytest.mark.parametrize("group", [(), ("evaluate",), ("fetch",)])
def test_summaries_are_not_cut(group: tuple[str, ...]) -> None:
    assert "..." not in isolex(*group, "--help", COLUMNS="80").stdout.partition("Commands:")[2]


def test_a_docstring_is_taken_apart() -> None:
    page = manual.read(
        """Do it.

        At once.

        Files:
            a.txt: one thing:
                and more
            b.txt: another

        Exit codes:
            1: not done

        Example: isolex do
          it
        """
    )
    assert page.prose == "Do it.\n\nAt once."
    assert page.files == {"a.txt": "one thing: and more", "b.txt": "another"}
    assert page.exit_codes == manual.EXIT_CODES | {"1": "not done"}
    assert page.examples == ["isolex do it"]


def complete(line: str) -> list[str]:
    """What bash is offered for the last word of a line."""
    place = str(len(line.split(" ")) - 1)
    done = isolex(_ISOLEX_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=place)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


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
    asked = f"""
    {isolex(_ISOLEX_COMPLETE="source_bash").stdout}
    complete -p isolex
    COMP_WORDS=(isolex translate en-es --retrieval cs) COMP_CWORD=4
    _isolex_completion isolex
    printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", asked], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "complete -o default -F _isolex_completion isolex\ncsls\n", done.stderr
