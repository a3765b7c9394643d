"""Two vocabularies as a stage sees them: centred, flattened, in their leading components."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.normaliser import unit
from isolex.kernels.types import Floats
from isolex.method.spectrum import Flatten, flattened
from isolex.method.view import View


@pytest.fixture(scope="module")
def vectors() -> tuple[Floats, Floats]:
    rng = np.random.default_rng(0)
    scale = np.linspace(2, 0.2, 10)
    x, z = (unit((rng.normal(size=(n, 10)) * scale).astype(np.float32)) for n in (80, 60))
    return x, z


@pytest.mark.parametrize("dims", [None, 10, 30])
def test_all_dimensions_are_the_vectors_themselves(
    vectors: tuple[Floats, Floats], dims: int | None
) -> None:
    view = View.of(*vectors, words=50, dims=dims)
    assert view.x is vectors[0]
    assert view.z is vectors[1]


def test_vectors_are_projected_onto_the_components_of_the_frequent_words(
    vectors: tuple[Floats, Floats],
) -> None:
    view = View.of(*vectors, words=50, dims=4)
    for given, seen in zip(vectors, (view.x, view.z), strict=True):
        values, components = np.linalg.eigh((given[:50].T @ given[:50]).astype(np.float64))
        leading = components[:, np.argsort(-values)[:4]]
        expected = unit((given @ leading).astype(np.float32))
        np.testing.assert_allclose(seen @ seen.T, expected @ expected.T, atol=1e-4)


def test_vectors_are_centred_on_the_frequent_words_then_flattened_then_projected(
    vectors: tuple[Floats, Floats],
) -> None:
    flatten = Flatten(share=1.0)
    view = View.of(*vectors, words=50, dims=4, flatten=flatten, center=True)
    for given, seen in zip(vectors, (view.x, view.z), strict=True):
        centred = unit(given - given[:50].mean(axis=0))
        np.testing.assert_allclose(
            View.of(given, given, words=50, center=True).x, centred, atol=1e-6
        )
        flat = View.of(flattened(centred, flatten(centred)), given, words=50, dims=4)
        np.testing.assert_allclose(seen @ seen.T, flat.x @ flat.x.T, atol=1e-4)


def test_languages_of_different_dimensions_are_projected_alike() -> None:
    rng = np.random.default_rng(1)
    x, z = (unit(rng.normal(size=(40, dims)).astype(np.float32)) for dims in (12, 7))
    view = View.of(x, z, words=40, dims=5)
    assert view.x.shape[1] == view.z.shape[1] == 5
