"""Pages and JSON, whatever the words are."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest

from isolex import Embeddings, io
from isolex.core.pair import Pair
from isolex.core.space import Space
from isolex.core.verdict import Evidence, Verdict
from isolex.run.folder import RunFolder
from isolex.web.explorer.links import readable
from isolex.web.explorer.served_space import ServedSpace, make_slugs
from tests.planted import noise
from tests.web.explorer.conftest import HOSTILE, Get, client, open_folder, prepare
from tests.wording import Wording


def encoded(word: str) -> str:
    return quote(word.encode("utf-8", "surrogateescape"), safe="")


def test_with_one_space_the_home_page_redirects_to_it(get: Get) -> None:
    home = get("/")
    assert home.status_code in (302, 307)
    page = get(home.headers["location"])
    assert page.status_code == 200
    assert 'method="get"' in page.text
    assert page.text.count('class="word a"') > 3
    assert get("/?word=mother&k=5").headers["location"] == "/en-es/?word=mother&k=5"


def test_the_page_of_a_word_has_every_part(get: Get) -> None:
    page = get("/en-es/?word=mother&k=5")
    assert page.status_code == 200
    for method in ("nn", "csls", "invsoftmax", "invnn", "gc"):
        assert f"<h4>{method}</h4>" in page.text
    assert page.text.count("mutual best") > 4
    assert "Nearest in en" in page.text
    assert "Nearest in es" in page.text
    assert page.text.count("<svg viewBox") == 2, "one for wide screens, one for narrow ones"


def test_a_word_is_looked_for_in_all_languages_unless_one_is_chosen(get: Get) -> None:
    assert "Translations into en" in get("/en-es/?word=madre").text
    assert "Translations into es" in get("/en-es/?word=mother&from=&to=").text
    assert "Translations into es" in get("/en-es/?word=%20mother%20").text
    elsewhere = get("/en-es/?word=madre&from=en")
    assert elsewhere.status_code == 404
    link = 'It is a word of es: <a class="word b" href="/en-es/?word=madre&amp;from=es&amp;to=en'
    assert link in elsewhere.text
    assert "It is also a word of es" in get("/en-es/?word=no").text


@pytest.mark.parametrize("word", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_words_are_shown_as_text(get: Get, word: str) -> None:
    page = get(f"/en-es/?word={encoded(word)}&from=en")
    assert page.status_code == 200
    title = re.search(r'<h2 class="looked-up"><bdi>(.*?)</bdi>', page.text)
    assert title is not None
    assert unescape(title[1]) == readable(word)
    tags = set(re.findall(r"<([a-zA-Z]+)", page.text))
    assert "img" not in tags
    assert page.text.count("<script") == 1, "the script of the page itself"
    answer = get(f"/api/translate?word={encoded(word)}").json()
    assert answer["found"]
    assert answer["word"] == word
    assert len(answer["translations"]) == 5


def test_every_link_of_a_page_works(get: Get) -> None:
    page = get(f"/en-es/?word={encoded(HOSTILE[0])}").text
    links = {unescape(link) for link in re.findall(r'href="(/[^"]*)"', page)}
    assert len(links) > 15
    for link in sorted(links):
        assert get(link).status_code == 200, link


def test_an_unknown_word_has_suggestions(get: Get, wording: Wording) -> None:
    page = get("/en-es/?word=mothr")
    assert page.status_code == 404
    assert "not in the vocabularies of en (800 words) and es (800 words)." in page.text
    assert ">mother</bdi>" in page.text
    assert "<b>x</b>" not in get("/en-es/?word=<b>x</b>").text
    answer = get("/api/translate?word=Mother")
    assert answer.status_code == 404
    facts = answer.json()
    assert (facts["found"], facts["from"], facts["to"]) == (False, "en", "es")
    assert facts["suggestions"][0] == "mother"
    assert "'mother'" in facts["error"]
    wording(facts["error"])
    wording(get("/api/translate?word=qqqq&from=es").json()["error"])


def test_a_word_of_another_language_is_reported_as_such(get: Get, wording: Wording) -> None:
    answer = get("/api/translate?word=madre&from=en")
    assert answer.status_code == 404
    assert "from=es&to=en" in answer.json()["error"]
    assert "from=en&to=es" in get("/api/translate?word=mother&from=es").json()["error"]
    assert "from=es&to=en" in get("/api/translate?word=madre&to=es").json()["error"]
    wording(answer.json()["error"])


def test_the_same_spelling_is_suggested_first_in_any_language(get: Get) -> None:
    page = get("/en-es/?word=MADRÉ").text
    assert re.findall(r"<li><a [^>]*><bdi>(.*?)</bdi>", page)[0] == "madre"


@pytest.mark.parametrize("query", ["", "?word=", "?word=&k=3"])
def test_the_word_is_required(get: Get, query: str) -> None:
    answer = get(f"/api/translate{query}")
    assert answer.status_code == 400
    assert "word=" in answer.json()["error"]


def test_translations_as_json(get: Get) -> None:
    answer = get("/api/translate?word=mother&k=3")
    assert answer.headers["content-type"] == "application/json"
    facts = answer.json()
    keys = ["mapping", "word", "found", "from", "to", "retrieval", "translations"]
    assert list(facts) == keys
    assert [facts[key] for key in keys[:6]] == ["en-es", "mother", True, "en", "es", "csls"]
    assert list(facts["translations"][0]) == ["word", "score", "mutual"]
    assert facts["translations"][0]["word"] == "madre"
    assert [one["mutual"] for one in facts["translations"]] == [True, False, False]
    back = get("/api/translate?word=madre&k=1&from=es&to=en&retrieval=nn&dir=en-es").json()
    assert back["translations"][0]["word"] == "mother"
    assert back["retrieval"] == "nn"
    assert get("/api/translate?word=madre").json()["from"] == "es", "the language that has the word"


@pytest.mark.parametrize(
    ("query", "facts"),
    [
        ("k=0", "k=0: give a whole number from 1 to 100"),
        ("k=101", "whole number"),
        ("k=x", "whole number"),
        ("k=-1", "whole number"),
        ("k=99999999999999999999", "whole number"),
        ("k=00000000100000", "whole number"),
        (f"k=000000001{5000 * '0'}", "whole number"),
        ("k=%C2%B2", "whole number"),
        ("from=de", "from=de: choose from en, es"),
        (f"to={5000 * 'x'}", f"to={40 * 'x'}: choose"),
        ("from=es&to=es", "'es'"),
        ("retrieval=best", "choose from nn, csls"),
    ],
)
def test_a_wrong_parameter_is_refused(get: Get, query: str, facts: str) -> None:
    answer = get(f"/api/translate?word=mother&{query}")
    assert answer.status_code == 400
    assert facts in answer.json()["error"]
    if "retrieval" not in query:
        assert get(f"/en-es/?word=mother&{query}").status_code == 400


def test_completions(get: Get) -> None:
    found = get("/api/complete?prefix=MOTH").json()["completions"]
    assert found[0] == {
        "word": "mother",
        "shown": "mother",
        "language": "en",
        "url": "/en-es/?word=mother&from=en&to=es",
    }
    both = get("/api/complete?prefix=m").json()["completions"]
    assert {one["language"] for one in both} == {"en", "es"}
    for query in ("from=es", "to=en"):
        only = get(f"/api/complete?prefix=m&{query}&limit=3").json()["completions"]
        assert [one["language"] for one in only] == ["es"] * 3
    assert get("/api/complete?prefix=").json()["completions"] == []
    [not_utf8] = get("/api/complete?prefix=caf%E9&from=en").json()["completions"]
    assert not_utf8["word"] == "caf\udce9"
    assert get(not_utf8["url"]).status_code == 200


def test_any_of_three_languages_can_be_source_and_target(three: ServedSpace) -> None:
    get = client(three)
    facts = get("/api/translate?word=the!&to=en").json()
    assert facts["found"] is False
    word = three.space["x<y"].words[5]
    facts = get(f"/api/translate?word={encoded(word)}").json()
    assert (facts["from"], facts["to"]) == ("x<y", "en"), "the first other language"
    facts = get(f"/api/translate?word={encoded(word)}&to=es&retrieval=invnn&k=1").json()
    assert (facts["from"], facts["to"]) == ("x<y", "es")
    assert facts["translations"][0]["word"] == word.removesuffix("!")
    assert facts["translations"][0]["mutual"] is True
    page = get(f"/three/?word={encoded(word)}&from=x%3Cy&to=es").text
    assert "Translations into es" in page
    assert f'href="/three/?word={encoded(word)}&amp;from=x%3Cy&amp;to=en&amp;k=10">en</a>' in page
    assert '<option value="x&lt;y" selected>' in page
    assert "x<y" not in page
    assert "en, es and x&lt;y" in get("/three/").text


def test_vectors_without_a_folder_have_no_lexicon(three: ServedSpace) -> None:
    get = client(three)
    assert "lexicon.tsv" not in get("/three/").text
    assert get("/lexicon.tsv").status_code == 404


def test_the_name_of_a_language_may_be_any_bytes() -> None:
    one, other = noise(30, 4), noise(20, 4, seed=1)
    space = Space.from_vectors(one.named("caf\udce9"), other.named("<b>"))
    served = ServedSpace("odd", space)
    assert prepare(served).done
    get = client(served)
    page = get("/odd/?word=w3")
    assert page.status_code == 200
    assert "Translations into &lt;b&gt;" in page.text
    for link in {unescape(link) for link in re.findall(r'href="(/[^"]*)"', page.text)}:
        assert get(link).status_code == 200, link
    [value] = re.findall(r'<option value="(caf[^"]*)"', page.text)
    assert get(f"/odd/?word=w3&from={quote(value)}").status_code == 200
    assert get("/api/translate?word=w3&from=caf%E9").json()["from"] == "caf\udce9"


def test_a_bad_verdict_is_shown(served: ServedSpace) -> None:
    failed = {("en", "es"): Pair(Verdict.of(Evidence(0.01, 0.01, 0.1, 0.1, 100)))}
    get = client(replace(served, space=replace(served.space, pairs=failed)))
    for address in ("/en-es/", "/en-es/?word=mother", "/en-es/?word=mothr"):
        assert '<p class="verdict failed">' in get(address).text


def test_the_lexicon_can_be_downloaded(get: Get, folder: Path) -> None:
    for address in ("/lexicon.tsv", "/en-es/lexicon.tsv"):
        answer = get(address)
        assert answer.content == (folder / "lexicon.tsv").read_bytes()
        assert "attachment" in answer.headers["content-disposition"]


def test_a_missing_lexicon_is_reported(tmp_path: Path, served: ServedSpace) -> None:
    get = client(replace(served, folder=RunFolder(tmp_path)))
    answer = get("/lexicon.tsv")
    assert answer.status_code == 404
    assert "isolex lexicon" in answer.text
    assert "lexicon.tsv" not in get("/en-es/").text


@pytest.mark.parametrize(
    "address", ["/nowhere/", "/en-es/nowhere", "/static/%2e%2e/app.py", "/static/"]
)
def test_an_address_that_does_not_exist(get: Get, address: str) -> None:
    page = get(address)
    assert page.status_code == 404
    assert "That did not work" in page.text
    assert get("/api/nothing").json()["error"]


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1.example.org:8765", "", "localhost."])
def test_other_hosts_are_refused(get: Get, host: str) -> None:
    refused = get("/api/translate?word=mother", host=host)
    assert refused.status_code == 421
    assert "madre" not in refused.text


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8765", "127.0.0.1:1", "[::1]:80", "[::1]"]
)
def test_names_of_this_machine_are_answered(get: Get, host: str) -> None:
    assert get("/api/translate?word=mother", host=host).status_code == 200


def test_nothing_from_elsewhere_is_loaded_or_run(get: Get) -> None:
    for address in ("/en-es/?word=mother", "/nowhere/", "/static/explore.js", "/api/translate"):
        policy = get(address).headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'self'; script-src 'self'")
        assert "unsafe" not in policy
    for name in ("explore.js", "explore.css", "icon.svg"):
        assert get(f"/static/{name}").status_code == 200
    page = get("/en-es/?word=mother").text
    assert "http" not in re.sub(r"https?://www.w3.org/\S+", "", page), "no other server"
    assert " style=" not in page
    assert " onclick=" not in page


def test_each_of_several_spaces_has_its_own_address(folder: Path, served: ServedSpace) -> None:
    other = open_folder(folder, "en-es-2")
    get = client(served, other)
    index = get("/")
    assert 'href="/en-es/"' in index.text
    assert 'href="/en-es-2/"' in index.text
    assert f"en-es-2 ({folder}): 800 words of en" in index.text
    assert "all spaces" in get("/en-es-2/?word=mother").text
    missing = get("/api/translate?word=mother")
    assert missing.status_code == 400
    assert "dir=" in missing.json()["error"]
    assert get("/api/translate?word=mother&dir=en-es-2").json()["mapping"] == "en-es-2"
    assert get("/api/translate?word=mother&dir=nowhere").status_code == 404
    assert get("/lexicon.tsv?dir=en-es").status_code == 200


def test_names_in_addresses_are_different() -> None:
    slugs = make_slugs(["en-es", "en-es", "api", "été ✓", ""])
    assert slugs == ["en-es", "en-es-2", "api-2", "t", "space"]


def test_words_are_shown_readably() -> None:
    assert readable("caf\udce9 a\u202eb") == "caf\\udce9 a\\u202eb"
    assert readable("क्\u200dष") == "क्\u200dष", "joiners are part of words"


def test_the_page_of_a_tiny_space(tmp_path: Path) -> None:
    for name in ("a", "b"):
        io.save(Embeddings([f"{name}1"], [[1.0, 0.0]]), tmp_path / f"{name}.vec")
    languages = (io.load(tmp_path / f"{name}.vec") for name in ("a", "b"))
    get = client(ServedSpace("tiny", Space.from_vectors(*languages)))
    assert get("/tiny/").status_code == 200
    assert get("/tiny/?word=a1").status_code == 200
