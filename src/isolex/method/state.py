"""State: what the parts of an alignment of several languages share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from isolex.core.checkpoint import PairRun, SpaceCheckpoint
from isolex.core.embeddings import Embeddings
from isolex.method.engine import Engine
from isolex.method.joining import Key, tree
from isolex.method.learner import StepTimer
from isolex.method.pair_tasks import Pairs, Tools


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
        runs: Pairs that were run on their own, each with its better run.
    """

    languages: Sequence[Embeddings]
    tools: Tools
    lexicons: Mapping[Key, Pairs]
    engine: Engine
    timer: StepTimer
    saved: SpaceCheckpoint
    runs: dict[Key, PairRun] = field(default_factory=dict)

    @cached_property
    def every(self) -> list[Key]:
        """All pairs of languages."""
        return list(combinations(range(len(self.languages)), 2))

    @property
    def edges(self) -> list[Key]:
        """The pairs through which all languages were joined, the most reliable first."""
        return tree(self.runs, len(self.languages))

    def names(self, key: Key) -> tuple[str, str]:
        """The names of two languages."""
        return self.languages[key[0]].name, self.languages[key[1]].name

    def save(self, **changes: Any) -> None:
        """Note progress, and tell the observer that the alignment could be resumed from here."""
        self.saved = replace(self.saved, **changes)
        self.timer.observer.checkpoint(self.saved)
