"""`isolex explore` as a user starts and stops it."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from isolex import align, io
from isolex.core.choices import VectorFormat
from isolex.run.folder import CACHE, RunFolder
from isolex.run.inputs import LanguageFile, VectorInput
from isolex.run.results import Results
from tests.cli.typed import COMMAND, isolex
from tests.planted import planted
from tests.wording import Wording


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run folder ``out`` and the vectors that it mapped, without the original vectors."""
    home = tmp_path_factory.mktemp("explore")
    problem = planted(words=100, dims=8)
    io.save(problem.source, home / "s.vec")
    io.save(problem.target, home / "t.vec")
    files = [LanguageFile("s", home / "s.vec"), LanguageFile("t", home / "t.vec")]
    vectors = VectorInput.read_all(files)
    source, target = (given.embeddings for given in vectors)
    space = align(source, target, system="supervised", lexicon=problem.pairs)
    run = RunFolder(home / "out")
    run.prepare(vectors, VectorFormat.TEXT)
    run.write(
        Results(space, {space.names: space.lexicon()}, vectors, {}, {}, {}), VectorFormat.TEXT
    )
    for file in files:
        file.path.unlink()
    return home


@contextmanager
def explore(home: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running command and the host and port that it printed."""
    command = [*COMMAND, "explore", *arguments, "--port", "0"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=home, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, urlsplit(process.stdout.readline().strip()).netloc
        finally:
            process.kill()


def ask(place: str, address: str) -> dict[str, Any]:
    with closing(HTTPConnection(place)) as connection:
        connection.request("GET", address)
        answer = connection.getresponse()
        assert answer.status == 200
        facts: dict[str, Any] = json.loads(answer.read())
        return facts


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_prints_its_address_answers_and_ends_on_a_signal(
    home: Path, sent: signal.Signals, code: int
) -> None:
    with explore(home, "out", "out") as (process, place):
        facts = ask(place, "/api/translate?word=s1&k=2&dir=out-2")
        assert facts["translations"][0]["word"] == "t1"
        process.send_signal(sent)
        output, errors = process.communicate(timeout=60)
    assert process.returncode == code
    assert output == ""
    assert "Traceback" not in errors


def test_mapped_vectors_can_be_explored_without_a_run(home: Path) -> None:
    before = set(home.rglob("*"))
    files = ("--vectors", "first=out/s.vec", "--vectors", "out/t.vec")
    with explore(home, *files) as (process, place):
        facts = ask(place, "/api/translate?word=t1&retrieval=nn&k=1")
        assert (facts["mapping"], facts["from"], facts["to"]) == ("first-t", "t", "first")
        assert facts["translations"][0]["word"] == "s1"
        process.terminate()
        process.communicate(timeout=60)
    assert {path for path in home.rglob("*") if path.name != CACHE} <= before


def test_a_port_in_use_is_reported(home: Path, wording: Wording) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = isolex(home, "explore", "out", "--port", port)
    assert done.returncode == 2
    assert port in done.stderr
    assert done.stderr.count("\n") == 1
    wording(done.stderr.replace(port, "PORT"))


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (("absent",), "absent: no such folder"),
        (("out", "out/s.vec"), "out/s.vec: is a file"),
        (("out", "--port", "70000"), "--port"),
        ((), "--vectors"),
        (("out", "--vectors", "out/s.vec"), "--vectors"),
        (("--vectors", "out/s.vec"), "--vectors"),
        (("--vectors", "out/s.vec", "--vectors", "out/s.vec"), "NAME=FILE"),
        (("--vectors", "out/s.vec", "--vectors", "u.vec"), "u.vec: no such file"),
    ],
)
def test_a_mistake_is_reported_in_one_line(
    home: Path, arguments: tuple[str, ...], facts: str
) -> None:
    port = () if "--port" in arguments else ("--port", "0")
    done = isolex(home, "explore", *arguments, *port)
    assert (done.returncode, done.stdout) == (2, "")
    assert facts in done.stderr
    assert done.stderr.count("\n") == 1


def test_vectors_of_different_dimensions_are_refused(home: Path, tmp_path: Path) -> None:
    io.save(planted(words=30, dims=5).source, tmp_path / "other.vec")
    files = ("--vectors", "out/s.vec", "--vectors", str(tmp_path / "other.vec"))
    done = isolex(home, "explore", *files, "--port", "0")
    assert done.returncode == 2
    assert "5 and 8" in done.stderr
