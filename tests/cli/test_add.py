"""isolex add: the folder of a run gets one more language, as a whole."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest

from isolex import io
from isolex import open as open_space
from tests.cli.typed import isolex
from tests.planted import planted_languages, scrambled


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Vectors of a, b, c and d, of n that fits none of them, and a run of a and b in two."""
    home = tmp_path_factory.mktemp("add")
    languages = planted_languages(4, 200, 15, noise=0.05)
    for one in languages:
        io.save(one, home / f"{one.name}.vec")
    io.save(scrambled(languages[0], "n", seed=1), home / "n.vec")
    (home / "a-b.txt").write_text("".join(f"a{i} b{i}\n" for i in range(100)))
    (home / "a-c.txt").write_text("".join(f"a{i} c{i}\n" for i in range(100)))
    done = isolex(home, "map", "a.vec", "b.vec", "--out", "two", "--validation", "a-b.txt")
    assert done.returncode == 0, done.stderr
    return home


@pytest.fixture(scope="module")
def three(home: Path) -> Path:
    """The same with c."""
    copytree(home / "two", home / "three")
    done = isolex(home, "add", "three", "c.vec", "--lexicon", "a-c=a-c.txt", "--seed", "3")
    assert (done.returncode, done.stderr) == (0, "")
    assert "c\tsucceeded, joined with " in done.stdout
    return home / "three"


def facts(folder: Path) -> dict:
    found: dict = json.loads((folder / "run.json").read_text())
    return found


def test_the_folder_is_that_of_a_run_of_three_languages(home: Path, three: Path) -> None:
    files = {path.relative_to(three).as_posix() for path in three.rglob("*") if path.is_file()}
    assert files == {
        *("space.safetensors", "history.tsv", "run.json", "report.html"),
        *("a.vec", "b.vec", "c.vec", "lexicons/a-b.tsv", "lexicons/a-c.tsv"),
    }
    for name in ("a.vec", "b.vec"):
        assert (three / name).read_bytes() == (home / "two" / name).read_bytes()
    assert (three / "lexicons/a-b.tsv").read_bytes() == (home / "two/lexicon.tsv").read_bytes()
    assert open_space(three).translate("b7", 1, source="b", target="c")[0].word == "c7"


def test_run_json_keeps_what_was_there_and_says_what_was_added(home: Path, three: Path) -> None:
    before, after = facts(home / "two"), facts(three)
    assert after["languages"] == ["a", "b", "c"]
    assert after["settings"] == before["settings"]
    assert after["added"] == [{"language": "c", "options": {"system": "robust", "seed": 3}}]
    assert after["inputs"]["vectors"].keys() == {"a", "b", "c"}
    assert after["inputs"]["validation"]["a-b"] == before["inputs"]["validation"]
    assert after["inputs"]["lexicon"]["a-c"]["used"] == 100
    assert after["iterations"] > before["iterations"]
    assert after["timings"]["learn"] > before["timings"]["learn"]


def test_the_history_continues(home: Path, three: Path) -> None:
    before = (home / "two/history.tsv").read_text().splitlines()
    after = (three / "history.tsv").read_text().splitlines()
    assert after[1 : len(before)] == [f"a-b\t{line}" for line in before[1:]]
    new = {line.split("\t")[0] for line in after[len(before) :]}
    assert {"a-c", "all"} <= new <= {"a-c", "b-c", "all"}


def test_the_report_has_the_command_of_each_step(three: Path) -> None:
    page = (three / "report.html").read_text()
    assert "isolex add DIR" in page
    assert page.index("isolex map") < page.index("isolex add DIR")
    assert page.count("a-c.txt") >= 1


def test_a_second_language_is_added_to_the_result(home: Path, three: Path) -> None:
    copytree(three, home / "four")
    done = isolex(home, "add", "four", "new=d.vec", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [one["language"] for one in found["added"]] == ["c", "new"]
    assert set(found["lexicons"]) == {"a-b", "a-c", "a-new"}
    assert found["pairs"]["b-new"]["verdict"] == "succeeded"


def test_a_language_that_is_not_connected_is_exit_code_1(home: Path) -> None:
    copytree(home / "two", home / "noisy")
    done = isolex(home, "add", "noisy", "n.vec", "--budget", "0", "--quiet")
    assert done.returncode == 1
    assert "n: nothing connects it with the other languages" in done.stderr
    assert facts(home / "noisy")["language_verdicts"] == {
        "a": "succeeded",
        "b": "succeeded",
        "n": "failed",
    }


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("two", "a.vec"), "contains 'a' already"),
        (("nowhere", "c.vec"), "nowhere"),
        (("two", "nowhere.vec"), "nowhere.vec"),
        (("two", "c.vec", "--lexicon", "a-b=a-b.txt"), "must involve the new language"),
        (("two", "c.vec", "--lexicon", "a-c.txt"), "say which languages"),
        (("two", "c.vec", "--system", "nobody2020"), "nobody2020"),
    ],
)
def test_mistakes_get_one_line_and_change_nothing(
    home: Path, arguments: tuple[str, ...], expected: str
) -> None:
    before = {path: path.stat().st_mtime_ns for path in (home / "two").rglob("*")}
    done = isolex(home, "add", *arguments)
    assert done.returncode == 2
    assert expected in done.stderr
    assert done.stderr.count("\n") == 1
    assert {path: path.stat().st_mtime_ns for path in (home / "two").rglob("*")} == before


def test_a_space_that_python_saved_is_refused_with_what_to_do(home: Path) -> None:
    open_space(home / "two").save(home / "saved")
    done = isolex(home, "add", "saved", "c.vec")
    assert done.returncode == 2
    assert "saved: no run.json, it was saved from Python: use isolex.add there" in done.stderr
