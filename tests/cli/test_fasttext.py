"""A fastText model and a Parquet table through the commands."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from isolex import Embeddings, io, load
from isolex.run.folder import RunFolder
from tests.cli.test_commands import isolex
from tests.fasttext_models import corpus, train

pytest.importorskip("fasttext")
pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fastText model, the same space turned as a Parquet table, and a finished run in `out`."""
    home = tmp_path_factory.mktemp("fasttext")
    model = train(corpus(home / "corpus.txt"), minn=2, maxn=3, epoch=5)
    model.save_model(str(home / "s.bin"))
    vectors = np.stack([model.get_word_vector(word) for word in model.words])
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(12, 12)))[0]
    turned = Embeddings([f"t-{word}" for word in model.words], vectors @ turn)
    io.save(turned, home / "t.parquet")
    pairs = "".join(f"{word}\tt-{word}\n" for word in model.words[:100])
    (home / "pairs.txt").write_text(pairs, encoding="utf-8")
    supervised = ("--system", "supervised", "--lexicon", "pairs.txt", "--max-words", "150")
    done = isolex(home, "map", "s.bin", "t.parquet", "--out", "out", *supervised)
    assert done.returncode == 0, done.stderr
    return home


def test_words_of_the_model_are_mapped_and_others_translated_by_sub_words(home: Path) -> None:
    beyond = load(home / "s.bin").words[160]  # the model's, but not among the 150 that were read
    known = load(home / "s.bin").words[3]
    done = isolex(home, "translate", "out", known, beyond, "badoo", "-k", "2", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found[known][0]["word"] == f"t-{known}"
    assert [len(found[word]) for word in (known, beyond, "badoo")] == [2, 2, 2]
    assert done.stderr.splitlines() == [
        f"isolex: {word!r} is not in the vocabulary: translated by its sub-words"
        for word in (beyond, "badoo")
    ]


@pytest.mark.parametrize("cached", [True, False])
def test_sub_words_are_there_with_and_without_the_cache(home: Path, cached: bool) -> None:
    alignment = RunFolder(home / "out").open(None if cached else home / "s.bin")
    (word,) = alignment.source.vocabulary.compose(["badoo"])
    vector = alignment.source.transform(load(home / "s.bin").compose([word])[word])
    best = alignment.target.mapped.vectors @ vector[0]
    best /= np.linalg.norm(alignment.target.mapped.vectors, axis=1)
    expected = alignment.target.vocabulary.words[int(best.argmax())]
    assert alignment.translate("badoo", retrieval="nn")[0].word == expected
    found = alignment.translate_all(["badoo", alignment.source.vocabulary.words[0], "badoo"])
    assert list(found) == ["badoo", alignment.source.vocabulary.words[0]]


def test_the_target_has_no_sub_words(home: Path) -> None:
    done = isolex(home, "translate", "out", "badoo", "--reverse")
    assert done.returncode == 2
    assert "'badoo' is not among the 150 words" in done.stderr


def test_apply_maps_the_words_of_a_list_seen_or_not(home: Path) -> None:
    known = load(home / "s.bin").words[3]
    (home / "list.txt").write_text(f"badoo\n{known}\n", encoding="utf-8")
    arguments = ("--words", "list.txt", "--side", "src", "--out", "mapped.parquet")
    done = isolex(home, "apply", "out", "s.bin", *arguments)
    assert done.returncode == 0, done.stderr
    mapped = load(home / "mapped.parquet")
    assert mapped.words == ("badoo", known)
    np.testing.assert_allclose(mapped[known], load(home / "out" / "src.vec")[known], atol=1e-5)


def test_apply_says_which_words_have_no_vector(home: Path) -> None:
    (home / "list.txt").write_text("nowhere\nt-ba\n" + "".join(f"x{i}\n" for i in range(9)))
    io.save(Embeddings(["t-ba"], np.ones((1, 12))), home / "one.vec")
    arguments = ("--words", "list.txt", "--side", "trg", "--out", "mapped.vec")
    done = isolex(home, "apply", "out", "one.vec", *arguments)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith(
        "isolex: one.vec: no vector of 10 of the 11 words: 'nowhere', 'x0', 'x1', 'x2', 'x3' ...\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("s.bin", "--words", "list.txt", "--max-words", "3"), "leave out --max-words"),
        (("s.bin", "--words", "absent.txt"), "absent.txt: no such file"),
        (("t.parquet", "--words", "foreign.txt"), "a vector of none of the words"),
    ],
)
def test_mistakes_are_one_line(home: Path, arguments: tuple[str, ...], message: str) -> None:
    (home / "list.txt").write_text("badoo\n")
    (home / "foreign.txt").write_text("badoo\n")
    done = isolex(home, "apply", "out", *arguments, "--side", "src", "--out", "new.vec")
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (home / "new.vec").exists()


def test_the_dictionary_is_written_as_parquet_and_read_as_gold(home: Path) -> None:
    done = isolex(home, "lexicon", "out", "--out", "lexicon.parquet")
    assert done.returncode == 0, done.stderr
    done = isolex(home, "evaluate", "lexicon", "out", "lexicon.parquet", "--json")
    assert json.loads(done.stdout)["precision"]["1"] == 100
