"""Words of plain text, in any script that puts spaces between them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby

_MARKS_END = 0x20000  # no script has its marks past this plane
_SAME = (  # what is one sign to a reader; an underscore joins phrases and nothing else
    ("\u2019", "'"),
    ("\u2018", "'"),
    ("\u2010", "-"),
    ("\u2011", "-"),
    ("\u00ad", ""),
    ("_", " "),
)
# Scripts that leave no space between words: Thai to Lao, Myanmar, Khmer, kana and Han.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{3}")

_NUMBER = re.compile(r"\d[\d.,]*(?:e-?\d+)?")


@dataclass(frozen=True)
class Tokeniser:
    """Cuts a line into words: letters, marks and digits; punctuation is dropped.

    An apostrophe or hyphen inside a word stays (``don't``, ``to-morrow``), and so does a point or
    comma inside a number (``1,000``).

    Attributes:
        lowercase: Whether words are lower-cased.
        cut_apostrophes: Whether a word ends at an apostrophe, as elision asks for (``l'homme``).
    """

    lowercase: bool = True
    cut_apostrophes: bool = False

    def clean(self, text: str) -> str:
        """Text in composed form, with one sign for what looks the same."""
        text = unicodedata.normalize("NFC", text)
        for sign, same in _SAME:
            text = text.replace(sign, same)
        if self.cut_apostrophes:
            text = text.replace("'", " ")
        return text.lower() if self.lowercase else text

    def words(self, text: str) -> list[str]:
        """The words of clean text."""
        return _word().findall(text)


def has_spaces(words: Iterable[str]) -> bool:
    """Whether most of the words are of a script that puts spaces between words."""
    runs = [bool(_UNSPACED.match(word)) for word in words]
    return sum(runs) * 4 <= len(runs)


def mostly_numbers(counts: Mapping[str, int]) -> bool:
    """Whether more than half of a text, given as the count of each word, is numbers."""
    numbers = sum(count for word, count in counts.items() if _NUMBER.fullmatch(word))
    return 2 * numbers > sum(counts.values())


@cache
def _word() -> re.Pattern[str]:
    # Python's \w leaves out vowel signs and other marks, without which Hindi falls to pieces.
    inside = rf"[\w{_marks()}]*"
    joint = r"(?:['\-\u200c\u200d]|(?<=\d)[.,](?=\d))"
    return re.compile(rf"\w{inside}(?:{joint}\w{inside})*")


def _marks() -> str:
    """All combining marks as ranges of a character class."""
    codes = (code for code in range(_MARKS_END) if unicodedata.category(chr(code))[0] == "M")
    runs = [
        [code for _, code in run]
        for _, run in groupby(enumerate(codes), key=lambda item: item[1] - item[0])
    ]
    return "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in runs)
