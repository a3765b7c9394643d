"""`isolex explore` as a person starts and ends it."""

from __future__ import annotations

import signal
import socket
import subprocess
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from isolex import io
from tests.cli.typed import COMMAND, isolex
from tests.planted import planted


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("explore")
    problem = planted(words=100, dims=8)
    io.save(problem.src, home / "s.vec")
    io.save(problem.trg, home / "t.vec")
    done = isolex(home, "map", "s.vec", "t.vec", "--out", "out", "--quiet")
    assert done.returncode == 0, done.stderr
    return home


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_says_where_it_is_answers_there_and_ends_by_a_signal(
    home: Path, sent: signal.Signals, code: int
) -> None:
    command = [*COMMAND, "explore", "out", "out", "--port", "0"]
    with subprocess.Popen(
        command, cwd=home, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            place = urlsplit(process.stdout.readline().strip()).netloc
            with closing(HTTPConnection(place)) as connection:
                connection.request("GET", "/api/translate?word=s1&k=2&dir=out-2")
                answer = connection.getresponse()
                assert answer.status == 200
                assert b'"found": true' in answer.read()
            process.send_signal(sent)
            output, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == code
    assert output == ""
    assert "Traceback" not in errors


def test_a_taken_port_is_said(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = isolex(home, "explore", "out", "--port", port)
    assert done.returncode == 2
    assert done.stderr == (
        f"isolex: port {port} is taken by another program: choose another with --port, "
        "or a free one with --port 0\n"
    )


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("absent",), "absent: no mapping.safetensors; give a folder that `isolex map` wrote"),
        (("out", "s.vec"), "s.vec: is a file"),
        (("out", "out", "--src", "s.vec"), "--src and --trg belong to a single DIR"),
        (("out", "--src", "t.vec"), "t.vec: not the vectors this mapping was learnt from"),
        (("out", "--port", "70000"), "--port"),
        ((), "Missing argument 'DIR"),
    ],
)
def test_a_mistake_is_one_line(home: Path, arguments: tuple[str, ...], what: str) -> None:
    port = () if "--port" in arguments else ("--port", "0")
    done = isolex(home, "explore", *arguments, *port)
    assert (done.returncode, done.stdout) == (2, "")
    assert what in done.stderr
    assert done.stderr.count("\n") == 1
