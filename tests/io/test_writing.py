"""Embeddings are read back unchanged, in every format and compression."""

from __future__ import annotations

import gzip
import os
import stat

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from isolex.core.embeddings import Embeddings
from isolex.errors import InputError, UsageError
from isolex.io import FORMATS, load, read, save

PACKS = ["", ".gz", ".bz2", ".xz", ".zst"]
SUFFIXES = [".vec", ".txt", ".w2v", ".glove", ".glove.txt", ".bin"]
SOME = Embeddings(
    ["dog", "new-york", "caf\udce9", "日本"], [[0.1, -2.5], [1e-5, 3e20], [1e-45, 0], [7, 8]]
)

words = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    st.binary(max_size=5).map(lambda data: data.decode("utf-8", "surrogateescape")),
    st.sampled_from(["new york", "a  b", "a\tb", "2017", "route 66", "\u00a0", "\ufeffa", "a\r"]),
)
values = st.floats(width=32, allow_nan=False, allow_infinity=False)


@st.composite
def embeddings(draw):
    vocabulary = draw(st.lists(words, min_size=1, max_size=8, unique=True))
    shape = (len(vocabulary), draw(st.integers(1, 4)))
    return Embeddings(vocabulary, draw(hnp.arrays(np.float32, shape, elements=values)))


def same(left, right):
    return (
        list(left.words) == list(right.words) and left.vectors.tobytes() == right.vectors.tobytes()
    )


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("pack", PACKS)
def test_every_suffix_round_trips(tmp_path, suffix, pack):
    path = tmp_path / f"a{suffix}{pack}"
    ticks: list[float] = []
    save(SOME, path, tick=ticks.append)
    assert same(load(path), SOME)
    assert ticks == sorted(ticks)
    assert ticks[-1] == 1.0
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("kind", FORMATS)
def test_format_overrides_the_suffix(tmp_path, kind):
    save(SOME, tmp_path / "a.odd", format=kind)
    assert same(load(tmp_path / "a.odd"), SOME)
    if kind not in ("parquet", "safetensors"):
        save(SOME, tmp_path / "a.odd.gz", format=kind)
        assert (
            gzip.decompress((tmp_path / "a.odd.gz").read_bytes())
            == (tmp_path / "a.odd").read_bytes()
        )


def test_unknown_formats_are_refused_with_a_list_of_the_known_ones(tmp_path):
    with pytest.raises(UsageError, match=r"\.vec, .*\.safetensors.*\.zst"):
        save(SOME, tmp_path / "a.doc")
    with pytest.raises(UsageError, match="word2vec, glove, bin, parquet, safetensors"):
        save(SOME, tmp_path / "a.vec", format="pickle")


@pytest.mark.parametrize("word", ["", "a\nb", " a", "a ", "\ta", "a\t"])
@pytest.mark.parametrize("suffix", [".vec", ".glove"])
def test_words_that_text_cannot_store_are_refused(tmp_path, word, suffix):
    kind = "word2vec" if suffix == ".vec" else "glove"
    with pytest.raises(UsageError, match=f"format {kind};") as caught:
        save(Embeddings(["x", word], [[1.0], [2.0]]), tmp_path / f"a{suffix}")
    assert repr(word) in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".vec", ".glove", ".bin", ".safetensors"])
def test_words_that_utf8_cannot_encode_are_refused(tmp_path, suffix):
    with pytest.raises(UsageError, match=r"'\\ud800' .*UTF-8"):
        save(Embeddings(["\ud800"], [[1.0]]), tmp_path / f"a{suffix}")


@pytest.mark.parametrize("word", ["\ufeffa", "\x1f\udc8b\x08", "BZh91AY&SY", "a 1"])
def test_a_first_word_that_would_make_the_file_look_like_another_format_is_refused(tmp_path, word):
    with pytest.raises(UsageError, match=r"a\.glove: .*; use \.vec or \.safetensors"):
        save(Embeddings([word], [[1.0]]), tmp_path / "a.glove")
    save(Embeddings([word], [[1.0]]), tmp_path / "a.vec")
    assert read(tmp_path / "a.vec")[0].words == (word,)


@pytest.mark.parametrize("suffix", [".vec", ".glove", ".bin", ".safetensors", ".vec.zst"])
@given(given_embeddings=embeddings())
@example(given_embeddings=Embeddings(["new york"], [[0.5]]))
@example(given_embeddings=Embeddings(["a 1", "b 2"], [[0.5], [1.5]]))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_embeddings_round_trip_or_are_refused(tmp_path, suffix, given_embeddings):
    path = tmp_path / f"a{suffix}"
    try:
        save(given_embeddings, path)
    except UsageError:
        assume(False)
    assert same(read(path)[0], given_embeddings)


@pytest.mark.slow
def test_a_large_matrix_round_trips(tmp_path):
    rng = np.random.default_rng(5)
    vectors = (rng.standard_normal((5000, 200)) * 0.05).astype(np.float32)
    spaced = [f"w {row}" if row % 3 == 0 else f"w{row}" for row in range(len(vectors))]
    large = Embeddings(spaced, vectors)
    for name in ("a.vec", "a.glove", "a.bin.gz"):
        vocabulary = large if "bin" not in name else Embeddings(map(str, range(5000)), vectors)
        save(vocabulary, tmp_path / name)
        assert same(load(tmp_path / name), vocabulary)


def test_equal_embeddings_give_equal_bytes(tmp_path):
    for pack in PACKS:
        for name in ("a", "b"):
            save(SOME, tmp_path / f"{name}.vec{pack}")
        assert (tmp_path / f"a.vec{pack}").read_bytes() == (tmp_path / f"b.vec{pack}").read_bytes()


@pytest.mark.parametrize("pack", PACKS)
def test_an_interrupted_write_keeps_the_old_file(tmp_path, pack):
    path = tmp_path / f"a.vec{pack}"
    path.write_bytes(b"old")

    def stop(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save(SOME, path, tick=stop)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"none/a\.vec: no such file"):
        save(SOME, tmp_path / "none" / "a.vec")


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX file modes")
def test_the_file_mode_is_the_same_as_for_a_plain_open(tmp_path):
    (tmp_path / "plain").write_bytes(b"")
    save(SOME, tmp_path / "a.vec")
    assert stat.S_IMODE((tmp_path / "a.vec").stat().st_mode) == stat.S_IMODE(
        (tmp_path / "plain").stat().st_mode
    )
