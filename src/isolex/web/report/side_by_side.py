"""Sample words in all languages, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from isolex.core.choices import Outcome
from isolex.core.lexicon import Lexicon
from isolex.core.space import Space
from isolex.web.report.look import FREQUENT, spread_ranks
from isolex.web.report.verdicts import outcome_of


@dataclass(frozen=True)
class WordRow:
    """A word and, for each other language, its best translation and whether that is mutual."""

    rank: int
    word: str
    translations: list[tuple[str, bool]]


@dataclass(frozen=True)
class SideBySide:
    """Words of one language and their translations into all others.

    Attributes:
        language: The first language that is connected with another.
        others: The other languages, and the outcome for each with the first.
        rows: The words, most frequent first.
    """

    language: str
    others: list[tuple[str, Outcome | None]]
    rows: list[WordRow]


def side_by_side(
    space: Space, lexicons: Mapping[tuple[str, str], Lexicon], count: int = 30
) -> SideBySide:
    """From each of ``count`` bands of frequency the word that most languages agree on.

    Args:
        space: The space.
        lexicons: Lexicons with one translation for every word, as far as they are known.
        count: Number of words at most.
    """
    connected = (name for name in space.names if space.outcome(name) != Outcome.FAILED)
    source = space[next(connected, space.names[0])]
    targets = [one for one in space if one is not source]
    found = [
        lexicons.get((source.name, one.name)) or space.lexicon(source.name, one.name)
        for one in targets
    ]
    outcomes = [outcome_of(space.about(source.name, one.name)) for one in targets]
    size = min(len(source), FREQUENT)
    agreed = np.zeros(size, dtype=np.int64)
    for one, lexicon, outcome in zip(targets, found, outcomes, strict=True):
        if outcome != Outcome.FAILED:
            spelled = [one.words[row] for row in lexicon.targets[:size].tolist()]
            agreed += _mutual(lexicon)[:size] & np.array(
                [a != b for a, b in zip(source.words[:size], spelled, strict=True)]
            )
    bands = pairwise(rank - 1 for rank in spread_ranks(size, count + 1))
    rows = [start + int(np.argmax(agreed[start:end])) for start, end in bands]
    return SideBySide(
        source.name,
        [(one.name, outcome) for one, outcome in zip(targets, outcomes, strict=True)],
        [
            WordRow(
                row + 1,
                source.words[row],
                [
                    (one.words[lexicon.targets[row]], bool(_mutual(lexicon)[row]))
                    for one, lexicon in zip(targets, found, strict=True)
                ],
            )
            for row in rows
        ],
    )


def _mutual(lexicon: Lexicon) -> NDArray[np.bool_]:
    return np.zeros(len(lexicon), dtype=bool) if lexicon.mutual is None else lexicon.mutual
