"""Every retrieval method against its formula, for all words and for a few."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core import retrieval as retrieval_module
from isolex.core.candidates import Candidates
from isolex.core.choices import Retrieval, RetrievalMethod
from isolex.core.normaliser import unit
from isolex.core.retrieval import FEW, Direction
from isolex.core.spelling import SpellingEvidence, Spellings
from isolex.core.statistics import Statistics, prepare
from isolex.errors import UsageError
from tests.spelled import RATIOS

EVERY_METHOD = pytest.mark.parametrize("method", list(RetrievalMethod))


def random_direction(sources: int, targets: int, dims: int = 9, seed: int = 0) -> Direction:
    """Random vectors of random words, whose spelling says something."""
    rng = np.random.default_rng(seed)
    x, z = (unit(rng.normal(size=(n, dims)).astype(np.float32)) for n in (sources, targets))
    words = Spellings(*([random_word(rng) for _ in range(n)] for n in (sources, targets)))
    return Direction(x, z, spelling=SpellingEvidence(words, RATIOS))


def random_word(rng: np.random.Generator) -> str:
    return "".join(rng.choice(list("aeinrst"), size=rng.integers(2, 9)))


@pytest.fixture
def direction() -> Direction:
    return random_direction(150, 210)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look-ups go through the candidates in many blocks, the last of them incomplete."""
    monkeypatch.setattr(retrieval_module, "BLOCK", 64)


def rows(*numbers: int) -> np.ndarray:
    return np.array(numbers, dtype=np.int32)


def assert_same(found: Candidates, expected: Candidates) -> None:
    np.testing.assert_array_equal(found.indices, expected.indices)
    np.testing.assert_allclose(found.scores, expected.scores, atol=1e-5)


def scores_by_formula(direction: Direction, method: RetrievalMethod, pivots: int) -> np.ndarray:
    cosines = (direction.x @ direction.z.T).astype(np.float64)
    if method in (RetrievalMethod.CSLS, RetrievalMethod.SPELLING):
        r_t = np.sort(cosines, axis=1)[:, -10:].mean(axis=1)
        r_s = np.sort(cosines, axis=0)[-10:].mean(axis=0)
        csls = 2 * cosines - r_t[:, None] - r_s
        return csls if method == RetrievalMethod.CSLS else with_spelling(direction, csls)
    if method == RetrievalMethod.INVSOFTMAX:
        return 30 * cosines - np.log(np.exp(30 * cosines).sum(axis=0))
    if method == RetrievalMethod.NN:
        return cosines
    pivots = len(cosines) if method == RetrievalMethod.INVNN else pivots
    ranks = (cosines[:pivots][:, None, :] > cosines[None] + 1e-6).sum(axis=0)
    return cosines - ranks


def with_spelling(direction: Direction, csls: np.ndarray) -> np.ndarray:
    """The csls scores plus the evidence, for the ten best targets and the eight most alike."""
    evidence = direction.spelling
    assert evidence is not None
    scores = np.full(csls.shape, -np.inf)
    for row, own in enumerate(evidence.words.own):
        near = evidence.words.most_alike(rows(row), 8)[0]
        for target in {*np.argsort(-csls[row])[:10].tolist(), *near[near >= 0].tolist()}:
            other = evidence.words.theirs[target]
            longest = max(len(own), len(other))
            grade = int(10 * (1 - edits(own, other) / longest) + 1e-6)
            length = 0 if longest <= 4 else 1 if longest <= 7 else 2
            scores[row, target] = csls[row, target] + 0.06 * evidence.ratios[length, grade]
    return scores


def edits(one: str, other: str) -> int:
    """The Levenshtein distance, row by row of its table."""
    before = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        now = [i]
        for j, b in enumerate(other, start=1):
            now.append(min(before[j] + 1, now[-1] + 1, before[j - 1] + (a != b)))
        before = now
    return before[-1]


@EVERY_METHOD
def test_the_best_targets_follow_from_the_formula(
    direction: Direction, method: RetrievalMethod
) -> None:
    found = direction.retrieve(rows(*range(40)), 4, Retrieval(method, pivots=40))
    expected = scores_by_formula(direction, method, pivots=40)[:40]
    assert found.indices.shape == (40, 4)
    best = np.argsort(-expected, axis=1, kind="stable")[:, :4]
    np.testing.assert_allclose(found.scores, np.take_along_axis(expected, best, axis=1), atol=2e-4)
    assert (found.indices == best).mean() > 0.98


@EVERY_METHOD
def test_a_lexicon_marks_the_pairs_that_choose_each_other(
    direction: Direction, method: RetrievalMethod
) -> None:
    retrieval = Retrieval(method)
    lexicon = direction.lexicon(2, retrieval)
    assert len(lexicon) == 300
    assert lexicon.mutual is not None
    forward = direction.retrieve(rows(*range(150)), 1, retrieval).indices[:, 0]
    back = direction.reversed().retrieve(rows(*range(210)), 1, retrieval).indices[:, 0]
    mutual = {(s, t) for s, t in enumerate(forward) if back[t] == s}
    marked = np.flatnonzero(lexicon.mutual)
    assert mutual == {(lexicon.sources[i], lexicon.targets[i]) for i in marked}
    assert mutual


@EVERY_METHOD
def test_a_single_pair_is_mutual_where_the_lexicon_says_so(
    direction: Direction, method: RetrievalMethod
) -> None:
    lexicon = direction.lexicon(1, Retrieval(method))
    assert lexicon.mutual is not None
    for source in range(0, 150, 7):
        target = int(lexicon.targets[source])
        mutual = direction.is_mutual(source, target, Retrieval(method))
        assert mutual == lexicon.mutual[source]


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("k", [1, 7, 100])
@EVERY_METHOD
def test_a_look_up_of_a_few_words_gives_the_same_as_a_whole_pass(
    method: RetrievalMethod, k: int
) -> None:
    few, whole = random_direction(500, 700), random_direction(500, 700)
    every = whole.retrieve(None, k, Retrieval(method))
    for asked in (rows(3), rows(499, 0, 17), rows(*range(FEW)), rows(*range(FEW + 1))):
        found = few.retrieve(asked, k, Retrieval(method))
        assert found.indices.shape == (len(asked), k)
        assert_same(found, Candidates(every.indices[asked], every.scores[asked]))


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("method", ["nn", "csls", "invsoftmax"])
def test_equal_scores_are_ordered_by_row_across_blocks(method: str) -> None:
    x = np.eye(4, dtype=np.float32)
    z = np.tile(x, (50, 1))
    found = Direction(x, z).retrieve(rows(2), 50, Retrieval.of(method))
    np.testing.assert_array_equal(found.indices[0], np.arange(2, 200, 4))


@pytest.mark.parametrize("method", ["invnn", "gc"])
@pytest.mark.usefixtures("small_blocks")
def test_after_preparation_a_look_up_is_the_exact_ranking_as_far_as_it_goes(method: str) -> None:
    direction, retrieval = random_direction(500, 700, seed=3), Retrieval.of(method)
    exact = random_direction(500, 700, seed=3).retrieve(None, 10, retrieval)
    prepare(direction.x, direction.z, direction.own, direction.theirs, retrieval)
    complete = 0
    for row in range(500):
        found = direction.retrieve(rows(row), 10, retrieval)
        known = found.indices.shape[1]
        complete += known == 10
        expected = Candidates(exact.indices[[row], :known], exact.scores[[row], :known])
        assert_same(found, expected)
    assert complete > 400


@EVERY_METHOD
def test_after_preparation_a_look_up_needs_no_pass_over_all_words(
    direction: Direction, method: RetrievalMethod, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = random_direction(150, 210).retrieve(rows(9), 2, Retrieval(method))
    prepare(direction.x, direction.z, direction.own, direction.theirs, Retrieval(method))

    def refuse(*_: object) -> None:
        pytest.fail("a pass over all words")

    for name in ("topk_mean", "log_sum_exp", "rank_topk"):
        monkeypatch.setattr(retrieval_module.similarity, name, refuse)
    assert_same(direction.retrieve(rows(9), 2, Retrieval(method)), expected)


def test_asking_for_more_targets_than_there_are_gives_all(direction: Direction) -> None:
    for method in RetrievalMethod:
        found = direction.retrieve(rows(3), 999, Retrieval(method))
        assert sorted(found.indices[0].tolist()) == list(range(210))


@EVERY_METHOD
def test_no_words_have_no_translations(direction: Direction, method: RetrievalMethod) -> None:
    assert direction.retrieve(rows(), 3, Retrieval(method)).indices.shape == (0, 3)


def test_known_means_are_used_for_the_right_language(direction: Direction) -> None:
    everyone = rows(*range(210))
    fresh = Direction(direction.z, direction.x).retrieve(everyone, 3, Retrieval())
    direction.lexicon(1, Retrieval())
    assert (len(direction.own.means[10]), len(direction.theirs.means[10])) == (150, 210)
    assert_same(direction.reversed().retrieve(everyone, 3, Retrieval()), fresh)


def test_unequal_dimensions_are_no_shared_space() -> None:
    with pytest.raises(UsageError, match="not 3 and 4"):
        Direction(np.eye(3, dtype=np.float32), np.eye(4, dtype=np.float32))


def test_both_directions_share_what_they_know(direction: Direction) -> None:
    direction.reversed().retrieve(None, 1, Retrieval(RetrievalMethod.INVSOFTMAX))
    direction.reversed().means(10)
    assert set(direction.own.sums) == {1 / 30}
    assert set(direction.own.means) == set(direction.theirs.means) == {10}
    assert direction.theirs.sums == {}


@pytest.mark.parametrize("method", list(RetrievalMethod))
def test_no_words_need_no_work(direction: Direction, method: RetrievalMethod) -> None:
    found = direction.retrieve(rows(), 3, Retrieval(method))
    assert found.indices.shape == found.scores.shape == (0, 3)
    assert direction.own == direction.theirs == Statistics()


def test_given_statistics_are_used_and_extended() -> None:
    made, own, theirs = random_direction(20, 30), Statistics(), Statistics()
    Direction(made.x, made.z, own, theirs).lexicon(1, Retrieval())
    assert (len(own.means[10]), len(theirs.means[10])) == (20, 30)
    own.means[10] = own.means[10] + 1
    found = Direction(made.x, made.z, own, theirs).retrieve(rows(4), 1, Retrieval())
    np.testing.assert_allclose(
        found.scores, made.retrieve(rows(4), 1, Retrieval()).scores - 1, atol=1e-6
    )


@EVERY_METHOD
def test_progress_runs_from_start_to_end(direction: Direction, method: RetrievalMethod) -> None:
    seen: list[float] = []
    direction.lexicon(1, Retrieval(method), seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert seen[0] <= 0.5


@EVERY_METHOD
@pytest.mark.usefixtures("small_blocks")
def test_progress_of_a_look_up_runs_to_the_end(
    direction: Direction, method: RetrievalMethod
) -> None:
    seen: list[float] = []
    direction.retrieve(rows(3, 4), 1, Retrieval(method), seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


@pytest.mark.parametrize("k", [1, 3])
def test_a_csls_lexicon_in_one_pass_equals_both_directions(k: int) -> None:
    made = random_direction(1300, 2100, seed=7)
    found = Direction(made.x, made.z).lexicon(k, Retrieval())
    there = Direction(made.x, made.z).retrieve(None, k, Retrieval())
    back = Direction(made.z, made.x).retrieve(None, 1, Retrieval()).indices[:, 0]
    np.testing.assert_array_equal(found.targets.reshape(-1, k), there.indices)
    assert found.scores is not None
    assert found.mutual is not None
    np.testing.assert_allclose(found.scores.reshape(-1, k), there.scores, atol=1e-6)
    firsts = found.targets.reshape(-1, k)[:, 0]
    np.testing.assert_array_equal(
        found.mutual.reshape(-1, k)[:, 0], back[firsts] == np.arange(1300)
    )


@EVERY_METHOD
def test_the_vectors_of_source_words_find_what_the_words_find(
    direction: Direction, method: RetrievalMethod
) -> None:
    for asked in (rows(5, 0, 17), rows(5)):
        by_word = direction.retrieve(asked, 4, Retrieval(method))
        assert direction.spelling is not None
        words = [direction.spelling.words.own[row] for row in asked]
        by_vector = direction.retrieve_vectors(direction.x[asked], 4, Retrieval(method), words)
        assert_same(by_vector, by_word)


def test_fewer_than_one_translation_is_refused(direction: Direction) -> None:
    for ask in (
        lambda: direction.retrieve(rows(1), 0, Retrieval()),
        lambda: direction.retrieve_vectors(direction.x[:1], 0, Retrieval()),
        lambda: direction.lexicon(0, Retrieval()),
    ):
        with pytest.raises(UsageError, match="at least 1, not 0"):
            ask()


def test_retrieval_by_spelling_needs_the_words_of_vectors(direction: Direction) -> None:
    retrieval = Retrieval(RetrievalMethod.SPELLING)
    with pytest.raises(UsageError, match="needs the words"):
        direction.retrieve_vectors(direction.x[:1], 1, retrieval)
