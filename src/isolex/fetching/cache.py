"""A cache of downloaded files, managed by pooch, with a checksum beside each file."""

from __future__ import annotations

import filecmp
import os
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from isolex.adapters import extras
from isolex.core.file_errors import refuse, refuse_os
from isolex.core.files import atomic, write_text
from isolex.errors import InputError, UsageError
from isolex.fetching.catalogue import Kind, Remote
from isolex.fetching.contents import check_contents
from isolex.fetching.download import Download, NotThereError, Watcher
from isolex.fetching.head import LineCounter, write_head

Provider = Callable[[str, Path], None]
"""Writes the file at a URL to a path."""

_URL = re.compile(r"https?://.+", re.IGNORECASE)
_CHECKSUM_LINE = re.compile(r"([0-9a-f]{64}) [ *].+\n?")


def default_cache() -> Path:
    """Return the default folder for downloaded files."""
    extras.require(("fetch",), "isolex fetch")
    import pooch

    return Path(pooch.os_cache("isolex"))


@dataclass
class DownloadCache:
    """A folder of downloaded files that downloads missing ones.

    No checksums are published for these files. The first download therefore writes the file's
    SHA-256 beside it, in the format of ``sha256sum``. From then on the file must match it, both in
    the cache and when it is downloaded again.

    Attributes:
        folder: Folder of the cache.
        mirror: Server to use instead of the original one; it must have the same paths.
        watcher: Follows the downloads.
        retries: Number of retries in a row that bring no new data.
        wait: Seconds before the first retry; doubled for each further one.
    """

    folder: Path
    mirror: str | None = None
    watcher: Watcher = field(default_factory=Watcher)
    retries: int = 4
    wait: float = 1.0

    def __post_init__(self) -> None:
        if self.mirror and not _URL.fullmatch(self.mirror):
            raise UsageError(
                f"--mirror {self.mirror}: not a valid URL; it must begin with https:// or http://"
            )

    def get(self, remote: Remote, max_words: int | None = None, *, update: bool = False) -> Path:
        """Return the path of a file in the cache; download the file if it is missing.

        Args:
            remote: File to get.
            max_words: Number of words to keep of a vector file; the download stops after them.
            update: Whether to download the current version and replace the recorded checksum.

        Raises:
            InputError: If the download fails; the cache then keeps what it has.
        """
        extras.require(("fetch",), "isolex fetch")
        folder = self.folder / remote.collection
        words = max_words if remote.kind == Kind.VECTORS else None
        path = folder / (remote.name if words is None else _head_name(remote.name, words))
        _create_folder(folder, "--cache")
        provider = self._from_server(remote, path, words)
        whole = folder / remote.name
        if words is not None and not update and not path.exists() and whole.exists():
            provider = _from_whole_file(self.get(remote), words)
        self._retrieve(remote, path, provider, update=update)
        return path

    def _retrieve(self, remote: Remote, path: Path, provider: Provider, *, update: bool) -> None:
        import pooch

        pooch.get_logger().setLevel("WARNING")
        url = remote.url(self.mirror)
        known = None if update else _recorded_checksum(path)
        fresh = path.with_name(f"{path.name}.new") if update else path
        try:
            if update:
                fresh.unlink(missing_ok=True)
            retrieved = pooch.retrieve(
                url,
                known_hash=known and f"sha256:{known}",
                fname=fresh.name,
                path=path.parent,
                downloader=lambda url, out, _: provider(url, Path(out)),
            )
            if known is None:
                checksum = pooch.file_hash(retrieved)
                Path(retrieved).replace(path)
                write_text(_checksum_path(path), f"{checksum}  {path.name}\n")
        except NotThereError as error:
            raise InputError(f"{error}; {remote.hint}") from error
        except ValueError as error:  # pooch raises it if the checksum differs
            raise InputError(
                f"{url}: does not match the checksum in {_checksum_path(path)}; "
                "use another --mirror, or accept the new file with --update"
            ) from error
        except OSError as error:
            raise refuse_os(path, error) from error

    def _from_server(self, remote: Remote, path: Path, words: int | None) -> Provider:
        def provide(url: str, out: Path) -> None:
            part = path.with_name(f"{path.name}.part")
            download = Download(url, part, self.watcher, retries=self.retries, wait=self.wait)
            if words is not None:
                packed = remote.name.endswith(".gz")
                download.new_stop_condition = lambda: LineCounter(words + 1, packed=packed)
            download.run()
            try:
                if words is None:
                    check_contents(part, remote.kind)
                    part.replace(out)
                else:
                    write_head(part, out, words)
            except InputError as error:
                download.discard()
                reason = str(error).removeprefix(str(part)).lstrip(":, ")
                raise InputError(f"{url}: unexpected contents: {reason}") from error
            download.discard()

        return provide


def place(path: Path, folder: Path) -> Path:
    """Hard-link a cached file into a folder, or copy it if that is not possible.

    Raises:
        InputError: If the folder has another file of that name, or cannot be written to.
    """
    placed = folder / path.name
    _create_folder(folder, "--out")
    try:
        if placed.exists():
            if filecmp.cmp(path, placed, shallow=False):
                return placed
            raise refuse(placed, "exists and is a different file; move it or use another --out")
        try:
            os.link(path, placed)
        except OSError:  # another file system, or one without hard links
            with atomic(placed) as file, path.open("rb") as original:
                shutil.copyfileobj(original, file)
    except OSError as error:
        raise refuse_os(placed, error) from error
    return placed


def _create_folder(folder: Path, option: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"cannot create the folder ({error.strerror}); use another {option}"
        raise refuse(folder, what) from error


def _recorded_checksum(path: Path) -> str | None:
    with suppress(OSError, UnicodeDecodeError):
        found = _CHECKSUM_LINE.fullmatch(_checksum_path(path).read_text(encoding="utf-8"))
        return found and found[1]
    return None


def _from_whole_file(whole: Path, words: int) -> Provider:
    def provide(_: str, out: Path) -> None:
        write_head(whole, out, words)

    return provide


def _checksum_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")


def _head_name(name: str, words: int) -> str:
    return f"{name.removesuffix('.gz').removesuffix('.vec')}.top{words}.vec"
