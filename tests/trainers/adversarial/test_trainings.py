"""One contract for the adversarial trainings: they repeat themselves and tell of it."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import asdict, fields, replace

import numpy as np
import pytest
import torch

from isolex import Embeddings
from isolex.core.linear_map import LinearMap
from isolex.core.observer import Epoch
from isolex.core.problem import Problem
from isolex.errors import UsageError
from isolex.kernels import linalg
from isolex.kernels.parallel import use_threads
from isolex.method import normalise
from isolex.trainers.adversarial import Adversarial, AutoEncoder, conneau2018
from isolex.trainers.adversarial.autoencoder import LOST, Round, Selection
from isolex.trainers.adversarial.chance import alone, generator
from isolex.trainers.adversarial.conneau2018 import Duel
from isolex.trainers.adversarial.criterion import WORST, mean_cosine
from isolex.trainers.adversarial.game import Game, cosine_distance
from tests.planted import planted

Training = Adversarial | AutoEncoder

SHORT: dict[str, Training] = {
    "conneau2018": Adversarial(epochs=2, samples=640, hidden=32),
    "zhang2017": AutoEncoder(epochs=2, steps=20, hidden=32),
    "micelibarone2016": AutoEncoder(
        tied=False, layers=2, noise=0.0, selected=False, epochs=2, steps=20, hidden=32
    ),
}


@pytest.fixture(params=list(SHORT))
def short(request: pytest.FixtureRequest) -> Training:
    return SHORT[request.param]


def problem(
    words: int = 300, trg_dims: int | None = None, seed: int = 0, which: int = 0
) -> Problem:
    made = planted(words=words, dims=10, trg_dims=trg_dims, seed=which)
    vectors = [normalise.fit(("unit",), side.vectors)[1] for side in (made.src, made.trg)]
    return Problem(made.src, made.trg, vectors[0], vectors[1], seed=seed)


def run(training: Training, posed: Problem) -> tuple[LinearMap, LinearMap, list[Epoch]]:
    told: list[Epoch] = []
    src, trg = training(posed, "cpu", told.append)
    return src, trg, told


def test_a_training_repeats_itself_on_any_number_of_threads(short: Training) -> None:
    made = []
    before = torch.get_num_threads()
    for threads in (1, 2, 1):
        torch.set_num_threads(threads)
        torch.manual_seed(threads)
        with use_threads(threads):
            made.append(run(short, problem()))
    torch.set_num_threads(before)
    assert len({src.matrix.tobytes() for src, _, _ in made}) == 1
    assert made[0][2] == made[1][2] == made[2][2]


def test_a_training_leaves_the_global_random_numbers_alone(short: Training) -> None:
    before = torch.random.get_rng_state()
    run(short, problem())
    assert torch.equal(torch.random.get_rng_state(), before)


def test_another_seed_makes_another_map(short: Training) -> None:
    one, other = (run(short, problem(seed=seed))[0].matrix for seed in (0, 1))
    assert not np.array_equal(one, other)


def test_every_epoch_is_told_of_with_a_finite_criterion(short: Training) -> None:
    _, _, told = run(short, problem())
    assert [(epoch.number, epoch.of) for epoch in told] == [(1, 2), (2, 2)]
    assert all(math.isfinite(epoch.criterion) for epoch in told)


@pytest.mark.parametrize("trg_dims", [8, 10, 12])
def test_maps_lead_into_the_target_space_which_stays(short: Training, trg_dims: int) -> None:
    src, trg, _ = run(short, problem(trg_dims=trg_dims))
    assert src.matrix.shape == (10, trg_dims)
    assert src.matrix.dtype == np.float32
    assert np.isfinite(src.matrix).all()
    np.testing.assert_array_equal(trg.matrix, np.eye(trg_dims, dtype=np.float32))


def test_settings_are_plain_numbers(short: Training) -> None:
    assert json.loads(json.dumps(asdict(short))) == asdict(short)
    assert {type(getattr(short, field.name)) for field in fields(short)} <= {int, float, bool}
    assert short.extras == ("torch",)


def test_an_interruption_gets_out_and_gives_the_threads_back(short: Training) -> None:
    def interrupt(_: Epoch) -> None:
        raise KeyboardInterrupt

    before = torch.get_num_threads()
    with pytest.raises(KeyboardInterrupt):
        short(problem(), "cpu", interrupt)
    assert torch.get_num_threads() == before


def test_steps_too_long_make_no_map_that_is_none(short: Training) -> None:
    changes = {"rate": 1e30, "discriminator_rate": 1e30}
    names = {field.name for field in fields(short)}
    wild = replace(short, **{k: v for k, v in changes.items() if k in names})  # type: ignore[arg-type]
    src, _, told = run(wild, problem())
    assert np.isfinite(src.matrix).all()
    assert all(math.isfinite(epoch.criterion) for epoch in told)


def test_a_device_that_is_not_there_is_said(short: Training) -> None:
    with pytest.raises(UsageError, match="PyTorch cannot use the device 'nowhere'"):
        short(problem(), "nowhere", lambda _: None)


def test_the_package_does_not_load_pytorch() -> None:
    code = "import sys, isolex.trainers.adversarial; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_map_of_the_highest_criterion_is_returned() -> None:
    posed = problem()
    training = Adversarial(epochs=4, samples=640, hidden=32, rate=2.0, decay=1.0)
    src, _, told = run(training, posed)
    best = max(told, key=lambda epoch: epoch.criterion)
    until = replace(training, epochs=best.number)
    np.testing.assert_array_equal(run(until, posed)[0].matrix, src.matrix)


def test_conneau2018_learns_from_vectors_of_their_own_length() -> None:
    posed, training = problem(), SHORT["conneau2018"]
    scaled = replace(posed, x=3 * posed.x, z=3 * posed.z)
    longer = replace(posed, src=Embeddings(posed.src.words, 3 * posed.src.vectors))
    first, same, other = (run(training, one)[0].matrix for one in (posed, scaled, longer))
    np.testing.assert_array_equal(first, same)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(("falls", "rates"), [(1, [1, 1, 0.5, 0.5, 0.25]), (2, [1, 1, 1, 1, 0.5])])
def test_the_rate_is_halved_when_the_criterion_has_fallen_often_enough(
    falls: int, rates: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    criteria = iter([0.5, 0.4, 0.6, 0.5, 0.7])
    seen = []
    monkeypatch.setattr(conneau2018, "mean_cosine", lambda *_: next(criteria))
    monkeypatch.setattr(Duel, "play", lambda _, *rates: seen.append(rates[0]))
    settings = {"epochs": 5, "samples": 1, "rate": 1.0, "decay": 1.0, "hidden": 4}
    run(Adversarial(falls=falls, **settings), problem())  # type: ignore[arg-type]
    assert seen == rates


@pytest.mark.parametrize(
    ("losses", "taken"),
    [
        ((0.1, 0.2, 0.9, 0.6, 0.7), 0.6),  # what is low before the discriminator has learnt
        ((0.9, 0.8, 0.7, 0.6), 0.6),
        ((0.1, 0.2), 0.2),  # it ends early
        ((0.5, 0.6, 0.9, LOST, 0.1, 0.2, 0.7, 0.8), 0.7),  # begun anew
        ((0.5, 0.6, 0.7, LOST, 0.1, 0.2, 0.8), 0.7),
    ],
)
def test_the_map_of_the_lowest_loss_is_taken_once_the_discriminator_has_learnt(
    losses: tuple[float, ...], taken: float
) -> None:
    selection = Selection(np.zeros((1, 1), np.float32), early=2, memory=9)
    for loss in losses:
        selection.see(Round(np.full((1, 1), loss, np.float32), loss))
    assert selection.best == np.float32(taken)


@pytest.mark.parametrize(
    ("losses", "epochs", "taken"),
    [
        ((0.5, 1.0, 0.9, 0.95, 0.8, 0.85, 0.9, 0.7), 7, 0.8),
        ((1.0, 0.5, 0.6, 0.7, 0.8), 5, 0.6),  # found before a map may be taken
        ((0.5, 0.8, 0.9, 1.0, 0.95, 0.92, 1.1, 1.2), 8, 0.9),  # nothing has been found yet
        ((0.5, 0.8, 0.9, LOST, 0.5, 0.9, 0.7, 0.8, 0.9, 1.0), 9, 0.7),
        ((0.5, 0.8, 1.0, LOST, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8), 10, 0.8),  # nor has it fallen here
        ((0.5, 1.0, 0.95, 0.9, 0.85, 0.8, 0.85, 0.9, 0.95, 0.9), 10, 0.8),  # it only drifts
    ],
)
def test_it_ends_when_the_loss_has_fallen_and_falls_no_further(
    losses: tuple[float, ...], epochs: int, taken: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = [Round(np.full((10, 10), loss, np.float32), loss) for loss in losses]
    monkeypatch.setattr(AutoEncoder, "_rounds", lambda *_: iter(rounds))
    linear, _, told = run(AutoEncoder(early=2, fall=0.15, patience=2), problem())
    assert len(told) == epochs
    assert linear.matrix[0, 0] == np.float32(taken)


def test_the_criterion_tells_a_found_map_from_a_lost_one() -> None:
    posed = problem()
    lost = mean_cosine(posed.x, posed.z, np.eye(10, dtype=np.float32))
    order = [posed.trg.index[f"t{word[1:]}"] for word in posed.src.words]
    found = linalg.procrustes(linalg.cross_moment(posed.x, posed.z[order]))
    assert mean_cosine(posed.x, posed.z, found) > lost + 0.05
    assert mean_cosine(posed.x, posed.z, np.full((10, 10), np.nan, np.float32)) == WORST


def test_the_way_back_of_an_auto_encoder_leads_back() -> None:
    posed = problem()
    rules = AutoEncoder(
        tied=False, weight=10.0, hidden=16, slope=0.2, noise=0.0, batch=64, rate=0.01
    )
    game = Game(rules, posed.x, posed.z, generator("cpu", 0))
    game.parameters += 0.3 * torch.randn(200, generator=torch.Generator().manual_seed(0))
    words = torch.from_numpy(posed.x)

    def distance() -> float:
        return float(cosine_distance(words, words @ game.encoder @ game.decoder)[0])

    before = distance()
    with alone():
        for _ in range(300):
            game.play()
    assert distance() < before / 5
