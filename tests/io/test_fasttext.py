"""fastText models, compared with fastText itself and gensim."""

from __future__ import annotations

import gzip
import pickle
import struct

import numpy as np
import pytest

from isolex.core.embeddings import Embeddings
from isolex.errors import InputError
from isolex.io import Repairs, fasttext, load, model_of, read, save, subwords
from tests.fasttext_models import corpus, train

pytest.importorskip("fasttext")

UNSEEN = ["zzz", "a", "neu日本", "é", "b", "new york", "ñ" * 40, "caf\u0301e", "🙂"]


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    return corpus(tmp_path_factory.mktemp("text") / "corpus.txt")


@pytest.fixture(scope="module")
def trained(text):
    return train(text)


@pytest.fixture
def path(trained, tmp_path):
    trained.save_model(str(tmp_path / "a.bin"))
    return tmp_path / "a.bin"


def by_fasttext(model, words):
    return np.stack([model.get_word_vector(word) for word in words])


@pytest.fixture(params=["slow", "compiled"])
def averaging(request, monkeypatch):
    """Run a test with each way to average rows, whatever the number of words."""
    monkeypatch.setattr(subwords, "_MIN_COMPILED", 0 if request.param == "compiled" else 10**9)


@pytest.mark.parametrize(
    "settings", [{}, {"minn": 2, "maxn": 4, "dim": 7}, {"minn": 1, "maxn": 2}, {"model": "cbow"}]
)
def test_words_have_the_same_vectors_as_in_fasttext(text, tmp_path, settings, averaging):
    model = train(text, **settings)
    model.save_model(str(tmp_path / "a.bin"))
    embeddings, repairs = read(tmp_path / "a.bin")
    assert list(embeddings.words) == model.words
    np.testing.assert_allclose(embeddings.vectors, by_fasttext(model, model.words), atol=1e-6)
    made = embeddings.compose(UNSEEN)
    assert list(made) == UNSEEN
    assert not set(UNSEEN) & set(model.words)
    np.testing.assert_allclose(list(made.values()), by_fasttext(model, UNSEEN), atol=1e-6)
    assert repairs == Repairs()


def test_both_ways_to_average_agree_to_the_bit(path, monkeypatch):
    vectors = []
    for min_compiled in (0, 10**9):
        monkeypatch.setattr(subwords, "_MIN_COMPILED", min_compiled)
        vectors.append(read(path)[0].vectors.tobytes())
    assert vectors[0] == vectors[1]


def test_a_model_without_ngrams_has_only_its_vocabulary(text, tmp_path, averaging):
    model = train(text, maxn=0)
    model.save_model(str(tmp_path / "a.bin"))
    embeddings = load(tmp_path / "a.bin")
    np.testing.assert_allclose(embeddings.vectors, by_fasttext(model, model.words), atol=1e-6)
    assert embeddings.compose(["zzz", model.words[3], ""]).keys() == {model.words[3]}


def test_labels_of_supervised_models_are_not_words(tmp_path, averaging):
    import fasttext as peer

    lines = [f"__label__{'ab'[row % 2]} {['dog', 'cat'][row % 2]} and\n" for row in range(100)]
    (tmp_path / "t.txt").write_text("".join(lines))
    options = {"dim": 5, "bucket": 500, "minn": 2, "maxn": 3, "thread": 12, "verbose": 0}
    model = peer.train_supervised(str(tmp_path / "t.txt"), **options)
    model.save_model(str(tmp_path / "a.bin"))
    embeddings = load(tmp_path / "a.bin")
    assert list(embeddings.words) == model.words
    np.testing.assert_allclose(embeddings.vectors, by_fasttext(model, model.words), atol=1e-6)


def test_models_saved_by_gensim_are_read(tmp_path, text):
    models = pytest.importorskip("gensim.models.fasttext")
    sentences = [line.split() for line in text.read_text(encoding="utf-8").splitlines()]
    model = models.FastText(sentences, vector_size=9, bucket=300, min_count=2, epochs=1, seed=1)
    models.save_facebook_model(model, str(tmp_path / "g.bin"))
    embeddings = load(tmp_path / "g.bin")
    assert list(embeddings.words) == model.wv.index_to_key
    np.testing.assert_allclose(embeddings.vectors, model.wv.vectors, atol=1e-6)
    made = embeddings.compose(UNSEEN)
    np.testing.assert_allclose([*made.values()], [model.wv[word] for word in made], atol=1e-6)


def test_max_words_limits_what_is_read(path, trained):
    ticks: list[float] = []
    embeddings, _ = read(path, max_words=5, tick=ticks.append)
    assert list(embeddings.words) == trained.words[:5]
    assert ticks[-1] == 1.0
    beyond = trained.words[20]  # in the model but not read; its own row counts
    np.testing.assert_allclose(
        embeddings.compose([beyond])[beyond], trained.get_word_vector(beyond), atol=1e-6
    )
    assert embeddings.head(3).subwords is embeddings.subwords


def test_rows_with_nan_are_dropped_and_further_words_are_read_instead(text, tmp_path):
    model = train(text, maxn=0)
    model.save_model(str(tmp_path / "a.bin"))
    data = bytearray((tmp_path / "a.bin").read_bytes())
    first = data.index(model.get_word_vector(model.words[0]).tobytes())
    data[first : first + 4] = struct.pack("<f", np.nan)
    (tmp_path / "a.bin").write_bytes(data)
    embeddings, repairs = read(tmp_path / "a.bin", max_words=3)
    assert list(embeddings.words) == model.words[1:4]
    assert repairs == Repairs(not_finite=1)
    assert embeddings.compose(model.words[:2]).keys() == {model.words[1]}


def test_content_counts_more_than_the_file_name(path, trained, tmp_path):
    other = path.rename(tmp_path / "a.vec")
    assert len(load(other)) == len(trained.words)
    assert model_of(other) is not None
    save(Embeddings(["a"], [[1.0]]), tmp_path / "b.bin")  # word2vec binary
    assert model_of(tmp_path / "b.bin") is None
    assert load(tmp_path / "b.bin").subwords is None


def test_a_model_is_pickled_as_its_path(path, trained):
    again = pickle.loads(pickle.dumps(load(path)))
    assert list(again.words) == trained.words
    np.testing.assert_allclose(again.compose(["zzz"])["zzz"], trained.get_word_vector("zzz"), 1e-5)


def test_words_that_are_not_utf8_have_vectors(path):
    assert load(path).compose(["caf\udce9"])["caf\udce9"].any()


def quantised(path, tmp_path):
    import fasttext as peer

    lines = [f"__label__{'ab'[row % 2]} w{row} and\n" for row in range(400)]
    (tmp_path / "t.txt").write_text("".join(lines))
    options = {"dim": 4, "thread": 12, "verbose": 0}
    model = peer.train_supervised(str(tmp_path / "t.txt"), **options)
    model.quantize()
    model.save_model(str(tmp_path / "a.ftz"))
    return tmp_path / "a.ftz"


def compressed(path, tmp_path):
    (tmp_path / "b.bin.gz").write_bytes(gzip.compress(path.read_bytes()))
    return tmp_path / "b.bin.gz"


def newer(path, tmp_path):
    data = bytearray(path.read_bytes())
    data[4:8] = struct.pack("<i", 13)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("spoil", "facts"),
    [
        (quantised, r"a\.ftz: .*quantised fastText model.*\.bin"),
        (compressed, r"b\.bin\.gz: .*compressed or piped fastText model"),
        (newer, r"a\.bin: .*version 13; .*12"),
    ],
    ids=["quantised", "compressed", "newer"],
)
def test_unsupported_models_are_refused(path, tmp_path, wording, spoil, facts):
    with pytest.raises(InputError, match=facts) as caught:
        read(spoil(path, tmp_path))
    assert "\n" not in str(caught.value)
    wording(caught.value)


@pytest.mark.parametrize("size", [4, 50, 92, 200, 5000, 60_000])
def test_a_truncated_model_is_refused(path, size):
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(InputError, match=r"a\.bin: .*truncated or damaged fastText model"):
        read(path)


@pytest.mark.parametrize("place", [8, 40, 64, 68])  # dimensions, buckets, entries, words
@pytest.mark.parametrize("value", [-1, 2**31 - 1])
def test_impossible_sizes_are_refused(path, place, value):
    data = bytearray(path.read_bytes())
    data[place : place + 4] = struct.pack("<i", value)
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"a\.bin: .*damaged"):
        read(path)


def test_the_dictionary_starts_after_the_header(path, trained):
    first = trained.words[0].encode() + b"\0"
    assert path.read_bytes()[fasttext._HEADER.size :].startswith(first)
