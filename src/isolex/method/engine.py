"""Engines: where the work on pairs of languages is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeVar

from isolex.adapters.cluster import Cluster, Failure, Shared
from isolex.core.embeddings import Embeddings
from isolex.core.observer import Observer
from isolex.errors import UsageError
from isolex.kernels.parallel import use_threads
from isolex.method.joining import Key
from isolex.method.learner import StepTimer

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


class Task(Protocol[Result_co]):
    """Work on two languages with normalised vectors.

    Attributes:
        step: The step that takes most of its time, if it has steps.
    """

    step: ClassVar[str | None]

    def __call__(self, source: Embeddings, target: Embeddings, timer: StepTimer) -> Result_co:
        """Run the task."""
        ...


class Engine(Protocol):
    """Runs tasks on pairs of languages."""

    def __call__(self, tasks: Mapping[Key, Task[Result]]) -> Iterator[tuple[Key, Result]]:
        """Yield each result as soon as it is available, in any order."""
        ...


EngineMaker = Callable[[Sequence[Embeddings], StepTimer], Engine]
"""Creates an engine from languages with normalised vectors and a timer."""


@dataclass(frozen=True)
class LocalEngine:
    """Runs tasks on this machine, one after the other, each with all threads.

    Attributes:
        languages: Words and normalised vectors of each language.
        timer: Announces and times the steps.
    """

    languages: Sequence[Embeddings]
    timer: StepTimer

    def __call__(self, tasks: Mapping[Key, Task[Result]]) -> Iterator[tuple[Key, Result]]:
        """Yield each result as soon as it is available."""
        tell = self.timer.observer.pair
        for done, (key, task) in enumerate(tasks.items()):
            source, target = (self.languages[place] for place in key)
            tell((source.name, target.name), done, len(tasks))
            try:
                result = task(source, target, self.timer)
            except UsageError as error:
                raise UsageError(f"{source.name}-{target.name}: {error}") from error
            tell((source.name, target.name), done + 1, len(tasks))
            yield key, result


class ClusterEngine:
    """Runs tasks on a Dask cluster, as many at a time as its workers accept.

    Each language is sent once. A task that fails ends the run.

    Args:
        cluster: The cluster.
        threads: Number of threads per task; by default all cores of the worker's machine.
        languages: Words and normalised vectors of each language.
        timer: Announces and times the steps.
    """

    def __init__(
        self,
        cluster: Cluster,
        threads: int | None,
        languages: Sequence[Embeddings],
        timer: StepTimer,
    ) -> None:
        self._cluster, self._threads, self._timer = cluster, threads, timer
        self._languages = [Shared(one) for one in languages]

    def __call__(self, tasks: Mapping[Key, Task[Result]]) -> Iterator[tuple[Key, Result]]:
        """Yield each result as soon as it is available."""
        if not tasks:
            return
        keys = {"/".join(self._names(key)): key for key in tasks}  # names contain no slash
        calls = {
            label: (tasks[key], *(self._languages[place] for place in key), self._threads)
            for label, key in keys.items()
        }
        step = next(iter(tasks.values())).step
        with self._timer(step) if step else nullcontext():
            for done, (label, result) in enumerate(self._cluster.each(_do, calls), start=1):
                names = self._names(keys[label])
                if isinstance(result, Failure):
                    raise UsageError(f"{'-'.join(names)} failed on the cluster: {result.reason}")
                self._timer.observer.pair(names, done, len(tasks))
                yield keys[label], result

    def _names(self, key: Key) -> tuple[str, str]:
        source, target = (self._languages[place].value.name for place in key)
        return source, target


def _do(task: Task[Result], source: Embeddings, target: Embeddings, threads: int | None) -> Result:
    """Run a task on a worker."""
    with use_threads(threads):
        return task(source, target, StepTimer(Observer()))
