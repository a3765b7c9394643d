"""Aligner keeps the contract of a scikit-learn estimator and maps as `align` does."""

from __future__ import annotations

import pickle
import runpy

import numpy as np
import pytest

from isolex import align
from isolex.adapters import extras
from isolex.core.normaliser import unit
from isolex.errors import UsageError
from tests.planted import planted
from tests.wording import Wording

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.utils.estimator_checks import parametrize_with_checks

import isolex.sklearn
from isolex.sklearn import Aligner

LABELS = "passes class labels as y; an Aligner takes a matrix of target vectors"
EXPECTED = {
    "check_transformer_general": LABELS,
    "check_transformer_data_not_an_array": LABELS,
    "check_transformer_preserve_dtypes": LABELS,
}


@parametrize_with_checks([Aligner()], expected_failed_checks=lambda _: EXPECTED)
def test_the_checks_of_scikit_learn_pass(estimator, check) -> None:
    check(estimator)


@pytest.fixture(scope="module")
def pairs() -> tuple[np.ndarray, np.ndarray]:
    """Paired rows with 10 and with 14 dimensions."""
    problem = planted(words=300, dims=10, target_dims=14, noise=0.01)
    return problem.source.vectors, np.stack([problem.target[target] for _, target in problem.pairs])


def cosines(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return (unit(one) * unit(other)).sum(axis=1)


def test_new_vectors_are_mapped_into_the_target_space(pairs) -> None:
    source, target = pairs
    target = target + 0.5  # the mean is not zero
    aligner = Aligner().fit(source[:200], target[:200])
    mapped = aligner.transform(source[200:])
    assert mapped.shape == (100, 14)
    assert cosines(mapped, target[200:]).mean() > 0.98
    np.testing.assert_allclose(np.linalg.norm(mapped, axis=1), 1, atol=1e-4)
    nearest = (unit(mapped) @ unit(target).T).argmax(axis=1)
    assert (nearest == np.arange(200, 300)).mean() > 0.95
    assert aligner.score(source[200:], target[200:]) == pytest.approx(
        cosines(mapped, target[200:]).mean(), abs=1e-5
    )


def test_least_squares_keeps_lengths(pairs) -> None:
    source, target = pairs
    aligner = Aligner("mikolov2013").fit(source, target)
    np.testing.assert_allclose(aligner.transform(source), target, atol=0.1)


def test_the_shared_space_is_the_one_of_the_system(pairs) -> None:
    source, target = pairs
    aligner = Aligner(output="shared").fit(source, target)
    np.testing.assert_array_equal(
        aligner.transform(source), aligner.space_["source"].project(source)
    )
    both = aligner.transform(source), aligner.transform_target(target)
    assert both[0].shape == both[1].shape == (300, 10)
    assert cosines(*both).mean() > 0.98
    assert aligner.score(source, target) > 0.98


def test_target_vectors_are_unchanged_if_they_are_the_output_space(pairs) -> None:
    aligner = Aligner().fit(*pairs)
    np.testing.assert_array_equal(aligner.transform_target(pairs[1]), pairs[1])
    assert [step["name"] for step in aligner.space_.settings["mapping"]] == ["Rotate"]


@pytest.mark.parametrize("output", ["target", "shared"])
def test_mapping_back_gives_the_original_vectors(pairs, output: str) -> None:
    aligner = Aligner(output=output).fit(*pairs)
    back = aligner.inverse_transform(aligner.transform(pairs[0]))
    np.testing.assert_allclose(back, unit(pairs[0]), atol=0.02)


def test_without_pairs_the_result_is_that_of_align() -> None:
    problem = planted(words=300, dims=10)
    aligner = Aligner("robust", output="shared", random_state=3, budget=0)
    aligner.fit(problem.source.vectors, problem.target.vectors[:290])
    expected = align(
        problem.source, problem.target.head(290), system="robust", seed=3, budget=0, spelling=False
    )["source"]
    np.testing.assert_array_equal(aligner.space_["source"].map.matrix, expected.map.matrix)
    np.testing.assert_allclose(
        unit(aligner.transform(problem.source.vectors)), expected.vectors, atol=1e-5
    )


def test_the_words_of_embeddings_are_used() -> None:
    problem = planted(words=100, dims=6)
    with pytest.raises(UsageError, match="share no word"):
        Aligner("identical").fit(problem.source.vectors, problem.target.vectors)
    alike = Aligner("identical").fit(problem.source, problem.source)
    np.testing.assert_allclose(
        alike.transform(problem.source), unit(problem.source.vectors), atol=1e-3
    )


def test_it_works_in_a_pipeline_and_a_grid_search(pairs) -> None:
    source, target = pairs
    pipeline = make_pipeline(Normalizer(), Aligner())
    mapped = pipeline.fit(source, target).transform(source)
    np.testing.assert_allclose(mapped, Aligner().fit(source, target).transform(source), atol=1e-4)
    assert pipeline.get_feature_names_out().tolist() == [f"aligner{i}" for i in range(14)]
    grid = {"aligner__system": ["supervised", "xing2015"]}
    search = GridSearchCV(pipeline, grid, cv=2, error_score="raise").fit(source, target)
    assert search.best_score_ > 0.98


def test_what_the_failing_checks_would_have_checked_holds(pairs) -> None:
    source, target = pairs
    mapped = Aligner().fit(source, target).transform(source)
    np.testing.assert_array_equal(Aligner().fit_transform(source, target), mapped)
    assert mapped.dtype == np.float32
    lists = Aligner().fit(source.tolist(), target.tolist()).transform(source.tolist())
    np.testing.assert_array_equal(lists, mapped)


def test_pickles_behave_as_the_original_and_clones_are_not_fitted(pairs) -> None:
    aligner = Aligner("xing2015", random_state=np.random.RandomState(0)).fit(*pairs)
    again = pickle.loads(pickle.dumps(aligner))
    np.testing.assert_array_equal(again.transform(pairs[0]), aligner.transform(pairs[0]))
    assert len(pickle.dumps(aligner)) < 20_000, "training vectors are in the pickle"
    fresh = clone(aligner)
    assert fresh.get_params()["system"] == "xing2015"
    with pytest.raises(NotFittedError):
        fresh.transform(pairs[0])


def test_column_names_are_kept(pairs) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(pairs[0], columns=[f"x{i}" for i in range(10)])
    aligner = Aligner().fit(frame, pairs[1])
    assert aligner.feature_names_in_.tolist() == list(frame.columns)
    assert aligner.n_features_in_ == 10


@pytest.mark.parametrize(
    ("aligner", "facts"),
    [
        (Aligner(output="nowhere"), "output .*'target' or 'shared', not 'nowhere'"),
        (Aligner("vecmap"), "'vecmap'"),
        (Aligner("shigeto2015"), "'shigeto2015' .*output='shared'"),
        (Aligner("faruqui2014"), "'faruqui2014' .*output='shared'"),
    ],
    ids=["output", "system", "shigeto2015", "faruqui2014"],
)
def test_impossible_parameters_are_refused(
    pairs, aligner: Aligner, facts: str, wording: Wording
) -> None:
    with pytest.raises(UsageError, match=facts) as caught:
        aligner.fit(*pairs)
    wording(caught.value)


def test_a_different_number_of_rows_is_refused_for_pairs(pairs) -> None:
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        Aligner().fit(pairs[0], pairs[1][:-1])


def test_a_missing_library_is_named_with_the_command_that_installs_it(monkeypatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"isolex\.sklearn .*'isolex\[sklearn\]'"):
        runpy.run_path(str(isolex.sklearn.__file__))
