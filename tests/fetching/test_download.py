"""A download comes whole, or goes on later where it stopped."""

from __future__ import annotations

import errno
import io
import os
import shutil
from pathlib import Path

import pytest

from isolex.errors import InputError
from isolex.fetching import Download, NotThereError, Watcher
from tests.fetching.server import Shelf

WIKI = "fasttext/vectors-wiki/wiki.en.vec"


class Seen(Watcher):
    def __init__(self) -> None:
        self.shares: list[tuple[int, int | None]] = []
        self.notes: list[str] = []

    def progress(self, done: int, total: int | None) -> None:
        self.shares.append((done, total))

    def note(self, line: str) -> None:
        self.notes.append(line)


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def download(shelf: Shelf, tmp_path: Path, seen: Seen) -> Download:
    return Download(f"{shelf.url}/{WIKI}", tmp_path / "x.part", seen, retries=2, wait=0.01)


def test_the_file_comes_as_it_is_and_progress_ends_at_its_size(
    download: Download, shelf: Shelf, seen: Seen
) -> None:
    download.run()
    body = shelf.files[WIKI]
    assert download.part.read_bytes() == body
    assert seen.shares[-1] == (len(body), len(body))
    assert seen.notes == []


def test_dropped_connections_go_on_where_they_stopped(
    download: Download, shelf: Shelf, seen: Seen
) -> None:
    shelf.breaks, shelf.break_after = 5, 50_000  # more often than it is tried again in vain
    download.run()
    assert download.part.read_bytes() == shelf.files[WIKI]
    assert shelf.asked_ranges == [None, *(f"bytes={n}-" for n in range(50_000, 300_000, 50_000))]
    assert shelf.sent == len(shelf.files[WIKI]), "no byte came twice"
    assert "the connection dropped; trying again in 0.01 s" in seen.notes
    assert any("going on at 50,000 bytes" in note for note in seen.notes)


def test_what_an_earlier_run_left_is_gone_on_with(download: Download, shelf: Shelf) -> None:
    class Stop(Watcher):
        def progress(self, *_: int | None) -> None:
            raise KeyboardInterrupt

    first = Download(download.url, download.part, Stop())
    with pytest.raises(KeyboardInterrupt):
        first.run()
    kept = download.part.stat().st_size
    assert 0 < kept < len(shelf.files[WIKI])
    download.run()
    assert download.part.read_bytes() == shelf.files[WIKI]
    assert shelf.asked_ranges == [None, f"bytes={kept}-"]


def test_a_part_that_is_whole_already_costs_no_bytes(download: Download, shelf: Shelf) -> None:
    download.run()
    sent = shelf.sent
    download.run()
    assert shelf.sent == sent
    assert download.part.read_bytes() == shelf.files[WIKI]


@pytest.mark.parametrize("bad_habit", ["ranges", "tags"])
def test_a_server_that_cannot_go_on_starts_anew(
    download: Download, shelf: Shelf, bad_habit: str
) -> None:
    setattr(shelf, bad_habit, False)
    shelf.breaks, shelf.break_after = 1, 50_000
    download.run()
    assert download.part.read_bytes() == shelf.files[WIKI]


def test_a_file_that_changed_meanwhile_is_not_spliced(download: Download, shelf: Shelf) -> None:
    shelf.breaks, shelf.break_after = 3, 50_000
    download.retries = 0
    with pytest.raises(InputError):
        download.run()
    shelf.breaks = 0
    shelf.files[WIKI] = shelf.files[WIKI][::-1]
    download.run()
    assert download.part.read_bytes() == shelf.files[WIKI]


def test_a_shorter_file_than_the_part_is_fetched_anew(download: Download, shelf: Shelf) -> None:
    download.run()
    shelf.files[WIKI] = shelf.files[WIKI][:1000]
    download.run()
    assert download.part.read_bytes() == shelf.files[WIKI]


def test_a_server_in_trouble_is_asked_again(download: Download, shelf: Shelf, seen: Seen) -> None:
    shelf.statuses = [503, 429]
    download.run()
    assert download.part.read_bytes() == shelf.files[WIKI]
    assert seen.notes[0].startswith("the server says 503 Service Unavailable; trying again")


def test_a_server_in_lasting_trouble_is_named_with_its_word(
    download: Download, shelf: Shelf
) -> None:
    shelf.statuses = [503] * 9
    with pytest.raises(InputError, match=r"wiki\.en\.vec: the server says 503 .*; try again later"):
        download.run()


def test_a_connection_that_keeps_dropping_says_where_it_will_go_on(
    download: Download, shelf: Shelf
) -> None:
    shelf.breaks, shelf.break_after = 1, 50_000
    shelf.statuses = []
    download.retries = 0
    with pytest.raises(InputError, match="run it again: it goes on at 50,000 bytes"):
        download.run()
    assert download.part.stat().st_size == 50_000


def test_no_such_file_is_an_error_of_its_own(download: Download, shelf: Shelf) -> None:
    shelf.files.clear()
    with pytest.raises(NotThereError, match="404 Not Found"):
        download.run()
    assert not download.part.exists()


def test_offline_is_one_clear_line_at_once(tmp_path: Path) -> None:
    download = Download("http://127.0.0.1:9/x", tmp_path / "x.part", retries=9, wait=60)
    with pytest.raises(InputError, match="cannot be reached; check the connection, or name a"):
        download.run()


def test_an_impossible_address_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not an address to fetch from; check --mirror"):
        Download("no-scheme/x", tmp_path / "x.part").run()


def test_a_disk_without_room_is_refused_before_the_first_byte(
    download: Download, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(download.part.parent)._replace(free=10)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(InputError, match=r"and there are 10; make room, or name another --cache"):
        download.run()


def test_a_disk_that_fills_up_is_one_clear_line_and_the_part_stays(
    download: Download, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.FileIO):
        def write(self, _: object) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def opened(path: Path, mode: str = "r", **options: object) -> object:
        return Full(path, mode) if mode == "ab" else plain(path, mode, **options)

    plain = Path.open
    shelf.breaks, shelf.break_after = 1, 50_000
    download.retries = 0
    with pytest.raises(InputError):
        download.run()
    monkeypatch.setattr(Path, "open", opened)
    with pytest.raises(InputError, match=r"x\.part: No space left on device; check the path and"):
        download.run()
    assert download.part.stat().st_size == 50_000


def test_a_length_that_is_not_told_is_no_hindrance(
    download: Download, shelf: Shelf, seen: Seen
) -> None:
    shelf.lengths = False
    download.run()
    assert download.part.read_bytes() == shelf.files[WIKI]
    assert seen.shares[-1][1] is None
