"""`isolex bench`: runs, continues, and reports mistakes in one line."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest
import torch

from tests.cli.typed import COMMAND, isolex
from tests.wording import Wording


def isolex_bench(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return isolex(cwd, "bench", *arguments)


@pytest.mark.slow
def test_a_bench_runs_and_continues(folder: Path) -> None:
    first = isolex_bench("plan.toml", "--out", "out", "--only", "one", "--runs", "1", cwd=folder)
    assert first.returncode == 0, first.stderr
    assert "### Runs & more" in first.stdout
    assert first.stderr.count("seed 0") == 3
    assert "two" not in first.stdout
    assert "| - | - | - | - |" in (folder / "out" / "table.md").read_text(), "two was not run"
    second = isolex_bench("plan.toml", "--out", "out", "--only", "one", "--runs", "2", cwd=folder)
    assert "3 of 5 runs are already done" in second.stderr
    assert second.stderr.count("seed 1") == 2, "xing2015 does not depend on the seed"
    assert "seed 0" not in second.stderr
    last = isolex_bench("plan.toml", "--out", "out", "--system", "xing2015", "-q", cwd=folder)
    assert last.stderr == ""
    assert "| artetxe2018 | nothing | 1" in (folder / "out" / "table.md").read_text()


@pytest.mark.slow
def test_the_tables_contain_more_runs_than_the_plan_if_there_are_any(folder: Path) -> None:
    more = isolex_bench(
        "plan.toml", "--out", "out", "--system", "few", "--runs", "4", "-q", cwd=folder
    )
    assert "4/4" in more.stdout
    assert "artetxe2018" not in more.stdout
    few = ("plan.toml", "--out", "out", "--system", "few", "--only", "one", "-q")
    assert "4/4" in isolex_bench(*few, cwd=folder).stdout
    assert "4/4" in (folder / "out" / "table.md").read_text()
    assert len(list((folder / "out" / "runs").glob("*.json"))) == 8
    printed = json.loads(isolex_bench(*few, "--json", cwd=folder).stdout)
    written = json.loads((folder / "out" / "table.json").read_text())
    for part, whole in zip(printed, written, strict=True):
        [row] = [row for row in whole["rows"] if row["row"] == "few"]
        assert [row["data"]["one"] for row in part["rows"]] == [row["data"]["one"]]


@pytest.mark.slow
def test_a_warning_is_printed_and_written_below_the_tables(folder: Path) -> None:
    with (folder / "gold.txt").open("a") as file:
        file.write((folder / "train.txt").read_text())
    warning = "100 of the 300 gold words are also in the training pairs"
    options = ("plan.toml", "--out", "out", "--system", "xing2015", "--only")
    one = isolex_bench(*options, "one", cwd=folder)
    assert f"[[data]] one: {warning}" in one.stderr
    assert f"\none: {warning}" in one.stdout
    isolex_bench(*options, "two", "-q", cwd=folder)
    for name in ("table.md", "table.tex"):
        written = (folder / "out" / name).read_text()
        assert f"one: {warning}" in written
        assert written.count("gold words are also in the training pairs") == 2, "of both commands"


@pytest.mark.slow
def test_an_interrupted_bench_says_how_to_continue(folder: Path, wording: Wording) -> None:
    with subprocess.Popen(
        [*COMMAND, "bench", "plan.toml", "--out", "out", "--runs", "1000"],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        # A background job ignores the signal.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stderr is not None
        assert "artetxe2018, seed 0" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    last = errors.splitlines()[-1]
    assert last.startswith("isolex: interrupted")
    assert "same command" in last
    wording(last)


@pytest.mark.slow
@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_missing_device_is_refused_before_any_run(folder: Path) -> None:
    done = isolex_bench("plan.toml", "--out", "out", "--device", "cuda", cwd=folder)
    assert done.returncode == 2
    assert "--device cpu" in done.stderr
    assert not (folder / "out").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (("nothing.toml", "--out", "out"), ("nothing.toml", "no such file", "zhang2017")),
        (("plan.toml", "--out", "s.vec"), ("s.vec", "another folder")),
        (("plan.toml", "--out", "mine"), ("mine/table.md", "another folder")),
        (("plan.toml", "--out", "out", "--engine", "dask"), ("--engine dask", "--scheduler")),
        (
            ("plan.toml", "--out", "out", "--scheduler", "tcp://127.0.0.1:1"),
            ("--engine dask", "--scheduler"),
        ),
        (
            ("plan.toml", "--out", "out", "--engine", "dask", "--scheduler", "nowhere"),
            ("no Dask scheduler at nowhere", "tcp://10.0.0.1:8786"),
        ),
        (
            ("plan.toml", "--out", "out", "--engine", "dask", "--scheduler", "tcp://127.0.0.1:1"),
            ("no Dask scheduler at tcp://127.0.0.1:1", "Connection refused"),
        ),
        (("zhang2017", "--out", "out", "--data", "."), ("no such file", "[[data]] es-en")),
        (("plan.toml", "--out", "out", "--only", "three"), ("'three'", "one, two")),
    ],
    ids=lambda value: " ".join(value[:1] + value[3:]) if "--out" in value else None,
)
def test_a_mistake_is_reported_in_one_line(
    folder: Path, arguments: tuple[str, ...], facts: tuple[str, ...], wording: Wording
) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "table.md").write_text("mine")
    done = isolex_bench(*arguments, cwd=folder)
    assert done.returncode == 2
    assert all(fact in done.stderr for fact in facts), done.stderr
    assert done.stderr.count("\n") == 1
    assert not (folder / "out" / "table.md").exists(), "nothing was run"
    wording(done.stderr)
