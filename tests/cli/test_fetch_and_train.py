"""From raw text to a dictionary, and from a server to files, as a person types it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import isolex
from isolex import cli
from tests.cli import typed
from tests.corpora.made_up import topic_text
from tests.fetching.conftest import pairs, vec
from tests.fetching.server import Shelf, serve


def run(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    cache = {"ISOLEX_CACHE": str(home / "cache")}
    return typed.isolex(home, *arguments, **cache | environment)


Wrong = Callable[..., str]


@pytest.fixture
def wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Wrong:
    """Runs a command that must be refused, in this process, and gives the one line it says."""

    def run_wrong(*arguments: str) -> str:
        before = {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["isolex", *arguments])
        monkeypatch.setenv("ISOLEX_CACHE", str(tmp_path.with_name(f"{tmp_path.name}-cache")))
        code = cli._run()
        said = capfd.readouterr()
        assert (code, said.out) == (2, ""), said.err
        assert said.err.startswith("isolex: ")
        assert said.err.count("\n") == 1, said.err
        after = {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}
        assert after == before, "nothing is lost, nothing is left behind"
        return said.err

    return run_wrong


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    files = {
        "fasttext/vectors-wiki/wiki.en.vec": vec(300),
        "fasttext/vectors-wiki/wiki.es.vec": vec(200, seed=1),
        "fasttext/vectors-wiki/wiki.xx.vec": vec(50_000, 2),
        "arrival/dictionaries/en-es.txt": pairs(30),
        "arrival/dictionaries/en-es.0-5000.txt": pairs(20),
        "arrival/dictionaries/en-es.5000-6500.txt": pairs(10),
    }
    with serve(Shelf(files)) as shelf:
        yield shelf


def test_fetch_prints_paths_that_the_next_command_takes(tmp_path: Path, shelf: Shelf) -> None:
    done = run(tmp_path, "fetch", "fasttext", "en", "es", ISOLEX_MIRROR=shelf.url)
    assert done.returncode == 0, done.stderr
    paths = done.stdout.splitlines()
    assert [len(isolex.load(path)) for path in paths] == [300, 200]
    assert all(path.startswith(str(tmp_path / "cache")) for path in paths)
    assert done.stderr == "isolex: fastText vectors: CC BY-SA 3.0, cite Bojanowski et al. (2017)\n"
    again = run(tmp_path, "fetch", "fasttext", "en", "es", "--mirror", "http://127.0.0.1:9")
    assert (again.returncode, again.stdout) == (0, done.stdout), "the cache needs no server"
    wrong = run(tmp_path, "fetch", "fasttext", "en", "--mirror", "ftp://127.0.0.1")
    assert (wrong.returncode, wrong.stdout) == (2, ""), "even where it is not needed"
    assert "ftp://127.0.0.1: not an address to fetch from; --mirror takes" in wrong.stderr


def test_fetch_puts_files_where_it_is_told(tmp_path: Path, shelf: Shelf) -> None:
    done = run(tmp_path, "fetch", "muse", "en-es", "--out", "gold", "--mirror", shelf.url)
    names = ["en-es.txt", "en-es.0-5000.txt", "en-es.5000-6500.txt"]
    assert done.stdout.splitlines() == [f"gold/{name}" for name in names]
    assert (tmp_path / "gold" / names[2]).read_bytes() == pairs(10)
    assert "CC BY-NC 4.0" in done.stderr
    head = run(tmp_path, "fetch", "fasttext", "en", "--max-words", "9", "--mirror", shelf.url, "-q")
    assert (head.returncode, head.stderr) == (0, "")
    assert len(isolex.load(head.stdout.strip())) == 9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fasttext", "en", "--mirror", "http://127.0.0.1:9"), "cannot be reached; check the conn"),
        (("fasttext", "enq"), "404 Not Found; no language enq is known there; near ones: "),
        (("fasttext", "e n"), "'e n' is no language code"),
        (("fasttext", "en", "--model"), "whole models come with --source crawl only"),
        (
            ("fasttext", "en", "--source", "crawl", "--model", "--max-words", "9"),
            "--max-words cuts vectors in text, --model is whole: give one of the two",
        ),
        (("fasttext", "en", "--max-words", "0"), "--max-words"),
        (("muse", "english"), "'english' is no pair of languages: write two codes"),
        (("muse", "pl-de"), "try pairs with English"),
        (("muse", "en-es", "--cache", "file"), "file/muse: "),
        (("muse", "en-es", "--out", "file"), "file: the folder cannot be made (File exists); name"),
        (("muse", "en-es", "--out", "/proc/x"), "/proc/x: the folder cannot be made"),
        (("glove", "en"), "No such command 'glove'"),
    ],
    ids=lambda value: str(value)[:50],
)
def test_a_wrong_fetch_is_one_line(
    tmp_path: Path, shelf: Shelf, wrong: Wrong, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "file").write_text("mine")
    mirror = () if "--mirror" in arguments or arguments[0] == "glove" else ("--mirror", shelf.url)
    assert message in wrong("fetch", *arguments, *mirror)


def test_an_interrupted_fetch_ends_with_130_and_goes_on_the_next_time(
    tmp_path: Path, shelf: Shelf
) -> None:
    slow = Shelf(shelf.files, pause=0.02)
    cache = ["--cache", "cache"]
    with serve(slow):
        with subprocess.Popen(
            [*typed.COMMAND, "fetch", "fasttext", "xx", "--mirror", slow.url, *cache],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        ) as process:
            part = tmp_path / "cache/fasttext/wiki.xx.vec.part"
            while not part.exists() or not part.stat().st_size:
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (130, b"isolex: interrupted\n")
    kept = part.stat().st_size
    done = run(tmp_path, "fetch", "fasttext", "xx", "--mirror", shelf.url, *cache)
    assert shelf.asked_ranges == [f"bytes={kept}-"]
    assert (
        Path(tmp_path, done.stdout.strip()).read_bytes()
        == slow.files["fasttext/vectors-wiki/wiki.xx.vec"]
    )
    assert f"going on at {kept:,} bytes" in done.stderr


def test_two_texts_become_a_dictionary_in_three_commands(tmp_path: Path) -> None:
    for name, seed in (("english", 0), ("spanish", 1)):
        topic_text(tmp_path / f"{name}.txt", seed=seed)
    small = ("--dims", "12", "--epochs", "2", "--threads", "1")
    first = run(tmp_path, "train", "english.txt", "--out", "en.vec", *small)
    second = run(tmp_path, "train", "spanish.txt", "--out", "es.vec.gz", *small, "--json")
    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert first.stderr.startswith("isolex: 18,000 words of text, 40 words to learn: word2vec, 12")
    assert "18,000 words are little text" in first.stderr
    facts = json.loads(second.stdout)
    assert (facts["words"], facts["dims"], facts["epochs"], facts["seed"]) == (40, 12, 2, 0)
    third = run(tmp_path, "map", "en.vec", "es.vec.gz", "--out", "en-es", "--budget", "0")
    assert third.returncode in (0, 1), third.stderr
    assert len((tmp_path / "en-es" / "lexicon.tsv").read_text().splitlines()) > 1
    assert {path.name for path in tmp_path.iterdir()} == {
        *("english.txt", "spanish.txt", "en.vec", "es.vec.gz", "en-es")
    }, "nothing is left behind"


def test_train_takes_folders_phrases_and_writes_models(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    topic_text(tmp_path / "texts" / "a.txt", 300)
    options = ("--dims", "8", "--epochs", "1", "--phrases", "--keep-case", "--quiet")
    for out, more in (("a.bin", ("--method", "fasttext")), ("a.safetensors", ())):
        done = run(tmp_path, "train", "texts", "--out", out, *options, *more)
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr.count("\n") == 1, "little text is said to the quiet too, and only that"
    found = isolex.load(tmp_path / "a.safetensors")
    assert any(word[0].isupper() for word in found.words)
    assert (tmp_path / "a.bin").read_bytes()[:4] == (793_712_314).to_bytes(4, "little")


def test_a_text_of_numbers_is_doubted(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(20 * "word 0.25 -1e-05 0.5\nother 0.25 0.5 0.5\n")
    options = ("--out", "a.vec", "--dims", "2", "--epochs", "1", "--threads", "1")
    done = run(tmp_path, "train", "a.txt", *options)
    assert done.returncode == 0
    lines = done.stderr.splitlines()
    assert lines[0].startswith("isolex: most of the text is numbers: is it a file of vectors?")
    assert lines[1].endswith("word2vec, 2 dimensions, 1 epoch")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("absent.txt", "--out", "x.vec"), "absent.txt: no such file"),
        (("empty.txt", "--out", "x.vec"), "empty.txt: no words in it"),
        (("latin.txt", "--out", "x.vec"), "latin.txt, line 1: not UTF-8"),
        (("zero.txt", "--out", "x.vec"), "zero.txt, line 1: a zero byte"),
        (("few.txt", "--out", "x.vec"), "only 0 of 4 words occur 5 times or more"),
        (("folder", "--out", "x.vec"), "folder: a folder without files"),
        (("few.txt", "--out", "no/x.vec"), "no: no such folder; make it first"),
        (("few.txt", "--out", "x.doc"), "x.doc: its suffix names no known format"),
        (("few.txt", "--out", "few.txt"), "would overwrite an input"),
        (("few.txt", "--out", "run/src.vec"), "run/src.vec: would overwrite the run run"),
        (("few.txt", "--out", "x.vec", "--method", "glove"), "--method"),
        (("few.txt",), "--out"),
    ],
    ids=lambda value: str(value)[:50],
)
def test_a_wrong_training_is_one_line(
    tmp_path: Path, wrong: Wrong, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "few.txt").write_text("a few words only\n")
    (tmp_path / "latin.txt").write_bytes(b"ma\xf1ana")
    (tmp_path / "zero.txt").write_bytes(b"\0\1\2")
    (tmp_path / "folder").mkdir()
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text("{}")
    assert message in wrong("train", *arguments)


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (("train", "few.txt", "--out", "x.vec"), "gensim"),
        (("fetch", "muse", "en-es"), "fetch"),
        (("fetch", "fasttext", "en", "--cache", "here"), "fetch"),
    ],
)
def test_an_extra_that_is_not_installed_is_named(
    wrong: Wrong, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], extra: str
) -> None:
    monkeypatch.setattr("isolex.adapters.extras.find_spec", lambda _: None)
    assert f"needs more than is installed: pip install 'isolex[{extra}]'" in wrong(*arguments)


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_training_leaves_nothing(
    tmp_path: Path, sent: signal.Signals, code: int
) -> None:
    topic_text(tmp_path / "a.txt")
    with subprocess.Popen(
        [*typed.COMMAND, "train", "a.txt", "--out", "a.vec", "--epochs", "10000"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stderr is not None
        process.stderr.readline()  # what is trained is said when training begins
        time.sleep(0.5)
        process.send_signal(sent)
        process.communicate(timeout=60)
    assert process.returncode == code
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
