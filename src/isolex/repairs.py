"""What had to be mended while a file was read."""

from __future__ import annotations

from dataclasses import dataclass

from isolex.files import StrPath, shown


@dataclass(frozen=True)
class Repairs:
    """Counts of what was mended or is worth saying about a file that was read.

    Attributes:
        duplicates: Words seen again; the first was kept.
        empty: Vectors without a word, dropped.
        not_finite: Rows with NaN or infinite values, dropped.
        zero: Words whose vector is all zeros, kept.
        blank: Blank lines, skipped.
        truncated: 1 if the last entry was cut off and dropped.
        invalid_utf8: Words that are not UTF-8, kept byte for byte.
        numbered: Words that end in a number after a space: perhaps rows with a number too many.
        header: What the header said wrongly, or "".
    """

    duplicates: int = 0
    empty: int = 0
    not_finite: int = 0
    zero: int = 0
    blank: int = 0
    truncated: int = 0
    invalid_utf8: int = 0
    numbered: int = 0
    header: str = ""

    def notes(self) -> str:
        """All of it, separated by commas; "" if there is nothing to say."""
        counts = (
            (self.duplicates, "duplicate word", "duplicate words", " (first kept)"),
            (self.empty, "empty word", "empty words", " dropped"),
            (self.not_finite, "row", "rows", " with NaN or infinite values dropped"),
            (self.zero, "zero vector", "zero vectors", " kept"),
            (self.blank, "blank line", "blank lines", " skipped"),
            (self.truncated, "cut-off last entry", "cut-off last entries", " dropped"),
            (self.invalid_utf8, "word", "words", " not in UTF-8 kept byte for byte"),
            (self.numbered, "word", "words", " ending in a number (a number too many?)"),
        )
        said = [
            f"{count:,} {one if count == 1 else many}{what}"
            for count, one, many, what in counts
            if count
        ]
        return ", ".join([*said, self.header] if self.header else said)

    def describe(self, path: StrPath) -> str:
        """One line about the file at ``path``; "" if there is nothing to say."""
        notes = self.notes()
        return f"{shown(path)}: {notes}" if notes else ""
