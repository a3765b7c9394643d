"""Run a command line as a person types it, in a process of its own."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

COMMAND = (sys.executable, "-m", "isolex")
TIME_LIMIT = 300  # seconds

FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(["tests.cli.preloaded"])


def isolex(
    home: Path | None, *arguments: str, stdin: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, by default the current one, and wait for its end."""
    with TemporaryDirectory() as place:
        streams = [Path(place) / name for name in ("stdin", "stdout", "stderr")]
        streams[0].write_text(stdin, encoding="utf-8")
        process = FORKS.Process(
            target=_run,
            args=(arguments, home or Path.cwd(), os.environ | environment, streams),
        )
        process.start()
        process.join(TIME_LIMIT)
        code = process.exitcode
        if code is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(arguments, TIME_LIMIT)
        process.close()
        out, err = (stream.read_text(encoding="utf-8") for stream in streams[1:])
    return subprocess.CompletedProcess(arguments, code, out, err)


def _run(
    arguments: tuple[str, ...], home: Path, environment: dict[str, str], streams: list[Path]
) -> None:
    os.chdir(home)
    os.environ.clear()
    os.environ.update(environment)
    for number, path in enumerate(streams):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
    sys.argv = ["isolex", *arguments]
    runpy.run_module("isolex", run_name="__main__", alter_sys=True)
