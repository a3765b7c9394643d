"""A lexicon is written in four formats, and no other suffix is accepted."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from isolex import Lexicon
from isolex.adapters import extras
from isolex.core.lexicon_file import SUFFIXES, as_tsv
from isolex.errors import InputError, UsageError
from isolex.io import read_pairs

SOURCES = ["dog", 'a,"b"', "caf\udce9", "a\tb", "a\nb", "ñ"]
TARGETS = ["perro", "日本", "t2", "t3", "t4", "t5"]


@pytest.fixture
def lexicon() -> Lexicon:
    every = np.arange(len(SOURCES), dtype=np.int32)
    scores = np.linspace(0.1234567, -1, len(SOURCES), dtype=np.float32)
    return Lexicon(every, every, scores, every % 2 == 0, (SOURCES, TARGETS))


def test_tsv_has_a_header_and_four_columns(lexicon: Lexicon, tmp_path: Path) -> None:
    lexicon.save(tmp_path / "lexicon.tsv")
    content = (tmp_path / "lexicon.tsv").read_bytes()
    lines = content.split(b"\n")
    assert lines[0] == b"source\ttarget\tscore\tmutual"
    assert lines[1] == b"dog\tperro\t0.123457\t1"
    assert lines[3].startswith(b"caf\xe9\tt2\t")  # a byte that is not UTF-8 stays that byte
    assert lines[4].startswith(rb"a\tb" + b"\tt3\t")
    assert lines[5].startswith(rb"a\nb" + b"\tt4\t")
    assert content == as_tsv(lexicon).encode("utf-8", "surrogateescape")


def test_tsv_can_be_read_as_word_pairs(lexicon: Lexicon, tmp_path: Path) -> None:
    lexicon.save(tmp_path / "lexicon.tsv")
    found = read_pairs(tmp_path / "lexicon.tsv")
    assert found[:3] == list(zip(SOURCES, TARGETS, strict=True))[:3]
    assert len(found) == len(SOURCES)


def test_csv_is_quoted(lexicon: Lexicon, tmp_path: Path) -> None:
    lexicon.save(tmp_path / "lexicon.csv")
    path = tmp_path / "lexicon.csv"
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        header, *found = csv.reader(file)
    assert header == ["source", "target", "score", "mutual"]
    assert [row[:2] for row in found] == [list(row) for row in zip(SOURCES, TARGETS, strict=True)]
    assert found[0][2:] == ["0.123457", "1"]
    assert found[1][3] == "0"


def test_jsonl_has_one_object_per_line(lexicon: Lexicon, tmp_path: Path) -> None:
    lexicon.save(tmp_path / "lexicon.jsonl")
    lines = (tmp_path / "lexicon.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    assert found[0] == {"source": "dog", "target": "perro", "score": 0.123457, "mutual": True}
    assert [row["source"] for row in found] == SOURCES
    assert [row["target"] for row in found] == TARGETS
    assert "日本" in lines[1]


def test_parquet_is_a_table(lexicon: Lexicon, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    lexicon.save(tmp_path / "lexicon.parquet")
    found = parquet.read_table(tmp_path / "lexicon.parquet").to_pydict()
    assert list(found) == ["source", "target", "score", "mutual"]
    assert [word.decode("utf-8", "surrogateescape") for word in found["source"]] == SOURCES
    assert found["target"] == TARGETS
    assert found["score"][0] == pytest.approx(0.1234567)
    assert found["mutual"] == [True, False] * 3


def test_parquet_without_its_extra_is_refused_with_the_pip_command(
    lexicon: Lexicon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"a\.parquet.*pip install 'isolex\[arrow\]'"):
        lexicon.save(tmp_path / "a.parquet")


@pytest.mark.parametrize(
    "name", ["lexicon.tsv.gz", "lexicon.txt", "lexicon", "lexicon.xlsx", ".tsv"]
)
def test_other_suffixes_are_refused_with_the_known_ones(
    lexicon: Lexicon, tmp_path: Path, name: str
) -> None:
    with pytest.raises(UsageError) as error:
        lexicon.save(tmp_path / name)
    assert all(fact in str(error.value) for fact in (name, *SUFFIXES))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_case_of_a_suffix_does_not_matter(
    lexicon: Lexicon, tmp_path: Path, suffix: str
) -> None:
    lexicon.save(tmp_path / f"small{suffix}")
    lexicon.save(tmp_path / f"LARGE{suffix.upper()}")
    small, large = (
        (tmp_path / name).read_bytes() for name in (f"small{suffix}", f"LARGE{suffix.upper()}")
    )
    assert small == large


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_pairs_without_words_are_not_written(lexicon: Lexicon, tmp_path: Path, suffix: str) -> None:
    with pytest.raises(UsageError, match="no words and scores"):
        Lexicon(lexicon.sources, lexicon.targets).save(tmp_path / f"lexicon{suffix}")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_missing_is_named(lexicon: Lexicon, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent/lexicon\.tsv: no such file"):
        lexicon.save(tmp_path / "absent" / "lexicon.tsv")
