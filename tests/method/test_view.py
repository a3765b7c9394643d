"""Two vocabularies flattened or in their leading principal components, and the way back."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.lexicon import Lexicon
from isolex.core.normaliser import unit
from isolex.kernels.types import Floats
from isolex.method.maps import IterationMaps
from isolex.method.spectrum import Flatten, flattened
from isolex.method.view import View


@pytest.fixture(scope="module")
def vectors() -> tuple[Floats, Floats]:
    rng = np.random.default_rng(0)
    scale = np.linspace(2, 0.2, 10)
    x, z = (unit((rng.normal(size=(n, 10)) * scale).astype(np.float32)) for n in (80, 60))
    return x, z


@pytest.fixture(scope="module")
def some_pairs() -> Lexicon:
    return Lexicon.shuffled(60, seed=0)


@pytest.mark.parametrize("dims", [None, 10, 30])
def test_all_dimensions_are_the_vectors_themselves(
    vectors: tuple[Floats, Floats], dims: int | None
) -> None:
    view = View.of(*vectors, words=50, dims=dims)
    assert view.x is vectors[0]
    assert view.z is vectors[1]
    maps = IterationMaps(np.eye(10, dtype=np.float32))
    assert view.lift(maps) is maps


def test_vectors_are_projected_onto_the_components_of_the_frequent_words(
    vectors: tuple[Floats, Floats],
) -> None:
    view = View.of(*vectors, words=50, dims=4)
    for given, seen, base in zip(
        vectors, (view.x, view.z), (view.x_base, view.z_base), strict=True
    ):
        assert base is not None
        values, components = np.linalg.eigh((given[:50].T @ given[:50]).astype(np.float64))
        leading = components[:, np.argsort(-values)[:4]]
        np.testing.assert_allclose(base @ base.T, leading @ leading.T, atol=1e-4)
        np.testing.assert_allclose(seen, unit(given @ base), atol=1e-5)


def test_vectors_are_flattened_before_they_are_projected(vectors: tuple[Floats, Floats]) -> None:
    flatten = Flatten(share=1.0)
    view = View.of(*vectors, words=50, dims=4, flatten=flatten)
    for given, seen, base in zip(
        vectors, (view.x, view.z), (view.x_base, view.z_base), strict=True
    ):
        assert base is not None
        flat = View.of(flattened(given, flatten(given)), given, words=50, dims=4)
        np.testing.assert_array_equal(seen, flat.x)
        np.testing.assert_allclose(seen, unit(given @ base), atol=1e-5)


@pytest.mark.parametrize("reweight", [None, 0.5])
@pytest.mark.parametrize("dims", [None, 4])
@pytest.mark.parametrize("flatten", [None, Flatten(share=1.0)])
def test_lifted_maps_see_whole_vectors_like_the_view(
    vectors: tuple[Floats, Floats],
    some_pairs: Lexicon,
    reweight: float | None,
    dims: int | None,
    flatten: Flatten | None,
) -> None:
    view = View.of(*vectors, words=50, dims=dims, flatten=flatten)
    maps = IterationMaps.of(view.x, view.z, some_pairs, reweight)
    lifted = view.lift(maps)
    assert lifted.source.shape[0] == 10
    seen_x, seen_z = maps.transform(view.x, view.z)
    x, z = lifted.transform(*vectors)
    np.testing.assert_allclose(x @ z.T, seen_x @ seen_z.T, atol=1e-4)


def test_languages_of_different_dimensions_are_projected_alike() -> None:
    rng = np.random.default_rng(1)
    x, z = (unit(rng.normal(size=(40, dims)).astype(np.float32)) for dims in (12, 7))
    view = View.of(x, z, words=40, dims=5)
    assert view.x.shape[1] == view.z.shape[1] == 5
    lifted = view.lift(IterationMaps(np.eye(5, dtype=np.float32)))
    assert lifted.target is not None
    assert (lifted.source.shape, lifted.target.shape) == ((12, 5), (7, 5))
