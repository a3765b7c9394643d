"""Downloads that resume after an interruption."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from isolex.core.file_errors import refuse, refuse_os
from isolex.errors import InputError

if TYPE_CHECKING:
    from requests import Response

StopCondition = Callable[[bytes], bool]
"""Receives the bytes of a file in order; returns true once no more are needed."""

_PIECE = 1 << 18  # bytes written at a time
_TIMEOUT = (15.0, 60.0)  # seconds to connect, and to wait for the next bytes
_CONTENT_RANGE = re.compile(r"bytes (?:(\d+)-\d+|\*)/(\d+)")
_OK, _PARTIAL, _RANGE_NOT_SATISFIABLE = 200, 206, 416
_NOT_THERE = (403, 404, 410)  # object stores answer 403 for files they do not have
_TOO_MANY_REQUESTS = 429
_SERVER_ERROR = 500


def _never(_: bytes) -> bool:
    return False


class Watcher:
    """Follows a download; an exception raised here stops it, and it can be resumed later."""

    def progress(self, done: int, total: int | None) -> None:
        """Called with the number of bytes received and, if known, the total."""

    def note(self, line: str) -> None:
        """Called with a message for the user."""


class NotThereError(InputError):
    """The server does not have the file."""


class _TemporaryError(Exception):
    """The connection or the server failed; a retry may help."""


@dataclass
class Download:
    """A download into a ``.part`` file, which is kept until the file is complete.

    Attributes:
        url: URL of the file.
        part: File to write. The server's version tag is stored beside it.
        watcher: Follows the download.
        new_stop_condition: Returns a condition that ends the download early; called again for every
            attempt.
        retries: Number of retries in a row that bring no new data.
        wait: Seconds before the first retry; doubled for each further one.
    """

    url: str
    part: Path
    watcher: Watcher = field(default_factory=Watcher)
    new_stop_condition: Callable[[], StopCondition] = lambda: _never
    retries: int = 4
    wait: float = 1.0
    _connected: bool = field(default=False, init=False)

    def run(self) -> None:
        """Download until the file is complete or the stop condition is met.

        Raises:
            NotThereError: If the server does not have the file.
            InputError: If the download fails; the ``.part`` file is kept.
        """
        left, wait, size = self.retries, self.wait, self._size()
        while True:
            try:
                return self._attempt()
            except _TemporaryError as error:
                if self._size() > size:
                    left, wait, size = self.retries, self.wait, self._size()
                if left <= 0:
                    raise InputError(f"{self.url}: {error}; {self._advice()}") from error
                self.watcher.note(f"{error}; retrying in {wait:g} s")
                time.sleep(wait)
                left, wait = left - 1, wait * 2

    def discard(self) -> None:
        """Delete what was downloaded."""
        self.part.unlink(missing_ok=True)
        self._version_file.unlink(missing_ok=True)

    @property
    def _version_file(self) -> Path:
        return self.part.with_name(f"{self.part.name}.tag")

    def _size(self) -> int:
        return self.part.stat().st_size if self.part.is_file() else 0

    def _version(self) -> str:
        """Return the server's tag of the partial file; empty if it cannot be resumed."""
        file = self._version_file
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    def _advice(self) -> str:
        size = self._size() if self._version() else 0
        return f"run it again to resume at {size:,} bytes" if size else "try again later"

    def _attempt(self) -> None:
        version = self._version()
        have = self._size() if version else 0
        stop = self.new_stop_condition()
        if have and self._existing_bytes_suffice(stop):
            return
        headers = {"Range": f"bytes={have}-", "If-Range": version} if have else {}
        with self._response(headers) as response:
            start, total = self._locate(response, have)
            if start is None:  # nothing is missing
                return
            self._receive(response, start, total, stop if start else self.new_stop_condition())

    def _locate(self, response: Response, have: int) -> tuple[int | None, int | None]:
        """Return the offset of the response in the file, ``None`` at its end, and the file size."""
        found = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", ""))
        if response.status_code == _RANGE_NOT_SATISFIABLE and have:
            if found and int(found[2]) == have:
                return None, have
            self.discard()
            raise _TemporaryError("the file on the server has changed")
        if response.status_code == _PARTIAL:
            if not found or found[1] is None or int(found[1]) != have:
                self.discard()
                raise _TemporaryError("the server sent the wrong part of the file")
            return have, int(found[2])
        self._check_status(response)
        length = response.headers.get("Content-Length", "")
        return 0, int(length) if length.isdigit() else None

    def _check_status(self, response: Response) -> None:
        status = response.status_code
        if status == _OK:
            return
        answer = f"the server answered {status} {response.reason or ''}".rstrip()
        if status >= _SERVER_ERROR or status == _TOO_MANY_REQUESTS:
            raise _TemporaryError(answer)
        if status in _NOT_THERE:
            raise NotThereError(f"{self.url}: {answer}")
        raise InputError(f"{self.url}: {answer}; check the URL or use another --mirror")

    def _receive(
        self, response: Response, start: int, total: int | None, stop: StopCondition
    ) -> None:
        from urllib3.exceptions import HTTPError

        self._check_disk_space(start, total, stop)
        if start:
            self.watcher.note(f"{self.part.stem}: resuming at {start:,} bytes")
        done = start
        with self._write_errors():
            if not start:
                self.discard()  # old bytes must never stand beside a new version tag
                self._record_version(response)
            with self.part.open("ab" if start else "wb") as file:
                try:
                    for piece in response.raw.stream(_PIECE, decode_content=False):
                        file.write(piece)
                        done += len(piece)
                        self.watcher.progress(done, total)
                        if stop(piece):
                            return
                except HTTPError as error:
                    raise _TemporaryError("the connection dropped") from error
        if total is not None and done < total:
            raise _TemporaryError("the connection dropped")
        if total is not None and self._size() != total:
            self.discard()
            raise _TemporaryError(
                f"the file does not have the announced {total:,} bytes "
                "(is another download of it running?)"
            )

    def _existing_bytes_suffice(self, stop: StopCondition) -> bool:
        """Feed the partial file to the stop condition; return whether it is met."""
        with self.part.open("rb") as file:
            return any(stop(piece) for piece in iter(lambda: file.read(_PIECE), b""))

    def _record_version(self, response: Response) -> None:
        """Store the server's tag of this version, which a resumed request must send."""
        tag = response.headers.get("ETag", "")
        if not tag or tag.startswith("W/"):  # If-Range does not accept weak tags
            tag = response.headers.get("Last-Modified", "")
        self._version_file.write_text(tag, encoding="utf-8")

    def _check_disk_space(self, start: int, total: int | None, stop: StopCondition) -> None:
        free = shutil.disk_usage(self.part.parent).free
        if total is not None and stop is _never and total - start > free:
            needs = f"the download needs {total - start:,} bytes, but only {free:,} are free"
            raise refuse(self.part.parent, f"{needs}; make room or use another --cache")

    @contextmanager
    def _response(self, headers: dict[str, str]) -> Iterator[Response]:
        import requests

        # Compression in transit would make byte offsets meaningless.
        headers = {"Accept-Encoding": "identity", "User-Agent": "isolex"} | headers
        try:
            response = requests.get(self.url, headers=headers, stream=True, timeout=_TIMEOUT)
        except requests.exceptions.SSLError as error:
            what = "the secure connection failed; check the system clock and the proxy"
            raise InputError(f"{self.url}: {what}") from error
        except (requests.ConnectionError, requests.Timeout) as error:
            if self._connected:
                raise _TemporaryError("the connection dropped") from error
            raise InputError(
                f"{self.url}: cannot reach the server; check the network or use a --mirror "
                "(cached files need no network)"
            ) from error
        except requests.RequestException as error:
            raise InputError(f"{self.url}: not a valid URL; check --mirror") from error
        self._connected = True
        with response:
            yield response

    @contextmanager
    def _write_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise refuse_os(self.part, error) from error
