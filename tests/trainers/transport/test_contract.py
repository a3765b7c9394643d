"""One contract for every system of transport."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, replace

import numpy as np
import pytest

from isolex.adapters import extras
from isolex.core.observer import Epoch
from isolex.errors import UsageError
from isolex.kernels.parallel import use_threads
from isolex.method.training import Train
from isolex.trainers.transport import EarthMover, GromovWasserstein, WassersteinProcrustes
from tests.trainers.transport.conftest import QUICK, cut, problem, right, run


@pytest.mark.parametrize(
    ("name", "seeds", "least"),
    [
        ("wasserstein-procrustes", 3, 0.7),
        ("gromov-wasserstein", 3, 0.95),
        ("earth-mover", 3, 0.5),
    ],
)
def test_it_finds_the_planted_map(name: str, seeds: int, least: float) -> None:
    found = []
    for seed in range(seeds):
        given = problem(seed=seed)
        found.append(right(given, run(QUICK[name], given)[0]))
    assert min(found) > least


def test_it_repeats_itself_byte_for_byte_whatever_the_threads(train: Train) -> None:
    given = problem(words=120, dims=8)
    maps = []
    for threads in (1, 3):
        with use_threads(threads):
            maps.append(run(_brief(train), given)[0][0].matrix.tobytes())
    assert maps[0] == maps[1]


def test_it_leaves_random_numbers_and_threads_of_others_alone(train: Train) -> None:
    import torch

    given = problem(words=120, dims=8)
    before = torch.get_num_threads(), torch.get_rng_state(), np.random.get_state()[1].copy()  # noqa: NPY002
    run(_brief(train), given)
    assert torch.get_num_threads() == before[0]
    assert torch.equal(torch.get_rng_state(), before[1])
    np.testing.assert_array_equal(np.random.get_state()[1], before[2])  # noqa: NPY002


def test_its_maps_are_orthogonal_in_single_precision_and_what_it_tells_is_finite(
    train: Train,
) -> None:
    (src, trg), heard = run(_brief(train), problem(words=120, dims=8))
    assert src.matrix.dtype == trg.matrix.dtype == np.float32
    np.testing.assert_allclose(src.matrix.T @ src.matrix, np.eye(8), atol=1e-5)
    np.testing.assert_array_equal(trg.matrix, np.eye(8))
    assert heard
    assert np.isfinite([epoch.criterion for epoch in heard]).all()
    numbers = [epoch.number for epoch in heard]
    assert numbers == sorted(set(numbers))
    assert numbers[0] == 1
    assert numbers[-1] <= heard[-1].of
    assert len({epoch.of for epoch in heard}) == 1


@pytest.mark.parametrize(("dims", "trg_dims"), [(10, 8), (8, 10)])
def test_the_dimensions_may_differ(train: Train, dims: int, trg_dims: int) -> None:
    (src, trg), _ = run(_brief(train), problem(words=120, dims=dims, trg_dims=trg_dims))
    assert src.matrix.shape == (dims, trg_dims)
    assert trg.matrix.shape == (trg_dims, trg_dims)
    kept = np.linalg.svd(src.matrix, compute_uv=False)
    np.testing.assert_allclose(kept, 1, atol=1e-5)


def test_one_side_may_have_fewer_words_than_are_asked_for(train: Train) -> None:
    (src, _), _ = run(_brief(train), cut(problem(words=120, dims=8), 70, 90))
    assert np.isfinite(src.matrix).all()


def test_vectors_of_nothing_do_no_harm(train: Train) -> None:
    given = cut(problem(words=120, dims=8), 40, 40)
    given = replace(given, x=np.zeros_like(given.x), z=np.zeros_like(given.z))
    (src, _), heard = run(_brief(train), given)
    assert np.isfinite(src.matrix).all()
    assert np.isfinite([epoch.criterion for epoch in heard]).all()


def test_an_interrupt_gets_out(train: Train) -> None:
    def interrupt(_: Epoch) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _brief(train)(problem(words=120, dims=8), "cpu", interrupt)


def test_no_words_at_all_are_refused(train: Train) -> None:
    with pytest.raises(UsageError, match="one word at least, not 0"):
        run(replace(train, words=0), problem(words=50, dims=5))


def test_its_settings_are_plain_and_its_extras_known(train: Train) -> None:
    settings = asdict(train)
    assert json.loads(json.dumps(settings)) == settings
    assert set(train.extras) <= set(extras.MODULES)
    assert "ot" in train.extras


def test_importing_it_brings_no_library_along() -> None:
    code = "import sys, isolex.trainers.transport; print({'ot', 'torch'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"


def _brief(train: Train) -> Train:
    """With just enough work to see that all parts run."""
    match train:
        case WassersteinProcrustes():
            return replace(train, first_iterations=5, batch=40, steps=4)
        case GromovWasserstein():
            return replace(train, iterations=6)
        case EarthMover():
            return replace(train, starts=2, epochs=2, steps=3, batch=30, hidden=20, rounds=3)
    raise AssertionError(train)
