"""Signals: they end a command between two steps, and nothing unfinished is left."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest

from isolex import io
from isolex.cli.interrupt import Interrupt
from isolex.core.checkpoint import Checkpoint, Solution
from isolex.core.lexicon import Lexicon
from isolex.run import checkpoint
from isolex.run.inputs import LanguageFile, VectorInput, describe, fingerprint
from isolex.systems import get
from tests.cli.typed import COMMAND
from tests.planted import planted
from tests.wording import Wording


@pytest.mark.parametrize(
    ("number", "raised"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)]
)
def test_a_signal_waits_for_the_end_of_compiling(number: int, raised: type[BaseException]) -> None:
    interrupt = Interrupt()
    interrupt.step("compile")
    interrupt._hear(number, None)
    interrupt.heed()
    with pytest.raises(raised):
        interrupt.step("normalise")


def test_a_second_signal_ends_at_once() -> None:
    interrupt = Interrupt()
    interrupt.step("compile")
    interrupt._hear(signal.SIGINT, None)
    with pytest.raises(SystemExit):
        interrupt._hear(signal.SIGTERM, None)


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Vectors that take a while to align."""
    long = tmp_path_factory.mktemp("long")
    problem = planted(words=2500, dims=30)
    io.save(problem.source, long / "s.vec")
    io.save(problem.target, long / "t.vec")
    return long


def start(folder: Path, *options: str) -> subprocess.Popen[bytes]:
    """Start a long `isolex map`."""
    return subprocess.Popen(
        [*COMMAND, "map", "s.vec", "t.vec", "--system", "artetxe2018", *options],
        cwd=folder,
        stderr=subprocess.PIPE,
        # A background job may start with SIGINT ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "code", "word"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
)
def test_a_signal_ends_a_run_and_nothing_is_left(
    long: Path, sent: signal.Signals, code: int, word: str, wording: Wording
) -> None:
    with start(long, "--out", "new/out") as process:
        while not (long / "new" / "out").exists():  # the run has begun
            time.sleep(0.02)
        process.send_signal(sent)
        errors = process.communicate(timeout=60)[1].decode()
    assert process.returncode == code
    assert errors.startswith(f"isolex: {word}: ")
    assert errors.count("\n") == 1
    wording(errors)
    assert {path.name for path in long.iterdir()} == {"s.vec", "t.vec"}


@pytest.mark.slow
def test_an_interrupted_run_with_a_checkpoint_says_how_to_continue(
    long: Path, tmp_path: Path, wording: Wording
) -> None:
    files = LanguageFile.parse_all([str(long / "s.vec"), str(long / "t.vec")])
    settings = get("artetxe2018").describe() | {"seed": 0}
    identity = fingerprint(settings, describe(VectorInput.read_all(files), {}))
    saved = tmp_path / "checkpoint.safetensors"
    checkpoint.save(Checkpoint(Solution(Lexicon.shuffled(2000, 0))), saved, identity)
    with start(long, "--out", str(tmp_path), "--resume") as process:
        assert process.stderr is not None
        first = process.stderr.readline().decode()
        assert "iteration 0" in first
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=60)[1].decode()
    assert process.returncode == 130
    assert errors.startswith("isolex: interrupted: ")
    assert "--resume" in errors
    wording(first)
    wording(errors)
    assert list(tmp_path.iterdir()) == [saved]
