"""Pages and JSON of spaces of three or more languages."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from isolex.core.choices import Outcome
from isolex.core.pair import Pair
from isolex.core.space import Space
from isolex.run.folder import LEXICONS
from isolex.web.explorer.preparation import Preparation
from isolex.web.explorer.served_space import ServedSpace
from tests.web.explorer.conftest import Get, client, open_folder
from tests.web.explorer.several import four, space_of, twenty, verdict
from tests.wording import Wording


@pytest.fixture
def get(many: ServedSpace) -> Get:
    """Sends requests to an application with the space of four languages."""
    return client(many)


def cards(page: str) -> dict[str, str]:
    """The HTML of each language on the page of a word."""
    found = re.findall(r'<section class="column.*?</section>', page, re.DOTALL)
    return {re.findall(r"<h4><a [^>]*>(.*?)</a>", card)[0]: card for card in found}


def links(page: str) -> set[str]:
    return {unescape(link) for link in re.findall(r'href="(/[^"]*)"', page)}


def words(card: str) -> list[str]:
    return re.findall(r"<li><a [^>]*><bdi>(.*?)</bdi>", card)


def test_a_word_is_translated_into_all_languages_at_once(get: Get, many: ServedSpace) -> None:
    page = get("/many/?word=es7").text
    found = cards(page)
    assert list(found) == ["en", "pl", "xx"]
    for name, card in found.items():
        expected = many.space.translate("es7", source="es", target=name)
        assert words(card) == [one.word for one in expected]
        assert re.findall(r'"n">(.*?)<', card) == [f"{one.score:.3f}" for one in expected]
    assert found["en"].count("mutual best") == 1
    detail = re.findall(r'<h4><a href="(.*?)"', found["pl"])[0]
    assert detail == "/many/?word=es7&amp;from=es&amp;to=pl"
    assert "Translations into pl" in get(unescape(detail)).text
    again = f"/many/?word={words(found['en'])[0]}&from=en&k=5"
    assert again in links(found["en"]), "again into all languages"


def test_the_verdict_on_each_pair_is_shown(get: Get) -> None:
    found = cards(get("/many/?word=en7").text)
    status = {
        name: re.findall(r'<p class="small status">(.*?)</p>', card)[0]
        for name, card in found.items()
    }
    assert status == {
        "es": "succeeded",
        "pl": "doubtful, recovered through en and es",
        "xx": "failed: most likely useless",
    }
    for name, outcome in (("es", "succeeded"), ("pl", "doubtful"), ("xx", "failed")):
        assert f'<section class="column {outcome}">' in found[name]


@pytest.mark.parametrize(
    ("query", "outcome", "facts"),
    [
        ("", "failed", "Nothing connects xx with the other languages"),
        ("?word=xx7", "failed", "Nothing connects xx with the other languages"),
        ("?word=en7&to=xx", "failed", "en and xx are not aligned"),
        ("?word=pl7&to=en", "doubtful", "en failed. They were recovered through en and es."),
    ],
)
def test_a_page_says_what_not_to_trust(get: Get, query: str, outcome: str, facts: str) -> None:
    page = get(f"/many/{query}").text
    [notice] = re.findall(rf'<p class="verdict {outcome}">(.*?)</p>', page)
    assert facts in notice


@pytest.mark.parametrize("query", ["?word=en7", "?word=en7&to=es", "?word=unknown"])
def test_a_pair_that_failed_is_no_concern_of_other_pages(get: Get, query: str) -> None:
    assert '<p class="verdict' not in get(f"/many/{query}").text


def test_a_pair_that_was_recovered_with_success_is_named() -> None:
    pair = Pair(verdict(Outcome.SUCCEEDED), Outcome.FAILED)
    get = client(ServedSpace("s", space_of(("a", "b", "c"), {("a", "b"): pair}, words=20)))
    assert "succeeded, recovered through other languages" in get("/s/?word=a1").text
    assert '<p class="verdict succeeded"><b>Succeeded.</b>' in get("/s/?word=a1&to=b").text


def test_without_verdicts_there_is_none_to_show() -> None:
    space = space_of(("a", "b", "c"), {}, words=20)
    get = client(ServedSpace("s", replace(space, pairs={})))
    for query in ("", "?word=a1", "?word=a1&to=b"):
        assert get(f"/s/{query}").status_code == 200
        assert "succeeded" not in get(f"/s/{query}").text


def test_languages_are_chosen_in_the_form(get: Get) -> None:
    page = get("/many/?word=en7").text
    choices = dict(re.findall(r'<select id="(\w+)"[^>]*>(.*?)</select>', page, re.DOTALL))
    assert re.findall(r">(.*?)</option>", choices["from"]) == ["any", "en", "es", "pl", "xx"]
    assert re.findall(r">(.*?)</option>", choices["to"])[0] == "all languages"
    assert '<option value="5" selected>' in choices["k"]
    page = get("/many/?word=en7&from=en&to=pl").text
    assert '<option value="en" selected>' in page
    assert '<option value="pl" selected>' in page
    assert '<option value="10" selected>' in page
    assert '<a href="/many/?word=en7&amp;from=en">all languages</a>' in page
    assert "/many/?word=en7&from=en&k=20" in links(get("/many/?word=en7&to=pl&k=20").text)


def test_a_word_of_several_languages_is_offered_in_each(get: Get) -> None:
    page = get("/many/?word=same10").text
    assert "Translations from en into all languages" in page
    [choice] = re.findall(r'<nav class="switch" aria-label="Languages.*?</nav>', page, re.DOTALL)
    assert re.findall(r">(\w\w)</a>", choice) == ["en", "es", "pl", "xx"]
    assert re.findall(r'aria-current="true">(\w+)', choice) == ["en"]
    assert "Translations from pl into" in get("/many/?word=same10&from=pl").text
    assert "Translations into es" in get("/many/?word=same10&from=pl&to=es").text
    assert "A word of" not in get("/many/?word=en7").text
    elsewhere = get("/many/?word=same10&from=en&to=es")
    assert "/many/?word=same10&from=es&k=10" in links(elsewhere.text), "es is not translated to es"


def test_an_unknown_word_has_suggestions_and_other_languages(get: Get) -> None:
    page = get("/many/?word=en70x")
    assert page.status_code == 404
    assert "/many/?word=en7&from=en&k=5" in links(page.text)
    page = get("/many/?word=es7&from=pl").text
    assert "It is a word of" in page
    assert "/many/?word=es7&from=es&k=5" in links(page)
    suggested = words(get("/many/?word=same1").text)
    assert len(suggested) == len(set(suggested)), "a spelling that all languages have"


def test_completions_show_each_spelling_once(get: Get) -> None:
    found = get("/api/complete?prefix=same").json()["completions"]
    assert [one["word"] for one in found] == [f"same{10 * number}" for number in range(8)]
    assert {(one["language"], one["url"].split("&", 1)[1]) for one in found} == {("en", "from=en")}
    [only] = get("/api/complete?prefix=same10&to=en&limit=3").json()["completions"]
    assert only["url"] == "/many/?word=same10&from=es&to=en"


def test_translations_into_all_languages_as_json(get: Get, many: ServedSpace) -> None:
    facts = get("/api/translate?word=pl7&to=*&k=2").json()
    keys = ["mapping", "word", "found", "from", "to", "retrieval", "translations"]
    assert list(facts) == [*keys, "verdicts", "recovered"]
    assert facts["to"] == ["en", "es", "xx"]
    for name in facts["to"]:
        assert (
            facts["translations"][name]
            == get(f"/api/translate?word=pl7&to={name}&k=2").json()["translations"]
        )
    assert facts["verdicts"] == {"en": "doubtful", "es": "succeeded", "xx": "failed"}
    assert facts["recovered"] == ["en"]
    page = get("/many/?word=pl7&to=*")
    assert "Translations from pl into all languages" in page.text
    assert "/api/translate?word=pl7&from=pl&to=%2A&k=5&dir=many" in links(page.text)
    one = get("/api/translate?word=pl7&k=2").json()
    assert list(one) == keys, "one target, as in a space of two languages"
    assert one["to"] == "en"


def test_a_word_without_translations_as_json(get: Get, wording: Wording) -> None:
    answer = get("/api/translate?word=pl7&from=en&to=*")
    assert answer.status_code == 404
    assert answer.json()["translations"] == {}
    assert "use from=pl&to=*" in answer.json()["error"]
    wording(answer.json()["error"])


def test_a_language_may_be_named_like_the_sign_for_all() -> None:
    get = client(ServedSpace("s", space_of(("a", "*", "c"), {}, words=20)))
    assert get("/api/translate?word=a1&to=*&retrieval=nn").json()["to"] == "*"


def test_only_lexicons_that_exist_are_served(get: Get, many_folder: Path) -> None:
    page = get("/many/").text
    found = sorted(link for link in links(page) if LEXICONS in link)
    assert found == ["/many/lexicons/en-es.tsv", "/many/lexicons/en-pl.tsv"]
    for name in ("en-es.tsv", "en-pl.tsv"):
        for address in (f"/many/lexicons/{name}", f"/lexicons/{name}"):
            answer = get(address)
            assert answer.content == (many_folder / LEXICONS / name).read_bytes()
            assert f'filename="{name}"' in answer.headers["content-disposition"]
    assert "en-pl.tsv" not in get("/many/?word=en7&to=es").text, "only the one of the pair"
    assert "lexicons/en-es.tsv" in get("/many/?word=es7&to=en").text
    assert "lexicons/" not in get("/many/?word=es7&to=pl").text
    for name in (
        "en-xx.tsv",
        "es-pl.tsv",
        "..%2Fspace.safetensors",
        "%2e%2e%2fspace.safetensors",
        "%2Fetc%2Fpasswd",
        "",
    ):
        assert get(f"/many/lexicons/{name}").status_code == 404, name
        assert get(f"/lexicons/{name}").status_code == 404, name


def test_twenty_languages_fit_on_a_page() -> None:
    space = twenty()
    get = client(ServedSpace("all", space))
    start = get("/all/").text
    assert "<title>l0, l1, l2 and 17 more languages</title>" in start
    assert "Pairs: 190 succeeded." in start
    assert "40 words of each of 20 languages" in start
    assert get("/all/?word=zzz").text.count("not in the vocabulary of any of 20 languages") == 1
    page = get("/all/?word=l4_").text
    assert "not in the vocabulary" in page
    prepared = ServedSpace("all", with_means(space))
    get = client(prepared)
    page = get("/all/?word=same10").text
    assert len(cards(page)) == 19
    assert page.count('aria-current="true"') == 1
    for link in sorted(links(page))[::7]:
        assert get(link).status_code == 200, link


def with_means(space: Space) -> Space:
    """The same space, ready for CSLS like one that was saved."""
    for one in space.names:
        for other in space.names:
            if one != other:
                space.direction(one, other).means(space.retrieval.neighbours)
    return space


def test_the_names_of_languages_may_be_any_bytes(tmp_path: Path) -> None:
    space = with_means(space_of(("<b>", "caf\udce9", "a b"), {}, words=20))
    space.save(tmp_path)
    (tmp_path / LEXICONS).mkdir()
    space.lexicon("<b>", "caf\udce9").save(tmp_path / LEXICONS / "<b>-caf\udce9.tsv")
    get = client(open_folder(tmp_path, "odd"))
    for query in ("", "?word=a%20b7", "?word=a%20b7&to=caf%E9"):
        page = get(f"/odd/{query}").text
        assert "<b>" not in page.replace("<b>Succeeded", "")
        for link in links(page):
            assert get(link).status_code == 200, link
    assert "/odd/lexicons/%3Cb%3E-caf%E9.tsv" in links(get("/odd/").text)


def test_a_method_is_prepared_for_a_pair_when_a_page_needs_it(many_folder: Path) -> None:
    served = open_folder(many_folder, "many")
    served = replace(served, folder=None)  # so that no cache is read
    preparation = Preparation([served])
    preparation.start()
    preparation.wait()
    get = client(served, preparation=preparation)
    assert served.space.statistics["en", "es"].lengths is not None
    get("/many/?word=en7")
    preparation.wait()
    assert served.space.statistics["en", "es"].highest is None, "the page needs no slow method"
    address = "/api/translate?word=en7&retrieval=invnn&to="
    assert get(address + "es").status_code == 503
    preparation.wait()
    assert get(address + "es").status_code == 200
    assert get("/many/?word=en7&to=es").text.count("is being prepared") == 0
    assert served.space.statistics["en", "pl"].highest is None
    assert get(address + "*").status_code == 503
    preparation.wait()
    assert get(address + "*").status_code == 200, "all of them were prepared"
    assert served.space.statistics["es", "pl"].highest is None
    page = get("/many/?word=pl7&to=es").text
    assert page.count("is being prepared") == 3
    preparation.wait()
    assert get("/many/?word=pl7&to=es").text.count("is being prepared") == 0


def test_vectors_of_several_languages_are_prepared_when_a_page_needs_them() -> None:
    served = ServedSpace("s", four())
    preparation = Preparation([served])
    preparation.start()
    preparation.wait()
    get = client(served, preparation=preparation)
    assert get("/s/?word=en7").text.count("csls is being prepared") == 3
    preparation.wait()
    assert len(words(cards(get("/s/?word=en7").text)["pl"])) == 5
