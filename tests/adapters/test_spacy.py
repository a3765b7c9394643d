"""spaCy's vectors."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from isolex import Embeddings
from isolex.adapters import extras
from isolex.errors import UsageError
from tests.adapters.conftest import same

with warnings.catch_warnings():  # raised while spaCy imports its dependencies
    warnings.simplefilter("ignore")
    spacy = pytest.importorskip("spacy")
    from spacy.vectors import Vectors
    from spacy.vocab import Vocab


def test_a_vocab_round_trip_preserves_everything(embeddings: Embeddings) -> None:
    vocab = embeddings.to_spacy()
    assert isinstance(vocab, Vocab)
    np.testing.assert_array_equal(vocab["wört3"].vector, embeddings["wört3"])
    assert same(Embeddings.from_spacy(vocab), embeddings)
    assert same(Embeddings.from_spacy(vocab.vectors), embeddings)


def test_the_vectors_are_added_to_a_language(embeddings: Embeddings) -> None:
    nlp = spacy.blank("de")
    assert embeddings.to_spacy(nlp) is nlp
    document = nlp("wört1 wört2 unbekannt")
    np.testing.assert_array_equal(document[1].vector, embeddings["wört2"])
    assert not document[2].has_vector
    assert same(Embeddings.from_spacy(nlp), embeddings)


def test_a_round_trip_through_spacys_own_files_preserves_everything(
    embeddings: Embeddings, tmp_path
) -> None:
    embeddings.to_spacy(spacy.blank("de")).to_disk(tmp_path / "de")
    assert same(Embeddings.from_spacy(spacy.load(tmp_path / "de")), embeddings)


def test_words_that_share_a_row_come_last(embeddings: Embeddings) -> None:
    vocab = embeddings.to_spacy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        vocab.prune_vectors(10)
    found = Embeddings.from_spacy(vocab)
    assert found.words[:10] == embeddings.words[:10]
    assert set(found.words) == set(embeddings.words)
    np.testing.assert_array_equal(found.vectors[:10], embeddings.vectors[:10])
    assert len(np.unique(found.vectors, axis=0)) == 10


def test_words_are_in_row_order_not_key_order(embeddings: Embeddings) -> None:
    vectors = Vectors(shape=(2, 5), strings=Vocab().strings)
    for word, row in (("second", 1), ("first", 0)):
        vectors.strings.add(word)
        vectors.add(word, row=row, vector=embeddings.vectors[row])
    assert Embeddings.from_spacy(vectors).words == ("first", "second")


def test_words_are_sorted_by_probability_if_known(embeddings: Embeddings) -> None:
    vocab = embeddings.head(3).to_spacy()
    vocab.lookups.add_table("lexeme_prob", {"wört1": -3.0, "wört2": -1.0})
    found = Embeddings.from_spacy(vocab)
    assert found.words == ("wört2", "wört1", "wört0")
    np.testing.assert_array_equal(found["wört1"], embeddings["wört1"])


def test_keys_without_text_are_skipped(embeddings: Embeddings) -> None:
    vectors = Vectors(data=embeddings.vectors[:2].copy(), keys=["a", "b"], strings=Vocab().strings)
    vectors.strings.add("b")
    assert Embeddings.from_spacy(vectors).words == ("b",)


@pytest.mark.parametrize(
    ("make", "facts"),
    [
        (dict, r"Language.*Vocab.*Vectors.* not dict"),
        (lambda: spacy.blank("de"), "no words with vectors"),
        (
            lambda: Vectors(data=np.ones((1, 2), "f"), keys=["a"]),
            "(without strings|no words with vectors)",  # depends on the version of spaCy
        ),
        (
            lambda: Vectors(data=np.ones((9, 2), "f"), mode="floret", minn=3, maxn=4),
            "floret",
        ),
    ],
    ids=["not spaCy", "no vectors", "no strings", "floret"],
)
def test_models_without_words_are_refused(make, facts, wording) -> None:
    with pytest.raises(UsageError, match=f"from_spacy.*{facts}") as error:
        Embeddings.from_spacy(make())
    if "|" not in facts:
        wording(error.value)


def test_words_that_spacy_cannot_hold_are_refused(not_utf8: Embeddings, wording) -> None:
    with pytest.raises(UsageError, match=r"to_spacy: .*'caf\\udce9' is not UTF-8") as error:
        not_utf8.to_spacy()
    wording(error.value)


def test_vectors_are_added_only_to_a_language_or_vocab(embeddings: Embeddings, wording) -> None:
    with pytest.raises(UsageError, match=r"to_spacy .*Language.*Vocab.* not str") as error:
        embeddings.to_spacy("de")
    wording(error.value)


def test_without_spacy_the_error_names_the_pip_command(embeddings, monkeypatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"to_spacy .*pip install 'isolex\[spacy\]'"):
        embeddings.to_spacy()
    with pytest.raises(UsageError, match=r"from_spacy .*pip install 'isolex\[spacy\]'"):
        Embeddings.from_spacy({})
