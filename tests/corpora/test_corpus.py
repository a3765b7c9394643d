"""Text files of any size become lines of words and their counts."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections import Counter
from pathlib import Path

import pytest
import zstandard

from isolex.corpora import Corpus, corpus, find_files
from isolex.errors import InputError, UsageError

TEXT = "One two.\n\nThree, two!\r\n"


def read(tmp_path: Path, *files: Path) -> Corpus:
    return Corpus.read(files, tmp_path / "out.words")


@pytest.mark.parametrize(
    "pack",
    [bytes, gzip.compress, bz2.compress, lzma.compress, zstandard.ZstdCompressor().compress],
    ids=["plain", "gz", "bz2", "xz", "zst"],
)
def test_a_line_is_a_sentence_however_it_is_compressed(tmp_path: Path, pack) -> None:
    (tmp_path / "a").write_bytes(pack(TEXT.encode()))
    found = read(tmp_path, tmp_path / "a")
    assert found.path.read_text() == "one two\nthree two\n"
    assert found.counts == Counter(one=1, two=2, three=1)
    assert (found.sentences, found.words) == (2, 4)
    assert list(found.lines()) == [["one", "two"], ["three", "two"]]


def test_pieces_of_a_file_join_without_a_seam(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(f"ñandú{i} ça va\n" for i in range(300))
    (tmp_path / "a").write_text(text, encoding="utf-8")
    whole = read(tmp_path, tmp_path / "a").path.read_bytes()
    monkeypatch.setattr(corpus, "_BLOCK", 37)
    assert read(tmp_path, tmp_path / "a").path.read_bytes() == whole == text.encode()


def test_a_book_on_one_line_is_cut_between_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "_BLOCK", 64)
    monkeypatch.setattr(corpus, "_LONGEST", 256)
    monkeypatch.setattr(corpus, "_SENTENCE", 10)
    (tmp_path / "a").write_text("über alles " * 200, encoding="utf-8")
    found = read(tmp_path, tmp_path / "a")
    assert found.counts == Counter(über=200, alles=200)
    assert max(len(line) for line in found.lines()) == 10


def test_progress_is_the_share_of_the_bytes_of_all_files(tmp_path: Path) -> None:
    for name, times in (("a", 1), ("b", 3)):
        (tmp_path / name).write_text("some text here\n" * 1000 * times)
    shares: list[float] = []
    Corpus.read([tmp_path / "a", tmp_path / "b"], tmp_path / "out", tick=shares.append)
    assert shares == [0.25, 1.0]


def test_a_huge_vocabulary_forgets_its_rarest_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "_MOST_WORDS", 50)
    (tmp_path / "a").write_text("".join(f"common w{i}\n" for i in range(500)))
    found = read(tmp_path, tmp_path / "a")
    assert len(found.counts) <= 50
    assert found.counts["common"] == 500
    assert found.words == 1000


def test_a_folder_is_all_its_files_but_hidden_ones(tmp_path: Path) -> None:
    for name in ("b.txt", "sub/a.txt", ".hidden", ".git/x"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("text")
    names = [str(path.relative_to(tmp_path)) for path in find_files([tmp_path])]
    assert names == ["b.txt", "sub/a.txt"]


def test_no_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a folder without files"):
        find_files([tmp_path])
    with pytest.raises(UsageError, match="no corpus"):
        find_files([])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"fine\nma\xf1ana\n", r"a, line 2: not UTF-8; convert it, such as with iconv"),
        (b"fine\nfine\n\0\0", r"a, line 3: a zero byte: not a text file"),
        ("text".encode("utf-16"), r"a: UTF-16 text; convert it to UTF-8"),
        (b"", r"a: no words in it"),
        (b"... !!!\n", r"a: no words in it"),
        (gzip.compress(b"text " * 100)[:-9], r"a: the compressed data end too early"),
    ],
    ids=["latin1", "binary", "utf16", "empty", "punctuation", "cut"],
)
def test_what_is_not_text_is_refused_with_its_line(
    tmp_path: Path, data: bytes, message: str
) -> None:
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(InputError, match=message):
        read(tmp_path, tmp_path / "a")


def test_an_absent_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="absent: no such file"):
        read(tmp_path, tmp_path / "absent")
