"""A download is complete, or resumes later where it stopped."""

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
from tests.wording import Wording

WIKI = "fasttext/vectors-wiki/wiki.en.vec"


class Recorder(Watcher):
    def __init__(self) -> None:
        self.steps: list[tuple[int, int | None]] = []
        self.notes: list[str] = []

    def progress(self, done: int, total: int | None) -> None:
        self.steps.append((done, total))

    def note(self, line: str) -> None:
        self.notes.append(line)


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def download(shelf: Shelf, tmp_path: Path, recorder: Recorder) -> Download:
    return Download(f"{shelf.url}/{WIKI}", tmp_path / "x.part", recorder, retries=2, wait=0.01)


def test_a_download_is_complete_and_progress_ends_at_its_size(
    download: Download, shelf: Shelf, recorder: Recorder
) -> None:
    download.run()
    body = shelf.files[WIKI]
    assert download.part.read_bytes() == body
    assert recorder.steps[-1] == (len(body), len(body))
    assert recorder.notes == []


def test_dropped_connections_resume_where_they_stopped(
    download: Download, shelf: Shelf, recorder: Recorder, wording: Wording
) -> None:
    shelf.breaks, shelf.break_after = 5, 50_000  # more often than the number of retries
    download.run()
    assert download.part.read_bytes() == shelf.files[WIKI]
    assert shelf.requested_ranges == [
        None,
        *(f"bytes={n}-" for n in range(50_000, 300_000, 50_000)),
    ]
    assert shelf.bytes_sent == len(shelf.files[WIKI]), "no byte was sent twice"
    assert any("connection" in note and "0.01 s" in note for note in recorder.notes)
    assert any("50,000 bytes" in note for note in recorder.notes)
    for note in recorder.notes[:2]:
        wording(note)


def test_a_new_run_resumes_an_interrupted_one(download: Download, shelf: Shelf) -> None:
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
    assert shelf.requested_ranges == [None, f"bytes={kept}-"]


def test_a_complete_part_file_is_not_downloaded_again(download: Download, shelf: Shelf) -> None:
    download.run()
    sent = shelf.bytes_sent
    download.run()
    assert shelf.bytes_sent == sent
    assert download.part.read_bytes() == shelf.files[WIKI]


@pytest.mark.parametrize("feature", ["supports_ranges", "sends_etag"])
def test_a_server_that_cannot_resume_sends_the_file_again(
    download: Download, shelf: Shelf, feature: str
) -> None:
    setattr(shelf, feature, False)
    shelf.breaks, shelf.break_after = 1, 50_000
    download.run()
    assert download.part.read_bytes() == shelf.files[WIKI]


def test_two_versions_of_a_file_are_never_mixed(download: Download, shelf: Shelf) -> None:
    shelf.breaks, shelf.break_after = 3, 50_000
    download.retries = 0
    with pytest.raises(InputError):
        download.run()
    shelf.breaks = 0
    shelf.files[WIKI] = shelf.files[WIKI][::-1]
    download.run()
    assert download.part.read_bytes() == shelf.files[WIKI]


def test_a_file_that_became_shorter_is_downloaded_again(download: Download, shelf: Shelf) -> None:
    download.run()
    shelf.files[WIKI] = shelf.files[WIKI][:1000]
    download.run()
    assert download.part.read_bytes() == shelf.files[WIKI]


def test_server_errors_are_retried(download: Download, shelf: Shelf, recorder: Recorder) -> None:
    shelf.statuses = [503, 429]
    download.run()
    assert download.part.read_bytes() == shelf.files[WIKI]
    assert "503 Service Unavailable" in recorder.notes[0]


def test_lasting_server_errors_are_reported_with_their_status(
    download: Download, shelf: Shelf, wording: Wording
) -> None:
    shelf.statuses = [503] * 9
    with pytest.raises(InputError, match=r"wiki\.en\.vec: .*503 Service Unavailable") as error:
        download.run()
    wording(str(error.value).replace(shelf.url, "URL"))


def test_an_unexpected_status_is_reported_at_once(
    download: Download, shelf: Shelf, wording: Wording
) -> None:
    shelf.statuses = [400]
    with pytest.raises(InputError, match=r"wiki\.en\.vec: .*400 Bad Request.*--mirror") as error:
        download.run()
    assert len(shelf.requests) == 1
    wording(str(error.value).replace(shelf.url, "URL"))


def test_a_connection_that_keeps_dropping_says_where_it_will_resume(
    download: Download, shelf: Shelf, wording: Wording
) -> None:
    shelf.breaks, shelf.break_after = 1, 50_000
    download.retries = 0
    with pytest.raises(InputError, match="50,000 bytes") as error:
        download.run()
    assert download.part.stat().st_size == 50_000
    wording(str(error.value).replace(shelf.url, "URL"))


def test_a_file_that_the_server_does_not_have_is_a_separate_error(
    download: Download, shelf: Shelf
) -> None:
    shelf.files.clear()
    with pytest.raises(NotThereError, match="404 Not Found"):
        download.run()
    assert not download.part.exists()


def test_a_missing_network_is_reported_at_once(tmp_path: Path, wording: Wording) -> None:
    download = Download("http://127.0.0.1:9/x", tmp_path / "x.part", retries=9, wait=60)
    with pytest.raises(InputError, match=r"http://127\.0\.0\.1:9/x: .*--mirror") as error:
        download.run()
    wording(error.value)


def test_an_invalid_url_is_refused(tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(InputError, match=r"no-scheme/x: .*URL.*--mirror") as error:
        Download("no-scheme/x", tmp_path / "x.part").run()
    wording(error.value)


def test_a_full_disk_is_reported_before_the_download(
    download: Download, shelf: Shelf, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    usage = shutil.disk_usage(download.part.parent)._replace(free=10)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    size = f"{len(shelf.files[WIKI]):,}"
    with pytest.raises(InputError, match=rf"{size} bytes.* 10 .*--cache") as error:
        download.run()
    assert not download.part.exists()
    wording(str(error.value).replace(str(download.part.parent), "FOLDER"))


def test_a_disk_that_fills_up_is_reported_and_the_part_file_kept(
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
    with pytest.raises(InputError, match=r"x\.part: No space left on device"):
        download.run()
    assert download.part.stat().st_size == 50_000


def test_a_download_works_without_a_known_length(
    download: Download, shelf: Shelf, recorder: Recorder
) -> None:
    shelf.sends_length = False
    download.run()
    assert download.part.read_bytes() == shelf.files[WIKI]
    assert recorder.steps[-1][1] is None
