"""URLs are as published, and mistyped codes get a helpful hint."""

from __future__ import annotations

import pytest

from isolex.errors import UsageError
from isolex.fetching import fasttext, muse
from tests.wording import Wording


def test_urls_are_as_published() -> None:
    host = "https://dl.fbaipublicfiles.com"
    assert fasttext("en").url() == f"{host}/fasttext/vectors-wiki/wiki.en.vec"
    crawl = f"{host}/fasttext/vectors-crawl/cc.pt.300"
    assert fasttext("PT", "crawl").url() == f"{crawl}.vec.gz"
    assert fasttext("pt", "crawl", model=True).url() == f"{crawl}.bin.gz"
    assert [remote.url() for remote in muse("de-en")] == [
        f"{host}/arrival/dictionaries/de-en{part}.txt" for part in ("", ".0-5000", ".5000-6500")
    ]


def test_a_mirror_replaces_the_host_only() -> None:
    url = fasttext("zh-yue").url("http://mirror.example/data/")
    assert url == "http://mirror.example/data/fasttext/vectors-wiki/wiki.zh_yue.vec"


@pytest.mark.parametrize("code", ["", "e", "../en", "en es", "en/..", "3n"])
def test_an_invalid_language_code_is_refused(code: str, wording: Wording) -> None:
    with pytest.raises(UsageError, match="language code") as error:
        fasttext(code)
    assert repr(code) in str(error.value)
    wording(error.value)


@pytest.mark.parametrize("pair", ["en", "en_es", "", "en-"])
def test_a_pair_must_be_two_codes(pair: str, wording: Wording) -> None:
    with pytest.raises(UsageError, match="en-es") as error:
        muse(pair)
    wording(error.value)


def test_an_unknown_source_is_refused_with_the_known_ones(wording: Wording) -> None:
    with pytest.raises(UsageError, match=r"'news'.* wiki, crawl") as error:
        fasttext("en", "news")
    wording(error.value)


def test_only_crawl_has_models(wording: Wording) -> None:
    with pytest.raises(UsageError, match=r"--model.*--source crawl") as error:
        fasttext("en", model=True)
    wording(error.value)


@pytest.mark.parametrize(
    ("hint", "fact"),
    [
        (fasttext("ti", "crawl").hint, "ti is available with --source wiki"),
        (fasttext("en").hint, "--mirror"),
        (fasttext("esp").hint, ": es"),
        (muse("pl-de")[0].hint, "English: pl-en, en-pl, de-en, en-de"),
        (muse("xx-yy")[0].hint, "English"),
        (muse("en-xx")[0].hint, "language xx"),
    ],
    ids=["other-source", "known", "similar", "via-english", "unknown-pair", "unknown"],
)
def test_hints_say_what_is_available(hint: str, fact: str, wording: Wording) -> None:
    assert fact in hint
    wording(hint)


def test_licences_are_named() -> None:
    assert "CC BY-SA 3.0" in fasttext("en").licence
    assert "CC BY-NC 4.0" in muse("en-es")[0].licence
