"""Real vectors and dictionaries, if they are available."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from isolex.io import Repairs, read, read_pairs, save

pytestmark = pytest.mark.data


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("zhang2017/es-en/es.vec.gz", (4774, 50)),
        ("zhang2017/zh-en/zh.vec.gz", (3349, 50)),
        ("eltec/eng.vec.gz", (20_000, 300)),
    ],
)
def test_real_vectors_are_read_and_round_trip(data: Path, tmp_path, name, shape):
    embeddings, repairs = read(data / name)
    assert embeddings.vectors.shape == shape
    assert repairs == Repairs()
    for suffix in (".vec", ".bin", ".safetensors"):
        save(embeddings, tmp_path / f"a{suffix}")
        again, _ = read(tmp_path / f"a{suffix}")
        assert again.words == embeddings.words
        assert np.array_equal(again.vectors, embeddings.vectors)


@pytest.mark.parametrize("name", ["en-es.txt", "zh-en.5000-6500.txt", "it-en.0-5000.txt"])
def test_real_dictionaries_are_read(data: Path, name):
    path = data / "muse" / name
    lines = path.read_bytes().decode().split("\n")
    assert len(read_pairs(path)) == sum(bool(line.strip()) for line in lines)
