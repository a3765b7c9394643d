"""Lexicon: scored pairs of words, and how much of a word list two vocabularies cover."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from isolex.core import lexicon_file
from isolex.core.file_errors import StrPath
from isolex.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Indices = NDArray[np.int32]

SHOWN = 10
"""Rows that a notebook shows."""


class Vocabulary(Protocol):
    """Words in order of frequency: `Embeddings`, or a language of a space."""

    @property
    def words(self) -> Sequence[str]:
        """The words."""
        ...

    @property
    def index(self) -> Mapping[str, int]:
        """Each word's row."""
        ...


class LexiconEntry(NamedTuple):
    """One row of a scored lexicon."""

    source: str
    target: str
    score: float
    mutual: bool


@dataclass(frozen=True, eq=False, repr=False)
class Lexicon:
    """Pairs of a source and a target word.

    Attributes:
        sources: ``(n,)`` rows of the source words.
        targets: ``(n,)`` rows of the target words.
        scores: ``(n,)`` retrieval scores; ``None`` for pairs that were given.
        mutual: ``(n,)`` whether the two words are each other's best translation; ``None`` if that
            is not known.
        words: The two vocabularies that the rows refer to, if they are at hand.
    """

    sources: Indices
    targets: Indices
    scores: NDArray[np.float32] | None = None
    mutual: NDArray[np.bool_] | None = None
    words: tuple[Sequence[str], Sequence[str]] | None = None

    def __len__(self) -> int:
        return len(self.sources)

    def __repr__(self) -> str:
        known = "" if self.mutual is None else f", {self.mutual_count:,} mutual"
        return f"Lexicon({len(self):,} pairs{known})"

    def _repr_html_(self) -> str:
        if self.words is None or self.scores is None or self.mutual is None:
            return f"<p>{escape(repr(self))}</p>"
        rows = "".join(
            f"<tr><td>{_html(entry.source)}</td><td>{_html(entry.target)}</td>"
            f"<td>{entry.score:.4f}</td><td>{'✓' if entry.mutual else ''}</td></tr>"
            for entry in islice(self, SHOWN)
        )
        head = "".join(f"<th>{name}</th>" for name in LexiconEntry._fields)
        return (
            f"<table><caption>{escape(repr(self))}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{rows}</tbody></table>"
        )

    def __iter__(self) -> Iterator[LexiconEntry]:
        if self.words is None or self.scores is None or self.mutual is None:
            raise UsageError("this lexicon has no words and scores: get one from Space.lexicon")
        source_words, target_words = self.words
        columns = zip(
            self.sources.tolist(),
            self.targets.tolist(),
            self.scores.tolist(),
            self.mutual.tolist(),
            strict=True,
        )
        for source, target, score, mutual in columns:
            yield LexiconEntry(source_words[source], target_words[target], score, mutual)

    @classmethod
    def shuffled(cls, size: int, seed: int) -> Lexicon:
        """A random one-to-one pairing of the ``size`` most frequent words."""
        every = np.arange(size, dtype=np.int32)
        return cls(every, np.random.default_rng(seed).permutation(every))

    @classmethod
    def joined(cls, lexicons: Sequence[Lexicon]) -> Lexicon:
        """The pairs of several lexicons, one after the other; duplicates are kept."""
        return cls(
            np.concatenate([lexicon.sources for lexicon in lexicons]),
            np.concatenate([lexicon.targets for lexicon in lexicons]),
        )

    def select(self, chosen: NDArray[np.int64] | NDArray[np.bool_]) -> Lexicon:
        """Some of the pairs, without scores: by position or by a boolean mask."""
        return Lexicon(self.sources[chosen], self.targets[chosen])

    @property
    def mutual_count(self) -> int:
        """How many pairs are mutual best translations."""
        return 0 if self.mutual is None else int(self.mutual.sum())

    def to_frame(self) -> pd.DataFrame:
        """A pandas data frame with the columns source, target, score and mutual."""
        from isolex.adapters import frames

        return frames.give_pairs(self._columns(frames.column))

    def to_arrow(self) -> pa.Table:
        """An Arrow table with the columns source, target, score and mutual."""
        from isolex.adapters import arrow

        return arrow.give_pairs(self._columns(arrow.text))

    def _columns(self, text: Callable[[Sequence[str]], Any]) -> dict[str, Any]:
        """The columns of a table; ``text`` makes a column of words."""
        entries = list(self)
        return {
            "source": text([entry.source for entry in entries]),
            "target": text([entry.target for entry in entries]),
            "score": self.scores,
            "mutual": self.mutual,
        }

    def save(self, path: StrPath) -> None:
        """Write source, target, score and mutual as ``.tsv``, ``.csv``, ``.jsonl`` or ``.parquet``.

        Raises:
            UsageError: If the file has another suffix.
            InputError: If the file cannot be written.
        """
        if lexicon_file.check(path) == ".parquet":
            lexicon_file.save_table(self.to_arrow(), path)
        else:
            lexicon_file.save_text(self, path)


class Coverage(NamedTuple):
    """How much of a word list two vocabularies cover, counted in source words.

    Attributes:
        entries: Source words with a translation in both vocabularies.
        oov: The other source words, in order.
    """

    entries: int
    oov: tuple[str, ...]

    @property
    def percent(self) -> float:
        """Covered source words in percent of all source words."""
        total = self.entries + len(self.oov)
        return 100 * self.entries / total if total else 0.0


def match(
    pairs: Iterable[tuple[str, str]], source: Vocabulary, target: Vocabulary
) -> tuple[Lexicon, Coverage]:
    """Look word pairs up in two vocabularies, each pair once, in order."""
    pairs = dict.fromkeys(pairs)
    sources, targets = source.index, target.index
    found = [(sources[s], targets[t]) for s, t in pairs if s in sources and t in targets]
    columns = np.array(found, dtype=np.int32).reshape(-1, 2)
    covered = {s for s, t in pairs if s in sources and t in targets}
    oov = tuple(word for word in dict.fromkeys(s for s, _ in pairs) if word not in covered)
    lexicon = Lexicon(columns[:, 0], columns[:, 1], words=(source.words, target.words))
    return lexicon, Coverage(len(covered), oov)


def match_directed(
    pairs: Iterable[tuple[str, str]], source: Vocabulary, target: Vocabulary
) -> tuple[Lexicon, Coverage]:
    """Like `match`, but refuse pairs with the target word first.

    Words that are spelled alike are in both vocabularies, so some of those would match too.
    """
    pairs = list(pairs)
    found = match(pairs, source, target)
    swapped, _ = match([(t, s) for s, t in pairs], source, target)
    refuse_swapped(len(found[0]), len(swapped), "swap the two languages, or the two columns")
    return found


def refuse_swapped(found: int, swapped: int, advice: str) -> None:
    """Refuse pairs if far more of them are in the vocabularies when they are swapped."""
    if swapped > 2 * found:
        raise UsageError(
            f"{found:,} pairs are in the vocabularies, but {swapped:,} if the two words are "
            f"swapped: {advice}"
        )


def _html(word: str) -> str:
    return escape(word.encode("utf-8", "backslashreplace").decode("utf-8"))
