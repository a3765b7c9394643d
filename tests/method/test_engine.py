"""Engines do every task, tell which pairs are done, and end with one line if a task fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from isolex.adapters.cluster import connect
from isolex.core.embeddings import Embeddings
from isolex.core.observer import Observer
from isolex.errors import UsageError
from isolex.kernels.parallel import thread_count
from isolex.method.engine import ClusterEngine, LocalEngine
from isolex.method.learner import StepTimer
from tests.planted import planted_languages


@dataclass(frozen=True)
class Names:
    """Returns the names of the languages and the number of threads."""

    fails: str = ""
    step: ClassVar[str | None] = "learn"

    def __call__(
        self,
        source: Embeddings,
        target: Embeddings,
        timer: StepTimer,  # noqa: ARG002
    ) -> tuple[str, str, int]:
        if self.fails == source.name:
            raise UsageError("no such device\nmore")
        return source.name, target.name, thread_count()


class Told(Observer):
    """Records every call."""

    def __init__(self) -> None:
        self.pairs: list[tuple[str, int, int]] = []
        self.steps: list[str] = []

    def step(self, name: str) -> None:
        self.steps.append(name)

    def pair(self, names: tuple[str, str], done: int, of: int) -> None:
        self.pairs.append(("-".join(names), done, of))


@pytest.fixture
def languages() -> list[Embeddings]:
    """Languages with two pairs that share a label if names are joined with a hyphen."""
    names = ("a", "b-c", "a-b", "c")
    made = planted_languages(4, 20, 3)
    return [one.named(name) for one, name in zip(made, names, strict=True)]


def test_the_local_engine_tells_when_a_pair_begins_and_ends(languages: list[Embeddings]) -> None:
    told = Told()
    engine = LocalEngine(languages, StepTimer(told))
    found = dict(engine({(0, 1): Names(), (2, 3): Names()}))
    assert [names[:2] for names in found.values()] == [("a", "b-c"), ("a-b", "c")]
    assert told.pairs == [("a-b-c", 0, 2), ("a-b-c", 1, 2), ("a-b-c", 1, 2), ("a-b-c", 2, 2)]


@pytest.mark.slow
def test_a_cluster_does_every_task_with_its_threads(
    languages: list[Embeddings], small_cluster: str
) -> None:
    told = Told()
    timer = StepTimer(told)
    with connect(small_cluster) as cluster:
        engine = ClusterEngine(cluster, 3, languages, timer)
        found = dict(engine({(0, 1): Names(), (2, 3): Names(), (1, 3): Names()}))
        assert dict(engine({})) == {}
    assert found == {(0, 1): ("a", "b-c", 3), (2, 3): ("a-b", "c", 3), (1, 3): ("b-c", "c", 3)}
    assert [told[1:] for told in told.pairs] == [(1, 3), (2, 3), (3, 3)]
    assert told.steps == list(timer.seconds) == ["learn"]


@pytest.mark.slow
def test_a_task_that_fails_on_a_cluster_ends_the_run_with_one_line(
    languages: list[Embeddings], small_cluster: str
) -> None:
    with connect(small_cluster) as cluster:
        engine = ClusterEngine(cluster, 1, languages, StepTimer(Observer()))
        with pytest.raises(UsageError, match=r"^b-c-c failed on the cluster: no such device$"):
            dict(engine({(1, 3): Names("b-c"), (0, 1): Names("b-c")}))
