"""Split plain text into words, in any script that puts spaces between words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby

_MARKS_END = 0x20000  # the combining marks of all scripts are below this code point
_REPLACEMENTS = (  # unify characters that look alike; reserve the underscore for joined phrases
    ("\u2019", "'"),
    ("\u2018", "'"),
    ("\u2010", "-"),
    ("\u2011", "-"),
    ("\u00ad", ""),
    ("_", " "),
)
# Scripts without spaces between words: Thai, Lao, Myanmar, Khmer, kana and Han.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{3}")

_NUMBER = re.compile(r"\d[\d.,]*(?:e-?\d+)?")


@dataclass(frozen=True)
class Tokeniser:
    """Splits text into words made of letters, combining marks and digits; drops punctuation.

    Apostrophes and hyphens inside a word are kept (``don't``, ``to-morrow``), and so are points and
    commas inside a number (``1,000``).

    Attributes:
        lowercase: Whether to lower-case the text.
        cut_apostrophes: Whether to split words at apostrophes, for languages with elision
            (``l'homme``).
    """

    lowercase: bool = True
    cut_apostrophes: bool = False

    def clean(self, text: str) -> str:
        """Compose characters (NFC), unify those that look alike, and lower-case if requested."""
        text = unicodedata.normalize("NFC", text)
        for old, new in _REPLACEMENTS:
            text = text.replace(old, new)
        if self.cut_apostrophes:
            text = text.replace("'", " ")
        return text.lower() if self.lowercase else text

    def words(self, text: str) -> list[str]:
        """Return the words of text that `clean` returned."""
        return _word_pattern().findall(text)


def has_spaces(words: Iterable[str]) -> bool:
    """Tell whether at least three quarters of the words are in a script with spaces."""
    unspaced = [bool(_UNSPACED.match(word)) for word in words]
    return sum(unspaced) * 4 <= len(unspaced)


def mostly_numbers(counts: Mapping[str, int]) -> bool:
    """Tell whether more than half of a text is numbers, given the count of each word."""
    numbers = sum(count for word, count in counts.items() if _NUMBER.fullmatch(word))
    return 2 * numbers > sum(counts.values())


@cache
def _word_pattern() -> re.Pattern[str]:
    # \w does not match combining marks such as vowel signs, so it would split Hindi words.
    inside = rf"[\w{_mark_ranges()}]*"
    joint = r"(?:['\-\u200c\u200d]|(?<=\d)[.,](?=\d))"
    return re.compile(rf"\w{inside}(?:{joint}\w{inside})*")


def _mark_ranges() -> str:
    """Return all combining marks as ranges for a regex character class."""
    codes = (code for code in range(_MARKS_END) if unicodedata.category(chr(code))[0] == "M")
    runs = [
        [code for _, code in run]
        for _, run in groupby(enumerate(codes), key=lambda item: item[1] - item[0])
    ]
    return "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in runs)
