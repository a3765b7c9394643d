"""Observers hear of everything, and each of them may end self-learning."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.checkpoint import Checkpoint, Solution
from isolex.core.lexicon import Lexicon
from isolex.core.observer import Epoch, Iteration, Observer, Observers

EPOCH = Epoch(1, 5, 0.5)
ITERATION = Iteration(3, 0.1, 500, 0.4, 0.5, 20, 1.5)
NO_PAIRS = np.empty(0, dtype=np.int32)
CHECKPOINT = Checkpoint(Solution(Lexicon(NO_PAIRS, NO_PAIRS)))


class Recorder(Observer):
    """Notes everything it hears, and ends self-learning if told to."""

    def __init__(self, ends: bool | None = None) -> None:
        self.heard: list[object] = []
        self.ends = ends

    def step(self, name: str) -> None:
        self.heard.append(name)

    def note(self, line: str) -> None:
        self.heard.append(line)

    def epoch(self, epoch: Epoch) -> None:
        self.heard.append(epoch)

    def iteration(self, iteration: Iteration) -> bool | None:
        self.heard.append(iteration)
        return self.ends

    def checkpoint(self, checkpoint: Checkpoint) -> None:
        self.heard.append(checkpoint)


def tell(observer: Observer) -> bool | None:
    observer.step("learn")
    observer.note("a line")
    observer.epoch(EPOCH)
    observer.checkpoint(CHECKPOINT)
    return observer.iteration(ITERATION)


def test_the_base_class_ignores_everything() -> None:
    assert tell(Observer()) is None


def test_several_observers_hear_everything() -> None:
    one, other = Recorder(), Recorder()
    assert not tell(Observers(one, None, other))
    assert one.heard == ["learn", "a line", EPOCH, CHECKPOINT, ITERATION]
    assert other.heard == one.heard


@pytest.mark.parametrize("ends", [(True, False), (None, True), (True, True)])
def test_each_observer_may_end_self_learning_and_all_are_told(ends: tuple[bool, bool]) -> None:
    observers = [Recorder(end) for end in ends]
    assert Observers(*observers).iteration(ITERATION) is True
    assert [observer.heard for observer in observers] == [[ITERATION], [ITERATION]]


def test_no_observer_ends_nothing() -> None:
    assert not tell(Observers())
    assert not tell(Observers(None))


def test_an_exception_of_an_observer_is_not_swallowed() -> None:
    class Failing(Observer):
        def step(self, name: str) -> None:
            raise RuntimeError(name)

    with pytest.raises(RuntimeError, match="learn"):
        tell(Observers(Recorder(), Failing()))
