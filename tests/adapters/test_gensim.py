"""gensim's KeyedVectors and models."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import Embeddings
from isolex.adapters import extras
from isolex.errors import UsageError
from tests.adapters.conftest import same

models = pytest.importorskip("gensim.models")

SENTENCES = [["dog", "barks", "loud"], ["dog", "runs"], ["cat", "runs", "dog"]] * 3


def test_there_and_back(some: Embeddings) -> None:
    vectors = some.to_gensim()
    assert isinstance(vectors, models.KeyedVectors)
    assert vectors.index_to_key == list(some.words)
    np.testing.assert_array_equal(vectors["wört3"], some["wört3"])
    cosines = some.vectors / np.linalg.norm(some.vectors, axis=1, keepdims=True)
    order = np.argsort(-(cosines @ cosines[3]))
    assert [word for word, _ in vectors.most_similar("wört3", topn=4)] == [
        some.words[row] for row in order[1:5]
    ]
    assert same(Embeddings.from_gensim(vectors), some)


def test_gensim_saves_and_loads_what_it_was_given(some: Embeddings, tmp_path) -> None:
    some.to_gensim().save(str(tmp_path / "a.kv"))
    assert same(Embeddings.from_gensim(models.KeyedVectors.load(str(tmp_path / "a.kv"))), some)


def test_counts_make_the_order(some: Embeddings) -> None:
    vectors = models.KeyedVectors(5)
    vectors.add_vectors(["rare", "often", "seldom"], some.vectors[:3])
    for word, count in (("rare", 1), ("often", 9), ("seldom", 3)):
        vectors.set_vecattr(word, "count", count)
    made = Embeddings.from_gensim(vectors)
    assert made.words == ("often", "seldom", "rare")
    np.testing.assert_array_equal(made["rare"], some.vectors[0])


def test_without_counts_the_order_stays(some: Embeddings) -> None:
    vectors = models.KeyedVectors(5)
    vectors.add_vectors(["rare", "often"], some.vectors[:2])
    assert Embeddings.from_gensim(vectors).words == ("rare", "often")


def test_places_that_were_never_filled_are_left_out(some: Embeddings) -> None:
    vectors = models.KeyedVectors(5, count=3)
    vectors.add_vector("a", some.vectors[0])
    assert Embeddings.from_gensim(vectors).words == ("a",)


def test_a_trained_model_gives_its_vectors_most_frequent_first() -> None:
    model = models.Word2Vec(SENTENCES, vector_size=4, min_count=1, epochs=1, workers=1)
    made = Embeddings.from_gensim(model)
    assert made.words[0] == "dog"
    assert made.subwords is None
    np.testing.assert_array_equal(made.vectors, model.wv.vectors)


def test_a_fasttext_model_makes_vectors_of_words_it_has_not_seen() -> None:
    model = models.FastText(SENTENCES, vector_size=4, min_count=1, epochs=1, workers=1, bucket=99)
    made = Embeddings.from_gensim(model)
    found = made.compose(["dogs", "dog", ""])
    assert list(found) == ["dogs", "dog"]
    np.testing.assert_array_equal(found["dogs"], model.wv["dogs"])
    np.testing.assert_array_equal(found["dog"], model.wv["dog"])


def test_anything_else_is_refused() -> None:
    with pytest.raises(UsageError, match=r"takes KeyedVectors or a model .* not dict"):
        Embeddings.from_gensim({})


def test_without_the_library_the_pip_line_is_said(some, monkeypatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"pip install 'isolex\[gensim\]'"):
        some.to_gensim()
