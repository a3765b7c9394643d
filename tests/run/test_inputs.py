"""Inputs of a run: names of languages, files that are read, and what identifies them."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from isolex import Embeddings, io
from isolex.errors import InputError, UsageError
from isolex.run.inputs import LanguageFile, PairsInput, VectorInput, describe, fingerprint
from tests.planted import planted
from tests.wording import Wording


@pytest.fixture
def home(tmp_path: Path) -> Path:
    problem = planted(words=30, dims=4)
    io.save(problem.source, tmp_path / "s.vec")
    io.save(problem.target, tmp_path / "t.vec.gz")
    return tmp_path


def read(home: Path, *given: str) -> list[VectorInput]:
    paths = given or ("s.vec", "t.vec.gz")
    languages = [LanguageFile.parse(str(home / path)) for path in paths]
    return VectorInput.read_all(languages)


@pytest.mark.parametrize(
    ("given", "name", "path"),
    [
        ("en.vec", "en", "en.vec"),
        ("data/en.vec.gz", "en", "data/en.vec.gz"),
        ("en=wiki.vec", "en", "wiki.vec"),
        ("en=a=b.vec", "en", "a=b.vec"),
        ("en=/data/wiki.vec", "en", "/data/wiki.vec"),
    ],
)
def test_a_language_is_named_after_its_file_or_as_given(given: str, name: str, path: str) -> None:
    assert LanguageFile.parse(given) == LanguageFile(name, Path(path))


def test_an_existing_file_with_an_equals_sign_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "a=b.vec").write_text("")
    path = str(tmp_path / "a=b.vec")
    assert LanguageFile.parse(path) == LanguageFile("a=b", Path(path))


@pytest.mark.parametrize("given", ["=wiki.vec", "en=", ".vec", "a/b=wiki.vec", "a\\b=wiki.vec"])
def test_a_name_that_cannot_be_used_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match="NAME=FILE") as caught:
        LanguageFile.parse(given)
    assert str(caught.value).startswith(f"{given}: ")


def test_equal_names_are_refused_with_the_form_that_tells_them_apart(wording: Wording) -> None:
    with pytest.raises(UsageError, match="'en'") as caught:
        LanguageFile.parse_all(["en.vec", "es.vec", "old/en.vec"])
    assert "NAME=FILE" in str(caught.value)
    assert "en2=old/en.vec" in str(caught.value)
    wording(caught.value)


def test_files_are_read_under_the_names_of_their_languages(home: Path) -> None:
    inputs = VectorInput.read_all(
        [LanguageFile("en", home / "s.vec"), LanguageFile("es", home / "t.vec.gz")], max_words=10
    )
    assert [given.embeddings.name for given in inputs] == ["en", "es"]
    assert [given.path for given in inputs] == [home / "s.vec", home / "t.vec.gz"]
    assert [len(given.embeddings) for given in inputs] == [10, 10]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_missing_file_is_reported_before_a_pipe_is_waited_for(home: Path) -> None:
    os.mkfifo(home / "pipe")
    with pytest.raises(InputError, match=r"missing\.vec: "):
        read(home, "missing.vec", "pipe")


def test_the_vectors_of_some_words_are_read_in_their_order(home: Path) -> None:
    given, missing = VectorInput.read_words(home / "s.vec", ["s3", "nowhere", "s1"])
    assert list(given.embeddings.words) == ["s3", "s1"]
    assert missing == ["nowhere"]
    np.testing.assert_array_equal(given.embeddings["s3"], io.load(home / "s.vec")["s3"])
    with pytest.raises(InputError, match=r"s\.vec: "):
        VectorInput.read_words(home / "s.vec", ["nowhere"])


def test_repairs_are_remembered(home: Path) -> None:
    text = (home / "s.vec").read_text()
    (home / "twice.vec").write_text(text + text.splitlines()[1] + "\n")
    given = VectorInput.read(home / "twice.vec")
    assert "twice.vec: 1 duplicate word" in given.repairs
    assert given.describe()["repairs"] == given.repairs


def test_the_pairs_that_can_be_used_are_counted(home: Path) -> None:
    (home / "pairs.txt").write_text("s1 t1\ns2 t2\nx y\n")
    pairs = PairsInput.parse(str(home / "pairs.txt"), ["s", "t"])
    described = describe(read(home), {"lexicon": [pairs]})
    assert list(described) == ["vectors", "lexicon"]
    assert list(described["vectors"]) == ["s", "t"]
    assert (described["lexicon"]["pairs"], described["lexicon"]["used"]) == (3, 2)
    assert len(described["lexicon"]["sha256"]) == 64


def test_a_fingerprint_depends_on_contents_and_settings_but_not_on_paths(home: Path) -> None:
    settings = {"seed": 0, "restarts": None}

    def identity(*given: str, pairs: str | None = None, **changes: object) -> object:
        vectors = read(home, *given)
        names = [one.embeddings.name for one in vectors]
        files = {} if pairs is None else {"lexicon": [PairsInput.parse(str(home / pairs), names)]}
        return fingerprint(settings | changes, describe(vectors, files))

    (home / "moved").mkdir()
    (home / "moved" / "s.vec").write_bytes((home / "s.vec").read_bytes())
    changed = io.load(home / "s.vec")
    vectors = changed.vectors.copy()
    vectors[0, 0] += 1
    (home / "other").mkdir()
    io.save(Embeddings(changed.words, vectors), home / "other" / "s.vec")
    for name, text in (("a.txt", "s1 t1\n"), ("b.txt", "s1 t1\n"), ("c.txt", "s1 t2\n")):
        (home / name).write_text(text)
    plain = identity()
    assert plain == identity("moved/s.vec", "t.vec.gz")
    assert plain == identity(new_setting=None), "a setting that is off changes nothing"
    assert identity(pairs="a.txt") == identity(pairs="b.txt") != identity(pairs="c.txt")
    different = (
        identity("other/s.vec", "t.vec.gz"),
        identity("t.vec.gz", "s.vec"),
        identity(seed=1),
        identity(pairs="a.txt"),
    )
    assert plain not in different
