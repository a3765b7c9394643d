"""Several languages: one space, a verdict for every pair, and no harm from one that fails.

All languages are planted: word 7 of language a is ``a7``, and its translation into c is ``c7``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from isolex import Embeddings, Space, align
from isolex import open as open_space
from isolex.core.checkpoint import Checkpoint, PairRun, SpaceCheckpoint
from isolex.core.choices import Outcome
from isolex.core.observer import Observer
from isolex.core.verdict import Verdict
from tests.method.starts import misled
from tests.planted import noise, planted_languages, scrambled, share_right

SUCCEEDED, FAILED = Outcome.SUCCEEDED, Outcome.FAILED
WORDS, DIMS = 300, 30


class Recorder(Observer):
    """Records the steps, the pairs and the number of iterations."""

    def __init__(self) -> None:
        self.steps = set[str]()
        self.pairs = set[tuple[str, str]]()
        self.iterations = 0

    def step(self, name: str) -> None:
        self.steps.add(name)

    def pair(self, names: tuple[str, str], number: int, of: int) -> None:
        assert 0 <= number <= of
        self.pairs.add(names)

    def iteration(self, iteration: object) -> None:  # noqa: ARG002
        self.iterations += 1


@pytest.fixture(scope="module")
def languages() -> list[Embeddings]:
    return planted_languages(3, WORDS, DIMS)


@pytest.fixture(scope="module")
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture(scope="module")
def space(languages: list[Embeddings], recorder: Recorder) -> Space:
    pairs = [(f"b{i}", f"a{i}") for i in range(40)]
    return align(*languages, validation={("b", "a"): pairs}, observer=recorder)


@pytest.fixture(scope="module")
def indirect(languages: list[Embeddings]) -> Space:
    """Language c does not fit a, the first one, but b."""
    return align(*languages, seed=5, threads=1, system=misled("ac", minutes=10))


def lexicons_right(space: Space, *names: str) -> float:
    """The lowest share of right entries in the lexicons between these languages."""
    return min(share_right(space, *both) for both in permutations(names, 2))


def outcomes(space: Space) -> dict[str, Outcome | None]:
    return {name: space.outcome(name) for name in space.names}


def test_all_languages_are_found_and_every_lexicon_is_right(space: Space) -> None:
    assert space.names == ("a", "b", "c")
    assert list(space.pairs) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert lexicons_right(space, *"abc") > 0.98
    for pair in space.pairs.values():
        assert pair.verdict is not None
        assert pair.verdict.outcome == SUCCEEDED
        assert pair.mutual is not None
        assert pair.mutual > 0.9
    assert outcomes(space) == dict.fromkeys("abc", SUCCEEDED)
    assert space.verdict is not None
    assert space.verdict.outcome == SUCCEEDED


def test_runs_with_the_first_language_are_enough_if_they_succeed(space: Space) -> None:
    assert [pair.alone for pair in space.pairs.values()] == [SUCCEEDED, SUCCEEDED, None]
    assert not any(pair.is_recovered for pair in space.pairs.values())
    assert not space.attempts


def test_the_tree_connects_all_languages_and_other_pairs_lead_through_it(space: Space) -> None:
    assert len(space.tree) == 2
    assert {name for edge in space.tree for name in edge} == set("abc")
    [other] = set(space.pairs) - set(space.tree)
    assert [space.pairs[edge].through for edge in space.tree] == [(), ()]
    assert set(space.pairs[other].through) == set("abc") - set(other)


def test_the_history_says_which_pair_an_iteration_belongs_to(space: Space) -> None:
    pairs = list(dict.fromkeys(record.pair for record in space.history))
    assert pairs == ["a-b", "a-c", "all"]


def test_an_observer_hears_of_steps_pairs_and_iterations(space: Space, recorder: Recorder) -> None:
    assert recorder.steps == set(space.timings)
    assert {"normalise", "initialise", "learn", "move", "map", "judge"} <= recorder.steps
    assert recorder.pairs == set(space.pairs)
    assert recorder.iterations == sum(record.pair != "all" for record in space.history)


def test_validation_pairs_are_scored_for_their_languages(space: Space) -> None:
    found = [pair.validation for pair in space.pairs.values()]
    assert found[0] is not None
    assert found[0] > 95
    assert found[1:] == [None, None]


def test_a_space_that_is_opened_again_knows_and_finds_the_same(
    space: Space, tmp_path: Path
) -> None:
    space.save(tmp_path)
    opened = open_space(tmp_path)
    assert opened.tree == space.tree
    for names, pair in space.pairs.items():
        assert opened.about(*names).as_dict() == pair.as_dict()
    for source, target in permutations("abc", 2):
        assert list(opened.lexicon(source, target)) == list(space.lexicon(source, target))
        found, expected = (
            one.translate(f"{source}9", source=source, target=target) for one in (opened, space)
        )
        assert [one.word for one in found] == [one.word for one in expected]


@pytest.mark.parametrize("place", [3, 0], ids=["noise last", "scrambled first"])
def test_a_language_that_fits_no_other_fails_and_harms_none(
    languages: list[Embeddings], space: Space, place: int
) -> None:
    apart = noise(WORDS, DIMS) if place else scrambled(languages[1], "n")
    given = list(languages)
    given.insert(place, apart.named("n"))
    found = align(*given, budget=0)
    assert outcomes(found) == {**dict.fromkeys("abc", SUCCEEDED), "n": FAILED}
    for name in "abc":
        about = found.about("n", name)
        assert about.verdict is not None
        assert about.verdict.outcome == FAILED
        assert (about.through, about.is_recovered) == ((), False)
        assert len(found.translate(f"{name}1", 3, source=name, target="n")) == 3
    assert len(found.tree) == 2
    assert "n" not in {name for edge in found.tree for name in edge}
    assert found.verdict is not None
    assert found.verdict.outcome == FAILED, "the worst pair's"
    assert lexicons_right(found, *"abc") > 0.98
    if place:  # otherwise the others are joined in another order
        for name in "abc":
            expected = space[name].map.matrix
            np.testing.assert_allclose(found[name].map.matrix, expected, atol=1e-5)


def test_if_no_language_fits_another_all_have_failed() -> None:
    given = [
        scrambled(one, one.name, seed) for seed, one in enumerate(planted_languages(3, 120, 15))
    ]
    found = align(*given, budget=0)
    assert outcomes(found) == dict.fromkeys("abc", FAILED)
    assert found.tree == ()
    assert found.translate("a1", source="a", target="c")


def test_a_language_that_does_not_fit_the_first_is_joined_through_another(indirect: Space) -> None:
    found, about = indirect, indirect.about("c", "a")
    assert about.alone == FAILED
    assert about.verdict is not None
    assert about.verdict.outcome == SUCCEEDED
    assert about.is_recovered
    assert about.through == ("b",)
    assert set(found.tree) == {("a", "b"), ("b", "c")}
    assert found.about("b", "c").alone == SUCCEEDED
    assert not found.about("b", "c").is_recovered
    assert lexicons_right(found, *"abc") > 0.98
    assert not found.attempts, "another language helps faster than restarts"


def test_restarts_are_for_languages_that_nothing_connects(languages: list[Embeddings]) -> None:
    found = align(*languages, system=misled("ac", "bc", minutes=10))
    assert found.attempts
    assert found.outcome("c") == SUCCEEDED
    assert lexicons_right(found, *"abc") > 0.98


def test_training_pairs_join_a_language_in_either_order_of_the_names(
    languages: list[Embeddings],
) -> None:
    pairs = {f"c{i}": f"b{i}" for i in range(0, WORDS, 4)}
    found = align(*languages, system=misled("ac", "bc"), lexicon={("c", "b"): pairs})
    assert found.about("b", "c").alone == SUCCEEDED
    assert found.about("a", "c").is_recovered
    assert lexicons_right(found, *"abc") > 0.98


@pytest.mark.parametrize(
    "system", ["artetxe2018", "semi-supervised", "supervised", "mikolov2013", "shigeto2015"]
)
def test_other_systems_align_several_languages(system: str) -> None:
    given = planted_languages(3, 200, 15, noise=0.05)
    edges = () if system == "artetxe2018" else (("a", "b"), ("c", "b"))
    lexicon = {
        (one, other): [(f"{one}{i}", f"{other}{i}") for i in range(0, 200, 2)]
        for one, other in edges
    }
    found = align(*given, system=system, lexicon=lexicon or None)
    assert found.settings["system"] == system
    assert outcomes(found) == dict.fromkeys("abc", SUCCEEDED)
    assert lexicons_right(found, *"abc") > 0.97
    if edges:
        assert found.about("a", "c").alone is None, "no run without training pairs"


def test_numbers_of_dimensions_and_of_words_may_differ() -> None:
    a, b, c = planted_languages(3, WORDS, 12)
    wide = np.linalg.qr(np.random.default_rng(1).normal(size=(20, 12)))[0].T
    given = [a.head(200), Embeddings(b.words, b.vectors @ wide, name="b"), c]
    found = align(*given)
    assert [len(one) for one in found] == [200, WORDS, WORDS]
    assert [one.dims for one in found] == [12, 20, 12]
    assert {one.vectors.shape[1] for one in found} == {20}
    assert share_right(found, "a", "c") > 0.98
    assert share_right(found, "b", "c") > 0.98
    mapped = found["b"].transform(given[1].vectors)
    np.testing.assert_allclose(mapped, found["b"].vectors, atol=1e-5)


def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(
    languages: list[Embeddings], indirect: Space, tmp_path: Path
) -> None:
    again = align(*languages, seed=5, threads=3, system=misled("ac", minutes=10))
    for name, one in (("1", indirect), ("3", again)):
        one.save(tmp_path / name)
    first, second = (tmp_path / name / "space.safetensors" for name in ("1", "3"))
    assert first.read_bytes() == second.read_bytes()


class Progress(Observer):
    """Keeps the runs of pairs."""

    runs: Mapping[tuple[int, int], PairRun] = {}

    def checkpoint(self, checkpoint: Checkpoint | SpaceCheckpoint) -> None:
        assert isinstance(checkpoint, SpaceCheckpoint)
        self.runs = checkpoint.runs


def test_a_chance_connection_of_two_groups_is_cut_and_harms_neither() -> None:
    """Languages a and b are planted together, and so are c and d, but not all four."""
    pair, others = planted_languages(2, WORDS, DIMS), planted_languages(2, WORDS, DIMS, seed=9)
    languages = [*pair, *(one.named(name) for one, name in zip(others, "cd", strict=True))]
    progress = Progress()
    apart = align(*languages, budget=0, observer=progress)
    assert set(apart.tree) == {("a", "b"), ("c", "d")}
    run = progress.runs[0, 2]
    doubtful = replace(run, verdict=Verdict(Outcome.DOUBTFUL, run.verdict.evidence))
    runs = {**progress.runs, (0, 2): doubtful}
    found = align(*languages, budget=0, resume=SpaceCheckpoint(runs=runs))
    assert found.tree == apart.tree
    for names in (("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")):
        verdict = found.about(*names).verdict
        assert verdict is not None
        assert verdict.outcome == FAILED
    for one, other in zip(found, apart, strict=True):
        np.testing.assert_array_equal(one.vectors, other.vectors)


def test_a_weak_connection_is_tried_again_with_another_pair() -> None:
    languages = planted_languages(4, WORDS, DIMS)
    progress = Progress()
    align(*languages, observer=progress)
    assert set(progress.runs) == {(0, 1), (0, 2), (0, 3)}
    run = progress.runs[0, 3]
    weak = Verdict(SUCCEEDED, replace(run.verdict.evidence, recovered=0.55))
    runs = {**progress.runs, (0, 3): replace(run, verdict=weak)}
    again = Progress()
    align(*languages, observer=again, resume=SpaceCheckpoint(runs=runs))
    assert set(again.runs) - set(progress.runs) <= {(1, 3), (2, 3)}
    assert len(again.runs) == 4
