"""word2vec binary, as other tools write it."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from isolex.core.embeddings import Embeddings
from isolex.errors import InputError, UsageError
from isolex.io import Repairs, read, save

VECTORS = np.array([[1.5, -2, 3], [0.25, 5, 6], [7, 8, 9]], dtype=np.float32)
WORDS = ["dog", "café", "c"]


def binary(words, vectors, *, header=None, end=b"\n"):
    rows = [
        (word if isinstance(word, bytes) else word.encode()) + b" " + row.tobytes() + end
        for word, row in zip(words, vectors, strict=True)
    ]
    return (header or b"%d %d\n" % vectors.shape) + b"".join(rows)


@pytest.mark.parametrize("end", [b"\n", b""])
@pytest.mark.parametrize("name", ["a.bin", "a.vec", "a"])
def test_binary_is_read_whatever_its_name(put, end, name):
    embeddings, repairs = read(put(binary(WORDS, VECTORS, end=end), name))
    assert list(embeddings.words) == WORDS
    assert embeddings.vectors.tobytes() == VECTORS.tobytes()
    assert repairs == Repairs()


def test_text_in_a_bin_file_is_read_as_text(put):
    assert list(read(put(b"2 2\na 1 2\nb 3 4\n", "a.bin"))[0].words) == ["a", "b"]
    assert list(read(put(b"a 1 2\nb 3 4\n", "a.bin"))[0].words) == ["a", "b"]


def test_compressed_binary_is_read(put):
    path = put(gzip.compress(binary(WORDS, VECTORS)), "a.bin.gz")
    assert list(read(path)[0].words) == WORDS


@pytest.mark.parametrize("declared", [1, 5, 99_999_999_999])
def test_a_wrong_word_count_in_the_header_is_noted_and_all_rows_are_read(put, declared):
    path = put(binary(WORDS, VECTORS, header=b"%d 3\n" % declared), "a.bin")
    embeddings, repairs = read(path)
    assert len(embeddings) == 3
    assert repairs.header == f"header said {declared:,} words, file has 3"


@pytest.mark.parametrize("declared", [0, 300, 10**12, 10**30])
def test_impossible_dimensions_are_refused(put, declared):
    path = put(binary(WORDS, VECTORS, header=b"3 %d\n" % declared), "a.bin")
    with pytest.raises(InputError, match=f"a.bin: not word2vec binary: .*{declared:,} dimensions"):
        read(path)
    with pytest.raises(InputError, match=f"a.bin.gz: .*{declared:,} dimensions"):
        read(put(gzip.compress(path.read_bytes()), "a.bin.gz"))


@pytest.mark.parametrize("cut", [1, 5, 12, 13])
def test_a_truncated_last_entry_is_dropped(put, cut):
    embeddings, repairs = read(put(binary(WORDS, VECTORS, end=b"")[:-cut], "a.bin"))
    assert list(embeddings.words) == WORDS[:2]
    assert repairs == Repairs(truncated=1, header="header said 3 words, file has 2")


def test_rows_are_repaired_as_in_text(put):
    words = ["a", "", "b", "a", b"\xff", "z"]
    vectors = np.ones((6, 2), dtype=np.float32)
    vectors[2, 0] = np.nan
    vectors[5] = 0
    embeddings, repairs = read(put(binary(words, vectors), "a.bin"))
    assert list(embeddings.words) == ["a", "\udcff", "z"]
    assert repairs == Repairs(duplicates=1, empty=1, not_finite=1, zero=1, invalid_utf8=1)


def test_data_after_max_words_is_not_parsed(put):
    data = binary(WORDS, VECTORS) + b"x" * 200_000
    embeddings, repairs = read(put(data, "a.bin"), max_words=2)
    assert (list(embeddings.words), repairs) == (WORDS[:2], Repairs())


def test_a_word_that_is_too_long_is_refused(put):
    data = binary(WORDS, VECTORS) + b"x" * 200_000
    with pytest.raises(InputError, match=r"a\.bin: not word2vec binary: .*65,536 bytes"):
        read(put(data, "a.bin"))


def test_large_files_are_read_in_order(put):
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((50_000, 50)).astype(np.float32)
    words = [f"w{row}" for row in range(len(vectors))]
    ticks: list[float] = []
    embeddings, _ = read(put(binary(words, vectors), "a.bin"), tick=ticks.append)
    assert list(embeddings.words) == words
    assert embeddings.vectors.tobytes() == vectors.tobytes()
    assert ticks == sorted(ticks)
    assert ticks[-1] == 1.0


@pytest.mark.parametrize("word", ["", "a b", "\na"])
def test_words_that_binary_cannot_store_are_refused(tmp_path, word):
    with pytest.raises(UsageError, match=r"format bin;"):
        save(Embeddings([word], [[1.0]]), tmp_path / "a.bin")
    assert list(tmp_path.iterdir()) == []


def test_floats_that_look_like_text_are_binary_only_in_a_bin_file(tmp_path):
    letters = np.frombuffer(b"AAAABBBB", dtype=np.float32)[None]
    save(Embeddings(["a"], letters), tmp_path / "a.bin")
    assert read(tmp_path / "a.bin")[0].vectors.tobytes() == b"AAAABBBB"
    with pytest.raises(UsageError, match=r"a\.vec: .*; use \.safetensors"):
        save(Embeddings(["a"], letters), tmp_path / "a.vec", format="bin")
