"""The commands as a person types them, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from isolex import Embeddings, align, io
from isolex.method.checkpoint import Checkpoint
from isolex.run.folder import RunFolder
from isolex.run.inputs import run_mark
from isolex.systems import SYSTEMS
from tests.cli.typed import COMMAND, isolex
from tests.planted import noise, planted

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two vector files, a gold list and a finished run in `out`."""
    home = tmp_path_factory.mktemp("cli")
    problem = planted(words=200, dims=10)
    io.save(problem.src, home / "s.vec")
    io.save(problem.trg, home / "t.vec.gz")
    pairs = [*problem.pairs, ("nowhere", "t1")]
    (home / "gold.txt").write_text("".join(f"{s} {t}\n" for s, t in pairs))
    done = isolex(home, "map", "s.vec", "t.vec.gz", "--out", "out", "--validation", "gold.txt")
    assert done.returncode == 0, done.stderr
    assert "\nvalidation (nn, last iteration)\t" in done.stdout, "evaluate measures otherwise"
    return home


@pytest.fixture
def run(home: Path) -> Run:
    return lambda *arguments, stdin="": isolex(home, *arguments, stdin=stdin)


def test_a_map_of_noise_is_written_and_called_failed(run: Run, home: Path) -> None:
    for name, seed in (("a.vec", 0), ("b.vec", 1)):
        io.save(noise(250, 20, seed), home / name)
    done = run("map", "a.vec", "b.vec", "--out", "noise", "--budget", "1")
    assert done.returncode == 1
    assert "verdict\tfailed: " in done.stdout
    assert done.stderr.startswith("isolex: the verdict is failed: the mapping is most likely")
    assert done.stderr.endswith(
        "250 words are few to go by: give vectors of thousands, or training pairs\n"
    )
    facts = json.loads((home / "noise" / "run.json").read_text())
    assert facts["verdict"] == "failed"
    assert len(facts["attempts"]) > 1
    assert (home / "noise" / "lexicon.tsv").stat().st_size > 0
    word = noise(250, 20, 0).words[0]
    for done in (run("translate", "noise", word), run("lexicon", "noise", "--out", "noise.tsv")):
        assert done.returncode == 0
        assert done.stderr.startswith("isolex: noise: the verdict is failed: the mapping is most")


def test_a_fitted_temperature_is_the_systems_own(run: Run, home: Path) -> None:
    mapped = ("map", "s.vec", "t.vec.gz", "--out", "smith", "--system", "smith2017")
    options = (*mapped, "--lexicon", "gold.txt", "--vectors", "none")
    assert run(*options).returncode == 0
    own = run("translate", "smith", "s1").stdout
    assert run("translate", "smith", "s1", "--retrieval", "invsoftmax").stdout == own
    assert run("translate", "smith", "s1", "--temperature", "0.5").stdout not in ("", own)
    assert "done before" in run(*options, "--resume").stderr
    fitted = json.loads((home / "smith" / "run.json").read_text())["temperature"]
    assert run("translate", "smith", "s1", "--temperature", str(fitted)).stdout == own


def test_a_search_that_was_cut_short_says_so(run: Run, home: Path) -> None:
    for name, seed in (("a.vec", 0), ("b.vec", 1)):
        io.save(noise(250, 20, seed), home / name)
    done = run("map", "a.vec", "b.vec", "--out", "short", "--budget", "0", "--quiet")
    assert "the search was cut short: its --budget was used up\n" in done.stderr
    assert (
        json.loads((home / "short" / "run.json").read_text())["attempts"][-1]["finished"] is False
    )


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        (("--budget", "0"), "useless; try another --seed or a longer --budget, or give some pairs"),
        (("--system", "artetxe2018", "--cutoff", "100"), "useless; try --system robust, or give"),
        (("--system", "supervised", "--lexicon", "few.txt"), "useless; give more pairs, or"),
    ],
)
def test_the_advice_fits_the_system_and_is_given_to_the_quiet_too(
    run: Run, home: Path, options: tuple[str, ...], advice: str
) -> None:
    for name, seed in (("a.vec", 0), ("b.vec", 1)):
        io.save(noise(600, 20, seed), home / name)
    pairs = zip(noise(600, 20, 0).words[:40], noise(600, 20, 1).words[:40], strict=True)
    (home / "few.txt").write_text("".join(f"{a} {b}\n" for a, b in pairs), encoding="utf-8")
    done = run("map", "a.vec", "b.vec", "--out", "advised", "--quiet", *options)
    assert (done.returncode, done.stdout) == (1, "")
    assert advice in done.stderr


def test_map_writes_the_files_and_says_so(run: Run, home: Path) -> None:
    options = ("--seed", "1", "--cutoff", "150", "--memory", "1M")
    done = run("map", "s.vec", "t.vec.gz", "--out", "o2", *options)
    assert done.returncode == 0
    assert "mutual best" in done.stdout
    assert done.stdout.startswith("system\trobust\nverdict\tsucceeded: learnt again from")
    assert done.stderr == "", "no progress where there is no terminal"
    names = {path.name for path in (home / "o2").iterdir()}
    assert names >= {"mapping.safetensors", "lexicon.tsv", "src.vec", "trg.vec", "history.tsv"}
    settings = json.loads((home / "o2" / "run.json").read_text())["settings"]
    assert settings["seed"] == 1
    assert {stage["cutoff"] for stage in settings["schedule"]} == {150}


def test_map_notes_the_validation_in_the_history(home: Path) -> None:
    lines = (home / "out" / "history.tsv").read_text().splitlines()
    assert lines[0].endswith("\tvalidation")
    assert float(lines[-1].split("\t")[-1]) > 99


def test_map_records_the_pairs_it_was_given(home: Path) -> None:
    run = json.loads((home / "out" / "run.json").read_text())
    assert run["validation"] > 99
    given = run["inputs"]["validation"]
    assert (given["pairs"], given["used"]) == (201, 200)


def test_map_is_the_same_byte_for_byte_on_any_number_of_threads(run: Run, home: Path) -> None:
    problem = planted(words=2500, dims=10)  # more than one band of every kernel
    io.save(problem.src, home / "many-s.vec")
    io.save(problem.trg, home / "many-t.vec")
    arguments = ("map", "many-s.vec", "many-t.vec", "--system", "semi-supervised")
    for out, threads in (("one", "1"), ("two", "2")):
        done = run(*arguments, "--lexicon", "gold.txt", "--out", out, "--threads", threads)
        assert done.returncode == 0, done.stderr
    for name in ("mapping.safetensors", "lexicon.tsv", "src.vec", "trg.vec"):
        assert (home / "one" / name).read_bytes() == (home / "two" / name).read_bytes(), name


def test_map_json_is_run_json(run: Run, home: Path) -> None:
    done = run("map", "s.vec", "t.vec.gz", "--out", "o3", "--json", "--vectors", "bin", "--quiet")
    assert json.loads(done.stdout) == json.loads((home / "o3" / "run.json").read_text())
    assert io.load(home / "o3" / "src.bin").words == io.load(home / "s.vec").words


def test_map_reads_no_more_words_than_asked(run: Run, home: Path) -> None:
    arguments = ("--max-words", "100", "--vectors", "none", "--system", "supervised")
    done = run("map", "s.vec", "t.vec.gz", "--out", "o4", "--lexicon", "gold.txt", *arguments)
    assert done.returncode == 0, done.stderr
    assert json.loads((home / "o4" / "run.json").read_text())["inputs"]["src"]["words"] == 100
    assert run("translate", "o4", "s5").returncode == 0


def test_vectors_from_a_pipe_are_said_to_be_needed_again(run: Run, home: Path) -> None:
    options = "--out piped --system supervised --lexicon gold.txt --quiet"
    command = f"{sys.executable} -m isolex map <(head -n 101 s.vec) t.vec.gz {options}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=home, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("isolex: /dev/fd/")
    assert done.stderr.endswith(": cannot be read again: later commands will need --src FILE\n")
    assert done.stderr.count("\n") == 1
    assert "find it with --src FILE" in run("translate", "piped", "s1").stderr
    assert run("translate", "piped", "s1", "--src", "s.vec").returncode == 0


def test_translate_words_and_lines(run: Run) -> None:
    done = run("translate", "out", "s1", "s2", "-k", "2")
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert lines[0] == ["word", "translation", "score"]
    assert [line[:2] for line in lines[1::2]] == [["s1", "t1"], ["s2", "t2"]]
    piped = run("translate", "out", "-k", "2", stdin="s1\ns2\n")
    assert piped.stdout == done.stdout


def test_translate_the_other_way_with_another_retrieval_as_json(run: Run) -> None:
    done = run("translate", "out", "t3", "--reverse", "--retrieval", "nn", "-k", "1", "--json")
    (found,) = json.loads(done.stdout)["t3"]
    assert found["word"] == "s3"
    assert 0 < found["score"] <= 1.0001


def test_an_unknown_word_is_said_and_the_others_are_translated(run: Run) -> None:
    done = run("translate", "out", "s1", "unheard", "--json")
    assert done.returncode == 2
    found = json.loads(done.stdout)
    assert found["s1"][0]["word"] == "t1"
    assert found["unheard"] == []
    assert done.stderr == "isolex: 'unheard' is not among the 200 words of the vocabulary\n"


def test_a_word_of_the_other_language_is_told_as_such(run: Run) -> None:
    done = run("translate", "out", "t1")
    assert done.returncode == 2
    assert done.stderr.endswith("; it is a word of the target language: use --reverse\n")
    back = run("translate", "out", "s1", "--reverse")
    assert back.stderr.endswith("; it is a word of the source language: leave out --reverse\n")


def test_lexicon_writes_the_scored_dictionary(run: Run, home: Path) -> None:
    done = run("lexicon", "out", "--out", "dictionary.tsv", "-k", "3")
    assert done.returncode == 0
    lines = (home / "dictionary.tsv").read_text().splitlines()
    assert lines[0] == "source\ttarget\tscore\tmutual"
    assert len(lines) == 601
    best = [line.split("\t") for line in lines[1::3]]
    assert sum(s[1:] == t[1:] and mutual == "1" for s, t, _, mutual in best) > 195


def test_apply_maps_vectors_as_map_did(run: Run, home: Path) -> None:
    assert run("apply", "out", "s.vec", "--side", "src", "--out", "again.bin").returncode == 0
    again, mapped = io.load(home / "again.bin"), io.load(home / "out" / "src.vec")
    np.testing.assert_allclose(again.vectors, mapped.vectors, atol=1e-5)


def test_evaluate_lexicon_of_a_run_and_of_mapped_vectors(run: Run) -> None:
    done = run("evaluate", "lexicon", "out", "gold.txt", "--json")
    result = json.loads(done.stdout)
    assert result["precision"]["1"] > 99
    assert (result["entries"], result["oov"]) == (200, 1)
    assert result["coverage"] == pytest.approx(200 / 201)
    files = ("--src", "out/src.vec", "--trg", "out/trg.vec")
    other = json.loads(run("evaluate", "lexicon", *files, "gold.txt", "--json").stdout)
    assert other == result
    assert "precision@1\t" in run("evaluate", "lexicon", "out", "gold.txt").stdout


@pytest.mark.parametrize(
    ("known", "unknown", "warned"),
    [(2, 0, False), (49, 1, True), (60, 60 * 20, False), (60, 60 * 100, True)],
)
def test_gold_of_which_little_could_be_asked_is_doubted(
    run: Run, home: Path, known: int, unknown: int, warned: bool
) -> None:
    pairs = [f"s{i} t{i}\n" for i in range(known)] + [f"x{i} t1\n" for i in range(unknown)]
    (home / "some.txt").write_text("".join(pairs))
    done = run("evaluate", "lexicon", "out", "some.txt", "--quiet", "--json")
    assert json.loads(done.stdout)["entries"] == known
    said = f"isolex: only {known} of {known + unknown:,} source words could be asked; is the gold "
    assert done.stderr.startswith(said) if warned else done.stderr == ""


def test_evaluate_similarity(run: Run, home: Path) -> None:
    lines = [f"S{i}\tT{j}\t{10.0 if i == j else 1.0}\n" for i in range(5) for j in range(5)]
    (home / "sim.txt").write_text("".join(lines) + "S1\tnowhere\t3\n")
    done = run("evaluate", "similarity", "out", "sim.txt", "--lowercase", "--json")
    result = json.loads(done.stdout)
    assert result["pearson"] > 0.5
    assert "only 25 of 26 pairs could be asked" in done.stderr
    assert (result["entries"], result["oov"]) == (25, 1)
    (home / "mono.txt").write_text("s1 s1 10\ns1 s2 1\ns3 s3 10\n")
    done = run("evaluate", "similarity", "out", "mono.txt", "--sides", "src", "--json")
    assert json.loads(done.stdout)["spearman"] > 0.8


def test_similarity_of_pairs_the_other_way_round_is_told_and_can_be_asked(
    run: Run, home: Path
) -> None:
    scored = [(i, j, 10.0 if i == j else 1.0) for i in range(5) for j in range(5)]
    (home / "sim.txt").write_text("".join(f"s{i} t{j} {score}\n" for i, j, score in scored))
    (home / "turned.txt").write_text("".join(f"t{j} s{i} {score}\n" for i, j, score in scored))
    for options, hint in ((("turned.txt",), "use"), (("sim.txt", "--reverse"), "leave out")):
        done = run("evaluate", "similarity", "out", *options)
        assert done.returncode == 2
        assert done.stderr == (
            "isolex: 0 pairs are in the vocabularies, but 25 the other way round: "
            f"{hint} --reverse\n"
        )
    plain = run("evaluate", "similarity", "out", "sim.txt")
    assert run("evaluate", "similarity", "out", "turned.txt", "--reverse").stdout == plain.stdout


def test_evaluate_analogy(run: Run, home: Path) -> None:
    (home / "analogies.txt").write_text(": one\ns1 s2 s3 s4\n: two\ns1 s2 s3 nowhere\n")
    done = run("evaluate", "analogy", "out", "analogies.txt", "--json")
    result = json.loads(done.stdout)
    assert (result["entries"], result["oov"]) == (1, 1)
    assert set(result["sections"]) == {"one", "two"}


@pytest.mark.parametrize(("side", "other"), [("src", "trg"), ("trg", "src")])
def test_analogies_need_the_vectors_of_their_side_only(
    run: Run, home: Path, side: str, other: str
) -> None:
    words = " ".join(f"{side[0]}{i}" for i in range(4))
    (home / "analogies.txt").write_text(f": one\n{words}\n")
    asked = ("analogies.txt", "--side", side)
    whole = run("evaluate", "analogy", "out", *asked)
    assert whole.returncode == 0
    assert run("evaluate", "analogy", f"--{side}", f"out/{side}.vec", *asked).stdout == whole.stdout
    wrong = run("evaluate", "analogy", f"--{other}", f"out/{other}.vec", *asked)
    assert wrong.returncode == 2
    assert f"or --{side} FILE and a gold file" in wrong.stderr
    wrong = run("evaluate", "analogy", "out", "analogies.txt", "--side", other)
    assert wrong.stderr == (
        f"isolex: no question has all four words on the side {other}, but 1 on the other: "
        f"use --side {side}\n"
    )


def test_convert_there_and_back(run: Run, home: Path) -> None:
    for name in ("c.bin", "c.glove", "c.vec.zst"):
        assert run("convert", "s.vec", name).returncode == 0
        assert run("convert", name, "back.vec").returncode == 0
        assert (home / "back.vec").read_bytes() == (home / "s.vec").read_bytes(), name


def test_quiet_is_quiet_and_a_repair_is_one_line(run: Run, home: Path) -> None:
    lines = (home / "s.vec").read_text().splitlines(keepends=True)
    (home / "twice.vec").write_text("".join([*lines, lines[1]]))
    noisy = run("map", "twice.vec", "t.vec.gz", "--out", "twice", "--vectors", "none")
    assert noisy.stderr.count("\n") == 1
    assert "twice.vec: 1 duplicate word (first kept)" in noisy.stderr
    assert run("lexicon", "twice", "--out", "twice.tsv", "--quiet").stderr == ""
    assert run("evaluate", "lexicon", "twice", "gold.txt", "--quiet", "--json").stderr == ""


def test_bytes_that_are_not_utf8_are_asked_for_on_standard_input(home: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "translate", "out"],
        cwd=home,
        input=b"s1\ncaf\xe9\n",
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )
    assert done.returncode == 2
    assert b"s1\tt1" in done.stdout
    assert done.stderr.count(b"\n") == 1


def test_a_reader_that_has_seen_enough_is_no_failure(home: Path) -> None:
    command = f"{sys.executable} -m isolex translate out s1 s2 | head -n 0; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=home, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_no_arguments_show_the_help(run: Run) -> None:
    for arguments in ((), ("evaluate",)):
        done = run(*arguments)
        assert done.returncode == 2
        assert done.stderr.startswith("Usage: isolex")


def test_systems_are_listed(run: Run) -> None:
    assert "robust (default)" in run("systems").stdout
    names = [system["system"] for system in json.loads(run("systems", "--json").stdout)]
    assert names == list(SYSTEMS)


def test_a_system_without_its_library_is_listed_with_the_line_that_gets_it() -> None:
    code = (
        "import sys, isolex.cli; from isolex.adapters import extras;"
        "extras.MODULES['torch'] = 'no_such_module';"
        "sys.argv = ['isolex', 'systems']; isolex.cli.main()"
    )
    command = [sys.executable, "-c", code]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = dict(line.split("\t")[:2] for line in listed.splitlines())
    assert rows["conneau2018"] == "nothing; pip install 'isolex[torch]'"
    assert rows["artetxe2018"] == "nothing"


def test_version_and_help(run: Run) -> None:
    from isolex import __version__

    assert run("--version").stdout == f"isolex {__version__}\n"
    for command in ("map", "translate", "lexicon", "apply", "convert", "systems", "bench", "demo"):
        assert "Usage: isolex" in run(command, "--help").stdout


def test_words_cannot_steer_the_terminal_or_the_json(run: Run, home: Path) -> None:
    problem = planted(words=60, dims=6)
    words = ["\x1b[31mred", "[bold]x", "\udcff", *problem.src.words[3:]]
    io.save(Embeddings(words, problem.src.vectors), home / "odd.vec")
    done = run("map", "odd.vec", "t.vec.gz", "--out", "odd", "--max-words", "60")
    assert done.returncode == 1, "these have nothing in common"
    found = run("translate", "odd", "\x1b[31mred", "[bold]x", "-k", "1").stdout
    assert "\x1b" not in found
    assert "\\x1b[31mred" in found
    assert "[bold]x" in found
    assert json.loads(run("translate", "odd", "[bold]x", "--json").stdout)


def test_a_run_that_is_done_is_not_done_again(run: Run, home: Path) -> None:
    options = ("map", "s.vec", "t.vec.gz", "--out", "resumed", "--vectors", "none")
    first = run(*options)
    written = (home / "resumed" / "run.json").stat().st_mtime_ns
    second = run(*options, "--resume")
    assert "resumed: done before, with these inputs and options" in second.stderr
    assert second.stdout == first.stdout
    assert (home / "resumed" / "run.json").stat().st_mtime_ns == written
    third = run(*options, "--resume", "--seed", "9")
    assert third.returncode == 2
    assert third.stderr == (
        "isolex: resumed: a finished run of other inputs or options; leave --resume out to replace "
        "it, or name another folder\n"
    )
    assert (home / "resumed" / "run.json").stat().st_mtime_ns == written
    assert run(*options, "--seed", "9").returncode == 0
    assert json.loads((home / "resumed" / "run.json").read_text())["settings"]["seed"] == 9


def test_a_run_that_was_interrupted_goes_on(run: Run, home: Path) -> None:
    options = ("map", "s.vec", "t.vec.gz", "--out", "gone-on", "--vectors", "none")
    assert run(*options).returncode == 0
    folder = RunFolder(home / "gone-on")
    expected = {
        name: (folder.path / name).read_bytes() for name in ("mapping.safetensors", "lexicon.tsv")
    }
    facts = json.loads((folder.path / "run.json").read_text())
    src, trg = io.load(home / "s.vec"), io.load(home / "t.vec.gz")
    kept: list[Checkpoint] = []
    align(src, trg, on_checkpoint=kept.append)
    kept[7].save(folder.checkpoint, run_mark(facts["settings"], facts["inputs"]))
    for name in expected:
        (folder.path / name).unlink()
    other = run(*options, "--resume", "--seed", "9")
    assert other.returncode == 2
    assert "of a run with other inputs or options" in other.stderr
    done = run(*options, "--resume")
    assert done.returncode == 0
    assert done.stderr == "isolex: going on after iteration 7\n"
    assert {name: (folder.path / name).read_bytes() for name in expected} == expected
    assert not folder.checkpoint.exists()
