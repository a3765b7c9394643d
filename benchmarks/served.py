"""A running ``isolex explore``, used over HTTP as by a browser."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from benchmarks.children import ISOLEX, ROOT, last
from benchmarks.errors import BenchmarkError

STATUS = re.compile(r"VmHWM:\s+(\d+) kB")


@dataclass(frozen=True)
class Served:
    """A running server.

    Attributes:
        process: The command.
        connection: A connection to it.
        began: When it was started.
        seconds: Time from its start to its first answer.
    """

    process: subprocess.Popen[str]
    connection: HTTPConnection
    began: float
    seconds: float

    def ask(self, path: str, **query: str | int) -> tuple[int, bytes, float]:
        """Send a request; returns status, body and milliseconds."""
        began = time.perf_counter()
        self.connection.request("GET", f"{path}?{urlencode(query)}" if query else path)
        answer = self.connection.getresponse()
        body = answer.read()
        return answer.status, body, 1000 * (time.perf_counter() - began)

    def reconnect(self) -> None:
        """Use a new connection: the server closes one that was idle for some seconds."""
        self.connection.close()  # the next request opens it again

    def translate(self, **query: str | int) -> Any:
        """The answer of ``/api/translate``."""
        return json.loads(self.ask("/api/translate", **query)[1])

    def wait_until_ready(self, word: str, every: float = 0.5) -> float:
        """Wait until the slowest method is ready; returns the seconds since the start."""
        while self.ask("/api/translate", word=word, retrieval="invsoftmax")[0] == 503:
            if self.process.poll() is not None:
                raise BenchmarkError("isolex explore ended during its preparation")
            time.sleep(every)
        return time.perf_counter() - self.began

    @property
    def peak(self) -> int | None:
        """Peak memory in bytes, if the system reports it."""
        path = Path(f"/proc/{self.process.pid}/status")
        found = STATUS.search(path.read_text(encoding="ascii")) if path.is_file() else None
        return int(found[1]) * 1024 if found else None


@contextmanager
def served(folder: Path) -> Iterator[Served]:
    """Run ``isolex explore`` on a free port until the end of the block."""
    command = [*ISOLEX, "explore", str(folder), "--port", "0"]
    began = time.perf_counter()
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            if not line.startswith("http://"):
                said = process.communicate()[1]
                raise BenchmarkError(f"isolex explore did not start: {last(said)}")
            port = int(line.rstrip("/\n").rpartition(":")[2])
            with closing(HTTPConnection("127.0.0.1", port, timeout=600)) as connection:
                connection.request("GET", "/")
                connection.getresponse().read()
                yield Served(process, connection, began, time.perf_counter() - began)
        finally:
            process.terminate()
