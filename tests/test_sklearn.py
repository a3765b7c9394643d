"""The mapping as scikit-learn expects an estimator to be."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from isolex import align
from isolex.adapters import extras
from isolex.core.normaliser import unit
from isolex.errors import UsageError
from tests.planted import planted

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.utils.estimator_checks import parametrize_with_checks

from isolex.sklearn import Aligner

LABELS = "gives labels of classes as y; that of a mapping is a matrix of target vectors"
EXPECTED = {
    "check_transformer_general": LABELS,
    "check_transformer_data_not_an_array": LABELS,
    "check_transformer_preserve_dtypes": LABELS,
}


@parametrize_with_checks([Aligner()], expected_failed_checks=lambda _: EXPECTED)
def test_it_is_an_estimator(estimator, check) -> None:
    check(estimator)


@pytest.fixture(scope="module")
def pairs() -> tuple[np.ndarray, np.ndarray]:
    """Rows that belong together, of 10 and of 14 dimensions."""
    problem = planted(words=300, dims=10, trg_dims=14, noise=0.01)
    return problem.src.vectors, np.stack([problem.trg[target] for _, target in problem.pairs])


def cosines(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return (unit(one) * unit(other)).sum(axis=1)


def test_vectors_that_were_not_there_land_in_the_targets_own_space(pairs) -> None:
    source, target = pairs
    target = target + 0.5  # a space with a mean
    aligner = Aligner().fit(source[:200], target[:200])
    moved = aligner.transform(source[200:])
    assert moved.shape == (100, 14)
    assert cosines(moved, target[200:]).mean() > 0.98
    np.testing.assert_allclose(np.linalg.norm(moved, axis=1), 1, atol=1e-4)
    nearest = (unit(moved) @ unit(target).T).argmax(axis=1)
    assert (nearest == np.arange(200, 300)).mean() > 0.95
    assert aligner.score(source[200:], target[200:]) == pytest.approx(
        cosines(moved, target[200:]).mean(), abs=1e-5
    )


def test_least_squares_keeps_lengths(pairs) -> None:
    source, target = pairs
    aligner = Aligner("mikolov2013").fit(source, target)
    np.testing.assert_allclose(aligner.transform(source), target, atol=0.1)


def test_the_shared_space_is_that_of_the_alignment(pairs) -> None:
    source, target = pairs
    aligner = Aligner(output="shared").fit(source, target)
    np.testing.assert_array_equal(
        aligner.transform(source), aligner.alignment_.source.transform(source)
    )
    both = aligner.transform(source), aligner.transform_target(target)
    assert both[0].shape == both[1].shape == (300, 10)
    assert cosines(*both).mean() > 0.98
    assert aligner.score(source, target) > 0.98


def test_the_target_stays_what_it_is_where_vectors_land_in_it(pairs) -> None:
    aligner = Aligner().fit(*pairs)
    np.testing.assert_array_equal(aligner.transform_target(pairs[1]), pairs[1])
    assert [step["name"] for step in aligner.alignment_.settings["mapping"]] == ["Rotate"]


@pytest.mark.parametrize("output", ["target", "shared"])
def test_there_and_back(pairs, output: str) -> None:
    aligner = Aligner(output=output).fit(*pairs)
    back = aligner.inverse_transform(aligner.transform(pairs[0]))
    np.testing.assert_allclose(back, unit(pairs[0]), atol=0.02)


def test_without_pairs_it_does_what_align_does() -> None:
    problem = planted(words=300, dims=10)
    aligner = Aligner("robust", output="shared", random_state=3, budget=0)
    mapped = aligner.fit(problem.src.vectors, problem.trg.vectors[:290]).transform(
        problem.src.vectors
    )
    expected = align(problem.src, problem.trg.head(290), "robust", seed=3, budget=0)
    np.testing.assert_array_equal(mapped, expected.source.mapped.vectors)


def test_embeddings_bring_their_words_along() -> None:
    problem = planted(words=100, dims=6)
    with pytest.raises(UsageError, match="share no word"):
        Aligner("identical").fit(problem.src.vectors, problem.trg.vectors)
    alike = Aligner("identical").fit(problem.src, problem.src)
    np.testing.assert_allclose(alike.transform(problem.src), unit(problem.src.vectors), atol=1e-3)


def test_in_a_pipeline_and_a_grid_search(pairs) -> None:
    source, target = pairs
    pipeline = make_pipeline(Normalizer(), Aligner())
    moved = pipeline.fit(source, target).transform(source)
    np.testing.assert_allclose(moved, Aligner().fit(source, target).transform(source), atol=1e-4)
    assert pipeline.get_feature_names_out().tolist() == [f"aligner{i}" for i in range(14)]
    grid = {"aligner__system": ["supervised", "xing2015"]}
    search = GridSearchCV(pipeline, grid, cv=2, error_score="raise").fit(source, target)
    assert search.best_score_ > 0.98


def test_what_the_checks_with_labels_would_have_looked_at(pairs) -> None:
    source, target = pairs
    moved = Aligner().fit(source, target).transform(source)
    np.testing.assert_array_equal(Aligner().fit_transform(source, target), moved)
    assert moved.dtype == np.float32
    lists = Aligner().fit(source.tolist(), target.tolist()).transform(source.tolist())
    np.testing.assert_array_equal(lists, moved)


def test_copies_and_pickles_behave_as_the_original(pairs) -> None:
    aligner = Aligner("xing2015", random_state=np.random.RandomState(0)).fit(*pairs)
    again = pickle.loads(pickle.dumps(aligner))
    np.testing.assert_array_equal(again.transform(pairs[0]), aligner.transform(pairs[0]))
    assert len(pickle.dumps(aligner)) < 20_000  # no training vectors in it
    fresh = clone(aligner)
    assert fresh.get_params()["system"] == "xing2015"
    with pytest.raises(NotFittedError):
        fresh.transform(pairs[0])


def test_names_of_columns_are_kept(pairs) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(pairs[0], columns=[f"x{i}" for i in range(10)])
    aligner = Aligner().fit(frame, pairs[1])
    assert aligner.feature_names_in_.tolist() == list(frame.columns)
    assert aligner.n_features_in_ == 10


@pytest.mark.parametrize(
    ("aligner", "message"),
    [
        (Aligner(output="nowhere"), "output is 'target' or 'shared', not 'nowhere'"),
        (Aligner("vecmap"), "unknown system 'vecmap'"),
        (Aligner("shigeto2015"), "changes the target space: choose output='shared'"),
        (Aligner("faruqui2014"), "changes the target space: choose output='shared'"),
    ],
)
def test_what_cannot_be_done_is_refused(pairs, aligner: Aligner, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        aligner.fit(*pairs)


def test_pairs_must_be_pairs(pairs) -> None:
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        Aligner().fit(pairs[0], pairs[1][:-1])


def test_without_the_library_the_pip_line_is_said(monkeypatch) -> None:
    import importlib

    import isolex.sklearn

    with monkeypatch.context() as patch:
        patch.setattr(extras, "find_spec", lambda _: None)
        with pytest.raises(UsageError, match=r"isolex.sklearn needs .*'isolex\[sklearn\]'"):
            importlib.reload(isolex.sklearn)
    importlib.reload(isolex.sklearn)
