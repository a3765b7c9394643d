"""Tokenisation in any script with spaces between words."""
# ruff: noqa: RUF001 - the tests need letters of other scripts

from __future__ import annotations

import unicodedata

import pytest

from isolex.corpora import Tokeniser, has_spaces, mostly_numbers


def words(text: str, **options: bool) -> list[str]:
    tokeniser = Tokeniser(**options)
    return tokeniser.words(tokeniser.clean(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("“Don’t!” he said—loudly.", ["don't", "he", "said", "loudly"]),
        ("to-morrow -- 'tis mother-in-law's", ["to-morrow", "tis", "mother-in-law's"]),
        ("In 1,000.50 or 3.14, not 7.", ["in", "1,000.50", "or", "3.14", "not", "7"]),
        ("¿Qué? ¡Años!", ["qué", "años"]),
        ("п’ять об'єктів", ["п'ять", "об'єктів"]),
        ("हिन्दी में लिखा", ["हिन्दी", "में", "लिखा"]),
        ("می‌خواهم بروم", ["می\u200cخواهم", "بروم"]),
        ("μῆνιν ἄειδε", ["μῆνιν", "ἄειδε"]),
        ("snake_case _emphasis_", ["snake", "case", "emphasis"]),
        ("co\u00adoperate \ufeffx", ["cooperate", "x"]),
        ("... --- ''' 🙂", []),
    ],
)
def test_words_consist_of_letters_marks_and_digits(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_composed_and_decomposed_text_give_the_same_words() -> None:
    assert words(unicodedata.normalize("NFD", "naïve año")) == ["naïve", "año"]


def test_case_can_be_kept() -> None:
    assert words("Ana ama", lowercase=False) == ["Ana", "ama"]


def test_words_can_be_split_at_apostrophes() -> None:
    assert words("L’homme qu'il", cut_apostrophes=True) == ["l", "homme", "qu", "il"]


def test_scripts_without_spaces_are_recognised() -> None:
    assert has_spaces(words("one two three four 中国人民"))
    assert not has_spaces(words("我是中国人，你也是中国人。สวัสดีครับ"))


def test_text_that_is_mostly_numbers_is_recognised() -> None:
    assert mostly_numbers({"a": 2, "0.25": 2, "1e-05": 1})
    assert not mostly_numbers({"a": 2, "1,000": 2, "b2b": 1})
