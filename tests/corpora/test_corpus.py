"""Text files of any size become sentences of words, with a count of each word."""

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
from tests.wording import Wording

TEXT = "One two.\n\nThree, two!\r\n"


def read(tmp_path: Path, *files: Path) -> Corpus:
    return Corpus.read(files, tmp_path / "out.words")


@pytest.mark.parametrize(
    "compress",
    [bytes, gzip.compress, bz2.compress, lzma.compress, zstandard.ZstdCompressor().compress],
    ids=["plain", "gz", "bz2", "xz", "zst"],
)
def test_each_line_is_a_sentence_in_every_compression(tmp_path: Path, compress) -> None:
    (tmp_path / "a").write_bytes(compress(TEXT.encode()))
    found = read(tmp_path, tmp_path / "a")
    assert found.path.read_text() == "one two\nthree two\n"
    assert found.counts == Counter(one=1, two=2, three=1)
    assert (found.sentences, found.words) == (2, 4)
    assert list(found.lines()) == [["one", "two"], ["three", "two"]]


def test_the_block_size_does_not_change_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(f"ñandú{i} ça va\n" for i in range(300))
    (tmp_path / "a").write_text(text, encoding="utf-8")
    whole = read(tmp_path, tmp_path / "a").path.read_bytes()
    monkeypatch.setattr(corpus, "_BLOCK_BYTES", 37)
    assert read(tmp_path, tmp_path / "a").path.read_bytes() == whole == text.encode()


def test_a_very_long_line_is_split_between_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "_BLOCK_BYTES", 64)
    monkeypatch.setattr(corpus, "_MAX_LINE_BYTES", 256)
    monkeypatch.setattr(corpus, "_MAX_SENTENCE_WORDS", 10)
    (tmp_path / "a").write_text("über alles " * 200, encoding="utf-8")
    found = read(tmp_path, tmp_path / "a")
    assert found.counts == Counter(über=200, alles=200)
    assert max(len(line) for line in found.lines()) == 10


def test_a_very_long_line_without_spaces_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(corpus, "_BLOCK_BYTES", 64)
    monkeypatch.setattr(corpus, "_MAX_LINE_BYTES", 256)
    (tmp_path / "a").write_text("x" * 1000)
    with pytest.raises(InputError, match=r"a: .* 320 bytes") as error:
        read(tmp_path, tmp_path / "a")
    wording(error.value)


def test_progress_is_the_fraction_of_bytes_over_all_files(tmp_path: Path) -> None:
    for name, times in (("a", 1), ("b", 3)):
        (tmp_path / name).write_text("some text here\n" * 1000 * times)
    fractions: list[float] = []
    Corpus.read([tmp_path / "a", tmp_path / "b"], tmp_path / "out", tick=fractions.append)
    assert fractions == [0.25, 1.0]


def test_a_huge_vocabulary_loses_only_its_rarest_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "_MAX_COUNTED_WORDS", 50)
    (tmp_path / "a").write_text("".join(f"common w{i}\n" for i in range(500)))
    found = read(tmp_path, tmp_path / "a")
    assert len(found.counts) <= 50
    assert found.counts["common"] == 500
    assert found.words == 1000


def test_a_folder_stands_for_its_visible_files(tmp_path: Path) -> None:
    for name in ("b.txt", "sub/a.txt", ".hidden", ".git/x"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("text")
    names = [str(path.relative_to(tmp_path)) for path in find_files([tmp_path])]
    assert names == ["b.txt", "sub/a.txt"]


def test_an_empty_folder_is_refused(tmp_path: Path, wording: Wording) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match=r"folder: .*no files") as error:
        find_files([tmp_path / "folder"])
    wording(error.value)


def test_an_empty_list_of_files_is_refused(wording: Wording) -> None:
    with pytest.raises(UsageError, match="no corpus") as error:
        find_files([])
    wording(error.value)


@pytest.mark.parametrize(
    ("data", "facts"),
    [
        (b"fine\nma\xf1ana\n", r"a, line 2: .*UTF-8.*iconv"),
        (b"fine\nfine\n\0\0", r"a, line 3: .*zero byte"),
        ("text".encode("utf-16"), r"a: .*UTF-16"),
        (b"", r"a: no words"),
        (b"... !!!\n", r"a: no words"),
    ],
    ids=["latin1", "binary", "utf16", "empty", "punctuation"],
)
def test_a_file_that_is_not_text_is_refused_with_its_line(
    tmp_path: Path, data: bytes, facts: str, wording: Wording
) -> None:
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(InputError, match=facts) as error:
        read(tmp_path, tmp_path / "a")
    wording(error.value)


def test_truncated_compressed_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(gzip.compress(b"text " * 100)[:-9])
    with pytest.raises(InputError, match=r"a: .*compressed"):
        read(tmp_path, tmp_path / "a")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="absent: no such file"):
        read(tmp_path, tmp_path / "absent")
