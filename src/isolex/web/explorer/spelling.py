"""Completion of words, and suggestions for misspelled ones."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from isolex.core.words import folded

MAX_LENGTH = 30
"""Longest word for which misspellings are tried."""

MAX_LETTERS = 60
"""Number of frequent letters of a vocabulary that misspellings are corrected with."""

SAMPLE = 5000
"""Number of frequent words whose letters are counted."""

LAST = chr(0x10FFFF)


SAME, SWAPPED, TYPO, PREFIX = range(4)


class Similar(NamedTuple):
    """A word that may have been meant; better ones sort first.

    Attributes:
        grade: `SAME` except for case and accents, two letters `SWAPPED`, another `TYPO` in one
            letter, or the same `PREFIX`, plus one for each letter dropped at the end.
        row: The row of the word.
    """

    grade: int
    row: int


class Suggestions:
    """The words of a vocabulary, most frequent first, sorted by their letters."""

    def __init__(self, words: Sequence[str]) -> None:
        forms = [folded(word) for word in words]
        order = sorted(range(len(words)), key=forms.__getitem__)
        self._rows = np.array(order, dtype=np.int32)
        self._forms = [forms[row] for row in order]
        counts = Counter(char for form in islice(forms, SAMPLE) for char in form)
        self._letters = [char for char, _ in counts.most_common(MAX_LETTERS)]

    def complete(self, prefix: str, count: int) -> list[int]:
        """Rows of the most frequent words with a prefix, ignoring case and accents."""
        form = folded(prefix)
        low = bisect_left(self._forms, form)
        rows = self._rows[low : bisect_left(self._forms, form + LAST, low)]
        if len(rows) > count:
            rows = np.partition(rows, count)[:count]
        return [int(row) for row in np.sort(rows)]

    def similar(self, word: str, count: int) -> list[Similar]:
        """Words that differ in case, accents or one letter, or share a prefix; best first."""
        form = folded(word)
        grades = dict.fromkeys(sorted(self._spelled(form)), SAME)
        if 1 < len(form) <= MAX_LENGTH:
            for grade, forms in ((SWAPPED, _swaps(form)), (TYPO, _edits(form, self._letters))):
                rows = sorted(set[int]().union(*map(self._spelled, forms)))
                grades = dict.fromkeys(rows, grade) | grades
        shorter, grade = form[:MAX_LENGTH], PREFIX
        while len(grades) < count and len(shorter) > 2:
            shorter, grade = shorter[:-1], grade + 1
            grades = dict.fromkeys(self.complete(shorter, count), grade) | grades
        return sorted(Similar(grade, row) for row, grade in grades.items())[:count]

    def _spelled(self, form: str) -> set[int]:
        """Rows of the words that are folded to a form."""
        low = bisect_left(self._forms, form)
        high = low
        while high < len(self._forms) and self._forms[high] == form:
            high += 1
        return {int(row) for row in self._rows[low:high]}


def _swaps(form: str) -> Iterator[str]:
    """The word with each two adjacent letters swapped."""
    for place in range(len(form) - 1):
        yield form[:place] + form[place + 1] + form[place] + form[place + 2 :]


def _edits(form: str, letters: Sequence[str]) -> Iterator[str]:
    """The word with one letter inserted, deleted or replaced."""
    for place in range(len(form) + 1):
        head, tail = form[:place], form[place:]
        for letter in letters:
            yield head + letter + tail
            if tail:
                yield head + letter + tail[1:]
        if tail:
            yield head + tail[1:]
