"""Wrong usage and unusable files: exit code 2, one line with the facts, nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from isolex import io
from tests.cli.typed import isolex
from tests.planted import planted
from tests.wording import Wording


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files with all kinds of mistakes in them, and a finished run in `out`."""
    home = tmp_path_factory.mktemp("mistakes")
    problem = planted(words=60, dims=6)
    io.save(problem.source, home / "s.vec")
    io.save(problem.target, home / "t.vec")
    io.save(planted(words=60, dims=9).target, home / "wide.vec")
    rows = (home / "t.vec").read_text().partition("\n")[2]
    (home / "longer.vec").write_text(f"61 6\n{rows}more 1 2 3 4 5 6\n")
    (home / "empty.vec").write_text("")
    (home / "broken.vec").write_text("3 2\na 1 2\nb 1 x\nc 1 2\n")
    (home / "gold.txt").write_text("s1 t1\n")
    (home / "one.txt").write_text("word\n")
    (home / "foreign.txt").write_text("x y\n")
    (home / "swapped.txt").write_text("t1 s1\nt2 s2\nt3 s3\n")
    (home / "nan.txt").write_text("s1 t1 2.0\ns1 t2 nan\n")
    (home / "sim.txt").write_text("S1 T1 2.0\nS2 T2 1.0\n")
    (home / "four.txt").write_text(": one\nS1 S2 S3 S4\n")
    (home / "precious").write_text("mine")
    (home / "precious.tsv").mkdir()
    (home / "copies").mkdir()
    (home / "copies" / "s.vec").write_bytes((home / "s.vec").read_bytes())
    done = isolex(home, "map", "s.vec", "t.vec", "--out", "out")
    assert done.returncode == 0, done.stderr
    return home


COUNTS = ("--counts", "precious")


def to(*arguments: str) -> tuple[str, ...]:
    """A command that maps the two good files, with more arguments."""
    return ("map", "s.vec", "t.vec", "--out", "new", *arguments)


def apply(file: str, language: str, out: str = "x.vec") -> tuple[str, ...]:
    return ("apply", "out", file, "--language", language, "--out", out)


SEMI = ("--system", "semi-supervised", "--lexicon")
MAPPED = ("--vectors", "s.vec", "--vectors")

MAP = {
    "unknown system": (to("--system", "vecmap"), "'vecmap'", "isolex systems"),
    "misspelled system": (to("--system", "supervized"), "'supervized'", "'supervised'?"),
    "no lexicon": (to("--system", "supervised"), "'supervised'", "--lexicon FILE"),
    "needless lexicon": (to("--lexicon", "gold.txt"), "'robust'", "lexicon"),
    "one word": (to(*SEMI, "one.txt"), "one.txt, line 1", "two words"),
    "foreign lexicon": (to(*SEMI, "foreign.txt"), "no training pair", "--max-words"),
    "swapped lexicon": (to(*SEMI, "swapped.txt"), "0 pairs", "3 if"),
    "no numerals": (to("--system", "numerals"), "no number in digits"),
    "no shared words": (to("--system", "identical"), "share no word"),
    "foreign validation": (to("--validation", "foreign.txt"), "no validation pair"),
    "absent validation": (to("--validation", "absent.txt"), "absent.txt: "),
    "negative seed": (to("--seed", "-1"), "'--seed'", "0", "isolex map --help"),
    "seed as a word": (to("--seed", "one"), "'--seed'", "integer", "isolex map --help"),
    "budget as a word": (to("--budget", "long"), "'--budget'", "number"),
    "negative budget": (to("--budget", "-1"), "'--budget'", "0"),
    "useless budget": (to("--system", "artetxe2018", "--budget", "1"), "'artetxe2018'", "budget"),
    "counts of one language": (to("--counts", "gold.txt"), "counts: 1", "languages: 2"),
    "no counts": (to(*COUNTS, *COUNTS), "precious: ", "isolex train --counts"),
    "useless counts": (
        to(*COUNTS, *COUNTS, "--system", "artetxe2018"),
        "'artetxe2018'",
        "--counts",
    ),
    "neither on nor off": (to("--spelling", "maybe"), "'--spelling'", "'maybe'", "'on'", "'off'"),
    "useless spelling": (
        to("--system", "supervised", "--lexicon", "gold.txt", "--spelling", "on"),
        *("'supervised'", "spelling"),
    ),
    "cutoff of zero": (to("--cutoff", "0"), "'--cutoff'", "1"),
    "threads as a word": (to("--threads", "none"), "'--threads'", "integer"),
    "no threads": (to("--threads", "0"), "'--threads'", "1"),
    "unknown option": (to("--resumed"), "--resumed"),
    "unknown device": (to("--device", "tpu"), "--device", "'tpu'", "'cpu'", "'cuda'"),
    "unknown size": (to("--memory", "much"), "--memory much", "4G"),
    "unknown format": (to("--vectors", "csv"), "--vectors", "'csv'", "'text'"),
    "absent file": (("map", "s.vec", "absent.vec", "--out", "new"), "absent.vec: "),
    "absent named file": (("map", "s.vec", "t=absent.vec", "--out", "new"), "absent.vec: "),
    "empty file": (("map", "s.vec", "empty.vec", "--out", "new"), "empty.vec: "),
    "broken file": (("map", "s.vec", "broken.vec", "--out", "new"), "broken.vec, line 3", "'x'"),
    "folder": (("map", "s.vec", "t=.", "--out", "new"), "folder"),
    "file without a name": (("map", "s.vec", ".", "--out", "new"), "NAME=FILE"),
    "empty name": (("map", "s.vec", "=t.vec", "--out", "new"), "=t.vec", "NAME=FILE"),
    "name with a slash": (("map", "s.vec", "a/b=t.vec", "--out", "new"), "a/b=t.vec", "NAME=FILE"),
    "equal names": (("map", "s.vec", "copies/s.vec", "--out", "new"), "'s'", "NAME=FILE"),
    "given equal names": (("map", "a=s.vec", "a=t.vec", "--out", "new"), "'a'", "NAME=FILE"),
    "one file": (("map", "s.vec", "--out", "new"), "'B'"),
    "no output": (("map", "s.vec", "t.vec"), "--out"),
    "empty output": (("map", "s.vec", "t.vec", "--out", ""), "--out"),
    "output is a file": (("map", "s.vec", "t.vec", "--out", "precious"), "precious: ", "--out"),
    "output below a file": (("map", "s.vec", "t.vec", "--out", "precious/new"), "Not a directory"),
    "output onto inputs": (("map", "s.vec", "t.vec", "--out", "."), "s.vec: ", "overwrite"),
}
LOOK_UPS = {
    "no run": (("translate", "absent", "s1"), "absent: ", "no such folder"),
    "a file as run": (("translate", "s.vec", "s1"), "s.vec: ", "isolex map"),
    "unknown retrieval": (
        ("translate", "out", "s1", "--retrieval", "cosine"),
        "--retrieval",
        "'cosine'",
        "'csls'",
    ),
    "needless temperature": (
        ("translate", "out", "s1", "--temperature", "0.1"),
        "--temperature",
        "--retrieval invsoftmax",
    ),
    "unknown language": (("translate", "out", "s1", "--from", "x"), "'x'", "s, t"),
    "unknown target": (("translate", "out", "s1", "--to", "x"), "'x'", "s, t"),
    "one language": (("translate", "out", "s1", "--from", "s", "--to", "s"), "'s'", "two"),
    "old option": (("translate", "out", "s1", "--src", "s.vec"), "--src"),
    "absent folder": (("lexicon", "out", "--out", "absent/x.tsv"), "absent: "),
    "lexicon onto input": (("lexicon", "out", "--out", "t.vec"), "t.vec: "),
    "lexicon onto the space": (("lexicon", "out", "--out", "out/space.safetensors"), ".tsv"),
    "lexicon onto folder": (("lexicon", "out", "--out", "precious.tsv"), "precious.tsv: "),
    "compressed lexicon": (("lexicon", "out", "--out", "x.tsv.gz"), "x.tsv.gz: ", ".tsv"),
    "lexicon as text": (("lexicon", "out", "--out", "x.txt"), "x.txt: ", ".tsv", ".parquet"),
    "lexicon of nothing": (("lexicon", "--out", "x.tsv"), "--vectors"),
    "lexicon of too much": (("lexicon", "out", *MAPPED, "t.vec", "--out", "x.tsv"), "--vectors"),
    "one mapped file": (("lexicon", "--vectors", "s.vec", "--out", "x.tsv"), "--vectors"),
    "mapped files of one name": (
        ("lexicon", *MAPPED, "copies/s.vec", "--out", "x.tsv"),
        "'s'",
        "NAME=FILE",
    ),
}
APPLY = {
    "other dimensions": (apply("wide.vec", "s"), "wide.vec: ", "9 dimensions", "6"),
    "other language": (apply("t.vec", "s"), "t.vec: ", "--language t"),
    "first language": (apply("s.vec", "t"), "s.vec: ", "--language s"),
    "more of the other language": (apply("longer.vec", "s"), "longer.vec: ", "--language t"),
    "unknown suffix": (apply("s.vec", "s", "x.doc"), "x.doc: ", ".vec"),
    "unknown language to apply": (apply("s.vec", "left"), "'left'", "s, t"),
    "no language": (("apply", "out", "s.vec", "--out", "x.vec"), "--language"),
    "apply onto the vectors": (apply("s.vec", "s", "s.vec"), "s.vec: ", "overwrite"),
    "apply onto the space": (apply("wide.vec", "s", "out/space.safetensors"), "overwrite"),
    "apply onto a result": (apply("wide.vec", "s", "out/s.vec"), "out/s.vec: ", "overwrite"),
    "apply onto the cache": (apply("wide.vec", "s", "out/cache.safetensors"), "overwrite"),
    "apply onto an input of the run": (apply("wide.vec", "s", "t.vec"), "t.vec: ", "overwrite"),
}
EVALUATE = {
    "no gold file": (("evaluate", "lexicon", "out"), "gold file", "--vectors FILE"),
    "three places": (("evaluate", "lexicon", "out", "gold.txt", "x"), "gold file"),
    "gold of one word": (("evaluate", "lexicon", "out", "one.txt"), "one.txt, line 1", "two words"),
    "foreign gold": (("evaluate", "lexicon", "out", "foreign.txt"), "no gold pair"),
    "swapped gold": (("evaluate", "lexicon", "out", "swapped.txt"), "0 pairs", "3 if"),
    "vectors that do not fit": (
        ("evaluate", "lexicon", *MAPPED, "wide.vec", "gold.txt"),
        "dimensions",
        "6 and 9",
    ),
    "no scores": (("evaluate", "similarity", "out", "gold.txt"), "gold.txt, line 1", "number"),
    "a score that is none": (("evaluate", "similarity", "out", "nan.txt"), "nan.txt, line 2"),
    "other case": (("evaluate", "similarity", "out", "sim.txt"), "two pairs", "--lowercase"),
    "two words": (("evaluate", "analogy", "out", "gold.txt"), "gold.txt, line 1", "four", "2"),
    "questions in other case": (("evaluate", "analogy", "out", "four.txt"), "--lowercase"),
    "unknown language of questions": (
        ("evaluate", "analogy", "out", "four.txt", "--language", "x"),
        "'x'",
        "s, t",
    ),
}
OTHERS = {
    "unknown suffix of a copy": (("convert", "s.vec", "x.doc"), "x.doc: ", ".vec"),
    "compressed safetensors": (("convert", "s.vec", "x.safetensors.gz"), "x.safetensors.gz", ".gz"),
    "convert onto itself": (("convert", "s.vec", "s.vec"), "s.vec: ", "overwrite"),
    "convert onto the space": (("convert", "s.vec", "out/space.safetensors"), "the run out"),
    "convert onto a result": (("convert", "s.vec", "out/t.vec"), "the run out"),
    "unknown command": (("nonsense",), "'nonsense'", "isolex --help"),
    "misspelled command": (("mpa",), "'mpa'", "'map'?", "isolex --help"),
}
MISTAKES = {**MAP, **LOOK_UPS, **APPLY, **EVALUATE, **OTHERS}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line_with_the_facts_and_exit_code_two(
    home: Path, mistake: str, wording: Wording
) -> None:
    arguments, *facts = MISTAKES[mistake]
    before = {path: path.is_file() and path.read_bytes() for path in home.rglob("*")}
    done = isolex(home, *arguments)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("isolex: ")
    assert done.stderr.count("\n") == 1, done.stderr
    for fact in facts:
        assert fact in done.stderr
    if "--help`" not in done.stderr:  # else the sentence is Typer's and changes with its version
        wording(done.stderr.replace(f"{home}/", ""))
    after = {path: path.is_file() and path.read_bytes() for path in home.rglob("*")}
    assert after == before, "a mistake must leave the disk as it was"
