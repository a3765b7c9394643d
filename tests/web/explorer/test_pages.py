"""Pages and JSON over the application, whatever the words are."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest

from isolex.web.explorer.app import RESERVED
from isolex.web.explorer.atlas import Atlas, distinct
from isolex.web.explorer.html import shown
from tests.web.explorer.conftest import ODD, Get, client, open_atlas


def encoded(word: str) -> str:
    return quote(word.encode("utf-8", "surrogateescape"), safe="")


def test_a_single_mapping_is_led_to_and_offers_words(get: Get) -> None:
    home = get("/")
    assert home.status_code in (302, 307)
    page = get(home.headers["location"])
    assert page.status_code == 200
    assert 'method="get"' in page.text
    assert page.text.count('class="word a"') > 3
    assert get("/?word=mother&k=5").headers["location"] == "/en-es/?word=mother&k=5"


def test_a_word_is_shown_with_all_there_is(get: Get) -> None:
    page = get("/en-es/?word=mother&k=5")
    assert page.status_code == 200
    for part in ("nn", "csls", "invsoftmax", "invnn", "gc"):
        assert f"<h4>{part}</h4>" in page.text
    assert page.text.count("mutual best") > 4
    assert "Nearest in en" in page.text
    assert "Nearest in es" in page.text
    assert page.text.count("<svg viewBox") == 2, "one for wide screens, one for narrow ones"


def test_either_language_is_found_unless_one_is_chosen(get: Get) -> None:
    assert "Translations into en" in get("/en-es/?word=madre").text
    assert "Translations into es" in get("/en-es/?word=mother&reverse=").text
    other = get("/en-es/?word=madre&reverse=0")
    assert other.status_code == 404
    assert 'It is a word of es: <a class="word b" href="/en-es/?word=madre&amp;rev' in other.text
    assert "It is also a word of es" in get("/en-es/?word=no").text


@pytest.mark.parametrize("word", ODD, ids=range(len(ODD)))
def test_words_are_data(get: Get, word: str) -> None:
    page = get(f"/en-es/?word={encoded(word)}&reverse=0")
    assert page.status_code == 200
    title = re.search(r'<h2 class="asked"><bdi>(.*?)</bdi>', page.text)
    assert title is not None
    assert unescape(title[1]) == shown(word)
    tags = set(re.findall(r"<([a-zA-Z]+)", page.text))
    assert "img" not in tags
    assert page.text.count("<script") == 1, "that of the page itself"
    answer = get(f"/api/translate?word={encoded(word)}").json()
    assert answer["found"]
    assert answer["word"] == word
    assert len(answer["translations"]) == 5


def test_every_link_of_a_page_leads_on(get: Get) -> None:
    page = get(f"/en-es/?word={encoded(ODD[0])}").text
    links = {unescape(link) for link in re.findall(r'href="(/[^"]*)"', page)}
    assert len(links) > 15
    for link in sorted(links):
        assert get(link).status_code == 200, link


def test_a_word_that_is_not_there(get: Get) -> None:
    page = get("/en-es/?word=mothr")
    assert page.status_code == 404
    assert "This word is not among the 800 words of en or the 800 words of es." in page.text
    assert ">mother</bdi>" in page.text
    assert "<b>x</b>" not in get("/en-es/?word=<b>x</b>").text
    answer = get("/api/translate?word=Mother")
    assert answer.status_code == 404
    assert answer.json()["found"] is False
    assert answer.json()["suggestions"][0] == "mother"
    assert "did you mean 'mother'" in answer.json()["error"]


def test_a_word_of_the_other_language_is_told_as_such(get: Get) -> None:
    answer = get("/api/translate?word=madre")
    assert answer.status_code == 404
    assert answer.json()["error"].endswith("; it is a word of es: ask with reverse=1")
    error = get("/api/translate?word=mother&reverse=1").json()["error"]
    assert error.endswith("; it is a word of en: ask with reverse=0")


def test_what_is_spelt_the_same_is_suggested_first_whatever_its_language(get: Get) -> None:
    page = get("/en-es/?word=MADRÉ").text
    assert re.findall(r"<li><a [^>]*><bdi>(.*?)</bdi>", page)[0] == "madre"


@pytest.mark.parametrize("query", ["", "?word=", "?word=&k=3"])
def test_a_missing_word_is_said(get: Get, query: str) -> None:
    answer = get(f"/api/translate{query}")
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("word is missing")


def test_translations_as_json(get: Get) -> None:
    answer = get("/api/translate?word=mother&k=3")
    assert answer.headers["content-type"] == "application/json"
    facts = answer.json()
    assert (facts["word"], facts["from"], facts["to"]) == ("mother", "en", "es")
    assert facts["translations"][0]["word"] == "madre"
    assert facts["translations"][0]["mutual"] is True
    assert len(facts["translations"]) == 3
    back = get("/api/translate?word=madre&k=1&reverse=1&retrieval=nn&dir=en-es").json()
    assert back["translations"][0]["word"] == "mother"
    assert back["retrieval"] == "nn"


@pytest.mark.parametrize(
    ("query", "what"),
    [
        ("k=0", "k=0: give a whole number from 1 to 100"),
        ("k=101", "whole number"),
        ("k=x", "whole number"),
        ("k=-1", "whole number"),
        ("k=99999999999999999999", "whole number"),
        ("k=00000000100000", "whole number"),
        (f"k=000000001{5000 * '0'}", "whole number"),
        ("k=%C2%B2", "whole number"),
        ("reverse=2", "reverse=2: give 1"),
        ("retrieval=best", "choose from nn, csls"),
    ],
)
def test_what_cannot_be_asked_is_said(get: Get, query: str, what: str) -> None:
    answer = get(f"/api/translate?word=mother&{query}")
    assert answer.status_code == 400
    assert what in answer.json()["error"]
    if "retrieval" not in query:
        assert get(f"/en-es/?word=mother&{query}").status_code == 400


def test_completions(get: Get) -> None:
    found = get("/api/complete?prefix=MOTH").json()["completions"]
    assert found[0]["word"] == "mother"
    assert found[0]["url"] == "/en-es/?word=mother&reverse=0"
    assert {one["language"] for one in get("/api/complete?prefix=m").json()["completions"]} == {
        "en",
        "es",
    }
    only = get("/api/complete?prefix=m&reverse=1&limit=3").json()["completions"]
    assert [one["reverse"] for one in only] == [True] * 3
    assert get("/api/complete?prefix=").json()["completions"] == []
    [bytes_word] = get("/api/complete?prefix=caf%E9&reverse=0").json()["completions"]
    assert bytes_word["word"] == "caf\udce9"
    assert get(bytes_word["url"]).status_code == 200


def test_the_lexicon_can_be_downloaded(get: Get, folder: Path) -> None:
    for address in ("/lexicon.tsv", "/en-es/lexicon.tsv"):
        answer = get(address)
        assert answer.content == (folder / "lexicon.tsv").read_bytes()
        assert "attachment" in answer.headers["content-disposition"]


def test_a_lexicon_that_is_gone_is_said(tmp_path: Path, atlas: Atlas) -> None:
    answer = client(replace(atlas, folder=tmp_path))("/lexicon.tsv")
    assert answer.status_code == 404
    assert "isolex lexicon" in answer.text


@pytest.mark.parametrize(
    "address", ["/nowhere/", "/en-es/nowhere", "/static/%2e%2e/app.py", "/static/"]
)
def test_an_address_that_leads_nowhere(get: Get, address: str) -> None:
    page = get(address)
    assert page.status_code == 404
    assert "That did not work" in page.text
    assert get("/api/nothing").json()["error"]


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1.example.org:8765", "", "localhost."])
def test_only_this_machine_is_answered(get: Get, host: str) -> None:
    refused = get("/api/translate?word=mother", host=host)
    assert refused.status_code == 421
    assert "madre" not in refused.text


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8765", "127.0.0.1:1", "[::1]:80", "[::1]"]
)
def test_names_of_this_machine(get: Get, host: str) -> None:
    assert get("/api/translate?word=mother", host=host).status_code == 200


def test_nothing_runs_that_does_not_come_from_here(get: Get) -> None:
    for address in ("/en-es/?word=mother", "/nowhere/", "/static/explore.js", "/api/translate"):
        policy = get(address).headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'self'; script-src 'self'")
        assert "unsafe" not in policy
    for name in ("explore.js", "explore.css", "icon.svg"):
        assert get(f"/static/{name}").status_code == 200
    page = get("/en-es/?word=mother").text
    assert "http" not in re.sub(r"https?://www.w3.org/\S+", "", page), "no address elsewhere"
    assert " style=" not in page
    assert " onclick=" not in page


def test_several_mappings_each_have_their_own_place(folder: Path, atlas: Atlas) -> None:
    other = open_atlas(folder, "en-es-2")
    get = client(atlas, other)
    index = get("/")
    assert 'href="/en-es/"' in index.text
    assert 'href="/en-es-2/"' in index.text
    assert f"en-es-2 ({folder}): 800 words of en" in index.text
    assert "all mappings" in get("/en-es-2/?word=mother").text
    assert "several mappings are served" in get("/api/translate?word=mother").json()["error"]
    assert get("/api/translate?word=mother&dir=en-es-2").json()["mapping"] == "en-es-2"
    assert get("/api/translate?word=mother&dir=nowhere").status_code == 404
    assert get("/lexicon.tsv?dir=en-es").status_code == 200


def test_names_in_addresses_are_distinct() -> None:
    folders = [Path(name) for name in ("a/en-es", "b/en-es", "api", "a/été ✓", "/")]
    slugs = distinct(folders, RESERVED)
    assert slugs == ["en-es", "en-es-2", "api-2", "t", "mapping"]
