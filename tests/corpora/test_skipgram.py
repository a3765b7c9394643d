"""Training finds what belongs together, repeats itself where it says so, and saves what it has."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from isolex import Embeddings
from isolex.corpora import Corpus, Settings, join_phrases, skipgram, train, vocabulary
from isolex.errors import InputError, UsageError
from tests.corpora.made_up import TOPICS, WORDS, topic_text


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    home = tmp_path_factory.mktemp("corpus")
    return Corpus.read([topic_text(home / "text.txt")], home / "words")


def settings(**options: object) -> Settings:
    return Settings(**{"dims": 12, "sample": 1e-2, "epochs": 8, **options})


def same_topic(found: Embeddings) -> float:
    """How many of the words have one of their own topic as nearest neighbour."""
    unit = found.vectors / np.linalg.norm(found.vectors, axis=1, keepdims=True)
    similar = unit @ unit.T - 2 * np.eye(len(found))
    return float(
        np.mean([found.words[j][0] == found.words[i][0] for i, j in enumerate(similar.argmax(1))])
    )


@pytest.mark.parametrize("method", ["word2vec", "fasttext"])
def test_words_of_a_topic_come_together(text: Corpus, method: str) -> None:
    words = vocabulary(text.counts, 5)
    found = train(text, words, settings(method=method)).embeddings
    assert len(found) == TOPICS * WORDS
    assert same_topic(found) == 1.0


def test_words_are_in_order_of_frequency(text: Corpus) -> None:
    words = vocabulary(text.counts, 5)
    found = train(text, words, settings(epochs=1)).embeddings
    counts = [text.counts[word] for word in found.words]
    assert counts == sorted(counts, reverse=True)


def test_one_thread_and_the_same_seed_give_the_same_vectors(text: Corpus) -> None:
    words = vocabulary(text.counts, 5)
    first, again, other = (
        train(text, words, settings(epochs=2, seed=seed)).embeddings for seed in (3, 3, 4)
    )
    assert first.vectors_checksum == again.vectors_checksum
    assert first.vectors_checksum != other.vectors_checksum


@pytest.mark.parametrize("threads", [2, skipgram._MANY_THREADS + 1])
def test_several_threads_learn_as_well(text: Corpus, threads: int) -> None:
    shares: list[float] = []
    words = vocabulary(text.counts, 5)
    found = train(text, words, settings(threads=threads), shares.append).embeddings
    assert same_topic(found) > 0.9
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) > 8, "told at least once an epoch"


def test_the_vocabulary_is_bounded_from_both_sides(text: Corpus) -> None:
    assert len(vocabulary(text.counts, 5, 7)) == 7
    assert list(vocabulary({"b": 5, "a": 5, "c": 9, "d": 4}, 5)) == ["c", "a", "b"]
    with pytest.raises(InputError, match="only 1 of 2 words occur 5 times or more: give more text"):
        vocabulary({"a": 5, "b": 1}, 5)


def test_the_whole_fasttext_model_opens_in_fasttext(text: Corpus, tmp_path: Path) -> None:
    import fasttext

    words = vocabulary(text.counts, 5)
    trained = train(text, words, settings(method="fasttext", epochs=2))
    trained.save_model(tmp_path / "x.bin")
    model = fasttext.load_model(str(tmp_path / "x.bin"))
    word = trained.embeddings.words[3]
    np.testing.assert_allclose(
        model.get_word_vector(word), trained.embeddings[word], rtol=1e-4, atol=1e-6
    )


def test_settings_fit_the_size_unless_they_are_given() -> None:
    assert Settings.fitting(10**6, 10**5).epochs == 20
    assert Settings.fitting(10**9, 10**5).epochs == 5
    assert Settings.fitting(10**7, 10**5).dims == 300
    assert Settings.fitting(10**5, 900).dims == 100
    given = Settings.fitting(10**9, 900, epochs=2, dims=50, window=None)
    assert (given.epochs, given.dims, given.window) == (2, 50, 5)
    with pytest.raises(UsageError, match="unknown method 'glove': choose from word2vec, fasttext"):
        Settings(method="glove")


def test_words_that_go_together_become_one(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    frequent = [f"f{i}" for i in range(100)]
    rare = [f"r{i}" for i in range(600)]
    lines = []
    for number in range(1500):
        line = [*random.choice(frequent, 6), *random.choice(rare, 6)]
        random.shuffle(line)
        if number % 50 == 0:
            line[4:6] = ["new", "york"]
        if number % 50 == 5:
            line[4:7] = ["bank", "f3", "america"]
        lines.append(" ".join(line))
    (tmp_path / "a").write_text("\n".join(lines))
    plain = Corpus.read([tmp_path / "a"], tmp_path / "words")
    joined = join_phrases(plain, tmp_path / "phrases")
    assert joined.counts["new_york"] == 30
    assert joined.counts["bank_f3_america"] == 30, "a frequent word may stand inside a phrase"
    assert "new" not in joined.counts
    assert not [word for word in joined.counts if "_" in word and word.startswith("f")]
    assert joined.sentences == plain.sentences
