"""isolex map: the files it writes, the verdict it prints and the advice it gives."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from isolex import io
from tests.cli.conftest import Run
from tests.planted import noise, planted
from tests.wording import Wording

RESULTS = ("space.safetensors", "lexicon.tsv", "s.vec", "t.vec")


def facts(folder: Path) -> dict:
    return json.loads((folder / "run.json").read_text())


@pytest.fixture
def unrelated(home: Path) -> Path:
    """Two files of noise, a.vec and b.vec, with 600 words each."""
    for name, seed in (("a.vec", 0), ("b.vec", 1)):
        io.save(noise(600, 20, seed), home / name)
    return home


def test_map_writes_the_files_and_prints_a_summary(run: Run, home: Path) -> None:
    options = ("--seed", "1", "--cutoff", "150", "--memory", "1M")
    done = run("map", "s.vec", "t.vec.gz", "--out", "mapped", *options)
    assert done.returncode == 0
    assert done.stdout.startswith("system\trobust\nverdict\tsucceeded: ")
    assert "mutual best" in done.stdout
    assert done.stderr == "", "no progress bar without a terminal"
    names = {path.name for path in (home / "mapped").iterdir()}
    assert names == {*RESULTS, "history.tsv", "run.json", "report.html"}
    settings = facts(home / "mapped")["settings"]
    assert settings["seed"] == 1
    assert {stage["cutoff"] for stage in settings["schedule"]} == {150}


def test_spelling_is_reported_and_can_be_switched_off(run: Run, home: Path) -> None:
    options = ("--vectors", "none", "--cutoff", "150")
    done = run("map", "s.vec", "t.vec.gz", "--out", "spelled", *options)
    assert "\nspelling\t" in done.stdout
    found = facts(home / "spelled")
    assert set(found["spelling"]) == {"alike", "used"}
    assert found["settings"]["spelling"]["weight"] > 0
    done = run("map", "s.vec", "t.vec.gz", "--out", "unspelled", *options, "--spelling", "off")
    assert "spelling" not in done.stdout
    found = facts(home / "unspelled")
    assert found["spelling"] is None
    assert found["settings"]["spelling"] is None
    assert found["options"]["spelling"] == "off"


@pytest.mark.slow
def test_languages_are_named_after_their_files_or_as_given(run: Run, home: Path) -> None:
    assert facts(home / "out")["languages"] == ["s", "t"]
    supervised = ("--system", "supervised", "--lexicon", "gold.txt")
    done = run("map", "en=s.vec", "es=t.vec.gz", "--out", "named", *supervised)
    assert done.returncode == 0, done.stderr
    assert facts(home / "named")["languages"] == ["en", "es"]
    assert list(facts(home / "named")["inputs"]["vectors"]) == ["en", "es"]
    assert {"en.vec", "es.vec"} <= {path.name for path in (home / "named").iterdir()}
    assert run("translate", "named", "t1", "--from", "es").returncode == 0


def test_a_file_whose_name_contains_an_equals_sign_is_a_file(run: Run, home: Path) -> None:
    (home / "lang=s.vec").write_bytes((home / "s.vec").read_bytes())
    options = ("--system", "supervised", "--lexicon", "gold.txt", "--vectors", "none")
    done = run("map", "lang=s.vec", "t.vec.gz", "--out", "equals", *options)
    assert done.returncode == 0, done.stderr
    assert facts(home / "equals")["languages"] == ["lang=s", "t"]


def test_map_writes_the_validation_accuracy_to_the_history(home: Path) -> None:
    lines = (home / "out" / "history.tsv").read_text().splitlines()
    assert lines[0].endswith("\tvalidation")
    assert float(lines[-1].split("\t")[-1]) > 99


def test_map_records_the_pairs_it_was_given(home: Path) -> None:
    assert facts(home / "out")["validation"] > 99
    given = facts(home / "out")["inputs"]["validation"]
    assert (given["pairs"], given["used"]) == (201, 200)


@pytest.mark.slow
def test_results_are_the_same_byte_for_byte_on_any_number_of_threads(run: Run, home: Path) -> None:
    problem = planted(words=2500, dims=10)  # more than one block of every kernel
    (home / "many").mkdir()
    io.save(problem.source, home / "many" / "s.vec")
    io.save(problem.target, home / "many" / "t.vec")
    arguments = ("map", "many/s.vec", "many/t.vec", "--system", "artetxe2017")
    for out, threads in (("one", "1"), ("two", "2")):
        done = run(*arguments, "--lexicon", "gold.txt", "--out", out, "--threads", threads)
        assert done.returncode == 0, done.stderr
    for name in RESULTS:
        assert (home / "one" / name).read_bytes() == (home / "two" / name).read_bytes(), name


def test_json_output_is_run_json(run: Run, home: Path) -> None:
    done = run("map", "s.vec", "t.vec.gz", "--out", "json", "--json", "--vectors", "bin", "--quiet")
    assert json.loads(done.stdout) == facts(home / "json")
    assert io.load(home / "json" / "s.bin").words == io.load(home / "s.vec").words


def test_map_reads_no_more_words_than_requested(run: Run, home: Path) -> None:
    arguments = ("--max-words", "100", "--vectors", "none", "--system", "supervised")
    done = run("map", "s.vec", "t.vec.gz", "--out", "head", "--lexicon", "gold.txt", *arguments)
    assert done.returncode == 0, done.stderr
    words = [given["words"] for given in facts(home / "head")["inputs"]["vectors"].values()]
    assert words == [100, 100]
    assert run("translate", "head", "s5").returncode == 0


@pytest.mark.slow
def test_vectors_from_a_pipe_are_not_needed_again(run: Run, home: Path) -> None:
    options = "--out piped --system supervised --lexicon gold.txt --quiet"
    command = f"{sys.executable} -m isolex map s=<(head -n 101 s.vec) t.vec.gz {options}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=home, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert run("translate", "piped", "s1").stdout.splitlines()[1].startswith("s1\tt1\t")


@pytest.mark.slow
def test_unrelated_vectors_get_a_failed_verdict_and_all_files(
    run: Run, home: Path, wording: Wording
) -> None:
    for name, seed in (("few-a.vec", 0), ("few-b.vec", 1)):
        io.save(noise(250, 20, seed), home / name)
    done = run("map", "few-a.vec", "few-b.vec", "--out", "noise", "--budget", "0.03")
    assert done.returncode == 1
    assert "verdict\tfailed: " in done.stdout
    assert "the verdict is failed" in done.stderr
    assert "250 words are too few" in done.stderr
    wording(done.stderr.splitlines(keepends=True)[-1])
    assert facts(home / "noise")["verdict"] == "failed"
    assert len(facts(home / "noise")["attempts"]) > 1
    assert (home / "noise" / "lexicon.tsv").stat().st_size > 0
    word = noise(250, 20, 0).words[0]
    for done in (run("translate", "noise", word), run("lexicon", "noise", "--out", "noise.tsv")):
        assert done.returncode == 0
        assert done.stderr.startswith("isolex: noise: the verdict is failed")


@pytest.mark.slow
def test_restarts_that_were_cut_short_are_mentioned(run: Run, unrelated: Path) -> None:
    done = run("map", "a.vec", "b.vec", "--out", "short", "--budget", "0", "--quiet")
    assert "cut short" in done.stderr
    assert "--budget" in done.stderr
    assert facts(unrelated / "short")["attempts"][-1]["finished"] is False


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "advised"),
    [
        (("--budget", "0"), ("--seed", "--budget", "--system semi-supervised")),
        (("--system", "artetxe2018", "--cutoff", "100"), ("--system robust", "semi-supervised")),
        (("--system", "supervised", "--lexicon", "few.txt"), ("more pairs",)),
    ],
    ids=["robust", "artetxe2018", "supervised"],
)
def test_the_advice_fits_the_system_and_is_printed_even_with_quiet(
    run: Run,
    unrelated: Path,
    options: tuple[str, ...],
    advised: tuple[str, ...],
    wording: Wording,
) -> None:
    pairs = zip(noise(600, 20, 0).words[:40], noise(600, 20, 1).words[:40], strict=True)
    (unrelated / "few.txt").write_text("".join(f"{a} {b}\n" for a, b in pairs), encoding="utf-8")
    done = run("map", "a.vec", "b.vec", "--out", "advised", "--quiet", *options)
    assert (done.returncode, done.stdout) == (1, "")
    line = done.stderr.splitlines()[-1]
    assert all(words in line for words in advised)
    wording(line)


@pytest.mark.slow
def test_a_repair_is_one_line_and_later_commands_do_not_repeat_it(run: Run, home: Path) -> None:
    lines = (home / "s.vec").read_text().splitlines(keepends=True)
    (home / "twice.vec").write_text("".join([*lines, lines[1]]))
    done = run("map", "twice.vec", "t.vec.gz", "--out", "twice", "--vectors", "none")
    assert done.stderr.count("\n") == 1
    assert "twice.vec: 1 duplicate word" in done.stderr
    assert run("lexicon", "twice", "--out", "twice.tsv", "--quiet").stderr == ""
    assert run("evaluate", "lexicon", "twice", "gold.txt", "--quiet", "--json").stderr == ""


@pytest.mark.slow
def test_a_fitted_temperature_is_the_default_of_the_space(run: Run, home: Path) -> None:
    mapped = ("map", "s.vec", "t.vec.gz", "--out", "smith", "--system", "smith2017")
    options = (*mapped, "--lexicon", "gold.txt", "--vectors", "none")
    assert run(*options).returncode == 0
    own = run("translate", "smith", "s1").stdout
    assert run("translate", "smith", "s1", "--retrieval", "invsoftmax").stdout == own
    assert run("translate", "smith", "s1", "--temperature", "0.5").stdout not in ("", own)
    assert "already finished" in run(*options, "--resume").stderr
    fitted = facts(home / "smith")["temperature"]
    assert run("translate", "smith", "s1", "--temperature", str(fitted)).stdout == own
