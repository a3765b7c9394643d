"""isolex translate: words from the command line or standard input, in either direction."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.typed import COMMAND
from tests.wording import Wording


def test_words_are_arguments_or_lines_of_standard_input(run: Run) -> None:
    done = run("translate", "out", "s1", "s2", "-k", "2")
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert lines[0] == ["word", "translation", "score"]
    assert [line[:2] for line in lines[1::2]] == [["s1", "t1"], ["s2", "t2"]]
    piped = run("translate", "out", "-k", "2", stdin="s1\ns2\n")
    assert piped.stdout == done.stdout


@pytest.mark.parametrize(
    "options", [("--reverse",), ("--from", "t"), ("--to", "s"), ("--from", "t", "--to", "s")]
)
def test_the_direction_can_be_changed(run: Run, options: tuple[str, ...]) -> None:
    done = run("translate", "out", "t3", *options, "--retrieval", "nn", "-k", "1", "--json")
    (found,) = json.loads(done.stdout)["t3"]
    assert found["word"] == "s3"
    assert 0 < found["score"] <= 1.0001


def test_reverse_swaps_the_languages_that_were_given(run: Run) -> None:
    plain = run("translate", "out", "s3")
    assert plain.returncode == 0
    swapped = run("translate", "out", "s3", "--from", "t", "--to", "s", "--reverse")
    assert swapped.stdout == plain.stdout


def test_an_unknown_word_is_reported_and_the_others_are_translated(
    run: Run, wording: Wording
) -> None:
    done = run("translate", "out", "s1", "unheard", "--json")
    assert done.returncode == 2
    found = json.loads(done.stdout)
    assert found["s1"][0]["word"] == "t1"
    assert found["unheard"] == []
    assert done.stderr.count("\n") == 1
    assert all(fact in done.stderr for fact in ("'unheard'", "vocabulary of s", "200"))
    wording(done.stderr)


@pytest.mark.parametrize(
    ("word", "options", "language"), [("t1", (), "t"), ("s1", ("--reverse",), "s")]
)
def test_a_word_of_the_other_language_gets_a_hint(
    run: Run, word: str, options: tuple[str, ...], language: str, wording: Wording
) -> None:
    done = run("translate", "out", word, *options)
    assert done.returncode == 2
    assert f"it is a word of {language}" in done.stderr
    assert "--reverse" in done.stderr
    wording(done.stderr)


def test_bytes_that_are_not_utf8_may_be_on_standard_input(home: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "translate", "out"],
        cwd=home,
        input=b"s1\ncaf\xe9\n",
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )
    assert done.returncode == 2
    assert b"s1\tt1" in done.stdout
    assert done.stderr.count(b"\n") == 1


def test_a_reader_that_closes_the_pipe_is_not_an_error(home: Path) -> None:
    command = f"{sys.executable} -m isolex translate out s1 s2 | head -n 0; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=home, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
