"""isolex fetch and isolex train on the command line."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import isolex
from isolex import cli, io
from tests.cli import typed
from tests.corpora.made_up import topic_text, zipf_text
from tests.fetching.conftest import pairs, vec
from tests.fetching.server import Shelf, serve
from tests.wording import Wording


def run(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    cache = {"ISOLEX_CACHE": str(home / "cache")}
    return typed.isolex(home, *arguments, **cache | environment)


Refused = Callable[..., str]


@pytest.fixture
def refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Refused:
    """Run a command that must be refused, in this process, and return its one-line message."""

    def run_refused(*arguments: str) -> str:
        before = {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["isolex", *arguments])
        monkeypatch.setenv("ISOLEX_CACHE", str(tmp_path.with_name(f"{tmp_path.name}-cache")))
        code = cli._run()
        printed = capfd.readouterr()
        assert (code, printed.out) == (2, ""), printed.err
        assert printed.err.startswith("isolex: ")
        assert printed.err.count("\n") == 1, printed.err
        after = {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}
        assert after == before, "no file was changed, added or removed"
        return printed.err

    return run_refused


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


def test_fetch_prints_paths_for_the_next_command(tmp_path: Path, shelf: Shelf) -> None:
    done = run(tmp_path, "fetch", "fasttext", "en", "es", ISOLEX_MIRROR=shelf.url)
    assert done.returncode == 0, done.stderr
    paths = done.stdout.splitlines()
    assert [len(isolex.load(path)) for path in paths] == [300, 200]
    assert all(path.startswith(str(tmp_path / "cache")) for path in paths)
    assert done.stderr == "isolex: fastText vectors: CC BY-SA 3.0, cite Bojanowski et al. (2017)\n"
    again = run(tmp_path, "fetch", "fasttext", "en", "es", "--mirror", "http://127.0.0.1:9")
    assert (again.returncode, again.stdout) == (0, done.stdout), "the cache needs no server"
    invalid = run(tmp_path, "fetch", "fasttext", "en", "--mirror", "ftp://127.0.0.1")
    assert (invalid.returncode, invalid.stdout) == (2, ""), "even if the file is cached"
    assert "--mirror ftp://127.0.0.1: " in invalid.stderr


def test_fetch_puts_files_into_the_given_folder(tmp_path: Path, shelf: Shelf) -> None:
    done = run(tmp_path, "fetch", "muse", "en-es", "--out", "gold", "--mirror", shelf.url)
    names = ["en-es.txt", "en-es.0-5000.txt", "en-es.5000-6500.txt"]
    assert done.stdout.splitlines() == [f"gold/{name}" for name in names]
    assert (tmp_path / "gold" / names[2]).read_bytes() == pairs(10)
    assert "CC BY-NC 4.0" in done.stderr
    head = run(tmp_path, "fetch", "fasttext", "en", "--max-words", "9", "--mirror", shelf.url, "-q")
    assert (head.returncode, head.stderr) == (0, "")
    assert len(isolex.load(head.stdout.strip())) == 9


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (("fasttext", "en", "--mirror", "http://127.0.0.1:9"), ["http://127.0.0.1:9", "--mirror"]),
        (("fasttext", "enq"), ["404 Not Found", "language enq; similar codes: "]),
        (("fasttext", "e n"), ["'e n'", "language code"]),
        (("fasttext", "en", "--model"), ["--model", "--source crawl"]),
        (
            ("fasttext", "en", "--source", "crawl", "--model", "--max-words", "9"),
            ["--max-words", "--model"],
        ),
        (("fasttext", "en", "--max-words", "0"), ["--max-words"]),
        (("muse", "english"), ["'english'", "language pair", "en-es"]),
        (("muse", "pl-de"), ["404 Not Found", "pl-en, en-pl, de-en, en-de"]),
        (("muse", "en-es", "--cache", "file"), ["file/muse: ", "--cache"]),
        (("muse", "en-es", "--out", "file"), ["file: ", "File exists", "--out"]),
        (("muse", "en-es", "--out", "/proc/x"), ["/proc/x: ", "--out"]),
        (("glove", "en"), ["'glove'"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_wrong_fetch_command_gets_a_one_line_message(
    tmp_path: Path, shelf: Shelf, refused: Refused, arguments: tuple[str, ...], facts: list[str]
) -> None:
    (tmp_path / "file").write_text("mine")
    mirror = () if "--mirror" in arguments or arguments[0] == "glove" else ("--mirror", shelf.url)
    message = refused("fetch", *arguments, *mirror)
    assert [fact for fact in facts if fact not in message] == [], message


def test_max_words_and_model_exclude_each_other(refused: Refused, wording: Wording) -> None:
    message = refused("fetch", "fasttext", "en", "--model", "--max-words", "9")
    assert "--model" in message
    assert "--max-words" in message
    wording(message.strip())


def test_an_interrupted_fetch_ends_with_130_and_can_be_resumed(
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
    assert shelf.requested_ranges == [f"bytes={kept}-"]
    assert (
        Path(tmp_path, done.stdout.strip()).read_bytes()
        == slow.files["fasttext/vectors-wiki/wiki.xx.vec"]
    )
    assert f"wiki.xx.vec: resuming at {kept:,} bytes" in done.stderr


def test_two_texts_become_a_dictionary_in_three_commands(tmp_path: Path, wording: Wording) -> None:
    for name, seed in (("english", 0), ("spanish", 1)):
        topic_text(tmp_path / f"{name}.txt", seed=seed)
    small = ("--dims", "12", "--epochs", "2", "--threads", "1")
    first = run(tmp_path, "train", "english.txt", "--out", "en.vec", *small)
    second = run(tmp_path, "train", "spanish.txt", "--out", "es.vec.gz", *small, "--json")
    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    announced, warning, _ = first.stderr.splitlines()
    wording(announced)
    wording(warning)
    assert re.match(r"isolex: 18,000 words .* 40 words .*word2vec, 12 dim.*, 2 epochs", announced)
    assert warning.startswith("isolex: 18,000 words")
    facts = json.loads(second.stdout)
    assert (facts["words"], facts["dims"], facts["epochs"], facts["seed"]) == (40, 12, 2, 0)
    third = run(tmp_path, "map", "en.vec", "es.vec.gz", "--out", "en-es", "--budget", "0")
    assert third.returncode in (0, 1), third.stderr
    assert "Traceback" not in third.stderr
    assert len((tmp_path / "en-es" / "lexicon.tsv").read_text().splitlines()) > 1
    assert {path.name for path in tmp_path.iterdir()} == {
        *("english.txt", "spanish.txt", "en.vec", "es.vec.gz", "en-es")
    }, "no temporary file is left"


def test_counts_of_two_texts_give_the_first_lexicon(tmp_path: Path) -> None:
    """From text to a run that records the counts; the same run is not done twice."""
    for name, seed in (("a", 0), ("b", 1)):
        sentences = zipf_text(tmp_path / f"{name}.txt", name, seed)
        options = ("--dims", "10", "--epochs", "10", "--threads", "1", "--counts", f"{name}.npz")
        done = run(tmp_path, "train", f"{name}.txt", "--out", f"{name}.vec", *options)
        assert done.returncode == 0, done.stderr
        assert io.read_counts(tmp_path / f"{name}.npz").words[0] == sentences
    counts = ("--counts", "a.npz", "--counts", "b.npz")
    command = ("map", "a.vec", "b.vec", "--out", "out", "--budget", "0", *counts, "--json")
    done = run(tmp_path, *command)
    facts = json.loads(done.stdout)
    assert facts["counted"], done.stderr
    assert facts["inputs"]["vectors"]["a"]["counts"]["path"] == str(tmp_path / "a.npz")
    assert isolex.open(tmp_path / "out").about("a", "b").counted
    again = run(tmp_path, *command, "--resume")
    assert "already finished" in again.stderr
    swapped = (*command[:7], "--counts", "b.npz", "--counts", "a.npz", "--json")
    assert run(tmp_path, *swapped).returncode == 2


def test_train_reads_folders_joins_phrases_and_writes_models(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    topic_text(tmp_path / "texts" / "a.txt", 300)
    options = ("--dims", "8", "--epochs", "1", "--phrases", "--keep-case", "--quiet")
    for out, more in (("a.bin", ("--method", "fasttext")), ("a.safetensors", ())):
        done = run(tmp_path, "train", "texts", "--out", out, *options, *more)
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr.count("\n") == 1, "--quiet prints only the warning"
    found = isolex.load(tmp_path / "a.safetensors")
    assert any(word[0].isupper() for word in found.words)
    assert (tmp_path / "a.bin").read_bytes()[:4] == (793_712_314).to_bytes(4, "little")


def test_text_that_is_mostly_numbers_gets_a_warning(tmp_path: Path, wording: Wording) -> None:
    (tmp_path / "a.txt").write_text(20 * "word 0.25 -1e-05 0.5\nother 0.25 0.5 0.5\n")
    options = ("--out", "a.vec", "--dims", "2", "--epochs", "1", "--threads", "1")
    done = run(tmp_path, "train", "a.txt", *options)
    assert done.returncode == 0
    lines = done.stderr.splitlines()
    assert "numbers" in lines[0]
    wording(lines[0])
    assert lines[1].endswith("word2vec, 2 dimensions, 1 epoch")


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (("absent.txt", "--out", "x.vec"), ["absent.txt: "]),
        (("empty.txt", "--out", "x.vec"), ["empty.txt: ", "no words"]),
        (("latin.txt", "--out", "x.vec"), ["latin.txt, line 1: ", "UTF-8"]),
        (("zero.txt", "--out", "x.vec"), ["zero.txt, line 1: ", "zero byte"]),
        (("few.txt", "--out", "x.vec"), ["0 of 4 words", "5 times", "--min-count"]),
        (("folder", "--out", "x.vec"), ["folder: ", "no files"]),
        (("few.txt", "--out", "no/x.vec"), ["no: ", "folder"]),
        (("few.txt", "--out", "x.doc"), ["x.doc: ", "suffix"]),
        (("few.txt", "--out", "few.txt"), ["few.txt: ", "overwrite", "input"]),
        (
            ("few.txt", "--out", "run/space.safetensors"),
            ["run/space.safetensors: ", "overwrite", "run run"],
        ),
        (("few.txt", "--out", "x.vec", "--method", "glove"), ["--method"]),
        (("few.txt",), ["--out"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_wrong_train_command_gets_a_one_line_message(
    tmp_path: Path, refused: Refused, arguments: tuple[str, ...], facts: list[str]
) -> None:
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "few.txt").write_text("a few words only\n")
    (tmp_path / "latin.txt").write_bytes(b"ma\xf1ana")
    (tmp_path / "zero.txt").write_bytes(b"\0\1\2")
    (tmp_path / "folder").mkdir()
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text("{}")
    message = refused("train", *arguments)
    assert [fact for fact in facts if fact not in message] == [], message


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (("train", "few.txt", "--out", "x.vec"), "gensim"),
        (("fetch", "muse", "en-es"), "fetch"),
        (("fetch", "fasttext", "en", "--cache", "here"), "fetch"),
    ],
)
def test_a_missing_extra_is_named_with_its_pip_command(
    refused: Refused, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], extra: str
) -> None:
    monkeypatch.setattr("isolex.adapters.extras.find_spec", lambda _: None)
    assert f"pip install 'isolex[{extra}]'" in refused(*arguments)


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_training_leaves_no_files(
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
        process.stderr.readline()  # the first line is printed when training begins
        time.sleep(0.5)
        process.send_signal(sent)
        process.communicate(timeout=60)
    assert process.returncode == code
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
