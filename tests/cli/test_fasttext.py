"""A fastText model and a Parquet table through the commands."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import isolex
from isolex import Embeddings, io, load
from tests.cli import typed
from tests.cli.conftest import Run
from tests.fasttext_models import corpus, train
from tests.wording import Wording

pytest.importorskip("fasttext")
pytest.importorskip("pyarrow")

pytestmark = pytest.mark.slow  # trains a model


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fastText model, a rotated copy of it as a Parquet table, and a finished run in `out`."""
    home = tmp_path_factory.mktemp("fasttext")
    model = train(corpus(home / "corpus.txt"), minn=2, maxn=3, epoch=5)
    model.save_model(str(home / "s.bin"))
    vectors = np.stack([model.get_word_vector(word) for word in model.words])
    rotation = np.linalg.qr(np.random.default_rng(0).normal(size=(12, 12)))[0]
    rotated = Embeddings([f"t-{word}" for word in model.words], vectors @ rotation)
    io.save(rotated, home / "t.parquet")
    pairs = "".join(f"{word}\tt-{word}\n" for word in model.words[:100])
    (home / "pairs.txt").write_text(pairs, encoding="utf-8")
    supervised = ("--system", "supervised", "--lexicon", "pairs.txt", "--max-words", "150")
    done = typed.isolex(home, "map", "s.bin", "t.parquet", "--out", "out", *supervised)
    assert done.returncode == 0, done.stderr
    return home


def test_words_out_of_vocabulary_are_translated_by_their_sub_words(run: Run, home: Path) -> None:
    beyond = load(home / "s.bin").words[160]  # in the model, but not among the 150 words read
    known = load(home / "s.bin").words[3]
    done = run("translate", "out", known, beyond, "badoo", "-k", "2", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found[known][0]["word"] == f"t-{known}"
    assert [len(found[word]) for word in (known, beyond, "badoo")] == [2, 2, 2]
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    for line, word in zip(lines, (beyond, "badoo"), strict=True):
        assert repr(word) in line
        assert "sub-words" in line


def test_a_composed_vector_is_mapped_like_any_other(home: Path) -> None:
    space = isolex.open(home / "out")
    vector = space["s"].transform(load(home / "s.bin").compose(["badoo"])["badoo"])
    nearest = int((space["t"].vectors @ vector[0]).argmax())
    assert space.translate("badoo", retrieval="nn")[0].word == space["t"].words[nearest]
    known = space["s"].words[0]
    assert list(space.translate_all(["badoo", known, "badoo"])) == ["badoo", known]


def test_a_language_without_a_model_has_no_sub_words(run: Run) -> None:
    done = run("translate", "out", "badoo", "--reverse")
    assert done.returncode == 2
    assert all(fact in done.stderr for fact in ("'badoo'", "vocabulary of t", "150 words"))


def test_sub_words_work_only_while_the_model_is_in_place(run: Run, home: Path) -> None:
    known = load(home / "s.bin").words[3]
    before = run("translate", "out", known)
    (home / "s.bin").rename(home / "away.bin")
    try:
        done = run("translate", "out", known, "badoo")
        assert done.returncode == 2
        assert done.stdout == before.stdout
        assert "'badoo'" in done.stderr
        assert "badoo" not in isolex.open(home / "out").translate_all(["badoo"])
    finally:
        (home / "away.bin").rename(home / "s.bin")
    assert run("translate", "out", "badoo").returncode == 0


def test_apply_maps_the_words_of_a_list_known_or_not(run: Run, home: Path) -> None:
    known = load(home / "s.bin").words[3]
    (home / "list.txt").write_text(f"badoo\n{known}\n", encoding="utf-8")
    options = ("--words", "list.txt", "--language", "s", "--out", "mapped.parquet")
    done = run("apply", "out", "s.bin", *options)
    assert done.returncode == 0, done.stderr
    mapped = load(home / "mapped.parquet")
    assert mapped.words == ("badoo", known)
    np.testing.assert_allclose(mapped[known], load(home / "out" / "s.vec")[known], atol=1e-5)


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (("s.bin", "--words", "list.txt", "--max-words", "3"), ("--words", "--max-words")),
        (("s.bin", "--words", "absent.txt"), ("absent.txt: ",)),
        (("t.parquet", "--words", "list.txt"), ("t.parquet: ", "none of the requested words")),
    ],
    ids=["two limits", "no list", "no word"],
)
def test_mistakes_are_one_line(
    run: Run, home: Path, arguments: tuple[str, ...], facts: tuple[str, ...], wording: Wording
) -> None:
    (home / "list.txt").write_text("badoo\n")
    done = run("apply", "out", *arguments, "--language", "s", "--out", "new.vec")
    assert done.returncode == 2
    assert all(fact in done.stderr for fact in facts)
    assert done.stderr.count("\n") == 1
    wording(done.stderr)
    assert not (home / "new.vec").exists()


def test_a_lexicon_in_parquet_can_be_used_as_gold(run: Run) -> None:
    done = run("lexicon", "out", "--out", "lexicon.parquet")
    assert done.returncode == 0, done.stderr
    done = run("evaluate", "lexicon", "out", "lexicon.parquet", "--json")
    assert json.loads(done.stdout)["precision"]["1"] == 100
