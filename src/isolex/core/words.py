"""Words of a large vocabulary, decoded only when they are needed."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import overload

import numpy as np
from numpy.typing import NDArray

from isolex.errors import UsageError

SEPARATOR = b"\n"


def encode(word: str) -> bytes:
    """A word as UTF-8; bytes that were not UTF-8 when the word was read are kept unchanged."""
    try:
        return word.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise UsageError(f"{word!r} is not a word: it contains half of a character") from error


def encode_words(words: Iterable[str]) -> bytes:
    r"""All words as bytes, each followed by ``\n``; bytes that are not UTF-8 are kept unchanged."""
    return b"".join(encode(word) + SEPARATOR for word in words)


def folded(word: str) -> str:
    """A word without case, accents and surrounding blanks."""
    plain = word.strip().casefold()
    if plain.isascii():
        return plain
    apart = unicodedata.normalize("NFKD", plain)
    return "".join(char for char in apart if not unicodedata.combining(char)).casefold() or plain


class Words(Sequence[str]):
    """Words as one block of bytes.

    A word is found by searching the block, so a look-up needs no dictionary of all words. The
    separator makes that search fast; the offsets decide, so a word may contain the separator.

    Args:
        data: ``(bytes,)`` all words in UTF-8, each followed by a newline.
        offsets: ``(n + 1,)`` where each word begins; the last entry is the length of ``data``.
    """

    def __init__(self, data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None:
        if (
            len(offsets) == 0
            or offsets[0] != 0
            or offsets[-1] != len(data)
            or (np.diff(offsets) < len(SEPARATOR)).any()
        ):
            raise ValueError("the offsets do not divide the words")
        self.data, self.offsets = data, offsets

    @classmethod
    def of(cls, words: Iterable[str]) -> Words:
        """Encode words."""
        encoded = [encode(word) + SEPARATOR for word in words]
        sizes = np.fromiter((len(word) for word in encoded), dtype=np.int64, count=len(encoded))
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes)])
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[str]: ...
    def __getitem__(self, row: int | slice) -> str | Sequence[str]:
        if isinstance(row, slice):
            return [self[place] for place in range(*row.indices(len(self)))]
        place = range(len(self))[row]  # negative rows count from the end, others are refused
        begin, end = self.offsets[place] + len(SEPARATOR), self.offsets[place + 1]
        return self._text[begin:end].decode("utf-8", "surrogateescape")

    def __iter__(self) -> Iterator[str]:
        cuts = self.offsets.tolist()
        text, gap = self._text, len(SEPARATOR)
        for begin, end in pairwise(cuts):
            yield text[begin + gap : end].decode("utf-8", "surrogateescape")

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.row(word) is not None

    def row(self, word: str) -> int | None:
        """The row of a word, or ``None`` if it is not in the vocabulary."""
        if (known := self.__dict__.get("rows")) is not None:
            row: int | None = known.get(word)
            return row
        try:
            wanted = SEPARATOR + encode(word) + SEPARATOR
        except UsageError:
            return None
        place = self._text.find(wanted)
        while place >= 0:
            # The text begins with a separator that the offsets do not count.
            row = int(np.searchsorted(self.offsets, place))
            found = self.offsets[row] == place and row < len(self)
            if found and self.offsets[row + 1] == place + len(wanted) - len(SEPARATOR):
                return row
            place = self._text.find(wanted, place + 1)
        return None

    @cached_property
    def rows(self) -> dict[str, int]:
        """Each word's row; for looking up many words."""
        return {word: row for row, word in enumerate(self)}

    @cached_property
    def _text(self) -> bytes:
        return SEPARATOR + self.data.tobytes()
