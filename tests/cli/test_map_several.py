"""isolex map with several languages: files, summary, exit code, word pairs, and second runs."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest

from isolex import io
from isolex import open as open_space
from isolex.core.checkpoint import SpaceCheckpoint
from isolex.core.observer import Observer
from isolex.run import checkpoint
from isolex.run.folder import RunFolder
from isolex.run.inputs import fingerprint
from isolex.systems.align import align
from tests.cli.conftest import Run
from tests.cli.typed import isolex
from tests.planted import planted_languages, scrambled
from tests.wording import Wording

FILES = ("a.vec", "b.vec.gz", "c.vec")
COMMON = {"space.safetensors", "history.tsv", "run.json", "report.html"}
LEXICONS = {"lexicons/a-b.tsv", "lexicons/a-c.tsv"}
QUICK = ("--system", "supervised", "--lexicon", "a-b=a-b.txt", "--lexicon", "c-a=c-a.txt")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Vectors of a, b and c, of n that fits none of them, dictionaries, and a run in out."""
    home = tmp_path_factory.mktemp("several")
    languages = planted_languages(3, 200, 15, noise=0.05)
    for one, file in zip(languages, FILES, strict=True):
        io.save(one, home / file)
    io.save(scrambled(languages[0], "n"), home / "n.vec")
    for one, other in ("ab", "ca", "bc"):
        lines = [f"{one}{i} {other}{i}\n" for i in range(0, 200, 2)]
        (home / f"{one}-{other}.txt").write_text("".join(lines))
    (home / "foreign.txt").write_text("x y\n")
    done = isolex(home, "map", *FILES, "--out", "out", "--validation", "b-c=b-c.txt")
    assert (done.returncode, done.stderr) == (0, "")
    (home / "out.txt").write_text(done.stdout)
    return home


def facts(folder: Path) -> dict:
    return json.loads((folder / "run.json").read_text())


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def table(text: str) -> dict[str, str]:
    return dict(line.split("\t") for line in text.splitlines())


def test_map_writes_the_files_of_the_contract(home: Path) -> None:
    assert files(home / "out") == COMMON | LEXICONS | {"a.vec", "b.vec", "c.vec"}
    assert open_space(home / "out").names == ("a", "b", "c")


def test_the_summary_names_every_language(home: Path) -> None:
    found = table((home / "out.txt").read_text())
    assert found["a"] == "succeeded"
    assert {found["b"], found["c"]} <= {f"succeeded, joined with {name}" for name in "abc"}
    assert found["pairs of languages"] == "3 succeeded, 0 doubtful, 0 failed"
    assert float(found["validation b-c (precision@1)"].split()[0]) > 95
    assert found["validation pairs b-c"] == "100 of 100 in the vocabularies"


def test_any_two_languages_are_looked_up(run: Run, home: Path) -> None:
    done = run("translate", "out", "b7", "--from", "b", "--to", "c", "-k", "1")
    assert done.stdout.splitlines()[-1].split("\t")[:2] == ["b7", "c7"]
    assert run("lexicon", "out", "--from", "c", "--to", "b", "--out", "c-b.tsv").returncode == 0
    assert "\nc7\tb7\t" in (home / "c-b.tsv").read_text()


def test_a_language_that_is_not_connected_is_named_and_the_exit_code_is_one(
    run: Run, home: Path, wording: Wording
) -> None:
    options = ("--out", "apart", "--budget", "0", "--vectors", "none", "--json")
    done = run("map", *FILES, "n.vec", *options)
    assert done.returncode == 1
    told = facts(home / "apart")
    assert json.loads(done.stdout) == told
    assert told["verdict"] == "failed"
    assert told["language_verdicts"]["n"] == "failed"
    assert {told["language_verdicts"][name] for name in "abc"} == {"succeeded"}
    assert {told["pairs"][f"{name}-n"]["verdict"] for name in "abc"} == {"failed"}
    assert "n" not in {name for edge in told["tree"] for name in edge}
    assert files(home / "apart") == COMMON | LEXICONS | {"lexicons/a-n.tsv"}
    lines = [line for line in done.stderr.splitlines() if line.startswith("isolex: n: ")]
    assert len(lines) == 1
    assert "--lexicon a-n=FILE" in lines[0]
    wording(lines[0])


@pytest.mark.parametrize("first", [3, 2])
def test_nothing_of_a_run_with_other_languages_stays_behind(
    run: Run, home: Path, first: int
) -> None:
    out = f"again{first}"
    expected = {
        3: COMMON | LEXICONS | {"a.bin", "b.bin", "c.bin"},
        2: COMMON | {"lexicon.tsv", "a.vec", "b.vec"},
    }
    two = ("--system", "supervised", "--lexicon", "a-b.txt")
    for count in (first, 5 - first):
        options = (*QUICK, "--vectors", "bin") if count == 3 else two
        done = run("map", *FILES[:count], "--out", out, "--quiet", *options)
        assert (done.returncode, done.stderr) == (0, "")
        assert files(home / out) == expected[count]
        assert ("pairs" in facts(home / out)) == (count == 3)
    assert (home / out / "lexicons").exists() == (first == 2)


def test_word_pairs_are_used_for_their_languages(run: Run, home: Path) -> None:
    done = run("map", *FILES, "--out", "pairs", "--json", *QUICK, "--vectors", "none")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told == facts(home / "pairs")
    assert list(told["inputs"]["lexicon"]) == ["a-b", "c-a"]
    assert told["inputs"]["lexicon"]["c-a"]["used"] == 100
    assert [about["alone"] is not None for about in told["pairs"].values()] == [True, True, False]
    assert files(home / "pairs") == COMMON | LEXICONS
    options = (*QUICK[:-1], "c-a=foreign.txt", "--resume")
    again = run("map", *FILES, "--out", "pairs", *QUICK, "--vectors", "none", "--resume")
    assert "already finished" in again.stderr
    other = run("map", *FILES, "--out", "pairs", *options, "--vectors", "none")
    assert other.returncode == 2
    assert "other inputs or options" in other.stderr


MISTAKES = {
    "a language without vectors": (("--lexicon", "a-x=a-b.txt"), "a-x=a-b.txt: ", "a-c=a-b.txt"),
    "no languages": (("--lexicon", "a-b.txt"), "a-b.txt: ", "such as a-c=a-b.txt"),
    "one language": (("--lexicon", "a=a-b.txt"), "a=a-b.txt: ", "such as a-c=a-b.txt"),
    "an absent file": (("--lexicon", "a-b=absent.txt"), "absent.txt: no such file"),
    "foreign words": (("--lexicon", "a-c=foreign.txt"), "a-c: no training pair"),
    "foreign validation": (("--validation", "a-c=foreign.txt"), "a-c: no validation pair"),
    "swapped columns": (("--lexicon", "b-a=a-b.txt"), "a-b: 0 pairs", "swap"),
    "a second file": (("--lexicon", "a-b=a-b.txt", "--lexicon", "b-a=foreign.txt"), "b-a", "one"),
    "a trained system": (("--system", "conneau2018"), "'conneau2018'", "two languages"),
    "too little supervision": ((*QUICK[:4],), "'supervised'", "connect c with a"),
    "no supervision": (("--system", "supervised"), "'supervised'", "--lexicon A-B=FILE"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line_and_exit_code_two(
    run: Run, home: Path, mistake: str, wording: Wording
) -> None:
    options, *expected = MISTAKES[mistake]
    done = run("map", *FILES, "--out", "new", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1, done.stderr
    for fact in expected:
        assert fact in done.stderr
    assert not (home / "new" / "run.json").exists()
    wording(done.stderr.replace(f"{home}/", ""))


@pytest.mark.parametrize(
    ("given", "facts"),
    [
        (("a.vec", "b.vec.gz", "a=c.vec"), ("'a'", "NAME=FILE")),
        (("a.vec", "b-c=b.vec.gz", "a-b=c.vec", "c=n.vec"), ("a-b-c", "hyphens", "NAME=FILE")),
    ],
    ids=["equal", "ambiguous"],
)
def test_names_that_do_not_tell_languages_apart_are_refused(
    run: Run, home: Path, given: tuple[str, ...], facts: tuple[str, ...], wording: Wording
) -> None:
    done = run("map", *given, "--out", "new")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert all(fact in done.stderr for fact in facts)
    wording(done.stderr.replace(f"{home}/", ""))


def test_names_with_hyphens_are_fine_if_all_labels_differ(run: Run, home: Path) -> None:
    named = ("a", "b-x=b.vec.gz", "c-y-z=c.vec")
    options = ("--lexicon", "a-b-x=a-b.txt", "--lexicon", "c-y-z-a=c-a.txt")
    done = run(
        *("map", "a=a.vec", *named[1:], "--out", "hyphens", "--system", "supervised"),
        *(*options, "--vectors", "none", "--quiet"),
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert files(home / "hyphens") == COMMON | {"lexicons/a-b-x.tsv", "lexicons/a-c-y-z.tsv"}
    told = facts(home / "hyphens")["pairs"]["b-x-c-y-z"]
    assert told["languages"] == ["b-x", "c-y-z"]


def test_an_interrupted_run_continues_to_the_same_result(run: Run, home: Path) -> None:
    class Collector(Observer):
        def __init__(self) -> None:
            self.checkpoints: list[SpaceCheckpoint] = []

        def checkpoint(self, checkpoint: SpaceCheckpoint) -> None:
            self.checkpoints.append(checkpoint)

    folder = RunFolder(home / "continued")
    copytree(home / "out", folder.path)
    names = ("space.safetensors", *LEXICONS)
    expected = {name: (folder.path / name).read_bytes() for name in names}
    told, collector = folder.facts(), Collector()
    align(*(io.load(home / file) for file in FILES), observer=collector)
    identity = fingerprint(told["settings"], told["inputs"])
    checkpoint.save(collector.checkpoints[0], folder.checkpoint, identity)
    for name in names:
        (folder.path / name).unlink()
    options = ("--out", "continued", "--validation", "b-c=b-c.txt", "--resume")
    done = run("map", *FILES, *options)
    assert done.returncode == 0
    assert "continuing after 1 pair run\n" in done.stderr
    assert {name: (folder.path / name).read_bytes() for name in names} == expected
    assert not folder.checkpoint.exists()
