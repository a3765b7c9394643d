"""align, from vectors to a space, on problems with a known answer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from isolex import Embeddings, Space, align
from isolex.core.observer import Iteration, Observer, Observers
from isolex.errors import UsageError
from isolex.systems.align import configure
from tests.planted import planted
from tests.wording import Wording


class Recorder(Observer):
    """Records the steps and the iterations, and ends self-learning at one of them."""

    def __init__(self, last: int | None = None) -> None:
        self.last = last
        self.steps: list[str] = []
        self.iterations: list[int] = []

    def step(self, name: str) -> None:
        self.steps.append(name)

    def iteration(self, iteration: Iteration) -> bool:
        self.iterations.append(iteration.number)
        return iteration.number == self.last


def share_right(space: Space) -> float:
    return float(np.mean([entry.source[1:] == entry.target[1:] for entry in space.lexicon()]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_rotated_space_with_noise_is_recovered_without_supervision(seed: int) -> None:
    made = planted(words=1000, dims=40, noise=0.4, seed=seed)
    assert share_right(align(made.source, made.target, seed=seed)) >= 0.99


def test_the_numbers_of_dimensions_may_differ() -> None:
    made = planted(words=600, dims=30, target_dims=45, noise=0.2)
    space = align(made.source, made.target)
    assert [language.vectors.shape for language in space] == [(600, 30), (600, 30)]
    assert [language.dims for language in space] == [30, 45]
    assert share_right(space) >= 0.99


def test_threads_do_not_change_a_byte(tmp_path: Path) -> None:
    made = planted(words=700, dims=20)
    for threads in (1, 3):
        space = align(made.source, made.target, threads=threads, cutoff=600, seed=2)
        space.lexicon(k=2).save(tmp_path / f"{threads}.tsv")
        space.save(tmp_path / str(threads))
    for pair in (("1.tsv", "3.tsv"), ("1/space.safetensors", "3/space.safetensors")):
        first, second = (tmp_path / name for name in pair)
        assert first.read_bytes() == second.read_bytes()


def test_an_observer_hears_of_every_step_and_iteration() -> None:
    made = planted(words=400, dims=20)
    recorder = Recorder()
    space = align(made.source, made.target, observer=recorder)
    before = ["compile", "normalise", "initialise", "learn", "check", "widen"]
    assert recorder.steps == list(space.timings) == [*before, "spell", "map", "judge"]
    assert recorder.iterations == [record.iteration for record in space.history]
    assert recorder.iterations == list(range(1, len(space.history) + 1))


def test_an_observer_can_end_self_learning_at_any_iteration() -> None:
    made = planted(words=400, dims=20)
    whole = len(align(made.source, made.target).history)
    for last in (2, whole - 1):
        space = align(made.source, made.target, observer=Observers(Recorder(last), Recorder()))
        assert len(space.history) == last
        assert space.verdict is not None


def test_languages_are_named_after_their_embeddings_or_their_roles() -> None:
    made = planted(words=100, dims=10)
    options = {"system": "supervised", "lexicon": made.pairs[:50]}
    assert align(made.source, made.target, **options).names == ("source", "target")  # type: ignore[arg-type]
    named = align(made.source.named("en"), made.target.named("es"), **options)  # type: ignore[arg-type]
    assert named.names == ("en", "es")
    with pytest.raises(UsageError, match=r"'en'.*named\('en2'\)"):
        align(made.source.named("en"), made.target.named("en"), **options)  # type: ignore[arg-type]


def test_memory_does_not_change_a_bit() -> None:
    made = planted(words=700, dims=20)
    held, recomputed = (
        align(made.source, made.target, cutoff=600, memory=memory) for memory in (None, 0)
    )
    np.testing.assert_array_equal(held["source"].map.matrix, recomputed["source"].map.matrix)


def test_zero_vectors_do_no_harm() -> None:
    made = planted(words=400, dims=20)
    vectors = made.source.vectors.copy()
    vectors[[5, 350]] = 0
    space = align(Embeddings(made.source.words, vectors), made.target)
    entries = [entry for entry in space.lexicon() if entry.source not in ("s5", "s350")]
    assert np.mean([entry.source[1:] == entry.target[1:] for entry in entries]) >= 0.99


def test_paths_in_place_of_data_are_refused() -> None:
    made = planted(words=50, dims=5)
    with pytest.raises(UsageError, match=r"Embeddings, not str.*isolex\.load"):
        align("en.vec", made.target)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"word pairs, not a file.*isolex\.io\.read_pairs"):
        align(made.source, made.target, system="supervised", lexicon="gold.txt")  # type: ignore[arg-type]


@pytest.mark.parametrize("pair", [("s1", "t1", "0.5"), ("s1", 1), "s1", 1])
def test_anything_but_pairs_of_words_is_refused(pair: object) -> None:
    made = planted(words=50, dims=5)
    with pytest.raises(UsageError, match="two words") as caught:
        align(made.source, made.target, system="supervised", lexicon=[pair])  # type: ignore[list-item]
    assert repr(pair) in str(caught.value)


def test_pairs_may_be_a_dict() -> None:
    made = planted(words=100, dims=10)
    listed, mapped = (
        align(made.source, made.target, system="supervised", lexicon=pairs)
        for pairs in (made.pairs[:50], dict(made.pairs[:50]))
    )
    np.testing.assert_array_equal(listed["source"].map.matrix, mapped["source"].map.matrix)


def test_spelling_can_be_left_out_or_added() -> None:
    assert configure("robust").spelling == configure("robust", spelling=True).spelling
    assert configure("robust", spelling=False).spelling is None
    assert configure("artetxe2018", spelling=True).spelling == configure("robust").spelling
    assert configure("artetxe2018", spelling=False) == configure("artetxe2018")


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({"seed": -1}, "seed .* -1"),
        ({"memory": -1}, "memory .* -1"),
        ({"cutoff": 0}, "cutoff .* 0"),
        ({"budget": -1}, "budget .* -1"),
        ({"budget": float("inf")}, "budget .* inf"),
        ({"budget": float("nan")}, "budget .* nan"),
        ({"system": "artetxe2018", "budget": 1}, "'artetxe2018' .*budget"),
        (
            {"system": "supervised", "lexicon": [("s1", "t1")], "spelling": True},
            "'supervised' .*spell",
        ),
        ({"validation": [("q", "q")]}, "no validation pair"),
        ({"system": "nope"}, "'nope'"),
        ({"system": "supervised"}, "'supervised' .*lexicon"),
        ({"lexicon": [("s1", "t1")]}, "'robust' .*lexicon"),
        ({"system": "supervised", "lexicon": [("s1", "t1")], "cutoff": 5}, "'supervised' .*cutoff"),
    ],
    ids=str,
)
def test_impossible_options_are_refused(options: dict, facts: str, wording: Wording) -> None:
    made = planted(words=50, dims=5)
    with pytest.raises(UsageError, match=facts) as caught:
        align(made.source, made.target, **options)
    wording(caught.value)


def test_configuring_a_system_changes_its_cutoffs_and_time_limit() -> None:
    system = configure("robust", cutoff=300, budget=2)
    assert system.schedule is not None
    assert {stage.cutoff for stage in system.schedule.stages} == {300}
    assert system.restarts is not None
    assert system.restarts.minutes == 2
    assert configure("robust") == configure(configure("robust"))
