"""The cache of fetched files: pooch keeps it, a checksum beside each file guards it."""

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
from isolex.core.files import atomic, refuse, refuse_os, write_text
from isolex.errors import InputError, UsageError
from isolex.fetching.catalogue import Kind, Remote
from isolex.fetching.download import Download, NotThereError, Watcher
from isolex.fetching.head import Lines, write_head
from isolex.fetching.promise import check

Bring = Callable[[str, Path], None]
"""Makes a file from an address."""

_ADDRESS = re.compile(r"https?://.+", re.IGNORECASE)
_SUM = re.compile(r"([0-9a-f]{64}) [ *].+\n?")


def default_cache() -> Path:
    """Where fetched files are kept unless another folder is named."""
    extras.require(("fetch",), "isolex fetch")
    import pooch

    return Path(pooch.os_cache("isolex"))


@dataclass
class Store:
    """Files that were fetched, and the way to others.

    Nobody publishes checksums of these files. So the SHA-256 of each is written beside it when it
    comes for the first time, as ``sha256sum`` writes it, and holds from then on: for the file in
    the cache whenever it is asked for, and for what a server sends in its place.

    Attributes:
        cache: The folder.
        mirror: A server with the same paths as the original one.
        watcher: Told how downloads go.
        retries: How often a download that brings nothing more is tried again.
        wait: Seconds before that, doubled each time.
    """

    cache: Path
    mirror: str | None = None
    watcher: Watcher = field(default_factory=Watcher)
    retries: int = 4
    wait: float = 1.0

    def __post_init__(self) -> None:
        if self.mirror and not _ADDRESS.fullmatch(self.mirror):
            raise UsageError(
                f"{self.mirror}: not an address to fetch from; --mirror takes one that begins with "
                "https:// or http://"
            )

    def get(self, remote: Remote, max_words: int | None = None, *, update: bool = False) -> Path:
        """The path of a file in the cache, downloaded if it is not there.

        Args:
            remote: Which file.
            max_words: Only the first words of vectors, from no more bytes than these need.
            update: Take what the server has now, and remember its checksum.

        Raises:
            InputError: If it cannot be had; what is in the cache stays.
        """
        extras.require(("fetch",), "isolex fetch")
        folder = self.cache / remote.collection
        head = max_words if remote.kind == Kind.VECTORS else None
        target = folder / (remote.name if head is None else _head_name(remote.name, head))
        _make(folder, "--cache")
        bring = self._bring_from_server(remote, target, head)
        whole = folder / remote.name
        if head is not None and not update and not target.exists() and whole.exists():
            bring = _bring_from(self.get(remote), head)
        self._retrieve(remote, target, bring, update=update)
        return target

    def _retrieve(self, remote: Remote, target: Path, bring: Bring, *, update: bool) -> None:
        import pooch

        pooch.get_logger().setLevel("WARNING")
        url = remote.url(self.mirror)
        known = None if update else recorded(target)
        fresh = target.with_name(f"{target.name}.new") if update else target
        try:
            if update:
                fresh.unlink(missing_ok=True)
            arrived = pooch.retrieve(
                url,
                known_hash=known and f"sha256:{known}",
                fname=fresh.name,
                path=target.parent,
                downloader=lambda address, out, _: bring(address, Path(out)),
            )
            if known is None:
                checksum = pooch.file_hash(arrived)
                Path(arrived).replace(target)
                write_text(_sum_path(target), f"{checksum}  {target.name}\n")
        except NotThereError as error:
            raise InputError(f"{error}; {remote.hint}") from error
        except ValueError as error:  # pooch's word for a checksum that differs
            raise InputError(
                f"{url}: not the file whose checksum is in {_sum_path(target)}; "
                "get it from elsewhere with --mirror, or take it with --update"
            ) from error
        except OSError as error:
            raise refuse_os(target, error) from error

    def _bring_from_server(self, remote: Remote, target: Path, head: int | None) -> Bring:
        def bring(url: str, out: Path) -> None:
            part = target.with_name(f"{target.name}.part")
            download = Download(url, part, self.watcher, retries=self.retries, wait=self.wait)
            if head is not None:
                packed = remote.name.endswith(".gz")
                download.enough = lambda: Lines(head + 1, packed=packed)
            download.run()
            try:
                if head is None:
                    check(download.part, remote.kind)
                    download.part.replace(out)
                else:
                    write_head(download.part, out, head)
            except InputError as error:
                download.discard()
                reason = str(error).removeprefix(str(download.part)).lstrip(":, ")
                raise InputError(f"{url}: not what it should be: {reason}") from error
            download.discard()

        return bring


def place(path: Path, folder: Path) -> Path:
    """Put a file of the cache into a folder, as a second name of it or else as a copy.

    Raises:
        InputError: If another file of that name is there, or it cannot be written.
    """
    target = folder / path.name
    _make(folder, "--out")
    try:
        if target.exists():
            if filecmp.cmp(path, target, shallow=False):
                return target
            raise refuse(target, "is there and is another file; move it, or name another --out")
        try:
            os.link(path, target)
        except OSError:  # another disk, or one without links
            with atomic(target) as file, path.open("rb") as source:
                shutil.copyfileobj(source, file)
    except OSError as error:
        raise refuse_os(target, error) from error
    return target


def _make(folder: Path, option: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"the folder cannot be made ({error.strerror}); name another {option}"
        raise refuse(folder, what) from error


def recorded(target: Path) -> str | None:
    """The checksum that was written beside a file, if one was."""
    with suppress(OSError, UnicodeDecodeError):
        found = _SUM.fullmatch(_sum_path(target).read_text(encoding="utf-8"))
        return found and found[1]
    return None


def _bring_from(whole: Path, head: int) -> Bring:
    def bring(_: str, out: Path) -> None:
        write_head(whole, out, head)

    return bring


def _sum_path(target: Path) -> Path:
    return target.with_name(f"{target.name}.sha256")


def _head_name(name: str, words: int) -> str:
    return f"{name.removesuffix('.gz').removesuffix('.vec')}.top{words}.vec"
