"""isolex evaluate lexicon --gold-dir: all pairs of languages with a gold file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from isolex import Space
from isolex.cli import console, gold_matrix
from tests.cli.conftest import Run
from tests.wording import Wording

COMMAND = ("evaluate", "lexicon", "eu", "--gold-dir", "gold")


@pytest.fixture(autouse=True)
def gold(home: Path, eu: Space) -> Path:
    """Gold files for English to German, both ways between German and Polish, and parts."""
    folder = home / "gold"
    folder.mkdir(exist_ok=True)
    for source, target, part in (
        ("en", "de", ""),
        ("en", "de", ".test"),
        ("de", "pl", ""),
        ("pl", "de", ""),
        ("xx", "ro", ""),
    ):
        name = {"xx": "en"}.get(source, source)
        lines = [f"{name.upper()}{row} {target}{row}\n" for row in range(10 if part else 60)]
        (folder / f"{source}-{target}{part}.txt").write_text("".join(lines))
    return folder


def test_a_table_shows_every_pair_in_its_place(run: Run, wording: Wording) -> None:
    done = run(*COMMAND, "--lowercase")
    assert done.returncode == 0
    header, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert header == ["from / to", "en", "de", "pl", "ro"]
    assert [row[0] for row in rows] == ["en", "de", "pl", "ro"]
    assert [[bool(cell) for cell in row[1:]] for row in rows] == [
        [False, True, False, False],
        [True, False, True, False],
        [False, True, False, False],
        [False, False, False, False],
    ]
    assert rows[1][1].endswith("*"), "German to English uses the swapped file"
    assert "*" not in rows[0][2] + rows[1][3] + rows[2][2]
    assert all(float(cell.rstrip("*")) > 80 for row in rows for cell in row[1:] if cell)
    wording(done.stderr)


def test_the_figures_are_those_of_each_pair_alone(run: Run) -> None:
    matrix = json.loads(run(*COMMAND, "--lowercase", "--json", "--retrieval", "nn").stdout)
    assert matrix["retrieval"] == "nn"
    assert matrix["languages"] == ["en", "de", "pl", "ro"]
    assert list(matrix["pairs"]) == ["en-de", "de-en", "de-pl", "pl-de"]
    options = ("--from", "pl", "--to", "de", "--lowercase", "--retrieval", "nn", "--json")
    alone = json.loads(run("evaluate", "lexicon", "eu", "gold/pl-de.txt", *options).stdout)
    assert matrix["pairs"]["pl-de"] == {
        "languages": ["pl", "de"],
        **alone,
        "verdict": "doubtful",
        "gold": "pl-de.txt",
        "swapped": False,
    }
    assert matrix["pairs"]["de-en"]["gold"] == "en-de.txt"
    assert matrix["pairs"]["de-en"]["swapped"] is True


def test_a_pattern_and_other_names_choose_files(run: Run) -> None:
    options = ("--gold-pattern", "{from}-{to}.test.*", "--lowercase", "--json")
    pairs = json.loads(run(*COMMAND, *options).stdout)["pairs"]
    assert {label: about["entries"] for label, about in pairs.items()} == {"en-de": 10, "de-en": 10}
    pairs = json.loads(run(*COMMAND, "--as", "en=xx", "--lowercase", "--json").stdout)["pairs"]
    assert pairs["en-ro"]["gold"] == "xx-ro.txt"
    assert pairs["en-ro"]["verdict"] == "failed"
    assert "en-de" not in pairs


def test_the_table_can_be_markdown_or_latex(run: Run) -> None:
    markdown = run(*COMMAND, "--lowercase", "--format", "markdown").stdout.splitlines()
    assert markdown[:2] == [
        "| from / to | en | de | pl | ro |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    assert len(markdown) == 8
    assert "*: " in markdown[-1]
    latex = run(*COMMAND, "--lowercase", "--format", "latex").stdout
    assert r"from / to & en & de & pl & ro \\" in latex
    assert r"\begin{tabular}{lrrrr}" in latex
    assert r"\caption{Precision@1 in percent (csls)" in latex


def test_vectors_mapped_elsewhere_can_be_evaluated(run: Run, home: Path) -> None:
    (home / "gold" / "s-t.txt").write_text("s1 t1\n")
    vectors = ("--vectors", "out/s.vec", "--vectors", "out/t.vec")
    done = run("evaluate", "lexicon", *vectors, "--gold-dir", "gold", "--json")
    assert list(json.loads(done.stdout)["pairs"]) == ["s-t", "t-s"]


def test_low_coverage_is_a_warning_that_names_the_pair(
    run: Run, home: Path, wording: Wording
) -> None:
    lines = [f"en{row} de{row}\n" for row in range(10)] + [f"x{row} y\n" for row in range(70)]
    (home / "few").mkdir()
    (home / "few" / "en-de.txt").write_text("".join(lines))
    done = run("evaluate", "lexicon", "eu", "--gold-dir", "few", "--quiet")
    assert done.returncode == 0
    assert "en-de: 10 of 80" in done.stderr
    wording(done.stderr)


def test_a_wide_table_is_printed_in_parts_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [["from / to", *"abcdefg"], ["a", *["12.34"] * 7]]
    assert list(gold_matrix._parts(lines)) == [lines]
    monkeypatch.setattr(gold_matrix, "terminal_width", lambda: 35)
    parts = list(gold_matrix._parts(lines))
    assert [part[0] for part in parts] == [["from / to", *some] for some in ("abc", "def", "g")]
    assert parts[-1][1] == ["a", "12.34"]
    monkeypatch.setattr(gold_matrix, "terminal_width", lambda: 5)
    assert len(list(gold_matrix._parts(lines))) == 7
    assert console.terminal_width() is None, "the output of a test is no terminal"


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        (("eu", "--gold-dir", "absent"), ["absent: no such folder"]),
        (("eu", "--gold-dir", "gold", "--as", "en"), ["--as en", "eng=en"]),
        (("eu", "--gold-dir", "gold", "--as", "eng=en"), ["'eng'", "'en'?"]),
        (("eu", "--gold-dir", "gold"), ["en-de: no gold pair"]),
        (("eu", "--gold-dir", "gold", "--from", "en"), ["--gold-dir", "--from"]),
        (("eu", "--gold-dir", "gold", "--json", "--format", "latex"), ["--format", "--json"]),
        (("eu", "gold.txt", "--gold-dir", "gold"), ["no gold file"]),
        (("eu", "gold.txt", "--format", "latex"), ["--format", "--gold-dir"]),
        (("eu", "gold.txt", "--as", "en=xx"), ["--as", "--gold-dir"]),
        (("--gold-dir", "gold"), ["folder", "--vectors"]),
        ((), ["a folder and a gold file"]),
    ],
)
def test_a_mistake_is_reported_in_one_line(
    run: Run, options: tuple[str, ...], facts: list[str], wording: Wording
) -> None:
    done = run("evaluate", "lexicon", *options, "--quiet")
    assert done.returncode == 2
    assert all(fact in done.stderr for fact in facts), done.stderr
    line = done.stderr.splitlines()[-1]
    assert line.startswith("isolex: ")
    wording(line)
