"""A local HTTP server in a thread, with the paths of the real one and faults on request."""

from __future__ import annotations

import hashlib
import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PIECE = 4096


@dataclass
class Shelf:
    """What the server has, how it behaves, and which requests it received.

    Attributes:
        files: Contents by path.
        statuses: Error statuses to answer first, one per request.
        breaks: Number of responses that end too early.
        break_after: Bytes after which they end.
        supports_ranges: Whether the Range header is respected.
        sends_etag: Whether responses have an ETag header.
        sends_length: Whether responses have a Content-Length header.
        pause: Seconds before each piece.
        requests: Path and Range header of each request.
        bytes_sent: Number of content bytes sent.
        url: Address of the server while it runs.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    statuses: list[int] = field(default_factory=list)
    breaks: int = 0
    break_after: int = 0
    supports_ranges: bool = True
    sends_etag: bool = True
    sends_length: bool = True
    pause: float = 0.0
    requests: list[tuple[str, str | None]] = field(default_factory=list)
    bytes_sent: int = 0
    url: str = ""

    @property
    def requested_ranges(self) -> list[str | None]:
        return [requested for _, requested in self.requests]


def _tag(body: bytes) -> str:
    return f'"{hashlib.md5(body).hexdigest()}"'


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True

    def __init__(self, shelf: Shelf) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.shelf = shelf

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that close the connection early."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        requested = self.headers.get("Range")
        self.server.shelf.requests.append((self.path, requested))
        if self.server.shelf.statuses:
            self.send_error(self.server.shelf.statuses.pop(0))
            return
        body = self.server.shelf.files.get(self.path.lstrip("/"))
        if body is None:
            self.send_error(404)
            return
        start = self._start(body, requested)
        if start is None:
            return
        self._headers(body, start)
        self._send(body[start:])

    def _start(self, body: bytes, requested: str | None) -> int | None:
        if (
            not self.server.shelf.supports_ranges
            or requested is None
            or self.headers.get("If-Range") != _tag(body)
        ):
            return 0
        start = int(re.fullmatch(r"bytes=(\d+)-", requested)[1])
        if start < len(body):
            return start
        self.send_response(416)
        self.send_header("Content-Range", f"bytes */{len(body)}")
        self.end_headers()
        return None

    def _headers(self, body: bytes, start: int) -> None:
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        if self.server.shelf.sends_length:
            self.send_header("Content-Length", str(len(body) - start))
        if self.server.shelf.sends_etag:
            self.send_header("ETag", _tag(body))
        self.end_headers()

    def _send(self, body: bytes) -> None:
        if self.server.shelf.breaks:
            self.server.shelf.breaks -= 1
            body = body[: self.server.shelf.break_after]
        for start in range(0, len(body), PIECE):
            time.sleep(self.server.shelf.pause)
            piece = body[start : start + PIECE]
            self.server.shelf.bytes_sent += len(piece)  # before a client can receive it
            self.wfile.write(piece)


@contextmanager
def serve(shelf: Shelf) -> Iterator[Shelf]:
    """Run a server and set ``shelf.url``."""
    os.environ["NO_PROXY"] = "127.0.0.1"
    server = _Server(shelf)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    shelf.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield shelf
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
