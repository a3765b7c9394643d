"""Word pairs that a user gives for some pairs of several languages."""

from __future__ import annotations

import pytest

from isolex import Embeddings, align
from isolex.core.observer import Observer
from isolex.errors import UsageError
from isolex.systems.given_pairs import by_pair
from tests.planted import planted_languages
from tests.wording import Wording

NAMES = ("en", "es", "pl")


@pytest.fixture(scope="module")
def languages() -> list[Embeddings]:
    return planted_languages(3, 40, 5)


def test_pairs_of_two_languages_need_no_names() -> None:
    assert by_pair({"dog": "perro"}, NAMES[:2]) == {(0, 1): [("dog", "perro")]}
    assert by_pair([("dog", "perro")], NAMES[:2]) == {(0, 1): [("dog", "perro")]}
    assert by_pair(None, NAMES) == {}


def test_pairs_are_put_into_the_order_of_the_languages() -> None:
    given = {("pl", "en"): {"pies": "dog"}, ("en", "es"): [("dog", "perro")]}
    assert by_pair(given, NAMES) == {(0, 2): [("dog", "pies")], (0, 1): [("dog", "perro")]}
    assert by_pair({("es", "en"): {"perro": "dog"}}, NAMES[:2]) == {(0, 1): [("dog", "perro")]}


def test_pairs_in_both_orders_are_joined() -> None:
    given = {("pl", "en"): {"pies": "dog"}, ("en", "pl"): {"cat": "kot"}}
    assert by_pair(given, NAMES) == {(0, 2): [("dog", "pies"), ("cat", "kot")]}


@pytest.mark.parametrize(
    ("given", "facts"),
    [
        ({"dog": "pies"}, r"more than two languages.*\('en', 'pl'\): pairs"),
        ([("dog", "pies")], r"more than two languages"),
        ({("en", "xx"): {"a": "b"}}, r"\('en', 'xx'\): .*choose from en, es, pl"),
        ({("en", "en"): {"a": "b"}}, r"\('en', 'en'\): .*two languages"),
        ({("en",): {"a": "b"}}, r"\('en',\): .*two languages"),
        ({("en", "pl", "es"): {"a": "b"}}, "two languages"),
        ({("en", "pl"): "gold.txt"}, "word pairs, not a file"),
        ({("en", "pl"): [("a", "b", "c")]}, "two words"),
        ({("en", "pl"): {"a": "b"}, "es": "pl"}, "two languages"),
    ],
    ids=str,
)
def test_pairs_that_cannot_be_placed_are_refused(
    given: object, facts: str, wording: Wording
) -> None:
    with pytest.raises(UsageError, match=facts) as caught:
        by_pair(given, NAMES)  # type: ignore[arg-type]
    wording(caught.value)


class Refusing(Observer):
    """Fails the test if any work begins."""

    def step(self, name: str) -> None:
        raise AssertionError(name)


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({"lexicon": {("a", "c"): {"x": "y"}}}, "a-c: no training pair has both words"),
        (
            {"lexicon": {("a", "c"): {f"c{i}": f"a{i}" for i in range(9)}}},
            "a-c: 0 pairs .* 9 if the two words are swapped",
        ),
        ({"validation": {("b", "c"): {"x": "y"}}}, "b-c: no validation pair has both words"),
        (
            {"validation": {("b", "c"): {f"c{i}": f"b{i}" for i in range(9)}}},
            "b-c: 0 pairs .* 9 if the two words are swapped",
        ),
        (
            {"system": "supervised", "lexicon": {("a", "b"): {"a1": "b1"}}},
            "'supervised' .*none connect c with a",
        ),
        ({"system": "supervised"}, "'supervised' .*lexicon"),
        ({"system": "semi-supervised"}, "'semi-supervised' .*lexicon"),
        ({"system": "conneau2018"}, "'conneau2018' aligns two languages"),
        ({"system": "smith2017"}, "'smith2017' aligns two languages"),
        ({"system": "grave2018"}, "'grave2018' aligns two languages"),
        ({"system": "joulin2018"}, "'joulin2018' aligns two languages"),
    ],
    ids=str,
)
def test_what_several_languages_cannot_use_is_refused_before_any_work(
    languages: list[Embeddings], options: dict, facts: str, wording: Wording
) -> None:
    with pytest.raises(UsageError, match=facts) as caught:
        align(*languages, **options, observer=Refusing())
    assert "\n" not in str(caught.value)
    wording(caught.value)


def test_languages_without_names_or_with_equal_ones_are_refused(
    languages: list[Embeddings],
) -> None:
    a, b, c = languages
    with pytest.raises(UsageError, match=r"language 2 has no name.*named\('en'\)"):
        align(a, b.named(""), c)
    with pytest.raises(UsageError, match=r"two languages are called 'a'.*named\('a2'\)"):
        align(a, b, c.named("a"))
    with pytest.raises(UsageError, match="file names"):
        align(a, b, c.named("x/y"))
    with pytest.raises(UsageError, match="two or more"):
        align(a)
