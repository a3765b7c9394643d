"""The native format."""

from __future__ import annotations

import json
import mmap

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from isolex.core.embeddings import Embeddings
from isolex.errors import InputError, UsageError
from isolex.io import Repairs, read, save

WORDS = ["dog", "new york", "", "a\nb", "caf\udce9", "日本"]
VECTORS = np.arange(18, dtype=np.float32).reshape(6, 3) + 1


@pytest.fixture
def path(tmp_path):
    save(Embeddings(WORDS, VECTORS), tmp_path / "a.safetensors")
    return tmp_path / "a.safetensors"


def test_any_word_comes_back(path):
    embeddings, repairs = read(path)
    assert list(embeddings.words) == WORDS
    assert embeddings.vectors.tobytes() == VECTORS.tobytes()
    assert repairs == Repairs()


def test_vectors_are_a_read_only_view_on_the_file(path):
    base = read(path)[0].vectors
    assert not base.flags.writeable
    while isinstance(base, np.ndarray):
        base = base.base
    assert isinstance(base.obj if isinstance(base, memoryview) else base, mmap.mmap)


def test_content_wins_over_the_name(path, tmp_path):
    other = path.rename(tmp_path / "a.vec")
    assert list(read(other)[0].words) == WORDS


def test_max_words_slices(path):
    ticks: list[float] = []
    embeddings, _ = read(path, max_words=2, tick=ticks.append)
    assert list(embeddings.words) == WORDS[:2]
    assert embeddings.vectors.tolist() == VECTORS[:2].tolist()
    assert ticks == [1.0]
    assert len(read(path, max_words=100)[0]) == 6


def test_the_safetensors_package_reads_it(path):
    tensors = load_file(path)
    assert tensors["vectors"].tobytes() == VECTORS.tobytes()
    assert tensors["offsets"].dtype == np.int64
    assert tensors["words"].tobytes() == "".join(WORDS).encode("utf-8", "surrogateescape")


def tensors(**changes):
    given = {
        "vectors": np.ones((2, 3), np.float32),
        "words": np.frombuffer(b"ab", np.uint8),
        "offsets": np.array([0, 1, 2]),
    }
    return {name: array for name, array in {**given, **changes}.items() if array is not None}


OURS = {"format": "isolex-embeddings", "version": "1"}


def test_what_the_safetensors_package_writes_is_read(tmp_path):
    save_file(tensors(), tmp_path / "a.safetensors", OURS)
    assert list(read(tmp_path / "a.safetensors")[0].words) == ["a", "b"]


def test_rows_of_other_writers_are_repaired(tmp_path):
    vectors = np.array([[1, np.nan], [1, 2], [3, 4]], np.float32)
    changes = {"vectors": vectors, "offsets": np.array([0, 1, 2, 3])}
    words = np.frombuffer(b"abb", np.uint8)
    save_file(tensors(words=words, **changes), tmp_path / "a.safetensors", OURS)
    embeddings, repairs = read(tmp_path / "a.safetensors")
    assert list(embeddings.words) == ["b"]
    assert repairs == Repairs(not_finite=1, duplicates=1)


@pytest.mark.parametrize(
    ("changes", "metadata"),
    [
        ({"vectors": None}, OURS),
        ({"words": None}, OURS),
        ({"offsets": None}, OURS),
        ({"vectors": np.ones((2, 3))}, OURS),
        ({"vectors": np.ones(3, np.float32)}, OURS),
        ({"vectors": np.ones((3, 3), np.float32)}, OURS),
        ({"offsets": np.array([0, 2, 1])}, OURS),
        ({"offsets": np.array([0, -5, 2])}, OURS),
        ({"offsets": np.array([0, 1, 99])}, OURS),
        ({"offsets": np.zeros(0, np.int64)}, OURS),
        ({}, {"format": "other"}),
        ({}, None),
    ],
)
def test_other_tensors_are_refused(tmp_path, changes, metadata):
    save_file(tensors(**changes), tmp_path / "a.safetensors", metadata)
    with pytest.raises(InputError, match="not embeddings saved by isolex") as caught:
        read(tmp_path / "a.safetensors")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("end", [9, 40, 200, -1])
def test_a_cut_off_file_is_refused(path, end):
    path.write_bytes(path.read_bytes()[:end])
    with pytest.raises(InputError):
        read(path)


@pytest.mark.parametrize(
    "entry",
    [
        {"shape": [6, 10**30]},
        {"shape": [-6, -3]},
        {"shape": "no"},
        {"shape": [True, 18]},
        {"data_offsets": [0, 10**18]},
        {"data_offsets": [-8, 64]},
        {"data_offsets": None},
        {"dtype": "F64"},
    ],
)
def test_a_damaged_header_is_refused(path, entry):
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    header["vectors"].update(entry)
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data[8 + length :])
    with pytest.raises(InputError, match="not embeddings saved by isolex"):
        read(path)


def test_compressed_safetensors_are_refused(path, tmp_path, put):
    import gzip

    with pytest.raises(InputError, match="make it a plain file first"):
        read(put(gzip.compress(path.read_bytes()), "b.safetensors.gz"))
    with pytest.raises(UsageError, match="not compressed"):
        save(Embeddings(["a"], [[1.0]]), tmp_path / "b.safetensors.gz")


def test_equal_embeddings_give_equal_bytes(path, tmp_path):
    save(read(path)[0], tmp_path / "b.safetensors")
    assert path.read_bytes() == (tmp_path / "b.safetensors").read_bytes()
    save(read(path)[0], path)  # onto the very file that is mapped
    assert list(read(path)[0].words) == WORDS
