"""The languages of a space are completed; what cannot be opened completes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from isolex import Space
from isolex.cli import app
from isolex.cli.complete import languages

COMMANDS = typer.main.get_command(app)


def offered(line: str, incomplete: str = "") -> list[str]:
    """The languages that are offered at the end of a line."""
    context, command = typer.Context(COMMANDS), COMMANDS
    words = line.split()
    while hasattr(command, "commands"):
        command = command.commands[words.pop(0)]
    context = command.make_context("isolex", words, resilient_parsing=True)
    return languages(context, incomplete)


@pytest.fixture
def here(eu: Space, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(home)
    return home


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "line",
    [
        "translate eu word --from",
        "translate eu word --from en --to",
        "lexicon eu --out x.tsv --to",
        "evaluate lexicon eu gold.txt --from",
        "evaluate lexicon eu gold.txt --from=",
        "evaluate similarity eu gold.txt --to",
        "evaluate analogy eu gold.txt --language",
        "apply eu x.vec --language",
    ],
)
def test_the_languages_of_the_folder_are_offered(line: str) -> None:
    assert offered(line) == ["en", "de", "pl", "ro"]
    assert offered(line, "p") == ["pl"]
    assert offered(line, "x") == []


@pytest.mark.usefixtures("here")
def test_a_home_folder_is_found_as_the_shell_writes_it(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(here))
    assert offered("lexicon ~/eu --from") == ["en", "de", "pl", "ro"]


def test_the_names_of_vectors_are_offered() -> None:
    assert offered("lexicon --vectors a.vec --vectors y=b.vec --from") == ["a", "y"]


def test_what_cannot_be_opened_offers_nothing(tmp_path: Path) -> None:
    (tmp_path / "space.safetensors").write_text("junk")
    for line in ("--from", "nowhere --from", f"{tmp_path} --from", "--vectors = --from"):
        assert offered(f"lexicon {line}") == [], line
