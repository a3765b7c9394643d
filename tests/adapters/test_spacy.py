"""spaCy's vectors."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from isolex import Embeddings
from isolex.adapters import extras
from isolex.errors import UsageError
from tests.adapters.conftest import same

with warnings.catch_warnings():  # of libraries below spaCy, while they are imported
    warnings.simplefilter("ignore")
    spacy = pytest.importorskip("spacy")
    from spacy.vectors import Vectors
    from spacy.vocab import Vocab


def test_a_vocab_there_and_back(some: Embeddings) -> None:
    vocab = some.to_spacy()
    assert isinstance(vocab, Vocab)
    np.testing.assert_array_equal(vocab["wört3"].vector, some["wört3"])
    assert same(Embeddings.from_spacy(vocab), some)
    assert same(Embeddings.from_spacy(vocab.vectors), some)


def test_a_language_is_given_the_vectors(some: Embeddings) -> None:
    nlp = spacy.blank("de")
    assert some.to_spacy(nlp) is nlp
    document = nlp("wört1 wört2 unbekannt")
    np.testing.assert_array_equal(document[1].vector, some["wört2"])
    assert not document[2].has_vector
    assert same(Embeddings.from_spacy(nlp), some)


def test_spacy_saves_and_loads_what_it_was_given(some: Embeddings, tmp_path) -> None:
    some.to_spacy(spacy.blank("de")).to_disk(tmp_path / "de")
    assert same(Embeddings.from_spacy(spacy.load(tmp_path / "de")), some)


def test_words_that_share_a_row_come_last(some: Embeddings) -> None:
    vocab = some.to_spacy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        vocab.prune_vectors(10)
    made = Embeddings.from_spacy(vocab)
    assert made.words[:10] == some.words[:10]
    assert set(made.words) == set(some.words)
    np.testing.assert_array_equal(made.vectors[:10], some.vectors[:10])
    assert len(np.unique(made.vectors, axis=0)) == 10


def test_rows_make_the_order_whatever_the_keys_do(some: Embeddings) -> None:
    vectors = Vectors(shape=(2, 5), strings=Vocab().strings)
    for word, row in (("second", 1), ("first", 0)):
        vectors.strings.add(word)
        vectors.add(word, row=row, vector=some.vectors[row])
    assert Embeddings.from_spacy(vectors).words == ("first", "second")


def test_probabilities_make_the_order_where_they_are_known(some: Embeddings) -> None:
    vocab = some.head(3).to_spacy()
    vocab.lookups.add_table("lexeme_prob", {"wört1": -3.0, "wört2": -1.0})
    made = Embeddings.from_spacy(vocab)
    assert made.words == ("wört2", "wört1", "wört0")
    np.testing.assert_array_equal(made["wört1"], some["wört1"])


def test_a_key_without_text_is_left_out(some: Embeddings) -> None:
    vectors = Vectors(data=some.vectors[:2].copy(), keys=["a", "b"], strings=Vocab().strings)
    vectors.strings.add("b")
    assert Embeddings.from_spacy(vectors).words == ("b",)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (dict, "takes a Language, a Vocab or Vectors, not dict"),
        (lambda: spacy.blank("de"), "no vectors whose words are known"),
        (
            lambda: Vectors(data=np.ones((1, 2), "f"), keys=["a"]),
            "give their Vocab|no vectors whose",
        ),
        (
            lambda: Vectors(data=np.ones((9, 2), "f"), mode="floret", minn=3, maxn=4),
            "floret vectors have no words",
        ),
    ],
)
def test_what_holds_no_words_is_refused(source, message) -> None:
    with pytest.raises(UsageError, match=message):
        Embeddings.from_spacy(source())


def test_what_spacy_cannot_hold_is_refused(some: Embeddings) -> None:
    with pytest.raises(UsageError, match=r"'caf\\udce9' is not UTF-8"):
        Embeddings(["caf\udce9"], [[1.0]]).to_spacy()
    with pytest.raises(UsageError, match="takes a Language or a Vocab, not str"):
        some.to_spacy("de")


def test_without_the_library_the_pip_line_is_said(some, monkeypatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"pip install 'isolex\[spacy\]'"):
        some.to_spacy()
