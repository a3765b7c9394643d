"""isolex and gensim read the files that the other writes."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.embeddings import Embeddings
from isolex.io import Repairs, read, save

gensim = pytest.importorskip("gensim.models")

VECTORS = np.random.default_rng(0).standard_normal((300, 7)).astype(np.float32)
WORDS = [f"wört{row}" for row in range(300)]


# gensim leaves a file open if there is no header.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("name", ["a.vec", "a.bin", "a.glove", "a.vec.gz"])
def test_gensim_reads_what_isolex_writes(tmp_path, name):
    save(Embeddings(WORDS, VECTORS), tmp_path / name)
    vectors = gensim.KeyedVectors.load_word2vec_format(
        str(tmp_path / name), binary="bin" in name, no_header="glove" in name
    )
    assert vectors.index_to_key == WORDS
    assert vectors.vectors.tobytes() == VECTORS.tobytes()


@pytest.mark.parametrize("name", ["a.vec", "a.bin", "a.glove", "a.vec.gz", "a.bin.bz2"])
def test_isolex_reads_what_gensim_writes(tmp_path, name):
    vectors = gensim.KeyedVectors(VECTORS.shape[1])
    vectors.add_vectors(WORDS, VECTORS)
    vectors.save_word2vec_format(
        str(tmp_path / name), binary="bin" in name, write_header="glove" not in name
    )
    embeddings, repairs = read(tmp_path / name)
    assert list(embeddings.words) == WORDS
    assert embeddings.vectors.tobytes() == VECTORS.tobytes()
    assert repairs == Repairs()
