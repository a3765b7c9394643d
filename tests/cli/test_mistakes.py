"""Wrong usage and unusable files: one line that says what to do, exit code 2, nothing lost."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest

from isolex import io
from isolex.core.lexicon import Lexicon
from isolex.method.checkpoint import Checkpoint
from isolex.method.self_learning import Learnt
from isolex.run.inputs import Input, describe, run_mark
from isolex.systems import get
from tests.cli.typed import COMMAND, isolex
from tests.planted import planted


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("mistakes")
    problem = planted(words=60, dims=6)
    io.save(problem.src, home / "s.vec")
    io.save(problem.trg, home / "t.vec")
    io.save(planted(words=60, dims=9).trg, home / "wide.vec")
    rows = (home / "t.vec").read_text().partition("\n")[2]
    (home / "longer.vec").write_text(f"61 6\n{rows}more 1 2 3 4 5 6\n")
    (home / "empty.vec").write_text("")
    (home / "broken.vec").write_text("3 2\na 1 2\nb 1 x\nc 1 2\n")
    (home / "gold.txt").write_text("s1 t1\n")
    (home / "one.txt").write_text("word\n")
    (home / "foreign.txt").write_text("x y\n")
    (home / "nan.txt").write_text("s1 t1 2.0\ns1 t2 nan\n")
    (home / "sim.txt").write_text("S1 T1 2.0\nS2 T2 1.0\n")
    (home / "four.txt").write_text(": one\nS1 S2 S3 S4\n")
    (home / "precious").write_text("mine")
    (home / "src.vec").write_bytes((home / "s.vec").read_bytes())
    done = isolex(home, "map", "s.vec", "t.vec", "--out", "out")
    assert done.returncode == 0, done.stderr
    return home


MAP = ("map", "s.vec", "t.vec", "--out", "new")
MISTAKES = [
    ((*MAP, "--system", "vecmap"), "unknown system 'vecmap': `isolex systems` lists all"),
    ((*MAP, "--system", "supervized"), "'supervized': did you mean 'supervised'? `isolex"),
    ((*MAP, "--system", "supervised"), "pairs: give a lexicon (--lexicon FILE)"),
    ((*MAP, "--lexicon", "gold.txt"), "takes no lexicon: choose supervised"),
    (
        (*MAP, "--system", "semi-supervised", "--lexicon", "one.txt"),
        "one.txt, line 1: expected two",
    ),
    (
        (*MAP, "--system", "semi-supervised", "--lexicon", "foreign.txt"),
        "is in the vocabularies: check direction and spelling, or read more words (--max-words)",
    ),
    ((*MAP, "--system", "numerals"), "share no number in digits"),
    ((*MAP, "--system", "identical"), "share no word"),
    ((*MAP, "--validation", "foreign.txt"), "no validation pair"),
    ((*MAP, "--validation", "absent.txt"), "absent.txt: no such file"),
    ((*MAP, "--seed", "-1"), "'--seed': give a number from 0 up. See `isolex map --help`."),
    ((*MAP, "--budget", "long"), "'--budget': give a number. See"),
    ((*MAP, "--cutoff", "0"), "--cutoff"),
    ((*MAP, "--threads", "none"), "'--threads': give a whole number. See `isolex map --help`."),
    ((*MAP, "--resumed"), "No such option"),
    ((*MAP, "--device", "tpu"), "'--device': 'tpu' is not one of 'cpu', 'cuda'. See"),
    ((*MAP, "--memory", "much"), "--memory much: give a size such as 4G"),
    (("map", "s.vec", "absent.vec", "--out", "new"), "absent.vec: no such file"),
    (("map", "s.vec", "empty.vec", "--out", "new"), "empty.vec: "),
    (("map", "s.vec", "broken.vec", "--out", "new"), "broken.vec, line 3: 'x' is not a number"),
    (("map", "s.vec", ".", "--out", "new"), "is a folder"),
    (("map", "s.vec", "t.vec"), "--out"),
    (("map", "s.vec", "t.vec", "--out", "precious"), "precious: is a file; --out names a folder"),
    (("map", "s.vec", "t.vec", "--out", "precious/new"), "(Not a directory); name another folder"),
    (("map", "src.vec", "t.vec", "--out", "."), "would overwrite this input"),
    (("translate", "absent", "s1"), "absent: no mapping.safetensors"),
    (("translate", "out", "s1", "--retrieval", "cosine"), "--retrieval"),
    (
        ("translate", "out", "s1", "--temperature", "0.1"),
        "--temperature belongs to --retrieval invsoftmax",
    ),
    (("translate", "out", "s1", "--src", "t.vec"), "not the vectors this mapping was learnt from"),
    (("lexicon", "out", "--out", "absent/x.tsv"), "absent: no such folder; make it first"),
    (("apply", "out", "wide.vec", "--side", "src", "--out", "x.vec"), "wide.vec: 9 dimensions"),
    *(
        (
            ("apply", "out", given, "--side", wrong, "--out", "x.vec"),
            f"{given}: these are the {right} vectors of the mapping: use --side {right}",
        )
        for given, wrong, right in (
            ("t.vec", "src", "trg"),
            ("s.vec", "trg", "src"),
            ("longer.vec", "src", "trg"),
        )
    ),
    (("apply", "out", "s.vec", "--side", "src", "--out", "x.doc"), "x.doc: its suffix"),
    (("apply", "out", "s.vec", "--side", "left", "--out", "x.vec"), "--side"),
    (("evaluate", "lexicon", "out"), "give a folder and a gold file, or --src FILE and --trg FILE"),
    (("evaluate", "lexicon", "out", "one.txt"), "one.txt, line 1: expected two words"),
    (("evaluate", "lexicon", "out", "foreign.txt"), "no gold pair"),
    (("evaluate", "lexicon", "--src", "s.vec", "--trg", "wide.vec", "gold.txt"), "not 6 and 9"),
    (("evaluate", "similarity", "out", "gold.txt"), "gold.txt, line 1: expected two words and a"),
    (("evaluate", "similarity", "out", "nan.txt"), "nan.txt, line 2: 'nan' is not a number"),
    (("evaluate", "similarity", "out", "sim.txt"), "fewer than two pairs have both words in the"),
    (
        ("evaluate", "similarity", "out", "sim.txt", "--sides", "src", "--reverse"),
        "--reverse belongs to --sides cross",
    ),
    (("evaluate", "analogy", "out", "gold.txt"), "gold.txt, line 1: expected four words, found 2"),
    (
        ("evaluate", "analogy", "out", "four.txt"),
        "no question has all four words in the vocabulary",
    ),
    (("convert", "s.vec", "x.doc"), "x.doc: its suffix names no known format"),
    (("convert", "s.vec", "x.safetensors.gz"), "safetensors is not compressed"),
    (("nonsense",), "nonsense"),
    (("mpa",), "No such command 'mpa'. Did you mean 'map'? See `isolex --help`."),
    (("map", "s.vec", "t.vec", "--out", ""), "--out is empty"),
    (("lexicon", "out", "--out", "out/mapping.safetensors"), "would overwrite an input"),
    (("lexicon", "out", "--out", "x.tsv.gz"), "written as plain text; drop the suffix"),
    (("apply", "out", "s.vec", "--side", "src", "--out", "s.vec"), "would overwrite an input"),
    (("apply", "out", "s.vec", "--out", "x.vec"), "Missing option '--side'"),
    (("convert", "s.vec", "s.vec"), "would overwrite an input"),
    *(
        (("apply", "out", "wide.vec", "--side", "src", "--out", name), "would overwrite an input")
        for name in ("out/mapping.safetensors", "out/src.vec", "out/cache/src.safetensors", "s.vec")
    ),
    (("lexicon", "out", "--out", "t.vec"), "would overwrite an input"),
    (("lexicon", "out", "--out", "precious"), "precious: is there and, by its suffix, no diction"),
    (("convert", "s.vec", "out/mapping.safetensors"), "would overwrite the run out; name another"),
    (("convert", "s.vec", "out/cache/src.safetensors"), "would overwrite the run "),
    (("translate", "s.vec", "s1"), "s.vec: is a file; give a folder that"),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES, ids=lambda value: str(value)[:60])
def test_one_line_and_exit_code_two(home: Path, arguments: tuple[str, ...], message: str) -> None:
    before = {path: path.is_file() and path.read_bytes() for path in home.rglob("*")}
    done = isolex(home, *arguments)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert message in done.stderr
    assert done.stderr.startswith("isolex: ")
    assert done.stderr.count("\n") == 1, done.stderr
    after = {path: path.is_file() and path.read_bytes() for path in home.rglob("*")}
    assert after == before, "a mistake must leave the disk as it was"


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Vectors whose mapping takes a while."""
    slow = tmp_path_factory.mktemp("slow")
    problem = planted(words=2500, dims=30)
    io.save(problem.src, slow / "s.vec")
    io.save(problem.trg, slow / "t.vec")
    return slow


def begin(home: Path, *options: str) -> subprocess.Popen[bytes]:
    """Begin a slow `map`."""
    return subprocess.Popen(
        [*COMMAND, "map", "s.vec", "t.vec", "--system", "artetxe2018", *options],
        cwd=home,
        stderr=subprocess.PIPE,
        # A job in the background is born deaf to the interrupt.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


@pytest.mark.parametrize(
    ("sent", "code", "said"),
    [(signal.SIGINT, 130, b"interrupted"), (signal.SIGTERM, 143, b"terminated")],
)
def test_a_signal_ends_a_map_and_nothing_is_left(
    slow: Path, sent: signal.Signals, code: int, said: bytes
) -> None:
    with begin(slow, "--out", "new/out") as process:
        while not (slow / "new" / "out").exists():  # the run has begun
            time.sleep(0.02)
        process.send_signal(sent)
        _, errors = process.communicate(timeout=60)
    assert errors == b"isolex: " + said + b": nothing was kept yet\n"
    assert process.returncode == code
    assert {path.name for path in slow.iterdir()} == {"s.vec", "t.vec"}


def test_a_map_that_can_go_on_says_so(slow: Path) -> None:
    src, trg = Input.read_both(slow / "s.vec", slow / "t.vec")
    mark = run_mark(get("artetxe2018").describe() | {"seed": 0}, describe(src, trg, {}))
    (slow / "begun").mkdir()
    checkpoint = slow / "begun" / "checkpoint.safetensors"
    Checkpoint(Learnt(Lexicon.shuffled(2000, 0))).save(checkpoint, mark)
    with begin(slow, "--out", "begun", "--resume") as process:
        assert process.stderr is not None
        assert process.stderr.readline() == b"isolex: going on after iteration 0\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, b"isolex: interrupted: go on with --resume\n")
    assert list((slow / "begun").iterdir()) == [checkpoint]
