"""Vectors of related words are close, training is reproducible, and models can be saved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from isolex import Embeddings
from isolex.corpora import Corpus, Settings, skipgram, train, vocabulary
from isolex.errors import InputError
from tests.corpora.made_up import TOPICS, WORDS, topic_text
from tests.wording import Wording


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    home = tmp_path_factory.mktemp("corpus")
    return Corpus.read([topic_text(home / "text.txt")], home / "words")


def settings(**options: object) -> Settings:
    return Settings(**{"dims": 12, "sample": 1e-2, "epochs": 8, **options})


def same_topic(found: Embeddings) -> float:
    """Fraction of words whose nearest neighbour is of the same topic."""
    unit = found.vectors / np.linalg.norm(found.vectors, axis=1, keepdims=True)
    similar = unit @ unit.T - 2 * np.eye(len(found))
    return float(
        np.mean([found.words[j][0] == found.words[i][0] for i, j in enumerate(similar.argmax(1))])
    )


@pytest.mark.parametrize("method", ["word2vec", "fasttext"])
def test_the_nearest_neighbour_of_a_word_is_of_its_topic(text: Corpus, method: str) -> None:
    words = vocabulary(text.counts, 5)
    found = train(text, words, settings(method=method)).embeddings
    assert len(found) == TOPICS * WORDS
    assert same_topic(found) == 1.0


def test_words_are_sorted_by_frequency(text: Corpus) -> None:
    words = vocabulary(text.counts, 5)
    found = train(text, words, settings(epochs=1)).embeddings
    counts = [text.counts[word] for word in found.words]
    assert counts == sorted(counts, reverse=True)


def test_one_thread_and_the_same_seed_reproduce_the_vectors(text: Corpus) -> None:
    words = vocabulary(text.counts, 5)
    first, again, other = (
        train(text, words, settings(epochs=2, seed=seed)).embeddings for seed in (3, 3, 4)
    )
    assert first.vectors_checksum == again.vectors_checksum
    assert first.vectors_checksum != other.vectors_checksum


@pytest.mark.parametrize("threads", [2, skipgram._MAX_FEEDING_THREADS + 1])
def test_several_threads_give_good_vectors_and_report_progress(text: Corpus, threads: int) -> None:
    fractions: list[float] = []
    words = vocabulary(text.counts, 5)
    found = train(text, words, settings(threads=threads), fractions.append).embeddings
    assert same_topic(found) > 0.9
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert len(fractions) > 8, "reported at least once per epoch"


def test_max_words_bounds_the_vocabulary(text: Corpus) -> None:
    assert len(vocabulary(text.counts, 5, 7)) == 7


def test_rare_words_are_dropped_and_equal_counts_sorted_by_name() -> None:
    assert list(vocabulary({"b": 5, "a": 5, "c": 9, "d": 4}, 5)) == ["c", "a", "b"]


def test_too_few_frequent_words_are_refused(wording: Wording) -> None:
    with pytest.raises(InputError, match=r"only 1 of 2 words .*5 times.*--min-count") as error:
        vocabulary({"a": 5, "b": 1}, 5)
    wording(error.value)


def test_fasttext_can_load_a_saved_model(text: Corpus, tmp_path: Path) -> None:
    import fasttext

    words = vocabulary(text.counts, 5)
    trained = train(text, words, settings(method="fasttext", epochs=2))
    trained.save_model(tmp_path / "x.bin")
    model = fasttext.load_model(str(tmp_path / "x.bin"))
    word = trained.embeddings.words[3]
    np.testing.assert_allclose(
        model.get_word_vector(word), trained.embeddings[word], rtol=1e-4, atol=1e-6
    )
