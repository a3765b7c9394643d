"""Using, saving and loading an alignment."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from isolex import Alignment, Embeddings, align
from isolex.core.space import unknown
from isolex.errors import InputError, UsageError
from tests.planted import Planted, planted


@pytest.fixture(scope="module")
def problem() -> Planted:
    return planted(words=300, dims=12)


@pytest.fixture(scope="module")
def alignment(problem: Planted) -> Alignment:
    pairs = problem.pairs[:80]
    return align(problem.src, problem.trg, "supervised", lexicon=pairs)


def test_translations_come_best_first(alignment: Alignment) -> None:
    found = alignment.translate("s7", k=5)
    assert found[0].word == "t7"
    scores = [translation.score for translation in found]
    assert scores == sorted(scores, reverse=True)
    assert len(found) == 5


def test_the_other_way_round(alignment: Alignment) -> None:
    assert alignment.translate("t7", k=1, reverse=True)[0].word == "s7"


@pytest.mark.parametrize("method", ["nn", "csls", "invsoftmax", "invnn", "gc"])
def test_every_retrieval_translates(alignment: Alignment, method: str) -> None:
    assert alignment.translate("s7", k=1, retrieval=method)[0].word == "t7"


def test_words_that_are_not_there(alignment: Alignment) -> None:
    with pytest.raises(UsageError, match="'q' is not among the 300 words"):
        alignment.translate("q")
    with pytest.raises(UsageError, match="a word of the other language: ask with reverse=True"):
        alignment.translate("t7")
    assert list(alignment.translate_all(["q", "s1", "s1"])) == ["s1"]
    assert alignment.translate_all([]) == {}
    with pytest.raises(UsageError, match="takes one word"):
        alignment.translate(["s1", "s2"])  # type: ignore[arg-type]


def test_a_word_spelt_alike_is_named(problem: Planted) -> None:
    words = ["señor", *problem.src.words[1:]]
    renamed = Embeddings(words, problem.src.vectors)
    for word in ("sen\u0303or", "SEÑOR", " señor "):
        assert "did you mean 'señor'" in unknown(word, renamed)
    assert "did you mean" not in unknown("nowhere", renamed)


def test_the_dictionary_the_other_way_round(alignment: Alignment) -> None:
    entries = list(alignment.lexicon(reverse=True))
    assert len(entries) == 300
    assert np.mean([e.source == f"t{e.target[1:]}" for e in entries]) > 0.95


def test_printing_shows_one_line(alignment: Alignment) -> None:
    assert repr(alignment) == "Alignment(supervised: 300 words x 12 and 300 words x 12)"
    assert repr(alignment.lexicon(k=2)) == "Lexicon(600 pairs)"


def test_fewer_than_one_translation_is_refused(alignment: Alignment) -> None:
    with pytest.raises(UsageError, match="at least one translation"):
        alignment.translate("s1", k=0)
    with pytest.raises(UsageError, match="at least one translation"):
        alignment.lexicon(k=0)


def test_later_vectors_are_mapped_like_the_first(alignment: Alignment, problem: Planted) -> None:
    one = alignment.source.transform(problem.src.vectors[3])
    np.testing.assert_allclose(one[0], alignment.source.mapped.vectors[3], atol=1e-6)
    with pytest.raises(UsageError, match="12 dimensions, not 5"):
        alignment.source.transform(np.ones((2, 5), dtype=np.float32))
    with pytest.raises(UsageError, match="must be finite"):
        alignment.source.transform(np.full((1, 12), np.nan, dtype=np.float32))


def test_mapped_vectors_come_back(alignment: Alignment, problem: Planted) -> None:
    normalised = alignment.source.normaliser.transform(problem.src.vectors)
    back = alignment.source.inverse_transform(alignment.source.mapped.vectors)
    np.testing.assert_allclose(back, normalised, atol=1e-4)


def test_saved_means_give_the_same_translations(
    alignment: Alignment, problem: Planted, tmp_path: Path
) -> None:
    alignment.lexicon()
    alignment.save(tmp_path / "m.safetensors")
    loaded = Alignment.load(tmp_path / "m.safetensors", problem.src, problem.trg)
    for known in (loaded.penalties.src, loaded.penalties.trg):
        assert len(known["means", 10]) == 300
    assert loaded.translate("s9", k=3) == alignment.translate("s9", k=3)
    assert loaded.translate("t9", k=3, reverse=True) == alignment.translate("t9", 3, reverse=True)


def test_a_bare_mapping_says_that_it_needs_vectors(alignment: Alignment, tmp_path: Path) -> None:
    alignment.save(tmp_path / "m.safetensors")
    with pytest.raises(UsageError, match="load it with its vectors"):
        Alignment.load(tmp_path / "m.safetensors").translate("s1")


def test_other_vectors_are_refused(alignment: Alignment, problem: Planted, tmp_path: Path) -> None:
    alignment.save(tmp_path / "m.safetensors")
    changed = problem.src.vectors.copy()
    changed[0, 0] += 1
    other = Embeddings(problem.src.words, changed)
    with pytest.raises(InputError, match="src: not the vectors this mapping was learnt from"):
        Alignment.load(tmp_path / "m.safetensors", other, problem.trg)


def test_files_that_are_no_mapping_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        Alignment.load(tmp_path / "absent")
    with pytest.raises(InputError, match="is a folder"):
        Alignment.load(tmp_path)
    (tmp_path / "text").write_text("hello")
    with pytest.raises(InputError, match="not a readable safetensors"):
        Alignment.load(tmp_path / "text")
    save_file({"x": np.ones(1)}, tmp_path / "foreign")
    with pytest.raises(InputError, match="not a saved alignment"):
        Alignment.load(tmp_path / "foreign")
    later = {"isolex": json.dumps({"format": "isolex-alignment", "version": 99})}
    save_file({"x": np.ones(1)}, tmp_path / "later", later)
    with pytest.raises(InputError, match="another version"):
        Alignment.load(tmp_path / "later")
