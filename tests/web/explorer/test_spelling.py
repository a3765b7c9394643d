"""Completion and what may have been meant."""

from __future__ import annotations

from isolex.web.explorer.spelling import SAME, SLIP, SWAPPED, Spelling, folded

WORDS = ("the", "Über", "house", "over", "houses", "Café", "hose", "cafe", "γη", "日本", "ho")


def complete(prefix: str, count: int = 10) -> list[str]:
    return [WORDS[row] for row in Spelling(WORDS).complete(prefix, count)]


def alike(word: str, count: int = 4) -> list[str]:
    return [WORDS[one.row] for one in Spelling(WORDS).alike(word, count)]


def test_completions_are_the_most_frequent_words_first() -> None:
    assert complete("ho") == ["house", "houses", "hose", "ho"]
    assert complete("ho", 2) == ["house", "houses"]
    assert complete("zz") == []


def test_case_and_accents_do_not_matter() -> None:
    assert complete("CAF") == ["Café", "cafe"]
    assert complete("ub") == ["Über"]
    assert complete("日") == ["日本"]
    assert folded(" Ångström ") == "angstrom"


def test_a_slip_of_the_finger_is_seen_through() -> None:
    assert alike("hpuse")[0] == "house"
    assert alike("huose")[0] == "house"
    assert alike("hous")[0] == "house"
    assert alike("housee")[0] == "house"
    assert alike("CAFÉ")[:2] == ["Café", "cafe"]


def test_neighbours_that_changed_places_come_before_other_slips() -> None:
    words = ("do", "go", "dig", "dgoing", "dog", "Dgö")
    found = Spelling(words).alike("dgo", 5)
    assert [words[one.row] for one in found] == ["Dgö", "dog", "do", "go", "dgoing"]
    assert [one.grade for one in found][:3] == [SAME, SWAPPED, SLIP]


def test_else_words_that_begin_alike_are_named() -> None:
    assert alike("overthrow") == ["over"]
    assert alike("qqqq") == []
    assert alike("") == []
    assert alike("x" * 5000) == []
