"""isolex lexicon: to a file in several formats, or to standard output."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

HEADER = ["source", "target", "score", "mutual"]


def test_the_lexicon_has_k_translations_per_word_and_marks_mutual_pairs(
    run: Run, home: Path
) -> None:
    done = run("lexicon", "out", "--out", "three.tsv", "-k", "3")
    assert done.returncode == 0
    assert "three.tsv: 600 pairs" in done.stderr
    lines = (home / "three.tsv").read_text().splitlines()
    assert lines[0].split("\t") == HEADER
    assert len(lines) == 601
    best = [line.split("\t") for line in lines[1::3]]
    assert sum(s[1:] == t[1:] and mutual == "1" for s, t, _, mutual in best) > 195


def test_without_options_it_is_the_lexicon_of_the_run(run: Run, home: Path) -> None:
    assert run("lexicon", "out", "--out", "again.tsv").returncode == 0
    assert (home / "again.tsv").read_bytes() == (home / "out" / "lexicon.tsv").read_bytes()


def test_a_dash_prints_the_lexicon(run: Run, home: Path) -> None:
    done = run("lexicon", "out", "--out", "-")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (home / "out" / "lexicon.tsv").read_text()


@pytest.mark.slow
def test_the_suffix_chooses_the_format(run: Run, home: Path) -> None:
    rows = [line.split("\t") for line in (home / "out" / "lexicon.tsv").read_text().splitlines()]
    for suffix in (".csv", ".jsonl", ".parquet"):
        assert run("lexicon", "out", "--out", f"written{suffix}").returncode == 0, suffix
    with (home / "written.csv").open(newline="", encoding="utf-8") as file:
        assert list(csv.reader(file)) == rows
    lines = (home / "written.jsonl").read_text(encoding="utf-8").splitlines()
    expected = [[s, t, float(score), mutual == "1"] for s, t, score, mutual in rows[1:]]
    assert [list(json.loads(line).values()) for line in lines] == expected
    assert list(json.loads(lines[0])) == HEADER
    arrow = pytest.importorskip("pyarrow.parquet")
    table = arrow.read_table(home / "written.parquet")
    assert table.column_names == HEADER
    assert table.column("target").to_pylist() == [row[1] for row in rows[1:]]


@pytest.mark.parametrize("options", [("--reverse",), ("--from", "t", "--to", "s")])
def test_the_direction_can_be_changed(run: Run, options: tuple[str, ...]) -> None:
    done = run("lexicon", "out", "--out", "-", *options)
    sources = [line.split("\t")[0] for line in done.stdout.splitlines()[1:]]
    assert len(sources) == 200
    assert all(word.startswith("t") for word in sources)


def test_vectors_that_another_program_mapped_give_the_same_lexicon(run: Run, home: Path) -> None:
    files = ("--vectors", "out/s.vec", "--vectors", "out/t.vec")
    done = run("lexicon", *files, "--out", "-")
    assert done.returncode == 0, done.stderr
    rows, own = (
        [line.split("\t") for line in text.splitlines()]
        for text in (done.stdout, (home / "out" / "lexicon.tsv").read_text())
    )
    assert [row[:2] for row in rows] == [row[:2] for row in own]
    named = run("lexicon", "--vectors", "a=out/s.vec", "--vectors", "b=out/t.vec", "--out", "-")
    assert named.stdout == done.stdout


def test_an_existing_lexicon_of_the_run_may_be_replaced(run: Run, home: Path) -> None:
    before = (home / "out" / "lexicon.tsv").read_bytes()
    assert run("lexicon", "out", "--out", "out/lexicon.tsv").returncode == 0
    assert (home / "out" / "lexicon.tsv").read_bytes() == before
