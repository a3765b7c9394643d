"""Addresses as they are published, and help for those who mistype."""

from __future__ import annotations

import pytest

from isolex.errors import UsageError
from isolex.fetching import fasttext, muse


def test_addresses_are_those_of_the_documentation() -> None:
    host = "https://dl.fbaipublicfiles.com"
    assert fasttext("en").url() == f"{host}/fasttext/vectors-wiki/wiki.en.vec"
    crawl = f"{host}/fasttext/vectors-crawl/cc.pt.300"
    assert fasttext("PT", "crawl").url() == f"{crawl}.vec.gz"
    assert fasttext("pt", "crawl", model=True).url() == f"{crawl}.bin.gz"
    assert [remote.url() for remote in muse("de-en")] == [
        f"{host}/arrival/dictionaries/de-en{part}.txt" for part in ("", ".0-5000", ".5000-6500")
    ]


def test_a_mirror_has_the_same_paths() -> None:
    url = fasttext("zh-yue").url("http://mirror.example/data/")
    assert url == "http://mirror.example/data/fasttext/vectors-wiki/wiki.zh_yue.vec"


@pytest.mark.parametrize("code", ["", "e", "../en", "en es", "en/..", "3n"])
def test_a_code_cannot_lead_elsewhere(code: str) -> None:
    with pytest.raises(UsageError, match="no language code"):
        fasttext(code)


@pytest.mark.parametrize("pair", ["en", "en_es", "", "en-"])
def test_a_pair_is_two_codes(pair: str) -> None:
    with pytest.raises(UsageError, match="such as en-es"):
        muse(pair)


def test_only_crawl_has_models() -> None:
    with pytest.raises(UsageError, match="--source crawl"):
        fasttext("en", model=True)


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (fasttext("ti", "crawl").hint, "ti is there with --source wiki"),
        (fasttext("en").hint, "it should be there"),
        (fasttext("esp").hint, "near ones: es"),
        (muse("pl-de")[0].hint, "try pairs with English: pl-en, en-pl, de-en, en-de"),
        (muse("en-xx")[0].hint, "no language xx"),
    ],
)
def test_hints_say_what_there_is(hint: str, expected: str) -> None:
    assert expected in hint


def test_licences_are_named() -> None:
    assert "CC BY-SA 3.0" in fasttext("en").licence
    assert "CC BY-NC 4.0" in muse("en-es")[0].licence
