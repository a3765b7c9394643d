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


def test_a_round_trip_preserves_everything(embeddings: Embeddings) -> None:
    vectors = embeddings.to_gensim()
    assert isinstance(vectors, models.KeyedVectors)
    assert vectors.index_to_key == list(embeddings.words)
    np.testing.assert_array_equal(vectors["wört3"], embeddings["wört3"])
    assert same(Embeddings.from_gensim(vectors), embeddings)


def test_gensim_finds_the_nearest_neighbours_by_cosine(embeddings: Embeddings) -> None:
    unit = embeddings.vectors / np.linalg.norm(embeddings.vectors, axis=1, keepdims=True)
    order = np.argsort(-(unit @ unit[3]))
    found = [word for word, _ in embeddings.to_gensim().most_similar("wört3", topn=4)]
    assert found == [embeddings.words[row] for row in order[1:5]]


def test_a_round_trip_through_gensims_own_file_preserves_everything(
    embeddings: Embeddings, tmp_path
) -> None:
    path = str(tmp_path / "a.kv")
    embeddings.to_gensim().save(path)
    assert same(Embeddings.from_gensim(models.KeyedVectors.load(path)), embeddings)


def test_words_are_sorted_by_count(embeddings: Embeddings) -> None:
    vectors = models.KeyedVectors(5)
    vectors.add_vectors(["rare", "often", "seldom"], embeddings.vectors[:3])
    for word, count in (("rare", 1), ("often", 9), ("seldom", 3)):
        vectors.set_vecattr(word, "count", count)
    found = Embeddings.from_gensim(vectors)
    assert found.words == ("often", "seldom", "rare")
    np.testing.assert_array_equal(found["rare"], embeddings.vectors[0])


def test_without_counts_words_stay_in_order(embeddings: Embeddings) -> None:
    vectors = models.KeyedVectors(5)
    vectors.add_vectors(["rare", "often"], embeddings.vectors[:2])
    assert Embeddings.from_gensim(vectors).words == ("rare", "often")


def test_rows_that_were_never_filled_are_dropped(embeddings: Embeddings) -> None:
    vectors = models.KeyedVectors(5, count=3)
    vectors.add_vector("a", embeddings.vectors[0])
    assert Embeddings.from_gensim(vectors).words == ("a",)


def test_a_trained_model_gives_its_vectors_most_frequent_first() -> None:
    model = models.Word2Vec(SENTENCES, vector_size=4, min_count=1, epochs=1, workers=1)
    found = Embeddings.from_gensim(model)
    assert found.words[0] == "dog"
    assert found.subwords is None
    np.testing.assert_array_equal(found.vectors, model.wv.vectors)


def test_a_fasttext_model_gives_vectors_for_out_of_vocabulary_words() -> None:
    model = models.FastText(SENTENCES, vector_size=4, min_count=1, epochs=1, workers=1, bucket=99)
    found = Embeddings.from_gensim(model).compose(["dogs", "dog", ""])
    assert list(found) == ["dogs", "dog"]
    np.testing.assert_array_equal(found["dogs"], model.wv["dogs"])
    np.testing.assert_array_equal(found["dog"], model.wv["dog"])


def test_anything_else_is_refused(wording) -> None:
    with pytest.raises(UsageError, match=r"from_gensim .*KeyedVectors.*\.wv.* not dict") as error:
        Embeddings.from_gensim({})
    wording(error.value)


def test_without_gensim_the_error_names_the_pip_command(embeddings, monkeypatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"to_gensim .*pip install 'isolex\[gensim\]'"):
        embeddings.to_gensim()
    with pytest.raises(UsageError, match=r"from_gensim .*pip install 'isolex\[gensim\]'"):
        Embeddings.from_gensim({})
