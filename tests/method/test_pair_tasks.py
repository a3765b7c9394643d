"""Tasks on pairs: a run alone, and a lexicon induced in the shared space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from isolex import Embeddings
from isolex.core.choices import Outcome
from isolex.core.lexicon import Lexicon
from isolex.core.observer import Observer
from isolex.kernels.induction import induce
from isolex.kernels.linalg import cross_moment
from isolex.method import normalise
from isolex.method.engine import LocalEngine
from isolex.method.learner import StepTimer
from isolex.method.pair_tasks import Finish, Induce, Pairs, RunAlone, Tools
from isolex.method.spectrum import Flatten, flattened
from isolex.systems import get
from tests.method.starts import misled
from tests.planted import planted_languages

ROBUST = Tools(get("robust"), 0, lambda: induce)
TIMER = StepTimer(Observer())
DIMS = 30


@pytest.fixture(scope="module")
def languages() -> list[Embeddings]:
    """Normalised."""
    made = []
    for one in planted_languages(2, 300, DIMS):
        vectors = normalise.fit(("unit", "center", "unit"), one.vectors)[1]
        made.append(Embeddings(one.words, vectors, name=one.name))
    return made


def right(lexicon: Lexicon, languages: list[Embeddings]) -> float:
    a, b = (one.words for one in languages)
    rows = zip(lexicon.sources, lexicon.targets, strict=True)
    return float(np.mean([a[s][1:] == b[t][1:] for s, t in rows]))


def true_pairs(languages: list[Embeddings], count: int) -> Pairs:
    return [(word, f"b{word[1:]}") for word in languages[0].words[:count]]


def test_a_run_alone_ends_where_restarts_would_begin(languages: list[Embeddings]) -> None:
    run = RunAlone(ROBUST, None)(*languages, TIMER)
    assert run.verdict.outcome == Outcome.SUCCEEDED
    assert right(run.found.solution.lexicon, languages) > 0.98
    assert not run.found.attempts


def test_training_pairs_take_the_place_of_the_first_lexicon(languages: list[Embeddings]) -> None:
    tools = Tools(misled("ab"), 0, lambda: induce)
    run = RunAlone(tools, true_pairs(languages, 60))(*languages, TIMER)
    assert run.verdict.outcome == Outcome.SUCCEEDED
    assert right(run.found.solution.lexicon, languages) > 0.98


@dataclass
class Rotated:
    """Rotations that bring the two languages together."""

    one: np.ndarray
    other: np.ndarray


@pytest.fixture(scope="module")
def rotated(languages: list[Embeddings]) -> Rotated:
    a, b = languages
    targets = np.array([b.index[f"b{word[1:]}"] for word in a.words])
    u, _, v = np.linalg.svd(a.vectors.T @ b.vectors[targets])
    return Rotated(np.eye(DIMS, dtype=np.float32), (u @ v).T.astype(np.float32))


def test_a_lexicon_is_induced_between_the_most_frequent_words(
    languages: list[Embeddings], rotated: Rotated
) -> None:
    a, b = languages
    found = Induce(ROBUST, 200, (rotated.one, rotated.other))(a, b, TIMER)
    lexicon = found.lexicon
    assert max(lexicon.sources.max(), lexicon.targets.max()) < 200
    expected = cross_moment(a.vectors[lexicon.sources], b.vectors[lexicon.targets])
    np.testing.assert_allclose(found.cross, expected)
    shared = {word[1:] for word in a.words[:200]} & {word[1:] for word in b.words[:200]}
    assert len(shared) / 200 * 0.98 <= found.mutual <= 1
    assert 0.5 < found.objective <= 1


def test_a_useless_rotation_has_fewer_mutual_pairs(
    languages: list[Embeddings], rotated: Rotated
) -> None:
    same = (rotated.one, rotated.one)
    found, wrong = (
        Induce(ROBUST, 300, both)(*languages, TIMER)
        for both in ((rotated.one, rotated.other), same)
    )
    assert wrong.mutual < 0.8 * found.mutual
    assert wrong.objective < found.objective


def test_training_pairs_are_added_to_the_induced_ones(
    languages: list[Embeddings], rotated: Rotated
) -> None:
    pairs = [(languages[0].words[299], languages[1].words[5]), ("unknown", "b1")]
    both = (rotated.one, rotated.other)
    without, found = (
        Induce(ROBUST, 200, both, given)(*languages, TIMER) for given in (None, pairs)
    )
    assert len(found.lexicon) == len(without.lexicon) + 1
    assert (found.lexicon.sources[-1], found.lexicon.targets[-1]) == (299, 5)


def test_the_verdict_at_the_end_depends_on_the_lexicon(languages: list[Embeddings]) -> None:
    a, b = languages
    targets = np.array([b.index[f"b{word[1:]}"] for word in a.words], dtype=np.int32)
    rows = np.arange(300, dtype=np.int32)
    true, false = Lexicon(rows, targets), Lexicon.shuffled(300, 1)
    good, bad = (Finish(ROBUST, Lexicon.joined([one, one]))(a, b, TIMER) for one in (true, false))
    assert good.verdict.outcome == Outcome.SUCCEEDED
    assert bad.verdict.outcome == Outcome.FAILED


def test_without_reweighted_stages_the_given_lexicon_makes_moments_and_maps(
    languages: list[Embeddings],
) -> None:
    a, b = languages
    pairs = Lexicon.shuffled(300, 1)
    flat = Flatten(share=0.9)
    matrices = flat(a.vectors), flat(b.vectors)
    tools = Tools(get("supervised"), 0, lambda: induce)
    done = Finish(tools, pairs, None, matrices)(a, b, TIMER)
    x, z = map(flattened, (a.vectors, b.vectors), matrices)
    np.testing.assert_allclose(
        done.moments.cross, cross_moment(x, z[pairs.targets]) / 300, atol=1e-6
    )
    for one, other in zip(done.maps, tools.mapping.fit(x, z, pairs, 0), strict=True):
        np.testing.assert_array_equal(one.matrix, other.matrix)


def test_the_last_stages_correct_a_lexicon_and_keep_training_pairs(
    languages: list[Embeddings],
) -> None:
    a, b = languages
    targets = np.array([b.index[f"b{word[1:]}"] for word in a.words], dtype=np.int32)
    wrong = targets.copy()
    wrong[:100] = np.roll(wrong[:100], 1)
    rows = np.arange(300, dtype=np.int32)
    pairs = [(a.words[0], b.words[wrong[0]])]
    found, kept = (
        Finish(ROBUST, Lexicon(rows, wrong), given)(a, b, TIMER) for given in (None, pairs)
    )
    added = 601 * kept.moments.cross - 600 * found.moments.cross
    np.testing.assert_allclose(added, np.outer(a.vectors[0], b.vectors[wrong[0]]), atol=1e-4)
    expected = cross_moment(a.vectors, b.vectors[targets]) / 300
    start = cross_moment(a.vectors, b.vectors[wrong]) / 300
    assert np.abs(found.moments.cross - expected).max() < 0.2 * np.abs(start - expected).max()


def test_the_local_engine_does_every_task_with_its_languages(languages: list[Embeddings]) -> None:
    told: list[tuple[str, str]] = []

    class Recorder(Observer):
        def pair(self, names: tuple[str, str], number: int, of: int) -> None:  # noqa: ARG002
            assert of == 2
            told.append(names)

    class Names:
        step = None

        def __call__(self, source: Embeddings, target: Embeddings, timer: StepTimer) -> str:  # noqa: ARG002
            return source.name + target.name

    a, b = languages
    engine = LocalEngine([a, b, a.named("c")], StepTimer(Recorder()))
    assert dict(engine({(0, 2): Names(), (1, 2): Names()})) == {(0, 2): "ac", (1, 2): "bc"}
    assert list(dict.fromkeys(told)) == [("a", "c"), ("b", "c")]
    assert dict(engine({})) == {}
