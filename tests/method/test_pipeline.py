"""The whole method: its steps, what an observer hears, and how a run continues."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from isolex import Space
from isolex.core.checkpoint import Checkpoint
from isolex.core.history import IterationRecord
from isolex.core.lexicon import match
from isolex.core.linear_map import LinearMap, rotation
from isolex.core.observer import Epoch, Iteration, Observer, OnEpoch
from isolex.core.problem import Problem
from isolex.errors import UsageError
from isolex.kernels.induction import induce
from isolex.method import pipeline
from isolex.method.initialise import Induced, Unsupervised
from isolex.method.mapping import AsTrained
from isolex.method.pipeline import STEPS, Job
from isolex.method.restarts import Restarts, Trial
from isolex.method.schedule import COARSE, Stage, annealing, coarse_to_fine
from isolex.method.system import System
from isolex.systems import get
from tests.planted import Planted, noise, planted

SHORT = annealing(last=Stage(1.0, patience=2))
RESTARTING = replace(
    get("robust"),
    schedule=coarse_to_fine(replace(COARSE, cutoff=60), fine=80),
    restarts=Restarts(
        trials=(Trial(Unsupervised(50)),),
        rounds=1,
        stage=Stage(1.0, cutoff=60, patience=2, threshold=1e-4, dims=8),
        onward=Stage(1.0, cutoff=80, patience=2, threshold=1.0, dims=12, parts=4),
        max_patience=2,
    ),
)


class Recorder(Observer):
    """Notes everything it hears, and ends self-learning after a number of iterations."""

    def __init__(self, last: int | None = None) -> None:
        self.last = last
        self.steps: list[str] = []
        self.notes: list[str] = []
        self.epochs: list[Epoch] = []
        self.iterations: list[Iteration] = []
        self.checkpoints: list[Checkpoint] = []

    def step(self, name: str) -> None:
        self.steps.append(name)

    def note(self, line: str) -> None:
        self.notes.append(line)

    def epoch(self, epoch: Epoch) -> None:
        self.epochs.append(epoch)

    def iteration(self, iteration: Iteration) -> bool:
        self.iterations.append(iteration)
        return iteration.number == self.last

    def checkpoint(self, checkpoint: Checkpoint) -> None:
        self.checkpoints.append(checkpoint)


@dataclass(frozen=True)
class TrainOnPairs:
    """A trainer of three epochs that knows the answer."""

    extras: tuple[str, ...] = ()

    def __call__(
        self, problem: Problem, device: str, on_epoch: OnEpoch
    ) -> tuple[LinearMap, LinearMap]:
        assert device == "cpu"
        for number in range(1, 4):
            on_epoch(Epoch(number, 3, number / 3))
        pairs = [(word, f"t{word[1:]}") for word in problem.source.words]
        truth = match(pairs, problem.source, problem.target)[0]
        turn = LinearMap(rotation(problem.x, problem.z, truth))
        return turn, LinearMap.identity(problem.z.shape[1])


TRAINED = System(
    "trained",
    "a trainer that knows the answer",
    "none",
    "nothing",
    initialise=Induced(),
    schedule=SHORT,
    train=TrainOnPairs(),
)


@pytest.fixture(scope="module")
def made() -> Planted:
    return planted(words=150, dims=12, noise=0.2)


def job_of(made: Planted, system: System, **options: object) -> Job:
    given = made.source.named("en"), made.target.named("es")
    return Job(*given, system, induce, judged=False, **options)  # type: ignore[arg-type]


def job_that_restarts() -> Job:
    """Noise, so the first attempt fails."""
    given = noise(100, 16, 0).named("en"), noise(90, 16, 1).named("es")
    return Job(*given, RESTARTING, induce, judged=False)


def without_times(history: tuple[IterationRecord, ...]) -> list[IterationRecord]:
    return [replace(record, seconds=0.0) for record in history]


def assert_equal(found: Space, expected: Space) -> None:
    assert found.objective == expected.objective
    assert found.attempts == expected.attempts
    assert without_times(found.history) == without_times(expected.history)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one.map.matrix, other.map.matrix)
        np.testing.assert_array_equal(one.vectors, other.vectors)


def test_the_steps_follow_the_paper_and_are_timed(made: Planted) -> None:
    recorder = Recorder()
    space = pipeline.run(job_of(made, replace(get("artetxe2018"), schedule=SHORT)), recorder)
    assert recorder.steps == ["compile", "normalise", "initialise", "learn", "map"]
    assert list(space.timings) == recorder.steps
    assert all(seconds >= 0 for seconds in space.timings.values())


def test_restarts_add_steps_and_notes() -> None:
    recorder = Recorder()
    space = pipeline.run(job_that_restarts(), recorder)
    learning = ["learn", "check", "restart", "widen"]
    assert recorder.steps == ["compile", "normalise", "initialise", *learning, "spell", "map"]
    assert set(recorder.steps) <= set(STEPS)
    assert len(recorder.notes) == len(space.attempts) == 2


def test_one_observer_hears_steps_epochs_iterations_and_checkpoints(made: Planted) -> None:
    recorder = Recorder()
    space = pipeline.run(job_of(made, TRAINED), recorder)
    assert recorder.steps[:4] == ["compile", "normalise", "train", "initialise"]
    assert recorder.epochs == [Epoch(1, 3, 1 / 3), Epoch(2, 3, 2 / 3), Epoch(3, 3, 1.0)]
    numbers = [iteration.number for iteration in recorder.iterations]
    assert numbers == list(range(1, len(space.history) + 1))
    assert len(recorder.checkpoints) == 1 + len(numbers), "after training and every iteration"
    start, *others = recorder.checkpoints
    assert start.solution.objective is None
    assert start.trained is not None
    assert [one.solution.iterations for one in others] == numbers
    assert all(one.trained is start.trained for one in others)


def test_an_iteration_is_told_and_recorded_alike(made: Planted) -> None:
    recorder = Recorder()
    system = replace(get("artetxe2018"), schedule=SHORT)
    space = pipeline.run(job_of(made, system, validation=made.pairs[:30]), recorder)
    assert [
        IterationRecord(
            told.number,
            told.keep_prob,
            told.cutoff,
            told.objective,
            told.seconds,
            told.validation,
        )
        for told in recorder.iterations
    ] == list(space.history)
    assert space.objective == space.history[-1].objective
    assert recorder.iterations[-1].remaining == 0
    assert {record.keep_prob for record in space.history} == {0.1, 0.2, 0.4, 0.8, 1.0}
    seconds = [record.seconds for record in space.history]
    assert seconds == sorted(seconds)


def test_validation_is_recorded_and_changes_nothing(made: Planted) -> None:
    system = replace(get("semi-supervised"), schedule=SHORT)
    job = job_of(made, system, seed_pairs=made.pairs[:10])
    alone = pipeline.run(job, Observer())
    watched = pipeline.run(replace(job, validation=made.pairs[50:120]), Observer())
    accuracies = [record.validation for record in watched.history]
    assert accuracies[-1] == 100.0
    assert accuracies[0] is not None
    assert accuracies[0] < 100.0
    assert {record.validation for record in alone.history} == {None}
    unwatched = replace(
        watched, history=tuple(replace(record, validation=None) for record in watched.history)
    )
    assert_equal(unwatched, alone)


def test_validation_sees_the_vectors_as_the_stage_does(made: Planted) -> None:
    stage = replace(COARSE, cutoff=60, dims=8)
    system = replace(get("robust"), schedule=coarse_to_fine(stage, fine=80), restarts=None)
    space = pipeline.run(job_of(made, system, validation=made.pairs[:60]), Observer())
    assert max(record.validation or 0 for record in space.history if record.cutoff == 60) >= 80
    assert (space.history[-1].validation or 0) > 90


def test_validation_pairs_outside_the_vocabularies_are_refused(made: Planted) -> None:
    job = job_of(made, replace(get("artetxe2018"), schedule=SHORT), validation=[("x", "y")])
    with pytest.raises(UsageError, match="no validation pair"):
        pipeline.run(job, Observer())


@pytest.mark.parametrize("last", [1, 4])
def test_a_true_answer_ends_self_learning_but_not_the_run(made: Planted, last: int) -> None:
    recorder = Recorder(last)
    space = pipeline.run(job_of(made, replace(get("artetxe2018"), schedule=SHORT)), recorder)
    assert len(space.history) == last
    assert recorder.steps[-1] == "map"
    assert len(space.lexicon()) == 150


@pytest.mark.parametrize(
    ("step", "expected"),
    [("learn", ["learn"]), ("restart", ["learn", "check", "restart"])],
)
def test_a_true_answer_skips_the_later_stages(step: str, expected: list[str]) -> None:
    class Impatient(Recorder):
        def iteration(self, iteration: Iteration) -> bool:
            super().iteration(iteration)
            return self.steps[-1] == step

    recorder = Impatient()
    space = pipeline.run(job_that_restarts(), recorder)
    assert recorder.steps == ["compile", "normalise", "initialise", *expected, "map"]
    assert space.history[-1].iteration == recorder.iterations[-1].number


def test_an_exception_of_an_observer_ends_the_run(made: Planted) -> None:
    class Failing(Observer):
        def iteration(self, iteration: Iteration) -> None:
            raise RuntimeError(f"iteration {iteration.number}")

    with pytest.raises(RuntimeError, match="iteration 1"):
        pipeline.run(job_of(made, TRAINED), Failing())


@pytest.mark.parametrize("restarts", [False, True], ids=["trained", "restarts"])
def test_a_run_resumed_from_any_checkpoint_gives_the_same_space(
    made: Planted, restarts: bool
) -> None:
    job = job_that_restarts() if restarts else job_of(made, TRAINED)
    recorder = Recorder()
    whole = pipeline.run(job, recorder)
    every = recorder.checkpoints
    assert {one.restarts_done for one in every} == ({False, True} if restarts else {False})
    for checkpoint in (every[0], every[1], every[len(every) // 2], every[-3], every[-1]):
        again = Recorder()
        assert_equal(pipeline.run(job, again, checkpoint), whole)
        assert "initialise" not in again.steps
        assert "train" not in again.steps
        done = checkpoint.solution.iterations
        assert [one.number for one in again.iterations] == list(
            range(done + 1, whole.history[-1].iteration + 1)
        )


def test_a_system_without_self_learning_maps_its_first_lexicon(made: Planted) -> None:
    recorder = Recorder()
    system = replace(TRAINED, schedule=None, mapping=AsTrained())
    space = pipeline.run(job_of(made, system), recorder)
    assert "learn" not in recorder.steps
    assert (space.history, space.objective) == ((), None)
    assert len(recorder.checkpoints) == 1
    np.testing.assert_array_equal(space["es"].map.matrix, np.eye(12))


def test_the_space_describes_how_it_was_made(made: Planted) -> None:
    space = pipeline.run(job_of(made, TRAINED, seed=3), Observer())
    assert space.names == ("en", "es")
    assert space.settings == TRAINED.describe() | {"seed": 3}
    assert space.temperature is None
    assert space.verdict is None, "no verdict was asked for"
    for language, given in zip(space, (made.source, made.target), strict=True):
        assert language.is_from(given)
        assert not language.vectors.flags.writeable


def test_a_verdict_is_reached_on_request(made: Planted) -> None:
    recorder = Recorder()
    space = pipeline.run(replace(job_of(made, TRAINED), judged=True), recorder)
    assert recorder.steps[-1] == "judge"
    assert space.verdict is not None
    assert space.verdict.outcome == "succeeded"


def test_a_temperature_is_fitted_if_the_system_asks_for_it(made: Planted) -> None:
    job = job_of(made, get("smith2017"), seed_pairs=made.pairs[:60])
    space = pipeline.run(job, Observer())
    assert space.temperature is not None
    assert space.retrieval.temperature == space.temperature != 1 / 30
