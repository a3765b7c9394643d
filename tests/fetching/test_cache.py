"""Cached files are not downloaded again, and wrong files are not kept."""

from __future__ import annotations

import gzip
import hashlib
import os
import subprocess
from pathlib import Path

import pytest

import isolex
from isolex.errors import InputError, UsageError
from isolex.fetching import DownloadCache, fasttext, muse, place
from tests.fetching.server import Shelf
from tests.wording import Wording

WIKI = "fasttext/vectors-wiki/wiki.en.vec"
CRAWL = "fasttext/vectors-crawl/cc.en.300.vec.gz"
MODEL = "fasttext/vectors-crawl/cc.en.300.bin.gz"
PAIRS = "arrival/dictionaries/en-es.txt"


@pytest.fixture
def cache(shelf: Shelf, tmp_path: Path) -> DownloadCache:
    return DownloadCache(tmp_path / "cache", shelf.url, retries=1, wait=0.01)


@pytest.mark.parametrize(
    ("remote", "path"),
    [
        (fasttext("en"), WIKI),
        (fasttext("en", "crawl"), CRAWL),
        (fasttext("en", "crawl", model=True), MODEL),
        *zip(
            muse("en-es"),
            [f"arrival/dictionaries/en-es{part}.txt" for part in ("", ".0-5000", ".5000-6500")],
            strict=True,
        ),
    ],
    ids=str,
)
def test_every_kind_of_file_is_downloaded_completely(
    cache: DownloadCache, shelf: Shelf, remote, path
) -> None:
    got = cache.get(remote)
    assert got.name == path.rpartition("/")[2]
    assert got.read_bytes() == shelf.files[path]
    left = {file.name for file in got.parent.iterdir()}
    assert left == {got.name, f"{got.name}.sha256"}, "no .part file is left"


def test_sha256sum_can_verify_a_cached_file(cache: DownloadCache) -> None:
    got = cache.get(fasttext("en"))
    command = ["sha256sum", "-c", f"{got.name}.sha256"]
    assert subprocess.run(command, cwd=got.parent, check=False).returncode == 0
    got.write_bytes(got.read_bytes() + b"x")
    assert subprocess.run(command, cwd=got.parent, check=False).returncode != 0


def test_a_cached_file_needs_no_server(cache: DownloadCache, shelf: Shelf) -> None:
    got = cache.get(fasttext("en"))
    offline = DownloadCache(cache.folder, "http://127.0.0.1:9")
    assert offline.get(fasttext("en")) == got
    assert len(shelf.requests) == 1


def test_a_damaged_cached_file_is_downloaded_again(cache: DownloadCache, shelf: Shelf) -> None:
    got = cache.get(fasttext("en"))
    got.write_bytes(got.read_bytes()[:-9])
    assert cache.get(fasttext("en")).read_bytes() == shelf.files[WIKI]


def test_a_changed_file_is_refused_unless_an_update_is_requested(
    cache: DownloadCache, shelf: Shelf, wording: Wording
) -> None:
    got = cache.get(fasttext("en"))
    before = hashlib.sha256(shelf.files[WIKI]).hexdigest()
    got.unlink()
    shelf.files[WIKI] = shelf.files["fasttext/vectors-wiki/wiki.es.vec"]
    with pytest.raises(InputError, match=r"wiki\.en\.vec\.sha256.*--update") as error:
        cache.get(fasttext("en"))
    wording(str(error.value).replace(shelf.url, "URL"))
    assert before in got.with_name("wiki.en.vec.sha256").read_text()
    assert cache.get(fasttext("en"), update=True).read_bytes() == shelf.files[WIKI]
    assert cache.get(fasttext("en")) == got, "the new checksum is now the recorded one"


def test_a_failed_update_keeps_the_cached_file(cache: DownloadCache, shelf: Shelf) -> None:
    got = cache.get(fasttext("en"))
    whole = got.read_bytes()
    shelf.statuses = [500] * 9
    with pytest.raises(InputError, match="500"):
        cache.get(fasttext("en"), update=True)
    assert got.read_bytes() == whole
    assert cache.get(fasttext("en")) == got


PAGE = b"<!doctype html><p>Sign in to use this network"


@pytest.mark.parametrize(
    ("path", "body", "why"),
    [
        (WIKI, PAGE, "web page"),
        (WIKI, b"", "empty"),
        (WIKI, b"the 0.1 0.2\nof 0.3 0.4\n", "header of fastText vectors"),
        (PAIRS, PAGE, "line 1: "),
        (CRAWL, gzip.compress(b"1 2\nword 1 2\n")[:-4], "compressed"),
        (CRAWL, gzip.compress(PAGE), "web page"),
        (MODEL, gzip.compress(b"1 2\nword 1 2\n"), "fastText model"),
    ],
    ids=["page", "empty", "no-header", "page-for-pairs", "cut", "packed-page", "no-model"],
)
def test_a_file_with_unexpected_contents_is_not_kept(
    cache: DownloadCache, shelf: Shelf, path: str, body: bytes, why: str
) -> None:
    shelf.files[path] = body
    remotes = {
        WIKI: fasttext("en"),
        CRAWL: fasttext("en", "crawl"),
        MODEL: fasttext("en", "crawl", model=True),
        PAIRS: muse("en-es")[0],
    }
    with pytest.raises(InputError, match=f"{path}: .*{why}") as error:
        cache.get(remotes[path])
    assert ".part" not in str(error.value), "the message names the URL, not a deleted file"
    assert [file for file in cache.folder.rglob("*") if file.is_file()] == []


def test_an_unknown_language_is_refused_with_similar_codes(cache: DownloadCache) -> None:
    with pytest.raises(InputError, match=r"404 Not Found; .*language enn\b.* en\b"):
        cache.get(fasttext("enn"))


def test_a_mirror_must_be_a_web_address(tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(UsageError, match=r"--mirror ftp://here") as error:
        DownloadCache(tmp_path, "ftp://here")
    wording(error.value)


@pytest.mark.parametrize("source", ["wiki", "crawl"])
def test_the_first_words_make_a_valid_file(cache: DownloadCache, shelf: Shelf, source: str) -> None:
    got = cache.get(fasttext("en", source), 100)
    lines = shelf.files[WIKI].split(b"\n")
    assert got.read_bytes() == b"\n".join([b"100 20", *lines[1:101], b""])
    assert len(isolex.load(got)) == 100
    assert got.name == {"wiki": "wiki.en.top100.vec", "crawl": "cc.en.300.top100.vec"}[source]
    assert {file.suffix for file in got.parent.iterdir()} == {".vec", ".sha256"}


def test_the_download_stops_after_the_first_words(cache: DownloadCache, shelf: Shelf) -> None:
    rows = shelf.files[WIKI].partition(b"\n")[2]
    shelf.files[WIKI] = b"80000 20\n" + rows * 40
    cache.get(fasttext("en"), 100)
    assert shelf.bytes_sent < len(shelf.files[WIKI]) / 2


@pytest.mark.parametrize("source", ["wiki", "crawl"])
def test_the_download_of_the_first_words_resumes(
    cache: DownloadCache, shelf: Shelf, source: str
) -> None:
    whole = cache.get(fasttext("en", source), 1900).read_bytes()
    shelf.breaks, shelf.break_after = 3, 40_000
    other = DownloadCache(cache.folder.with_name("other"), shelf.url, wait=0.01)
    assert other.get(fasttext("en", source), 1900).read_bytes() == whole
    assert shelf.breaks == 0


def test_file_permissions_follow_the_umask(cache: DownloadCache) -> None:
    before = os.umask(0o027)
    try:
        head = cache.get(fasttext("en"), 5)
        whole = cache.get(fasttext("en"))
        head_of_whole = cache.get(fasttext("en"), 6)
    finally:
        os.umask(before)
    for path in (head, whole, head_of_whole, Path(f"{head}.sha256")):
        assert path.stat().st_mode & 0o777 == 0o640, path


def test_asking_for_more_words_than_exist_returns_all(cache: DownloadCache, shelf: Shelf) -> None:
    assert cache.get(fasttext("en"), 10**6).read_bytes() == shelf.files[WIKI]


def test_a_file_with_fewer_rows_than_announced_is_refused(
    cache: DownloadCache, shelf: Shelf
) -> None:
    shelf.files[WIKI] = b"9" + shelf.files[WIKI]
    with pytest.raises(InputError, match="2,000 of 5,000 rows"):
        cache.get(fasttext("en"), 5000)


def test_the_first_words_of_a_cached_file_need_no_server(
    cache: DownloadCache, shelf: Shelf
) -> None:
    cache.get(fasttext("en", "crawl"))
    offline = DownloadCache(cache.folder, "http://127.0.0.1:9")
    assert len(isolex.load(offline.get(fasttext("en", "crawl"), 7))) == 7


def test_place_links_or_copies_and_never_overwrites(
    cache: DownloadCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    got = cache.get(fasttext("en"))
    linked = place(got, tmp_path / "here")
    assert linked.samefile(got)
    assert place(got, tmp_path / "here") == linked, "placing a file twice is allowed"

    def no_links(*_: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr("os.link", no_links)
    copied = place(got, tmp_path / "there")
    assert copied.read_bytes() == got.read_bytes()
    assert not copied.samefile(got)
    copied.write_text("mine")
    with pytest.raises(InputError, match=r"there/wiki\.en\.vec: .*--out") as error:
        place(got, tmp_path / "there")
    wording(error.value)
    assert copied.read_text() == "mine"
