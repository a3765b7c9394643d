"""State: what the parts of an alignment of several languages share."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from isolex.core.checkpoint import PairRun, SpaceCheckpoint
from isolex.core.embeddings import Embeddings, Vectors
from isolex.kernels.types import Doubles
from isolex.method.engine import Engine
from isolex.method.joining import Groups, Key, likeness, tree
from isolex.method.learner import StepTimer
from isolex.method.pair_tasks import Pairs, Tools
from isolex.method.spectrum import flattened


@dataclass
class State:
    """What the parts of an alignment of several languages share.

    Attributes:
        languages: Words and normalised vectors of each language.
        tools: System, seed and inducer.
        lexicons: Training pairs for some pairs of languages.
        engine: Does the work on pairs.
        timer: Announces and times the steps.
        saved: How far the alignment has come.
        flattenings: For each language the matrix that flattens its spectrum, if the final mapping
            of the system does that; the languages move, and get their maps, flattened.
        runs: Pairs that were run on their own, each with the better of its runs.
        fixed: Rotations of languages that stay where they are, by position.
        links: Connected pairs of these languages.
        idle: Languages that stay where they are and are not joined with others.
    """

    languages: Sequence[Embeddings]
    tools: Tools
    lexicons: Mapping[Key, Pairs]
    engine: Engine
    timer: StepTimer
    saved: SpaceCheckpoint
    flattenings: Sequence[Doubles | None]
    runs: dict[Key, PairRun] = field(default_factory=dict)
    fixed: Mapping[int, Vectors] = field(default_factory=dict)
    links: Sequence[Key] = ()
    idle: Collection[int] = ()

    @cached_property
    def every(self) -> list[Key]:
        """All pairs of languages, except pairs of two that stay where they are."""
        pairs = combinations(range(len(self.languages)), 2)
        return [key for key in pairs if not set(key) <= set(self.fixed)]

    @cached_property
    def promise(self) -> dict[Key, float]:
        """How promising each pair is."""
        return likeness([one.vectors for one in self.languages])

    @property
    def edges(self) -> list[Key]:
        """The runs that connect languages, the most reliable first, as far as is known so far."""
        cut = self.saved.round.cut if self.saved.round else ()
        verdicts = {key: run.verdict for key, run in self.runs.items() if key not in cut}
        return tree(verdicts, len(self.languages), links=self.links)

    @property
    def groups(self) -> Groups:
        """The languages that are connected, and that move together."""
        return Groups(len(self.languages), self.edges)

    @property
    def candidates(self) -> list[Key]:
        """The pairs that can be run on their own."""
        return [key for key in self.every if not set(key) & set(self.idle)]

    def flattened(self, place: int) -> Vectors:
        """The flattened vectors of a language."""
        return flattened(self.languages[place].vectors, self.flattenings[place])

    def flattening(self, key: Key) -> tuple[Doubles | None, Doubles | None]:
        """The matrices that flatten two languages."""
        return self.flattenings[key[0]], self.flattenings[key[1]]

    def names(self, key: Key) -> tuple[str, str]:
        """The names of two languages."""
        return self.languages[key[0]].name, self.languages[key[1]].name

    def save(self, **changes: Any) -> None:
        """Note progress, and tell the observer that the alignment could be resumed from here."""
        self.saved = replace(self.saved, **changes)
        self.timer.observer.checkpoint(self.saved)
