"""Everything about one word: translations by every method, and nearest words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from isolex.core.candidates import Candidates
from isolex.core.choices import RetrievalMethod
from isolex.core.embeddings import Vectors
from isolex.core.language import Language
from isolex.core.retrieval import Direction
from isolex.core.space import Space, Translation
from isolex.core.statistics import is_ready
from isolex.kernels.similarity import topk
from isolex.web.explorer.similarities import similarities


class Neighbour(NamedTuple):
    """A word near another one."""

    row: int
    word: str
    cosine: float


@dataclass(frozen=True)
class Column:
    """The translations by one retrieval method.

    Attributes:
        method: The method.
        translations: Best first; ``None`` while the method is being prepared.
        rows: Their rows in the vocabulary of the target language.
        mutual: Whether the word is the best translation of its own best translation.
    """

    method: RetrievalMethod
    translations: list[Translation] | None = None
    rows: list[int] = field(default_factory=list)
    mutual: bool = False


@dataclass(frozen=True)
class Answer:
    """What there is to know about a word.

    Attributes:
        row: Its row in the vocabulary.
        word: The word.
        source: Its language.
        target: The language it is translated into.
        columns: Its translations, by method.
        neighbours: The nearest words of its own language.
        abroad: The nearest words of the target language.
    """

    row: int
    word: str
    source: Language
    target: Language
    columns: list[Column]
    neighbours: list[Neighbour]
    abroad: list[Neighbour]


def look_up(
    space: Space,
    source: Language,
    target: Language,
    row: int,
    k: int,
    methods: Sequence[RetrievalMethod] | None = None,
) -> Answer:
    """Look a word up.

    Each vocabulary is read once, whatever the number of methods.

    Args:
        space: The space.
        source: The language of the word.
        target: The language to translate into.
        row: The row of the word.
        k: Number of translations by each method, and of neighbours.
        methods: The retrieval methods; by default all that can differ for the two languages.
    """
    direction = space.direction(source.name, target.name)
    rows = np.array([row], dtype=np.int32)
    query = direction.source[rows]
    [forward] = similarities(space, query, target, source)
    if methods is None:
        facts = space.about(source.name, target.name).spelling
        useless = set() if facts and facts.used else {RetrievalMethod.SPELLING}
        methods = [method for method in RetrievalMethod if method not in useless]
    retrievals = {method: space.retrieval.by(method) for method in methods}
    found = {
        method: _reduced(direction, forward).retrieve(rows, k, retrieval)
        for method, retrieval in retrievals.items()
        if is_ready(direction.own, direction.theirs, retrieval)
    }
    best = {method: one.indices[0, 0].item() for method, one in found.items() if one.indices.size}
    places = sorted(set(best.values()))
    translations = direction.target[np.array(places, dtype=np.int32)]
    around, *back = similarities(space, np.concatenate([query, translations]), source, target)
    columns = []
    for method, retrieval in retrievals.items():
        if method not in found:
            columns.append(Column(method))
            continue
        mutual = False
        if method in best:
            returned = _reduced(direction.reversed(), back[places.index(best[method])])
            mutual = returned.reversed().is_mutual(row, best[method], retrieval)
        columns.append(Column(method, *_translations(target, found[method]), mutual))
    neighbours = [one for one in _nearest(source, around, k + 1) if one.row != row][:k]
    word = source.words[row]
    return Answer(row, word, source, target, columns, neighbours, _nearest(target, forward, k))


def _reduced(direction: Direction, similarities: Vectors) -> Direction:
    """A direction in which each target is replaced by its similarity to one source word.

    Retrieval of that word gives the same result as in the full space, without another product. Only
    for methods whose statistics are ready: they cannot be computed here.
    """
    ones = np.broadcast_to(np.float32(1), (len(direction.source), 1))
    known = direction.own, direction.theirs, direction.spelling
    return Direction(ones, similarities[:, None], *known)


def _nearest(language: Language, similarities: Vectors, k: int) -> list[Neighbour]:
    indices, cosines = topk(np.ones((1, 1), dtype=np.float32), similarities[:, None], k)
    pairs = zip(indices[0].tolist(), cosines[0].tolist(), strict=True)
    return [Neighbour(row, language.words[row], cosine) for row, cosine in pairs]


def _translations(language: Language, found: Candidates) -> tuple[list[Translation], list[int]]:
    rows, scores = found.indices[0].tolist(), found.scores[0].tolist()
    pairs = zip(rows, scores, strict=True)
    return [Translation(language.words[row], score) for row, score in pairs], rows
