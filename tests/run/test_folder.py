"""The folder of a run: what is in it, and how its vectors are found again."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from isolex import Embeddings, align, io
from isolex.core.lexicon import Lexicon
from isolex.errors import InputError, UsageError
from isolex.method.checkpoint import Checkpoint
from isolex.method.self_learning import Learnt
from isolex.run.folder import RunFolder
from isolex.run.inputs import Input, PairsInput, run_mark
from isolex.web.report import render
from tests.planted import planted


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A folder with two vector files and the run `out` between them."""
    problem = planted(words=120, dims=8)
    io.save(problem.src, tmp_path / "s.vec")
    io.save(problem.trg, tmp_path / "t.vec.gz")
    write(tmp_path, tmp_path / "out")
    return tmp_path


def write(home: Path, out: Path, vectors: str = "text") -> dict:
    src, trg = Input.read(home / "s.vec"), Input.read(home / "t.vec.gz")
    alignment = align(src.embeddings, trg.embeddings)
    folder = RunFolder(out)
    folder.prepare(src, trg)
    timings = {"read": 0.5}
    return folder.write(
        alignment, alignment.lexicon(), src, trg, vectors, timings=timings, render=render
    )


def test_every_file_of_the_contract_is_there(made: Path) -> None:
    names = {path.name for path in (made / "out").iterdir()}
    assert names == {
        "mapping.safetensors",
        "lexicon.tsv",
        "src.vec",
        "trg.vec",
        "history.tsv",
        "run.json",
        "cache",
        "report.html",
    }
    run = json.loads((made / "out" / "run.json").read_text())
    assert run["settings"]["system"] == "robust"
    assert run["settings"]["seed"] == 0
    assert run["inputs"]["src"]["words"] == 120
    assert len(run["inputs"]["trg"]["vectors_sha256"]) == 64
    steps = "read compile normalise initialise learn check widen map judge"
    assert set(run["timings"]) == set(steps.split())
    assert run["verdict"] in ("succeeded", "doubtful", "failed")
    assert 0 <= run["evidence"]["recovered"] <= 1
    assert run["reason"].startswith("learnt again from a few of its pairs")
    assert 0 < run["objective"] <= 1
    history = (made / "out" / "history.tsv").read_text().splitlines()
    assert history[0] == "iteration\tkeep_prob\tcutoff\tobjective\tseconds"
    assert len(history) == run["iterations"] + 1


def test_it_opens_with_the_recorded_files(made: Path) -> None:
    alignment = RunFolder(made / "out").open()
    np.testing.assert_allclose(
        alignment.source.mapped.vectors, io.load(made / "out" / "src.vec").vectors, atol=1e-5
    )


def test_files_that_moved_along_are_found_beside(made: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    for name in ("out", "s.vec", "t.vec.gz"):
        (made / name).rename(moved / name)
    assert RunFolder(moved / "out").open().translate("s1")


def test_files_that_moved_elsewhere_are_asked_for(made: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.vec"
    (made / "s.vec").rename(new)
    with pytest.raises(InputError, match=r"s\.vec: no longer there; find it with --src FILE"):
        RunFolder(made / "out").open()
    assert RunFolder(made / "out").open(src=new).translate("s1")


def test_a_changed_file_is_refused_and_the_right_one_beside_is_taken(made: Path) -> None:
    right = (made / "s.vec").read_bytes()
    io.save(planted(words=120, dims=8, seed=9).src, made / "s.vec")
    with pytest.raises(InputError, match="not the vectors this mapping was learnt from"):
        RunFolder(made / "out").open()
    (made / "out" / "s.vec").write_bytes(right)
    assert RunFolder(made / "out").open().translate("s1")


def test_files_that_are_as_they_were_are_not_parsed_again(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []

    def watched(path, **options):
        read.append(Path(path))
        return io.reading.read(path, **options)

    monkeypatch.setattr(io, "read", watched)
    folder = RunFolder(made / "out")
    folder.open()
    assert {path.parent.name for path in read} == {"cache"}
    os.utime(made / "s.vec")
    read.clear()
    folder.open()
    assert {path.name for path in read} == {"s.vec", "trg.safetensors"}


@pytest.mark.parametrize("damage", ["deleted", "cut", "another"])
def test_a_cache_that_is_not_right_is_passed_over(made: Path, damage: str) -> None:
    cached = made / "out" / "cache" / "src.safetensors"
    before = RunFolder(made / "out").open().translate("s1")
    if damage == "deleted":
        cached.unlink()
    elif damage == "cut":
        cached.write_bytes(cached.read_bytes()[:-10])
    else:
        io.save(planted(words=120, dims=8, seed=9).src, cached)
    assert RunFolder(made / "out").open().translate("s1") == before


def test_a_file_that_is_named_is_always_read(made: Path) -> None:
    wrong = made / "wrong.vec"
    right = bytearray((made / "s.vec").read_bytes())
    digit = right.index(b".") + 1
    right[digit] = ord("1") if right[digit] != ord("1") else ord("2")
    wrong.write_bytes(right)
    status = (made / "s.vec").stat()
    os.utime(wrong, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert wrong.stat().st_size == status.st_size
    with pytest.raises(InputError, match="not the vectors this mapping was learnt from"):
        RunFolder(made / "out").open(src=wrong)


@pytest.mark.parametrize("stamp", [None, [], {"size": 1}, {"other": 3}, "x"])
def test_an_odd_stamp_only_means_that_the_original_is_read(made: Path, stamp: object) -> None:
    path = made / "out" / "run.json"
    run = json.loads(path.read_text())
    run["inputs"]["src"]["stamp"] = stamp
    path.write_text(json.dumps(run))
    assert RunFolder(made / "out").open().translate("s1")


def test_what_others_put_into_the_cache_stays(made: Path) -> None:
    (made / "out" / "cache" / "notes.txt").write_text("mine")
    for vectors in ("text", "none"):
        write(made, made / "out", vectors)
        assert (made / "out" / "cache" / "notes.txt").read_text() == "mine"
    assert not (made / "out" / "cache" / "src.safetensors").exists()


def test_inputs_in_the_cache_are_not_overwritten(made: Path) -> None:
    given = Input.read(made / "out" / "cache" / "src.safetensors")
    with pytest.raises(UsageError, match="would overwrite this input"):
        RunFolder(made / "out").prepare(given, given)


def test_a_cache_that_cannot_be_written_does_not_fail_the_run(made: Path) -> None:
    for cached in ("src", "trg"):
        (made / "out" / "cache" / f"{cached}.safetensors").unlink()
    (made / "out" / "cache").rmdir()
    (made / "out" / "cache").write_text("a file")
    write(made, made / "out")
    assert RunFolder(made / "out").open().translate("s1")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_missing_file_beside_a_pipe_is_said_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=r"missing\.vec: no such file"):
        Input.read_both(tmp_path / "missing.vec", tmp_path / "pipe")


def test_a_second_run_leaves_no_vectors_of_the_first(made: Path) -> None:
    write(made, made / "out", "bin")
    names = {path.name for path in (made / "out").iterdir()}
    assert {"src.bin", "trg.bin"} <= names
    assert not {"src.vec", "trg.vec"} & names
    write(made, made / "out", "none")
    assert not {path.suffix for path in (made / "out").iterdir()} & {".bin", ".vec"}
    assert not (made / "out" / "cache").exists()


def test_an_input_is_never_overwritten(tmp_path: Path) -> None:
    io.save(planted(words=20, dims=3).src, tmp_path / "src.vec")
    (tmp_path / "link.vec").symlink_to(tmp_path / "src.vec")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "trg.bin").symlink_to(tmp_path / "src.vec")
    for name in ("src.vec", "link.vec"):
        given = Input.read(tmp_path / name)
        for folder in (tmp_path, tmp_path / "out"):
            with pytest.raises(UsageError, match="would overwrite this input"):
                RunFolder(folder).prepare(given, given)


def test_pair_files_and_strangers_are_never_overwritten(made: Path) -> None:
    src, trg = Input.read(made / "s.vec"), Input.read(made / "t.vec.gz")
    with pytest.raises(UsageError, match=r"lexicon\.tsv: writing to .* would overwrite this input"):
        RunFolder(made / "out").prepare(src, trg, "text", made / "out" / "lexicon.tsv")
    (made / "mine").mkdir()
    (made / "mine" / "src.bin").write_text("precious")
    with pytest.raises(UsageError, match=r"holds a src\.bin that is not of an isolex run"):
        RunFolder(made / "mine").prepare(src, trg)


def test_the_pairs_that_were_used_are_recorded(made: Path) -> None:
    (made / "pairs.txt").write_text("s1 t1\ns2 t2\nx y\n")
    given = PairsInput.read(made / "pairs.txt")
    src, trg = Input.read(made / "s.vec"), Input.read(made / "t.vec.gz")
    described = given.describe(src.embeddings, trg.embeddings)
    assert (described["pairs"], described["used"]) == (3, 2)
    assert len(described["sha256"]) == 64


def test_words_that_the_format_cannot_hold_are_refused_before_the_work(tmp_path: Path) -> None:
    io.save(Embeddings(["new york", "b"], [[1, 2], [3, 4]]), tmp_path / "s.vec")
    given = Input.read(tmp_path / "s.vec")
    with pytest.raises(UsageError, match="'new york' cannot be written in the format bin"):
        RunFolder(tmp_path / "out").prepare(given, given, "bin")
    RunFolder(tmp_path / "out").prepare(given, given, "text")


def test_an_out_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("mine")
    io.save(planted(words=20, dims=3).src, tmp_path / "a.vec")
    given = Input.read(tmp_path / "a.vec")
    with pytest.raises(UsageError, match="x: is a file; --out names a folder"):
        RunFolder(tmp_path / "x").prepare(given, given)
    assert (tmp_path / "x").read_text() == "mine"


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path, made: Path) -> None:
    with pytest.raises(InputError, match=r"no mapping\.safetensors; give a folder"):
        RunFolder(tmp_path).open()
    (made / "out" / "run.json").write_text("{}")
    with pytest.raises(InputError, match=r"run\.json: not readable"):
        RunFolder(made / "out").open()


def test_a_checkpoint_of_another_program_is_not_touched(made: Path) -> None:
    src, trg = Input.read(made / "s.vec"), Input.read(made / "t.vec.gz")
    stranger = made / "new" / "checkpoint.safetensors"
    stranger.parent.mkdir()
    stranger.write_bytes(b"weights of somebody else")
    with pytest.raises(UsageError, match=r"checkpoint.safetensors that is not of an isolex"):
        RunFolder(made / "new").prepare(src, trg)
    (made / "out" / "checkpoint.safetensors").write_bytes(b"weights of somebody else")
    write(made, made / "out")
    assert (made / "out" / "checkpoint.safetensors").exists()


def test_a_run_that_was_killed_while_it_wrote_goes_on(made: Path) -> None:
    src, trg = Input.read(made / "s.vec"), Input.read(made / "t.vec.gz")
    folder = RunFolder(made / "out")
    facts = json.loads((made / "out" / "run.json").read_text())
    mark = run_mark(facts["settings"], facts["inputs"])
    assert folder.finished(mark, "text") is not None
    assert folder.finished(mark, "bin") is None, "not in that format"
    with pytest.raises(UsageError, match="a finished run of other inputs or options; leave --re"):
        folder.finished(mark | {"settings": {}}, "text")
    (made / "out" / "src.vec").unlink()
    assert folder.finished(mark, "text") is None, "not whole"
    (made / "out" / "run.json").unlink()
    with pytest.raises(UsageError, match="not of an isolex run"):
        folder.prepare(src, trg)
    Checkpoint(Learnt(Lexicon.shuffled(9, 0))).save(folder.checkpoint, mark)
    folder.prepare(src, trg)
    write(made, made / "out")
    assert folder.finished(mark, "text") is not None
    assert not folder.checkpoint.exists()
