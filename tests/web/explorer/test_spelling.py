"""Completion, and suggestions for misspelled words."""

from __future__ import annotations

from isolex.core.words import folded
from isolex.web.explorer.spelling import SAME, SWAPPED, TYPO, Suggestions

WORDS = ("the", "Über", "house", "over", "houses", "Café", "hose", "cafe", "γη", "日本", "ho")


def complete(prefix: str, count: int = 10) -> list[str]:
    return [WORDS[row] for row in Suggestions(WORDS).complete(prefix, count)]


def similar(word: str, count: int = 4) -> list[str]:
    return [WORDS[one.row] for one in Suggestions(WORDS).similar(word, count)]


def test_completions_are_the_most_frequent_words_first() -> None:
    assert complete("ho") == ["house", "houses", "hose", "ho"]
    assert complete("ho", 2) == ["house", "houses"]
    assert complete("zz") == []


def test_case_and_accents_are_ignored() -> None:
    assert complete("CAF") == ["Café", "cafe"]
    assert complete("ub") == ["Über"]
    assert complete("日") == ["日本"]
    assert folded(" Ångström ") == "angstrom"


def test_typos_are_corrected() -> None:
    assert similar("hpuse")[0] == "house"
    assert similar("huose")[0] == "house"
    assert similar("hous")[0] == "house"
    assert similar("housee")[0] == "house"
    assert similar("CAFÉ")[:2] == ["Café", "cafe"]


def test_swapped_letters_come_before_other_typos() -> None:
    words = ("do", "go", "dig", "dgoing", "dog", "Dgö")
    found = Suggestions(words).similar("dgo", 5)
    assert [words[one.row] for one in found] == ["Dgö", "dog", "do", "go", "dgoing"]
    assert [one.grade for one in found][:3] == [SAME, SWAPPED, TYPO]


def test_otherwise_words_with_the_same_beginning_are_suggested() -> None:
    assert similar("overthrow") == ["over"]
    assert similar("qqqq") == []
    assert similar("") == []
    assert similar("x" * 5000) == []
