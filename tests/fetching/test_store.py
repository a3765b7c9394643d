"""The cache: what is there is not fetched again, what is wrong is not kept."""

from __future__ import annotations

import gzip
import hashlib
import os
import subprocess
from pathlib import Path

import pytest

import isolex
from isolex.errors import InputError
from isolex.fetching import Store, fasttext, muse, place
from tests.fetching.server import Shelf

WIKI = "fasttext/vectors-wiki/wiki.en.vec"
CRAWL = "fasttext/vectors-crawl/cc.en.300.vec.gz"
MODEL = "fasttext/vectors-crawl/cc.en.300.bin.gz"
PAIRS = "arrival/dictionaries/en-es.txt"


@pytest.fixture
def store(shelf: Shelf, tmp_path: Path) -> Store:
    return Store(tmp_path / "cache", shelf.url, retries=1, wait=0.01)


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
def test_every_kind_of_file_comes_whole(store: Store, shelf: Shelf, remote, path) -> None:
    got = store.get(remote)
    assert got.name == path.rpartition("/")[2]
    assert got.read_bytes() == shelf.files[path]
    left = {file.name for file in got.parent.iterdir()}
    assert left == {got.name, f"{got.name}.sha256"}, "no part is left"


def test_the_checksum_stands_beside_the_file_as_sha256sum_writes_it(store: Store) -> None:
    got = store.get(fasttext("en"))
    subprocess.run(["sha256sum", "-c", f"{got.name}.sha256"], cwd=got.parent, check=True)


def test_what_is_in_the_cache_needs_no_server(store: Store, shelf: Shelf) -> None:
    got = store.get(fasttext("en"))
    offline = Store(store.cache, "http://127.0.0.1:9")
    assert offline.get(fasttext("en")) == got
    assert len(shelf.asked) == 1


def test_a_file_that_was_damaged_in_the_cache_is_fetched_again(store: Store, shelf: Shelf) -> None:
    got = store.get(fasttext("en"))
    got.write_bytes(got.read_bytes()[:-9])
    assert store.get(fasttext("en")).read_bytes() == shelf.files[WIKI]


def test_another_file_than_the_first_time_is_refused_until_it_is_asked_for(
    store: Store, shelf: Shelf
) -> None:
    got = store.get(fasttext("en"))
    before = hashlib.sha256(shelf.files[WIKI]).hexdigest()
    got.unlink()
    shelf.files[WIKI] = shelf.files["fasttext/vectors-wiki/wiki.es.vec"]
    with pytest.raises(InputError, match=r"not the file whose checksum is in .*wiki\.en\.vec\.sha"):
        store.get(fasttext("en"))
    assert before in got.with_name("wiki.en.vec.sha256").read_text()
    assert store.get(fasttext("en"), update=True).read_bytes() == shelf.files[WIKI]
    assert store.get(fasttext("en")) == got, "the new checksum holds now"


def test_an_update_that_fails_loses_nothing(store: Store, shelf: Shelf) -> None:
    got = store.get(fasttext("en"))
    whole = got.read_bytes()
    shelf.statuses = [500] * 9
    with pytest.raises(InputError, match="500"):
        store.get(fasttext("en"), update=True)
    assert got.read_bytes() == whole
    assert store.get(fasttext("en")) == got


PAGE = b"<!doctype html><p>Sign in to use this network"


@pytest.mark.parametrize(
    ("path", "body", "why"),
    [
        (WIKI, PAGE, "a web page"),
        (WIKI, b"", "is empty"),
        (WIKI, b"the 0.1 0.2\nof 0.3 0.4\n", "no header of fastText vectors"),
        (PAIRS, PAGE, "line 1: expected two words"),
        (CRAWL, gzip.compress(b"1 2\nword 1 2\n")[:-4], "the compressed data end too early"),
        (CRAWL, gzip.compress(PAGE), "a web page"),
        (MODEL, gzip.compress(b"1 2\nword 1 2\n"), "not a fastText model"),
    ],
    ids=["page", "empty", "no-header", "page-for-pairs", "cut", "packed-page", "no-model"],
)
def test_what_is_not_what_it_should_be_is_not_kept(
    store: Store, shelf: Shelf, path: str, body: bytes, why: str
) -> None:
    shelf.files[path] = body
    remotes = {
        WIKI: fasttext("en"),
        CRAWL: fasttext("en", "crawl"),
        MODEL: fasttext("en", "crawl", model=True),
        PAIRS: muse("en-es")[0],
    }
    with pytest.raises(InputError, match=f"not what it should be: .*{why}"):
        store.get(remotes[path])
    assert [file for file in store.cache.rglob("*") if file.is_file()] == []


def test_what_is_not_there_names_near_ones(store: Store) -> None:
    with pytest.raises(InputError, match=r"404 Not Found; no language enn .*near ones: .*\ben\b"):
        store.get(fasttext("enn"))


@pytest.mark.parametrize("source", ["wiki", "crawl"])
def test_the_first_words_are_a_valid_file_from_the_first_bytes(
    store: Store, shelf: Shelf, source: str
) -> None:
    got = store.get(fasttext("en", source), 100)
    lines = shelf.files[WIKI].split(b"\n")
    assert got.read_bytes() == b"\n".join([b"100 20", *lines[1:101], b""])
    assert len(isolex.load(got)) == 100
    assert got.name == {"wiki": "wiki.en.top100.vec", "crawl": "cc.en.300.top100.vec"}[source]
    assert {file.suffix for file in got.parent.iterdir()} == {".vec", ".sha256"}


def test_the_first_words_of_a_huge_file_do_not_bring_all_of_it(store: Store, shelf: Shelf) -> None:
    rows = shelf.files[WIKI].partition(b"\n")[2]
    shelf.files[WIKI] = b"80000 20\n" + rows * 40
    store.get(fasttext("en"), 100)
    assert shelf.sent < len(shelf.files[WIKI]) / 2


@pytest.mark.parametrize("source", ["wiki", "crawl"])
def test_the_first_words_go_on_after_a_break(store: Store, shelf: Shelf, source: str) -> None:
    whole = store.get(fasttext("en", source), 1900).read_bytes()
    shelf.breaks, shelf.break_after = 3, 40_000
    other = Store(store.cache.with_name("other"), shelf.url, wait=0.01)
    assert other.get(fasttext("en", source), 1900).read_bytes() == whole
    assert shelf.breaks == 0


def test_rights_are_those_of_the_umask(store: Store) -> None:
    before = os.umask(0o027)
    try:
        head = store.get(fasttext("en"), 5)
        whole = store.get(fasttext("en"))
        head_of_whole = store.get(fasttext("en"), 6)
    finally:
        os.umask(before)
    for path in (head, whole, head_of_whole, Path(f"{head}.sha256")):
        assert path.stat().st_mode & 0o777 == 0o640, path


def test_more_words_than_there_are_is_all_of_them(store: Store, shelf: Shelf) -> None:
    assert store.get(fasttext("en"), 10**6).read_bytes() == shelf.files[WIKI]


def test_fewer_rows_than_the_header_promises_are_refused(store: Store, shelf: Shelf) -> None:
    shelf.files[WIKI] = b"9" + shelf.files[WIKI]
    with pytest.raises(InputError, match="ends after 2,000 of 5,000 rows"):
        store.get(fasttext("en"), 5000)


def test_the_first_words_of_a_file_in_the_cache_need_no_server(store: Store, shelf: Shelf) -> None:
    store.get(fasttext("en", "crawl"))
    offline = Store(store.cache, "http://127.0.0.1:9")
    assert len(isolex.load(offline.get(fasttext("en", "crawl"), 7))) == 7


def test_placing_links_or_copies_and_never_overwrites(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    got = store.get(fasttext("en"))
    linked = place(got, tmp_path / "here")
    assert linked.samefile(got)
    assert place(got, tmp_path / "here") == linked, "again is no mistake"

    def no_links(*_: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr("os.link", no_links)
    copied = place(got, tmp_path / "there")
    assert copied.read_bytes() == got.read_bytes()
    assert not copied.samefile(got)
    copied.write_text("mine")
    with pytest.raises(InputError, match="is there and is another file"):
        place(got, tmp_path / "there")
    assert copied.read_text() == "mine"
