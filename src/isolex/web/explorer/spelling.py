"""Words by their letters: completion, and what may have been meant."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

LONGEST = 30
"""Letters of a word for which other spellings are tried."""
LETTERS = 60
"""The most frequent letters of a vocabulary, of which other spellings are made."""
HIGHEST = chr(0x10FFFF)


def folded(word: str) -> str:
    """A word without case, accents and blanks around it."""
    plain = word.strip().casefold()
    if plain.isascii():
        return plain
    apart = unicodedata.normalize("NFKD", plain)
    return "".join(char for char in apart if not unicodedata.combining(char)).casefold() or plain


SAME, SWAPPED, SLIP, BEGINNING = range(4)


class Alike(NamedTuple):
    """A word that may have been meant; those that sort first are the likelier.

    Attributes:
        grade: How it differs: `SAME` but for case and accents, two letters `SWAPPED`, another
            `SLIP` of one letter, and from `BEGINNING` on, one more for each letter that had to be
            dropped at the end.
        row: Of the word.
    """

    grade: int
    row: int


class Spelling:
    """The words of a vocabulary, most frequent first, by their letters."""

    def __init__(self, words: Sequence[str]) -> None:
        forms = [folded(word) for word in words]
        order = sorted(range(len(words)), key=forms.__getitem__)
        self._rows = np.array(order, dtype=np.int32)
        self._forms = [forms[row] for row in order]
        counts = Counter(char for form in islice(forms, 5000) for char in form)
        self._letters = [char for char, _ in counts.most_common(LETTERS)]

    def complete(self, prefix: str, count: int) -> list[int]:
        """The most frequent words that begin so, whatever their case and accents."""
        form = folded(prefix)
        low = bisect_left(self._forms, form)
        rows = self._rows[low : bisect_left(self._forms, form + HIGHEST, low)]
        if len(rows) > count:
            rows = np.partition(rows, count)[:count]
        return [int(row) for row in np.sort(rows)]

    def alike(self, word: str, count: int) -> list[Alike]:
        """Words that differ in case or accents, in one letter, or that begin alike; best first."""
        form = folded(word)
        grades = dict.fromkeys(sorted(self._spelt(form)), SAME)
        if 1 < len(form) <= LONGEST:
            for grade, forms in ((SWAPPED, _swaps(form)), (SLIP, _edits(form, self._letters))):
                rows = sorted(set[int]().union(*map(self._spelt, forms)))
                grades = dict.fromkeys(rows, grade) | grades
        shorter, grade = form[:LONGEST], BEGINNING
        while len(grades) < count and len(shorter) > 2:
            shorter, grade = shorter[:-1], grade + 1
            grades = dict.fromkeys(self.complete(shorter, count), grade) | grades
        return sorted(Alike(grade, row) for row, grade in grades.items())[:count]

    def _spelt(self, form: str) -> set[int]:
        low = bisect_left(self._forms, form)
        high = low
        while high < len(self._forms) and self._forms[high] == form:
            high += 1
        return {int(row) for row in self._rows[low:high]}


def _swaps(form: str) -> Iterator[str]:
    """A word with two neighbouring letters in each other's place."""
    for place in range(len(form) - 1):
        yield form[:place] + form[place + 1] + form[place] + form[place + 2 :]


def _edits(form: str, letters: Sequence[str]) -> Iterator[str]:
    """A word with a letter more, a letter less or another letter."""
    for place in range(len(form) + 1):
        head, tail = form[:place], form[place:]
        for letter in letters:
            yield head + letter + tail
            if tail:
                yield head + letter + tail[1:]
        if tail:
            yield head + tail[1:]
