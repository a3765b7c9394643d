"""Every retrieval method against its formula."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.cli.options import Method as Named
from isolex.core.choices import Method
from isolex.core.normaliser import unit
from isolex.core.retrieval import Retrieval, Space
from isolex.errors import UsageError
from isolex.kernels.types import Induction
from isolex.method.induction import union


@pytest.fixture(scope="module")
def space() -> Space:
    rng = np.random.default_rng(0)
    src, trg = (unit(rng.normal(size=(n, 9)).astype(np.float32)) for n in (150, 210))
    return Space(src, trg)


def scores_by_formula(space: Space, method: Method) -> np.ndarray:
    cosines = (space.src @ space.trg.T).astype(np.float64)
    if method == Method.CSLS:
        r_t = np.sort(cosines, axis=1)[:, -10:].mean(axis=1)
        r_s = np.sort(cosines, axis=0)[-10:].mean(axis=0)
        return 2 * cosines - r_t[:, None] - r_s
    if method == Method.INVSOFTMAX:
        return 30 * cosines - np.log(np.exp(30 * cosines).sum(axis=0))
    if method == Method.NN:
        return cosines
    pivots = np.arange(150) if method == Method.INVNN else np.arange(40)
    ranks = (cosines[pivots][:, None, :] > cosines[None] + 1e-6).sum(axis=0)
    return cosines - ranks


@pytest.mark.parametrize("method", list(Method))
def test_the_best_are_those_of_the_formula(space: Space, method: Method) -> None:
    retrieval = Retrieval(method, pivots=40)
    queries = np.arange(40, dtype=np.int32)
    found = space.retrieve(queries, 4, retrieval)
    expected = scores_by_formula(space, method)[:40]
    assert found.indices.shape == (40, 4)
    best = np.argsort(-expected, axis=1, kind="stable")[:, :4]
    np.testing.assert_allclose(found.scores, np.take_along_axis(expected, best, axis=1), atol=2e-4)
    assert (found.indices == best).mean() > 0.98


@pytest.mark.parametrize("method", list(Method))
def test_a_lexicon_marks_the_pairs_that_choose_each_other(space: Space, method: Method) -> None:
    retrieval = Retrieval(method)
    lexicon = space.lexicon(2, retrieval)
    assert len(lexicon) == 300
    assert lexicon.mutual is not None
    ahead = space.retrieve(np.arange(150, dtype=np.int32), 1, retrieval).indices[:, 0]
    back = space.reversed().retrieve(np.arange(210, dtype=np.int32), 1, retrieval).indices[:, 0]
    mutual = {(s, t) for s, t in enumerate(ahead) if back[t] == s}
    marked = np.flatnonzero(lexicon.mutual)
    assert mutual == {(lexicon.src[i], lexicon.trg[i]) for i in marked}
    assert mutual


def test_more_than_there_is_gives_all_there_is(space: Space) -> None:
    found = space.retrieve(np.array([3], dtype=np.int32), 999, Retrieval())
    assert sorted(found.indices[0].tolist()) == list(range(210))


def test_known_means_are_used_the_right_way_round(space: Space) -> None:
    retrieval, everyone = Retrieval(), np.arange(210, dtype=np.int32)
    fresh = Space(space.trg, space.src).retrieve(everyone, 3, retrieval)
    space.lexicon(1, retrieval)
    assert space.penalties.knows(("means", 10))
    turned = space.reversed().retrieve(everyone, 3, retrieval)
    np.testing.assert_array_equal(turned.indices, fresh.indices)
    np.testing.assert_allclose(turned.scores, fresh.scores, atol=1e-6)


def test_unequal_dimensions_are_no_shared_space() -> None:
    with pytest.raises(UsageError, match="not 3 and 4: map the vectors first"):
        Space(np.eye(3, dtype=np.float32), np.eye(4, dtype=np.float32))


def test_what_one_direction_computed_the_other_knows(space: Space) -> None:
    fresh = Space(space.src, space.trg)
    fresh.reversed().retrieve(None, 1, Retrieval(Method.INVSOFTMAX))
    fresh.reversed().means(10)
    assert set(fresh.penalties.src) == {("softmax", 1 / 30)}
    assert set(fresh.penalties.trg) == {("means", 10)}


@pytest.mark.parametrize(
    "options", [{"neighbours": 0}, {"temperature": 0.0}, {"pivots": 0}, {"temperature": -1.0}]
)
def test_impossible_settings_are_refused(options: dict) -> None:
    with pytest.raises(UsageError, match="above zero"):
        Retrieval(**options)


def test_progress_runs_from_start_to_end(space: Space) -> None:
    for method in Method:
        seen: list[float] = []
        Space(space.src, space.trg).lexicon(1, Retrieval(method), seen.append)
        assert seen == sorted(seen), method
        assert seen[-1] == 1.0
        assert seen[0] <= 0.5


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown retrieval 'cosine': choose from nn, csls"):
        Retrieval.of("cosine")
    assert {method.value for method in Method} == {method.value for method in Named}


def test_the_union_leaves_out_words_without_a_kept_entry() -> None:
    floats = np.zeros(3, dtype=np.float32)
    induction = Induction(
        np.array([2, -1, 0], dtype=np.int32),
        np.array([-1, 1, 0], dtype=np.int32),
        floats,
        floats,
        floats,
        floats,
    )
    lexicon = union(induction)
    assert list(zip(lexicon.src, lexicon.trg, strict=True)) == [(0, 2), (2, 0), (1, 1), (0, 2)]


@pytest.mark.parametrize("k", [1, 3])
def test_a_csls_lexicon_in_one_sweep_is_that_of_both_directions(k: int) -> None:
    rng = np.random.default_rng(7)
    src, trg = (unit(rng.standard_normal((n, 9)).astype(np.float32)) for n in (1300, 2100))
    found = Space(src, trg).lexicon(k, Retrieval())
    there = Space(src, trg).retrieve(None, k, Retrieval())
    back = Space(trg, src).retrieve(None, 1, Retrieval()).indices[:, 0]
    np.testing.assert_array_equal(found.trg.reshape(-1, k), there.indices)
    np.testing.assert_allclose(found.scores.reshape(-1, k), there.scores, atol=1e-6)
    firsts = found.trg.reshape(-1, k)[:, 0]
    np.testing.assert_array_equal(
        found.mutual.reshape(-1, k)[:, 0], back[firsts] == np.arange(len(src))
    )


@pytest.mark.parametrize("method", list(Method))
def test_the_vectors_of_source_words_find_what_the_words_find(space: Space, method: str) -> None:
    queries = np.array([5, 0, 17], dtype=np.int32)
    retrieval = Retrieval(Method(method))
    by_word = space.retrieve(queries, 4, retrieval)
    by_vector = space.retrieve_vectors(space.src[queries], 4, retrieval)
    np.testing.assert_array_equal(by_vector.indices, by_word.indices)
    np.testing.assert_allclose(by_vector.scores, by_word.scores, atol=1e-5)


def test_of_vectors_too_one_translation_at_least_is_asked_for(space: Space) -> None:
    with pytest.raises(UsageError, match="at least one translation"):
        space.retrieve_vectors(space.src[:1], 0, Retrieval())
