"""The run folder: what is in it, what it never overwrites, and how a space is opened from it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from isolex import Embeddings, Space, align, io
from isolex import open as open_space
from isolex.core.checkpoint import Checkpoint, Solution
from isolex.core.choices import VectorFormat
from isolex.core.lexicon import Lexicon
from isolex.errors import InputError, UsageError
from isolex.run import checkpoint
from isolex.run.folder import RunFolder
from isolex.run.inputs import PairsInput, VectorInput, fingerprint
from isolex.run.results import Results
from isolex.web.report import render
from tests.planted import planted
from tests.wording import Wording

TEXT, BIN, NONE = VectorFormat.TEXT, VectorFormat.BIN, VectorFormat.NONE


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[VectorInput], Space]:
    """Two vector files and their space."""
    folder = tmp_path_factory.mktemp("original")
    problem = planted(words=120, dims=8)
    io.save(problem.source, folder / "s.vec")
    io.save(problem.target, folder / "t.vec.gz")
    inputs = [VectorInput.read(folder / "s.vec"), VectorInput.read(folder / "t.vec.gz")]
    return inputs, align(inputs[0].embeddings, inputs[1].embeddings)


@pytest.fixture
def inputs(original: tuple[list[VectorInput], Space]) -> list[VectorInput]:
    return original[0]


@pytest.fixture
def space(original: tuple[list[VectorInput], Space]) -> Space:
    return original[1]


@pytest.fixture
def out(inputs: list[VectorInput], space: Space, tmp_path: Path) -> Path:
    """The folder of a finished run."""
    write(tmp_path / "out", space, inputs)
    return tmp_path / "out"


def write(
    out: Path, space: Space, inputs: Sequence[VectorInput], written: VectorFormat = TEXT
) -> dict[str, Any]:
    folder = RunFolder(out)
    folder.prepare(inputs, written)
    results = Results(
        space, {space.names: space.lexicon()}, inputs, {}, {"read": 0.5}, {"cutoff": 100}
    )
    return folder.write(results, written, render)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_every_file_of_the_contract_is_there(out: Path) -> None:
    assert names(out) == {
        "space.safetensors",
        "lexicon.tsv",
        "s.vec",
        "t.vec",
        "history.tsv",
        "run.json",
        "report.html",
    }


def test_run_json_describes_the_run(out: Path) -> None:
    run = json.loads((out / "run.json").read_text())
    assert run["languages"] == ["s", "t"]
    assert run["settings"]["system"] == "robust"
    assert run["settings"]["seed"] == 0
    assert run["options"] == {"cutoff": 100}
    assert run["inputs"]["vectors"]["s"]["words"] == 120
    assert len(run["inputs"]["vectors"]["t"]["vectors_sha256"]) == 64
    steps = "read compile normalise initialise learn check widen spell map judge"
    assert set(run["timings"]) == set(steps.split())
    assert run["verdict"] in ("succeeded", "doubtful", "failed")
    assert 0 <= run["evidence"]["recovered"] <= 1
    assert f"{run['evidence']['recovered']:.0%}" in run["reason"]
    assert 0 < run["objective"] <= 1
    assert run["lexicon"]["entries"] == 120
    history = (out / "history.tsv").read_text().splitlines()
    assert history[0] == "iteration\tkeep_prob\tcutoff\tobjective\tseconds"
    assert len(history) == run["iterations"] + 1


def test_an_opened_space_has_the_vectors_that_were_written(out: Path, space: Space) -> None:
    opened = open_space(out)
    assert opened.names == ("s", "t")
    for language in opened:
        np.testing.assert_array_equal(language.vectors, space[language.name].vectors)
        written = io.load(out / f"{language.name}.vec").vectors
        np.testing.assert_allclose(language.vectors, written, atol=1e-5)
    assert opened.translate("s1") == space.translate("s1")


def test_only_the_space_is_needed_to_open_it(out: Path) -> None:
    before = open_space(out).translate("s1")
    for name in names(out) - {"space.safetensors"}:
        (out / name).unlink()
    assert open_space(out).translate("s1") == before


def test_a_second_run_leaves_no_file_of_the_first(
    out: Path, space: Space, inputs: list[VectorInput]
) -> None:
    RunFolder(out).cache.write_bytes(b"of the first run")
    write(out, space, inputs, BIN)
    assert {"s.bin", "t.bin"} <= names(out)
    assert not {"s.vec", "t.vec", "cache.safetensors"} & names(out)
    write(out, space, inputs, NONE)
    assert not {path.suffix for path in out.iterdir()} & {".bin", ".vec"}


def test_a_second_run_with_other_languages_replaces_the_first(
    out: Path, inputs: list[VectorInput], tmp_path: Path
) -> None:
    for name, given in zip(("a", "b"), inputs, strict=True):
        io.save(given.embeddings, tmp_path / f"{name}.vec")
    others = [VectorInput.read(tmp_path / f"{name}.vec") for name in ("a", "b")]
    (out / "notes.txt").write_text("mine")
    write(out, align(others[0].embeddings, others[1].embeddings), others)
    assert {"a.vec", "b.vec", "notes.txt"} <= names(out)
    assert not {"s.vec", "t.vec"} & names(out)
    assert open_space(out).names == ("a", "b")


def test_inputs_are_never_overwritten(tmp_path: Path) -> None:
    io.save(planted(words=20, dims=3).source, tmp_path / "s.vec")
    (tmp_path / "link.vec").symlink_to(tmp_path / "s.vec")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "link.bin").symlink_to(tmp_path / "s.vec")
    given, linked = (VectorInput.read(tmp_path / name) for name in ("s.vec", "link.vec"))
    for inputs, folder in (([given], tmp_path), ([linked], tmp_path), ([linked], tmp_path / "out")):
        with pytest.raises(UsageError, match=r"\.vec: .* would overwrite this input"):
            RunFolder(folder).prepare(inputs, TEXT)


def test_results_of_the_run_that_are_inputs_are_not_overwritten(out: Path, tmp_path: Path) -> None:
    for name in ("s.vec", "space.safetensors", "cache.safetensors", "lexicon.tsv"):
        with pytest.raises(UsageError, match=f"{name}: .* would overwrite this input"):
            RunFolder(out).prepare([], TEXT, [out / name])


def test_files_that_isolex_did_not_write_are_not_overwritten(
    inputs: list[VectorInput], tmp_path: Path, wording: Wording
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "s.bin").write_text("precious")
    with pytest.raises(UsageError, match=r"mine/s\.bin: ") as caught:
        RunFolder(tmp_path / "mine").prepare(inputs, TEXT)
    wording(caught.value)


def test_a_run_json_of_another_program_does_not_make_the_folder_ours(
    inputs: list[VectorInput], tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "run.json").write_text('{"languages": [], "settings": {}}')
    with pytest.raises(UsageError, match=r"mine/run\.json: "):
        RunFolder(tmp_path / "mine").prepare(inputs, TEXT)


def test_the_folder_of_a_saved_space_can_be_used_for_a_run(
    space: Space, inputs: list[VectorInput], tmp_path: Path
) -> None:
    space.save(tmp_path / "saved")
    write(tmp_path / "saved", space, inputs)
    assert {"space.safetensors", "run.json"} < names(tmp_path / "saved")
    assert open_space(tmp_path / "saved").names == space.names


def test_a_space_is_not_saved_over_the_one_of_a_run(out: Path, space: Space) -> None:
    with pytest.raises(UsageError, match="contains a run"):
        space.save(out)


def test_a_checkpoint_of_another_program_is_not_touched(
    out: Path, space: Space, inputs: list[VectorInput], tmp_path: Path
) -> None:
    stranger = tmp_path / "new" / "checkpoint.safetensors"
    stranger.parent.mkdir()
    stranger.write_bytes(b"weights of another program")
    with pytest.raises(UsageError, match=r"checkpoint\.safetensors"):
        RunFolder(tmp_path / "new").prepare(inputs, TEXT)
    RunFolder(out).checkpoint.write_bytes(b"weights of another program")
    write(out, space, inputs)
    assert RunFolder(out).checkpoint.read_bytes() == b"weights of another program"


def test_words_that_the_format_cannot_hold_are_refused_before_the_work(tmp_path: Path) -> None:
    io.save(Embeddings(["new york", "b"], [[1, 2], [3, 4]]), tmp_path / "s.vec")
    given = VectorInput.read(tmp_path / "s.vec")
    with pytest.raises(UsageError, match=r"'new york' .* bin"):
        RunFolder(tmp_path / "out").prepare([given], BIN)
    assert not (tmp_path / "out").exists()
    for written in (TEXT, NONE):
        RunFolder(tmp_path / "out").prepare([given], written)


def test_a_file_in_place_of_the_folder_is_refused(
    inputs: list[VectorInput], tmp_path: Path, wording: Wording
) -> None:
    (tmp_path / "x").write_text("mine")
    with pytest.raises(UsageError, match="x: is a file") as caught:
        RunFolder(tmp_path / "x").prepare(inputs, TEXT)
    wording(caught.value)
    assert (tmp_path / "x").read_text() == "mine"


def test_a_folder_without_a_space_is_refused(tmp_path: Path, out: Path, wording: Wording) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty: no space\.safetensors") as caught:
        open_space(tmp_path / "empty")
    wording(caught.value)
    with pytest.raises(InputError, match=r"run\.json: is a file") as caught:
        open_space(out / "run.json")
    wording(caught.value)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"inputs": {"vectors": {}}}'])
def test_an_unreadable_run_json_is_refused_but_the_space_opens(out: Path, text: str) -> None:
    before = open_space(out).translate("s1")
    (out / "run.json").write_text(text)
    with pytest.raises(InputError, match=r"run\.json: not readable"):
        RunFolder(out).facts()
    assert RunFolder(out).sources() == []
    assert open_space(out).translate("s1") == before


def test_a_folder_knows_its_own_files_and_where_they_came_from(
    out: Path, inputs: list[VectorInput]
) -> None:
    folder = RunFolder(out)
    assert all(folder.owns(path) for path in out.iterdir())
    assert folder.owns(folder.cache)
    assert not folder.owns(out / "notes.txt")
    assert folder.sources() == [given.path for given in inputs]


def test_a_run_is_finished_if_inputs_options_and_files_are_the_same(
    out: Path, wording: Wording
) -> None:
    folder = RunFolder(out)
    identity = identity_of(folder)
    assert folder.finished(identity, TEXT) == folder.facts()
    assert folder.finished(identity, NONE) == folder.facts()
    assert folder.finished(identity, BIN) is None, "not in this format"
    with pytest.raises(UsageError, match=r"out: .*--resume") as caught:
        folder.finished(identity | {"settings": {}}, TEXT)
    wording(caught.value)
    (out / "s.vec").unlink()
    assert folder.finished(identity, TEXT) is None, "a file is missing"


def test_a_run_that_was_killed_while_writing_can_be_repeated(
    out: Path, space: Space, inputs: list[VectorInput]
) -> None:
    folder = RunFolder(out)
    identity = identity_of(folder)
    (out / "run.json").unlink()  # removed first, written last
    folder.prepare(inputs, TEXT)
    saved = Checkpoint(Solution(Lexicon.shuffled(9, 0)))
    checkpoint.save(saved, folder.checkpoint, identity)
    write(out, space, inputs)
    assert folder.finished(identity, TEXT) is not None
    assert not folder.checkpoint.exists()


def test_the_report_gets_the_validation_pairs(
    out: Path, space: Space, inputs: list[VectorInput], tmp_path: Path
) -> None:
    (tmp_path / "gold.txt").write_text("s1 t1\n")
    given = {"validation": [PairsInput.parse(str(tmp_path / "gold.txt"), ["s", "t"])]}
    received: list[object] = []

    def page(*values: object) -> str:
        received.extend(values)
        return "page"

    results = Results(space, {space.names: space.lexicon()}, inputs, given, {}, {})
    run = RunFolder(out).write(results, NONE, page)
    assert received == [space, results.lexicons, run, given]
    assert given["validation"][0].pairs == [("s1", "t1")]
    assert (out / "report.html").read_text() == "page"


def identity_of(folder: RunFolder) -> dict[str, Any]:
    facts = folder.facts()
    return fingerprint(facts["settings"], facts["inputs"])
