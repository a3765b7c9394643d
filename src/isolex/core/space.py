"""Space: the shared space of two or more languages, with everything needed to use it.

`Space.pair` decides which language is translated into which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from isolex.core.candidates import Candidates
from isolex.core.choices import Outcome, Retrieval
from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.file_errors import StrPath, refuse, refuse_os
from isolex.core.history import Attempt, IterationRecord
from isolex.core.language import Language, check_name
from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import LinearMap
from isolex.core.pair import Pair, PairVectors
from isolex.core.retrieval import Direction
from isolex.core.space_view import as_html, as_text
from isolex.core.spelling import SpellingEvidence, Spellings
from isolex.core.statistics import Statistics
from isolex.core.verdict import Verdict
from isolex.errors import UsageError, did_you_mean
from isolex.kernels.types import Tick

SPACE = "space.safetensors"
"""The file of a folder that holds the space."""

RUN = "run.json"
"""The file of a folder that describes the run of `isolex map` that wrote it."""


class Translation(NamedTuple):
    """A translation and its score under the retrieval that found it."""

    word: str
    score: float


@dataclass(frozen=True, eq=False, repr=False)
class Space:
    """Two or more languages in one space.

    Attributes:
        languages: The languages, in the order in which they were given.
        settings: The system and its parts, including the seed, as plain values.
        objective: The objective that self-learning ended with; ``None`` without self-learning.
        temperature: The fitted temperature of the inverted softmax, if the system fits one.
        pairs: What is known about each pair, by the names of its languages in their order.
        tree: With several languages, the pairs through which they were joined, most reliable first.
        attempts: The restarts, if there were any. Not saved with the space.
        history: The iterations of self-learning. Not saved with the space.
        timings: Seconds per step. Not saved with the space.
        statistics: What retrieval has computed about the words of one language with respect to
            another. Neighbourhood means are saved with the space, so CSLS needs no preparation.
    """

    languages: tuple[Language, ...]
    settings: Mapping[str, Any]
    objective: float | None = None
    temperature: float | None = None
    pairs: Mapping[tuple[str, str], Pair] = field(default_factory=dict)
    tree: tuple[tuple[str, str], ...] = ()
    attempts: tuple[Attempt, ...] = ()
    history: tuple[IterationRecord, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict)
    statistics: dict[tuple[str, str], Statistics] = field(default_factory=dict)

    @classmethod
    def from_vectors(cls, *languages: Embeddings) -> Space:
        """A space of vectors that another program has mapped; each must have a name of its own."""
        if len(languages) < 2 or len({one.name for one in languages}) < len(languages):
            raise UsageError("a space takes two or more embeddings with different names")
        for one in languages:
            check_name(one.name)
        dims = {one.dims for one in languages}
        if len(dims) > 1:
            raise UsageError(
                "vectors of a shared space have the same number of dimensions, not "
                f"{' and '.join(map(str, sorted(dims)))}: map them first"
            )
        settings = {"system": "mapped elsewhere", "retrieval": asdict(Retrieval())}
        return cls(tuple(Language.from_mapped(one) for one in languages), settings)

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)

    def __iter__(self) -> Iterator[Language]:
        return iter(self.languages)

    def __len__(self) -> int:
        return len(self.languages)

    def __getitem__(self, name: str) -> Language:
        """A language by its name."""
        for language in self.languages:
            if language.name == name:
                return language
        hint = did_you_mean(name, self.names) or f"choose from {', '.join(self.names)}"
        raise UsageError(f"no language {name!r} in this space: {hint}")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the languages, in order."""
        return tuple(language.name for language in self.languages)

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on the worst pair: whether it worked, as far as known without gold data."""
        verdicts = [pair.verdict for pair in self.pairs.values() if pair.verdict]
        return max(verdicts, key=lambda one: one.badness, default=None)

    def outcome(self, name: str) -> Outcome | None:
        """Whether a language is connected with the others: the best verdict of its pairs."""
        self[name]  # refuses an unknown name
        verdicts = [
            pair.verdict for key, pair in self.pairs.items() if name in key and pair.verdict
        ]
        return min(verdicts, key=lambda one: one.badness).outcome if verdicts else None

    def about(self, one: str, other: str) -> Pair:
        """What is known about two languages, in either order."""
        self[one], self[other]  # refuses an unknown name
        return self.pairs.get((one, other)) or self.pairs.get((other, one)) or Pair()

    @property
    def retrieval(self) -> Retrieval:
        """The retrieval of the system that made this space."""
        own = Retrieval(**self.settings["retrieval"])
        return replace(own, temperature=self.temperature or own.temperature)

    def pair(
        self, source: str | None = None, target: str | None = None
    ) -> tuple[Language, Language]:
        """The source and the target language; by default the first and the second.

        If only one is given, the other is the first language of the space that differs from it.
        """
        if source is None and target is None:
            return self.languages[0], self.languages[1]
        given = [None if name is None else self[name] for name in (source, target)]
        rest = [language for language in self.languages if language not in given]
        first, second = (language or rest[0] for language in given)
        if first is second:
            raise UsageError(f"source and target are both {first.name!r}: choose two languages")
        return first, second

    def direction(self, source: str | None = None, target: str | None = None) -> Direction:
        """Translation from one language into another, for retrieval by rows."""
        one, other = self.pair(source, target)
        own, theirs = (
            self.statistics.setdefault(names, Statistics())
            for names in ((one.name, other.name), (other.name, one.name))
        )
        x, z = self.seen(one, other), self.seen(other, one)
        return Direction(x, z, own, theirs, self._spelling(one, other))

    def _spelling(self, one: Language, other: Language) -> SpellingEvidence | None:
        """What the spelling of two languages says, if the alignment considered it."""
        facts = self.about(one.name, other.name).spelling
        if facts is None:
            return None
        return SpellingEvidence.of(facts, Spellings(one.folded, other.folded))

    def seen(self, language: Language, other: Language) -> Vectors | PairVectors:
        """The vectors of a language for translations from or into another language."""
        linear = self.pair_map(language, other)
        return language.vectors if linear is None else PairVectors(language.vectors, linear)

    def pair_map(self, language: Language, other: Language) -> LinearMap | None:
        """The map of a language from the shared space into the space of a pair, if there is one."""
        maps = self.about(language.name, other.name).maps
        if maps is None:
            return None
        return maps[0] if (language.name, other.name) in self.pairs else maps[1]

    def choose(self, retrieval: str | Retrieval | None) -> Retrieval:
        """A retrieval; a method given by name has the parameters of the system's own."""
        if isinstance(retrieval, Retrieval):
            return retrieval
        return self.retrieval.by(retrieval) if retrieval else self.retrieval

    def translate(
        self,
        word: str,
        k: int = 5,
        retrieval: str | Retrieval | None = None,
        *,
        source: str | None = None,
        target: str | None = None,
    ) -> list[Translation]:
        """The ``k`` best translations of a word, by default from the first language to the second.

        Args:
            word: The word.
            k: Number of translations.
            retrieval: How they are chosen; by default as the system does.
            source: Name of the language of the word.
            target: Name of the language to translate into.
        """
        if not isinstance(word, str):
            raise UsageError("translate takes one word: use translate_all for several")
        found = self.translate_all([word], k, retrieval, source=source, target=target)
        if not found:
            one, _ = self.pair(source, target)
            raise UsageError(one.unknown(word, self.hint(word, one)))
        return found[word]

    def translate_all(
        self,
        words: Iterable[str],
        k: int = 5,
        retrieval: str | Retrieval | None = None,
        *,
        source: str | None = None,
        target: str | None = None,
    ) -> dict[str, list[Translation]]:
        """The ``k`` best translations of every word that has a vector, in one pass.

        Words outside the vocabulary are composed from sub-words if the source language can do that;
        words without a vector are left out.
        """
        one, other = self.pair(source, target)
        direction, chosen = self.direction(one.name, other.name), self.choose(retrieval)
        words = list(dict.fromkeys(words))
        rows = {word: row for word in words if (row := one.row(word)) is not None}
        known = direction.retrieve(np.array(list(rows.values()), dtype=np.int32), k, chosen)
        translations = dict(zip(rows, _translations(known, other), strict=True))
        composed = one.compose(word for word in words if word not in rows)
        if composed:
            vectors = np.stack(list(composed.values()))
            linear = self.pair_map(one, other)
            vectors = vectors if linear is None else linear.transform_to_unit(vectors)
            found = direction.retrieve_vectors(vectors, k, chosen, list(composed))
            translations |= zip(composed, _translations(found, other), strict=True)
        return {word: translations[word] for word in words if word in translations}

    def lexicon(
        self,
        source: str | None = None,
        target: str | None = None,
        k: int = 1,
        retrieval: str | Retrieval | None = None,
        tick: Tick | None = None,
    ) -> Lexicon:
        """The ``k`` best translations of every word, with mutual best pairs marked.

        Args:
            source: Name of the language to translate from; by default the first.
            target: Name of the language to translate into; by default the second.
            k: Number of translations per word.
            retrieval: How they are chosen; by default as the system does.
            tick: Called with the share of the work done.
        """
        one, other = self.pair(source, target)
        found = self.direction(one.name, other.name).lexicon(k, self.choose(retrieval), tick)
        return replace(found, words=(one.words, other.words))

    def hint(self, word: str, language: Language) -> str:
        """Which other language has a word, if any does."""
        others = [one.name for one in self.languages if one is not language and word in one]
        return f"it is a word of {' and of '.join(others)}" if others else ""

    def save(self, folder: StrPath) -> None:
        """Write the space to a folder; `isolex.open` opens it again, on any machine.

        Sub-word models are not part of the space: an opened space translates only its vocabulary.
        """
        from isolex.core.space_file import is_space, write_space

        path = Path(folder)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise refuse_os(path, error) from error
        if (path / RUN).exists():
            raise UsageError(f"{path}: contains a run of `isolex map`; choose another folder")
        if (path / SPACE).exists() and not is_space(path / SPACE):
            raise refuse(path / SPACE, "isolex did not write this file; choose another folder")
        write_space(self, path / SPACE)


def _translations(found: Candidates, language: Language) -> Iterator[list[Translation]]:
    for rows, scores in zip(found.indices.tolist(), found.scores.tolist(), strict=True):
        pairs = zip(rows, scores, strict=True)
        yield [Translation(language.words[row], score) for row, score in pairs]
