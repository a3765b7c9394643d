"""Downloads that go on where they stopped."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from isolex.core.files import refuse, refuse_os
from isolex.errors import InputError

if TYPE_CHECKING:
    from requests import Response

Enough = Callable[[bytes], bool]
"""Shown the bytes of a file in order; true once no more are needed."""

_PIECE = 1 << 18  # bytes that are written at a time
_TIMEOUT = (15.0, 60.0)  # seconds to connect, and to wait for the next bytes
_RANGE = re.compile(r"bytes (?:(\d+)-\d+|\*)/(\d+)")
_OK, _PARTIAL, _PAST_THE_END = 200, 206, 416
_SERVER_TROUBLE = 500
_TOO_MANY = 429


def _never(_: bytes) -> bool:
    return False


class Watcher:
    """Told how a download goes; what it raises ends the download, which can go on later."""

    def progress(self, done: int, total: int | None) -> None:
        """So many bytes are there, of so many if that is known."""

    def note(self, line: str) -> None:
        """Something to be known."""


class NotThereError(InputError):
    """The server has no such file."""


class _Dropped(Exception):  # noqa: N818 - not an error yet: it is tried again
    """The connection, or the server, failed in a way that may pass."""


@dataclass
class Download:
    """A download into a ``.part`` file that is kept until the file is whole.

    Attributes:
        url: The address.
        part: Where the bytes go; what the server called this version stands beside it.
        watcher: Told how it goes.
        enough: Makes what ends the download early; made anew for every attempt.
        retries: How often it is tried again when nothing more has come.
        wait: Seconds before that, doubled each time.
    """

    url: str
    part: Path
    watcher: Watcher = field(default_factory=Watcher)
    enough: Callable[[], Enough] = lambda: _never
    retries: int = 4
    wait: float = 1.0
    _connected: bool = field(default=False, init=False)

    def run(self) -> None:
        """Download until the file is whole, or ``enough``.

        Raises:
            NotThereError: If the server has no such file.
            InputError: If it cannot be had now; the part stays.
        """
        left, wait, seen = self.retries, self.wait, self._size()
        while True:
            try:
                return self._attempt()
            except _Dropped as trouble:
                if self._size() > seen:
                    left, wait, seen = self.retries, self.wait, self._size()
                if left <= 0:
                    raise InputError(f"{self.url}: {trouble}; {self._advice()}") from trouble
                self.watcher.note(f"{trouble}; trying again in {wait:g} s")
                time.sleep(wait)
                left, wait = left - 1, wait * 2

    def discard(self) -> None:
        """Forget what was downloaded."""
        self.part.unlink(missing_ok=True)
        self._tag.unlink(missing_ok=True)

    @property
    def _tag(self) -> Path:
        return self.part.with_name(f"{self.part.name}.tag")

    def _size(self) -> int:
        return self.part.stat().st_size if self.part.is_file() else 0

    def _version(self) -> str:
        """What the server called what is there; nothing where it could not go on from it."""
        return self._tag.read_text(encoding="utf-8") if self._tag.is_file() else ""

    def _advice(self) -> str:
        size = self._size() if self._version() else 0
        return f"run it again: it goes on at {size:,} bytes" if size else "try again later"

    def _attempt(self) -> None:
        tag = self._version()
        have = self._size() if tag else 0
        enough = self.enough()
        if have and self._shown(enough):
            return
        headers = {"Range": f"bytes={have}-", "If-Range": tag} if have else {}
        with self._response(headers) as response:
            start, total = self._place(response, have)
            if start is None:  # nothing is missing
                return
            self._receive(response, start, total, enough if start else self.enough())

    def _place(self, response: Response, have: int) -> tuple[int | None, int | None]:
        """Where the bytes that come belong, and how many there are in all."""
        found = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
        if response.status_code == _PAST_THE_END and have:
            if found and int(found[2]) == have:
                return None, have
            self.discard()
            raise _Dropped("the file on the server has changed")
        if response.status_code == _PARTIAL:
            if not found or found[1] is None or int(found[1]) != have:
                self.discard()
                raise _Dropped("the server sent another piece than asked for")
            return have, int(found[2])
        self._refuse_status(response)
        length = response.headers.get("Content-Length", "")
        return 0, int(length) if length.isdigit() else None

    def _refuse_status(self, response: Response) -> None:
        status = response.status_code
        if status == _OK:
            return
        said = f"the server says {status} {response.reason or ''}".rstrip()
        if status >= _SERVER_TROUBLE or status == _TOO_MANY:
            raise _Dropped(said)
        if status in (403, 404, 410):  # object stores say 403 for what they do not have
            raise NotThereError(f"{self.url}: {said}")
        raise InputError(f"{self.url}: {said}; check the address, or name another --mirror")

    def _receive(self, response: Response, start: int, total: int | None, enough: Enough) -> None:
        from urllib3.exceptions import HTTPError

        self._check_room(start, total, enough)
        if start:
            self.watcher.note(f"{self.part.stem}: going on at {start:,} bytes")
        done = start
        with self._written():
            if not start:
                self.discard()  # never old bytes beside a new tag
                self._remember(response)
            with self.part.open("ab" if start else "wb") as file:
                try:
                    for piece in response.raw.stream(_PIECE, decode_content=False):
                        file.write(piece)
                        done += len(piece)
                        self.watcher.progress(done, total)
                        if enough(piece):
                            return
                except HTTPError as error:
                    raise _Dropped("the connection dropped") from error
        if total is not None and done < total:
            raise _Dropped("the connection dropped")
        if total is not None and self._size() != total:
            self.discard()
            raise _Dropped("more came than the server said, or two wrote at once")

    def _shown(self, enough: Enough) -> bool:
        """Show what is there already; whether that is enough."""
        with self.part.open("rb") as file:
            return any(enough(piece) for piece in iter(lambda: file.read(_PIECE), b""))

    def _remember(self, response: Response) -> None:
        """Note what the server calls this version: without that there is no going on."""
        tag = response.headers.get("ETag", "")
        if not tag or tag.startswith("W/"):
            tag = response.headers.get("Last-Modified", "")
        self._tag.write_text(tag, encoding="utf-8")

    def _check_room(self, start: int, total: int | None, enough: Enough) -> None:
        free = shutil.disk_usage(self.part.parent).free
        if total is not None and enough is _never and total - start > free:
            needs = f"needs {total - start:,} bytes and there are {free:,}"
            raise refuse(self.part.parent, f"{needs}; make room, or name another --cache")

    @contextmanager
    def _response(self, headers: dict[str, str]) -> Iterator[Response]:
        import requests

        # Compressed on the way, a file has no bytes to count.
        headers = {"Accept-Encoding": "identity", "User-Agent": "isolex"} | headers
        try:
            response = requests.get(self.url, headers=headers, stream=True, timeout=_TIMEOUT)
        except requests.exceptions.SSLError as error:
            raise InputError(f"{self.url}: no secure connection; check clock and proxy") from error
        except (requests.ConnectionError, requests.Timeout) as error:
            if self._connected:
                raise _Dropped("the connection dropped") from error
            raise InputError(
                f"{self.url}: cannot be reached; check the connection, or name a --mirror "
                "(what is in the cache needs none)"
            ) from error
        except requests.RequestException as error:
            raise InputError(f"{self.url}: not an address to fetch from; check --mirror") from error
        self._connected = True
        with response:
            yield response

    @contextmanager
    def _written(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise refuse_os(self.part, error) from error
