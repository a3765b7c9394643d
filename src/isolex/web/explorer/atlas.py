"""Atlas: one mapping, open for looking words up in both languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, Literal, NamedTuple

from isolex.core.choices import Method
from isolex.core.embeddings import Embeddings
from isolex.core.normaliser import unit
from isolex.core.retrieval import Retrieval, means_key
from isolex.core.space import Alignment, Side
from isolex.kernels.nearest import Nearest
from isolex.web.explorer.asking import Direction, Known, Pool, Pools, Ranking
from isolex.web.explorer.spelling import Spelling

SideName = Literal["src", "trg"]


@dataclass(frozen=True, eq=False)
class Language:
    """One side of a mapping.

    Attributes:
        side: Which one.
        name: What it is called: its vector file without folder and suffixes.
        vocabulary: Its words and their vectors of unit length in the shared space.
        nearest: Finds the words nearest to a vector.
        known: What has been computed of its words.
    """

    side: SideName
    name: str
    vocabulary: Embeddings
    nearest: Nearest
    known: Known

    @classmethod
    def of(cls, side: SideName, name: str, given: Side) -> Language:
        """A side of an alignment, in the shared space."""
        vectors = unit(given.transform(given.vocabulary.vectors))
        vectors.flags.writeable = False
        return cls(
            side, name, Embeddings(given.vocabulary.words, vectors), Nearest(vectors), Known()
        )

    @cached_property
    def spelling(self) -> Spelling:
        """Its words by their letters."""
        return Spelling(self.vocabulary.words)

    @property
    def reverse(self) -> bool:
        """Whether asking its words is asking from target to source."""
        return self.side == "trg"


class Translation(NamedTuple):
    """A translation, its score, and whether both words are each other's best."""

    word: str
    score: float
    mutual: bool


class Column(NamedTuple):
    """The translations by one retrieval method; ``None`` while it is being prepared."""

    method: Method
    translations: list[Translation] | None


class Neighbour(NamedTuple):
    """A word and its cosine to the one that was asked."""

    row: int
    word: str
    cosine: float


@dataclass(frozen=True)
class Answer:
    """All there is to be seen of a word.

    Attributes:
        row: Of the word in its vocabulary.
        word: The word.
        asked: Its language.
        answering: The other one.
        columns: Translations by every method.
        neighbours: The nearest words of its own language.
        abroad: The nearest words of the other language.
    """

    row: int
    word: str
    asked: Language
    answering: Language
    columns: list[Column]
    neighbours: list[Neighbour]
    abroad: list[Neighbour]


@dataclass(frozen=True, eq=False)
class Atlas:
    """A mapping that can be asked.

    Attributes:
        slug: Its name in addresses.
        folder: Where it lies.
        source: The source language.
        target: The target language.
        retrieval: That of its system; the parameters of the other methods are the same.
        finding: The verdict on it, where there is one.
    """

    slug: str
    folder: Path
    source: Language
    target: Language
    retrieval: Retrieval
    finding: str | None

    @classmethod
    def of(
        cls, slug: str, folder: Path, alignment: Alignment, inputs: dict[str, Any] | None = None
    ) -> Atlas:
        """The atlas of an alignment that has its vectors."""
        names = _names([str(inputs[side]["path"]) for side in ("src", "trg")] if inputs else [])
        retrieval = alignment.retrieval
        source = Language.of("src", names[0], alignment.source)
        target = Language.of("trg", names[1], alignment.target)
        key = means_key(retrieval.neighbours)
        source.known.means = alignment.penalties.src.get(key)
        target.known.means = alignment.penalties.trg.get(key)
        finding = alignment.verdict.outcome.value if alignment.verdict else None
        return cls(slug, folder, source, target, retrieval, finding)

    @property
    def title(self) -> str:
        """Both languages."""
        return f"{self.source.name} and {self.target.name}"

    @cached_property
    def forward(self) -> Direction:
        """Asking from source to target."""
        source, target = self.source, self.target
        return Direction(source.nearest, target.nearest, source.known, target.known, self.retrieval)

    def direction(self, *, reverse: bool) -> Direction:
        """Asking one way or the other."""
        return self.forward.reversed if reverse else self.forward

    def languages(self, *, reverse: bool) -> tuple[Language, Language]:
        """That which is asked and that which answers."""
        return (self.target, self.source) if reverse else (self.source, self.target)

    def asked(self, reverse: bool | None) -> list[Language]:
        """The languages in which a word is looked for; both where it is left open."""
        both = [self.source, self.target]
        return both if reverse is None else [self.languages(reverse=reverse)[0]]

    def answer(self, word: str, k: int, *, reverse: bool) -> Answer:
        """Everything about a word that is in the vocabulary."""
        asked, answering = self.languages(reverse=reverse)
        direction = self.direction(reverse=reverse)
        row = asked.vocabulary.index[word]
        pools = Pools(direction, row)
        columns = [self._column(pools, method, k, answering) for method in Method]
        around = asked.nearest.search(asked.vocabulary.vectors[row], k + 1)
        own = direction.rank(row, Method.NN, k + 1, Pool(*around))
        abroad = direction.rank(row, Method.NN, k, pools.forward)
        neighbours = [one for one in _neighbours(own, asked) if one.row != row][:k]
        return Answer(
            row, word, asked, answering, columns, neighbours, _neighbours(abroad, answering)
        )

    def translate(self, word: str, k: int, method: Method, *, reverse: bool) -> Column:
        """Translations of a word that is in the vocabulary, by one method."""
        asked, answering = self.languages(reverse=reverse)
        pools = Pools(self.direction(reverse=reverse), asked.vocabulary.index[word])
        return self._column(pools, method, k, answering)

    def _column(self, pools: Pools, method: Method, k: int, answering: Language) -> Column:
        direction, row = pools.direction, pools.row
        if not direction.ready(method):
            return Column(method, None)
        found = direction.rank(row, method, k, pools.forward)
        rows, scores = found.rows.tolist(), found.scores.tolist()
        mutual = bool(rows) and direction.mutual(row, method, rows[0], pools.back(rows[0]))
        words = answering.vocabulary.words
        return Column(
            method,
            [
                Translation(words[one], score, mutual and place == 0)
                for place, (one, score) in enumerate(zip(rows, scores, strict=True))
            ],
        )


def _neighbours(found: Ranking, language: Language) -> list[Neighbour]:
    words = language.vocabulary.words
    pairs = zip(found.rows.tolist(), found.scores.tolist(), strict=True)
    return [Neighbour(row, words[row], cosine) for row, cosine in pairs]


def _names(paths: Sequence[str]) -> tuple[str, str]:
    """What the languages are called: by their files, or by their parts where those say nothing."""
    stems = [PurePosixPath(path.replace("\\", "/")).name.partition(".")[0] for path in paths]
    if len(stems) == 2 and all(stems) and stems[0] != stems[1]:
        return stems[0], stems[1]
    return "source", "target"


def distinct(folders: Sequence[Path], taken: Sequence[str] = ()) -> list[str]:
    """A name for each folder that can be part of an address, none of them twice."""
    used = set(taken)
    slugs = []
    for folder in folders:
        name = folder.resolve().name
        plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in name)
        plain = plain.strip("-") or "mapping"
        slug, number = plain, 2
        while slug in used:
            slug, number = f"{plain}-{number}", number + 1
        used.add(slug)
        slugs.append(slug)
    return slugs
