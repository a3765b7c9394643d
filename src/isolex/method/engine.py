"""Engines: where the work on pairs of languages is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from isolex.core.embeddings import Embeddings
from isolex.method.joining import Key
from isolex.method.learner import StepTimer

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


class Task(Protocol[Result_co]):
    """Work on two languages, whose vectors are normalised."""

    def __call__(self, source: Embeddings, target: Embeddings, timer: StepTimer) -> Result_co:
        """Do it."""
        ...


class Engine(Protocol):
    """Does tasks on pairs of languages."""

    def __call__(self, tasks: Mapping[Key, Task[Result]]) -> Iterator[tuple[Key, Result]]:
        """Yield each result as soon as it is there, in any order."""
        ...


@dataclass(frozen=True)
class LocalEngine:
    """Does tasks on this machine, one after the other, each with all threads.

    Attributes:
        languages: Words and normalised vectors of each language.
        timer: Announces and times the steps.
    """

    languages: Sequence[Embeddings]
    timer: StepTimer

    def __call__(self, tasks: Mapping[Key, Task[Result]]) -> Iterator[tuple[Key, Result]]:
        """Yield each result as soon as it is there."""
        for number, (key, task) in enumerate(tasks.items(), start=1):
            source, target = (self.languages[place] for place in key)
            self.timer.observer.pair((source.name, target.name), number, len(tasks))
            yield key, task(source, target, self.timer)
