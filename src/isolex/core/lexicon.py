"""Lexicon: pairs of word indices with scores, and what of a word list two vocabularies cover."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isolex.adapters import extras
from isolex.core.embeddings import Embeddings
from isolex.core.files import StrPath, atomic, shown
from isolex.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Indices = NDArray[np.int32]

HEADER = ("source", "target", "score", "mutual")


class Entry(NamedTuple):
    """One line of a scored dictionary."""

    source: str
    target: str
    score: float
    mutual: bool


@dataclass(frozen=True, eq=False, repr=False)
class Lexicon:
    """Pairs of a source and a target word, by index.

    Attributes:
        src: ``(n,)`` source indices.
        trg: ``(n,)`` target indices.
        scores: ``(n,)`` retrieval scores, or ``None`` where the pairs were given.
        mutual: ``(n,)`` whether both words are each other's best, or ``None`` where not known.
        words: The two vocabularies that the indices point into, where they are at hand.
    """

    src: Indices
    trg: Indices
    scores: NDArray[np.float32] | None = None
    mutual: NDArray[np.bool_] | None = None
    words: tuple[Sequence[str], Sequence[str]] | None = None

    def __len__(self) -> int:
        return len(self.src)

    def __repr__(self) -> str:
        return f"Lexicon({len(self):,} pairs)"

    def __iter__(self) -> Iterator[Entry]:
        if self.words is None or self.scores is None or self.mutual is None:
            raise UsageError("this lexicon has indices only: ask an Alignment for its lexicon")
        src_words, trg_words = self.words
        columns = zip(
            self.src.tolist(),
            self.trg.tolist(),
            self.scores.tolist(),
            self.mutual.tolist(),
            strict=True,
        )
        for src, trg, score, mutual in columns:
            yield Entry(src_words[src], trg_words[trg], score, mutual)

    @classmethod
    def shuffled(cls, size: int, seed: int) -> Lexicon:
        """A random one-to-one pairing of the ``size`` most frequent words."""
        every = np.arange(size, dtype=np.int32)
        return cls(every, np.random.default_rng(seed).permutation(every))

    @classmethod
    def joined(cls, lexicons: Sequence[Lexicon]) -> Lexicon:
        """The pairs of several lexicons, one after the other; a pair may be there repeatedly."""
        return cls(
            np.concatenate([lexicon.src for lexicon in lexicons]),
            np.concatenate([lexicon.trg for lexicon in lexicons]),
        )

    def pairs(self, chosen: NDArray[np.int64] | NDArray[np.bool_]) -> Lexicon:
        """Some of the pairs, without scores: by their places, or by a yes or no for each."""
        return Lexicon(self.src[chosen], self.trg[chosen])

    @property
    def mutual_count(self) -> int:
        """How many pairs are each other's best."""
        return 0 if self.mutual is None else int(self.mutual.sum())

    def to_frame(self) -> pd.DataFrame:
        """A pandas frame with the columns source, target, score and mutual."""
        from isolex.adapters import frames

        return frames.give_pairs(self._columns(frames.column))

    def to_arrow(self) -> pa.Table:
        """An Arrow table with the columns source, target, score and mutual."""
        from isolex.adapters import arrow

        return arrow.give_pairs(self._columns(arrow.text))

    def _columns(self, text: Callable[[Sequence[str]], Any]) -> dict[str, Any]:
        """The columns of a table; ``text`` makes one of words."""
        entries = list(self)
        return {
            "source": text([entry.source for entry in entries]),
            "target": text([entry.target for entry in entries]),
            "score": self.scores,
            "mutual": self.mutual,
        }

    def save(self, path: StrPath) -> None:
        """Write source, target, score, mutual (1 or 0): tab-separated text, or ``.parquet``."""
        if check(path):
            from isolex.adapters import arrow

            table = self.to_arrow()
            with atomic(path) as file:
                arrow.write(table, file)
            return
        with atomic(path) as file:
            file.write(("\t".join(HEADER) + "\n").encode())
            for entry in self:
                line = f"{_cell(entry.source)}\t{_cell(entry.target)}\t{entry.score:.6f}"
                file.write(f"{line}\t{entry.mutual:d}\n".encode("utf-8", "surrogateescape"))


def check(path: StrPath) -> bool:
    """Refuse a name that `Lexicon.save` could not write; says whether it is that of a table."""
    name = str(path).lower()
    if name.endswith((".gz", ".bz2", ".xz", ".zst")):
        raise UsageError(f"{shown(path)}: a lexicon is written as plain text; drop the suffix")
    if name.endswith(".parquet"):
        extras.require(["arrow"], f"{shown(path)}: Parquet")
        return True
    return False


def _cell(word: str) -> str:
    return word.replace("\t", "\\t").replace("\n", "\\n")


class Coverage(NamedTuple):
    """How much of a word list two vocabularies hold, counted in source words.

    Attributes:
        entries: Source words with a translation in both vocabularies.
        oov: The other source words, in their order.
    """

    entries: int
    oov: tuple[str, ...]

    @property
    def share(self) -> float:
        """Covered source words over all source words."""
        total = self.entries + len(self.oov)
        return self.entries / total if total else 0.0


def match(
    pairs: Iterable[tuple[str, str]], src: Embeddings, trg: Embeddings
) -> tuple[Lexicon, Coverage]:
    """Look word pairs up in two vocabularies, each pair once, in their order."""
    pairs = dict.fromkeys(pairs)
    found = [(src.index[s], trg.index[t]) for s, t in pairs if s in src.index and t in trg.index]
    columns = np.array(found, dtype=np.int32).reshape(-1, 2)
    asked = dict.fromkeys(s for s, _ in pairs)
    covered = {src.words[row] for row in columns[:, 0].tolist()}
    oov = tuple(word for word in asked if word not in covered)
    lexicon = Lexicon(columns[:, 0], columns[:, 1], words=(src.words, trg.words))
    return lexicon, Coverage(len(covered), oov)


def match_directed(
    pairs: Iterable[tuple[str, str]], src: Embeddings, trg: Embeddings
) -> tuple[Lexicon, Coverage]:
    """As `match`, but pairs with the target word first are refused.

    Words spelt alike are in both vocabularies, so that some of those would match, too.
    """
    pairs = list(pairs)
    found = match(pairs, src, trg)
    turned, _ = match([(t, s) for s, t in pairs], src, trg)
    refuse_turned(len(found[0]), len(turned), "give pairs with source words first")
    return found


def refuse_turned(here: int, turned: int, advice: str) -> None:
    """Refuse pairs of which far more are in the vocabularies the other way round."""
    if turned > 2 * here:
        raise UsageError(
            f"{here:,} pairs are in the vocabularies, but {turned:,} the other way round: {advice}"
        )
