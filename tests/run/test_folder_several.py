"""The run folder of several languages, and what remains of it when other languages follow."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from isolex import Space, align, io
from isolex import open as open_space
from isolex.core.choices import VectorFormat
from isolex.errors import UsageError
from isolex.run.folder import RunFolder, lexicon_files
from isolex.run.inputs import PairsInput, VectorInput, fingerprint
from isolex.run.results import Results
from isolex.web.report import render
from tests.planted import planted_languages

TEXT, BIN, NONE = VectorFormat.TEXT, VectorFormat.BIN, VectorFormat.NONE
COMMON = {"space.safetensors", "history.tsv", "run.json", "report.html"}
Write = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> list[VectorInput]:
    """The files a.vec, b.vec and c.vec."""
    folder = tmp_path_factory.mktemp("inputs")
    for one in planted_languages(3, 120, 8):
        io.save(one, folder / f"{one.name}.vec")
    return [VectorInput.read(folder / f"{name}.vec") for name in "abc"]


@pytest.fixture(scope="module")
def gold(inputs: list[VectorInput]) -> list[PairsInput]:
    """Training pairs of a and b, and of c and a."""
    found = []
    for one, other in ("ab", "ca"):
        path = inputs[0].path.with_name(f"{one}-{other}.txt")
        path.write_text("".join(f"{one}{i}\t{other}{i}\n" for i in range(50)) + "x\ty\n")
        found.append(PairsInput.parse(f"{one}-{other}={path}", ["a", "b", "c"]))
    return found


@pytest.fixture(scope="module")
def spaces(inputs: list[VectorInput], gold: list[PairsInput]) -> dict[int, Space]:
    """The space of all three languages, and of two."""
    lexicon = {one.languages: one.pairs for one in gold}
    languages = [one.embeddings for one in inputs]
    two = {("a", "b"): lexicon["a", "b"]}
    return {
        3: align(*languages, system="supervised", lexicon=lexicon),
        2: align(*languages[:2], system="supervised", lexicon=two),
    }


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def write(
    out: Path, spaces: dict[int, Space], inputs: list[VectorInput], gold: list[PairsInput]
) -> Write:
    """Writes a run with so many languages to the folder."""

    def write(count: int, written: VectorFormat = TEXT) -> dict[str, Any]:
        space, given = spaces[count], inputs[:count]
        RunFolder(out).prepare(given, written)
        lexicons = {("a", name): space.lexicon("a", name) for name in space.names[1:]}
        pairs = {"lexicon": gold[: count - 1]}
        results = Results(space, lexicons, given, pairs, {}, {})
        return RunFolder(out).write(results, written, render)

    return write


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def vectors(suffix: str) -> set[str]:
    return {f"{name}{suffix}" for name in "abc"}


def test_every_file_of_the_contract_is_there(out: Path, write: Write, spaces: dict) -> None:
    run = write(3)
    assert files(out) == COMMON | vectors(".vec") | {"lexicons/a-b.tsv", "lexicons/a-c.tsv"}
    assert json.loads((out / "run.json").read_text()) == run
    lines = (out / "lexicons" / "a-c.tsv").read_text().splitlines()
    assert len(lines) == 120 + lines[0].startswith("source")
    expected = spaces[3].translate("a7", 1, source="a", target="c")[0].word
    assert [line.split("\t")[1] for line in lines if line.startswith("a7\t")] == [expected]
    assert open_space(out).tree == spaces[3].tree


def test_run_json_describes_every_pair_and_language(write: Write) -> None:
    run = write(3)
    assert run["languages"] == ["a", "b", "c"]
    assert list(run["pairs"]) == ["a-b", "a-c", "b-c"]
    for label, about in run["pairs"].items():
        assert about["languages"] == label.split("-")
        assert about["verdict"] in ("succeeded", "doubtful", "failed")
        assert set(about) == {
            *("languages", "verdict", "reason", "evidence", "alone", "recovered", "through"),
            *("mutual", "validation", "spelling", "counted"),
        }
    worst = ["succeeded", "doubtful", "failed"]
    assert run["verdict"] == max((one["verdict"] for one in run["pairs"].values()), key=worst.index)
    assert set(run["language_verdicts"]) == {"a", "b", "c"}
    assert all(len(edge) == 2 for edge in run["tree"])
    assert run["lexicons"]["a-b"]["entries"] == 120
    assert list(run["lexicons"]) == ["a-b", "a-c"]
    assert "lexicon" not in run
    given = run["inputs"]["lexicon"]
    assert {label: (one["pairs"], one["used"]) for label, one in given.items()} == {
        "a-b": (51, 50),
        "c-a": (51, 50),
    }


def test_two_languages_have_no_trace_of_several(out: Path, write: Write) -> None:
    run = write(2)
    assert files(out) == COMMON | {"a.vec", "b.vec", "lexicon.tsv"}
    assert not {"pairs", "tree", "lexicons", "language_verdicts"} & set(run)
    assert run["inputs"]["lexicon"]["used"] == 50
    assert (out / "history.tsv").read_text().startswith("iteration\t")


def test_the_history_of_several_languages_names_the_pairs(out: Path, write: Write) -> None:
    write(3)
    assert (out / "history.tsv").read_text().startswith("pair\titeration\t")


def test_nothing_of_three_languages_stays_behind_when_two_follow(out: Path, write: Write) -> None:
    write(3)
    RunFolder(out).cache.write_bytes(b"of the first run")
    write(2)
    assert files(out) == COMMON | {"a.vec", "b.vec", "lexicon.tsv"}
    assert not (out / "lexicons").exists()
    assert open_space(out).names == ("a", "b")


def test_nothing_of_two_languages_stays_behind_when_three_follow(out: Path, write: Write) -> None:
    write(2, BIN)
    write(3)
    assert files(out) == COMMON | vectors(".vec") | {"lexicons/a-b.tsv", "lexicons/a-c.tsv"}
    assert open_space(out).names == ("a", "b", "c")


def test_files_of_others_in_the_folder_of_lexicons_stay(out: Path, write: Write) -> None:
    write(3)
    (out / "lexicons" / "b-c.tsv").write_text("made on demand")
    write(2)
    assert files(out) == COMMON | {"a.vec", "b.vec", "lexicon.tsv", "lexicons/b-c.tsv"}


@pytest.mark.parametrize(("written", "suffix"), [(BIN, ".bin"), (NONE, None)])
def test_vectors_are_written_as_requested(
    out: Path, write: Write, written: VectorFormat, suffix: str | None
) -> None:
    write(3)
    write(3, written)
    expected = vectors(suffix) if suffix else set()
    assert files(out) == COMMON | expected | {"lexicons/a-b.tsv", "lexicons/a-c.tsv"}
    if suffix:
        assert len(io.load(out / "c.bin")) == 120


def test_a_run_is_finished_only_with_all_its_lexicons(out: Path, write: Write) -> None:
    run = write(3)
    folder = RunFolder(out)
    identity = fingerprint(run["settings"], run["inputs"])
    assert folder.finished(identity, TEXT) == run
    (out / "lexicons" / "a-c.tsv").unlink()
    assert folder.finished(identity, TEXT) is None


def test_the_folder_knows_its_own_files_and_its_sources(
    out: Path, write: Write, inputs: list[VectorInput], gold: list[PairsInput]
) -> None:
    write(3)
    folder = RunFolder(out)
    assert all(folder.owns(out / name) for name in files(out))
    assert not folder.owns(out / "lexicons" / "b-c.tsv")
    assert folder.sources() == [one.path for one in (*inputs, *gold)]


def test_lexicons_are_not_written_over_an_input_or_the_file_of_another_program(
    out: Path, write: Write, inputs: list[VectorInput]
) -> None:
    (out / "lexicons").mkdir(parents=True)
    (out / "lexicons" / "a-b.tsv").write_text("mine")
    with pytest.raises(UsageError, match=r"a-b\.tsv: isolex did not write"):
        RunFolder(out).prepare(inputs, TEXT)
    (out / "lexicons" / "a-b.tsv").unlink()
    write(3)
    with pytest.raises(UsageError, match=r"a-c\.tsv: .* would overwrite this input"):
        RunFolder(out).prepare(inputs, TEXT, [out / "lexicons" / "a-c.tsv"])


def test_a_file_in_place_of_the_folder_of_lexicons_is_refused_before_the_work(
    out: Path, inputs: list[VectorInput]
) -> None:
    out.mkdir()
    (out / "lexicons").write_text("mine")
    with pytest.raises(UsageError, match="lexicons: "):
        RunFolder(out).prepare(inputs, TEXT)
    RunFolder(out).prepare(inputs[:2], TEXT)


def test_names_of_lexicons() -> None:
    assert lexicon_files(["a", "b"]) == ["lexicon.tsv"]
    assert lexicon_files(["en", "pt-br", "es"]) == ["lexicons/en-pt-br.tsv", "lexicons/en-es.tsv"]
