"""One contract for every unsupervised trainer."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import asdict, fields, replace

import numpy as np
import pytest
import torch

from isolex.adapters import extras
from isolex.core.embeddings import Embeddings
from isolex.core.observer import Epoch
from isolex.core.problem import Problem
from isolex.errors import UsageError
from isolex.kernels.parallel import use_threads
from isolex.method.trainer import Train, check
from tests.trainers.helpers import BRIEF, planted_problem, run
from tests.wording import Wording

pytestmark = pytest.mark.usefixtures("loaded_libraries")

ADVERSARIAL = ["conneau2018", "zhang2017", "micelibarone2016"]
TRANSPORT = ["earth-mover", "gromov-wasserstein", "wasserstein-procrustes"]


@pytest.fixture(params=list(BRIEF))
def train(request: pytest.FixtureRequest) -> Train:
    return BRIEF[request.param]


def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(train: Train) -> None:
    results = []
    before = torch.get_num_threads()
    for threads in (1, 2, 1):
        torch.set_num_threads(threads)
        torch.manual_seed(threads)
        with use_threads(threads):
            results.append(run(train, planted_problem()))
    torch.set_num_threads(before)
    assert len({result.source.matrix.tobytes() for result in results}) == 1
    assert results[0].epochs == results[1].epochs == results[2].epochs


def test_another_seed_gives_another_map_only_if_the_trainer_is_seeded(train: Train) -> None:
    one, other = (run(train, planted_problem(seed=seed)).source.matrix for seed in (0, 1))
    assert np.array_equal(one, other) == (not getattr(train, "seeded", False))


def test_global_random_states_and_thread_counts_stay_unchanged(train: Train) -> None:
    before = torch.get_num_threads(), torch.get_rng_state(), np.random.get_state()[1].copy()  # noqa: NPY002
    run(train, planted_problem())
    assert torch.get_num_threads() == before[0]
    assert torch.equal(torch.get_rng_state(), before[1])
    np.testing.assert_array_equal(np.random.get_state()[1], before[2])  # noqa: NPY002


def test_epochs_are_reported_in_order_with_finite_criteria(train: Train) -> None:
    epochs = run(train, planted_problem()).epochs
    assert np.isfinite([epoch.criterion for epoch in epochs]).all()
    numbers = [epoch.number for epoch in epochs]
    assert numbers == sorted(set(numbers))
    assert numbers[0] == 1
    assert numbers[-1] <= epochs[-1].of
    assert len({epoch.of for epoch in epochs}) == 1


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_every_epoch_of_adversarial_training_is_reported(name: str) -> None:
    epochs = run(BRIEF[name], planted_problem()).epochs
    assert [(epoch.number, epoch.of) for epoch in epochs] == [(1, 2), (2, 2)]


@pytest.mark.parametrize(("dims", "target_dims"), [(10, 8), (8, 8), (8, 10)])
def test_the_source_is_mapped_into_the_target_space_and_the_target_unchanged(
    train: Train, dims: int, target_dims: int
) -> None:
    source, target, _ = run(train, planted_problem(dims=dims, target_dims=target_dims))
    assert source.matrix.shape == (dims, target_dims)
    assert source.matrix.dtype == target.matrix.dtype == np.float32
    assert np.isfinite(source.matrix).all()
    np.testing.assert_array_equal(target.matrix, np.eye(target_dims))


@pytest.mark.parametrize("name", TRANSPORT)
@pytest.mark.parametrize(("dims", "target_dims"), [(10, 8), (8, 8), (8, 10)])
def test_maps_of_transport_are_orthogonal(name: str, dims: int, target_dims: int) -> None:
    source = run(BRIEF[name], planted_problem(dims=dims, target_dims=target_dims)).source
    singular_values = np.linalg.svd(source.matrix, compute_uv=False)
    np.testing.assert_allclose(singular_values, 1, atol=1e-5)


def test_a_language_may_have_fewer_words_than_the_settings_use(train: Train) -> None:
    problem = planted_problem()
    cut = Problem(
        Embeddings(problem.source.words[:70], problem.source.vectors[:70]),
        Embeddings(problem.target.words[:90], problem.target.vectors[:90]),
        problem.x[:70],
        problem.z[:90],
    )
    assert np.isfinite(run(train, cut).source.matrix).all()


def test_zero_vectors_give_a_finite_map(train: Train) -> None:
    problem = planted_problem(words=40)
    zero = Problem(
        Embeddings(problem.source.words, np.zeros_like(problem.source.vectors)),
        Embeddings(problem.target.words, np.zeros_like(problem.target.vectors)),
        np.zeros_like(problem.x),
        np.zeros_like(problem.z),
    )
    result = run(train, zero)
    assert np.isfinite(result.source.matrix).all()
    assert np.isfinite([epoch.criterion for epoch in result.epochs]).all()


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_a_training_that_diverges_returns_a_finite_map(name: str) -> None:
    train = BRIEF[name]
    names = {field.name for field in fields(train)} & {"rate", "discriminator_rate"}  # type: ignore[arg-type]
    result = run(replace(train, **dict.fromkeys(names, 1e30)), planted_problem())  # type: ignore[type-var]
    assert np.isfinite(result.source.matrix).all()
    assert all(math.isfinite(epoch.criterion) for epoch in result.epochs)


def test_an_interrupt_ends_the_training_and_restores_the_threads(train: Train) -> None:
    def interrupt(_: Epoch) -> None:
        raise KeyboardInterrupt

    before = torch.get_num_threads()
    with pytest.raises(KeyboardInterrupt):
        train(planted_problem(), "cpu", interrupt)
    assert torch.get_num_threads() == before


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_an_unknown_device_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="'nowhere'"):
        BRIEF[name](planted_problem(), "nowhere", lambda _: None)


@pytest.mark.parametrize("name", TRANSPORT)
def test_less_than_one_word_is_refused(name: str, wording: Wording) -> None:
    with pytest.raises(UsageError, match=r"'words'.* 0$") as error:
        run(replace(BRIEF[name], words=0), planted_problem())  # type: ignore[type-var]
    wording(error.value)


def test_settings_are_plain_values_that_pass_the_check(train: Train) -> None:
    settings = asdict(train)  # type: ignore[call-overload]
    assert json.loads(json.dumps(settings)) == settings
    assert {type(value) for value in settings.values()} <= {int, float, bool}
    assert set(getattr(train, "shares", ())) <= set(settings)
    check(train)


def test_only_known_extras_are_needed() -> None:
    assert {name: train.extras for name, train in BRIEF.items()} == {
        **dict.fromkeys(ADVERSARIAL, ("torch",)),
        "earth-mover": ("torch", "ot"),
        "gromov-wasserstein": ("ot",),
        "wasserstein-procrustes": ("ot",),
    }
    assert {extra for train in BRIEF.values() for extra in train.extras} <= set(extras.MODULES)


def test_importing_the_trainers_imports_neither_torch_nor_pot() -> None:
    code = (
        "import sys, isolex.trainers.adversarial, isolex.trainers.transport;"
        "print({'ot', 'torch'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
