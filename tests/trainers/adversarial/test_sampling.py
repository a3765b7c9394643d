"""Batches, noise, and the settings of PyTorch during a training."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import torch

from isolex.trainers.adversarial.sampling import (
    COMMON_SHARE,
    RANK_OFFSET,
    Batches,
    Noise,
    reproducible,
    seeded_generator,
)


def test_noise_has_mean_one_and_differs_from_step_to_step() -> None:
    noise = Noise(0.5, 300, seeded_generator("cpu", 0))
    drawn = [noise.factors(20, (5, 10)) for _ in range(100)]
    assert [part.shape for part in drawn[0]] == [(20, 5), (20, 10)]
    every = torch.stack([torch.cat(parts, dim=1) for parts in drawn])
    assert abs(every.mean() - 1) < 0.02
    assert abs(every.std() - 0.5) < 0.02
    assert not any(torch.equal(a, b) for a, b in pairwise(every))


@pytest.mark.parametrize("by_frequency", [False, True])
def test_words_are_sampled_uniformly_or_by_frequency(by_frequency: bool) -> None:
    ranks = np.arange(1, 201, dtype=np.float32)
    generator = seeded_generator("cpu", 3)
    batches = Batches(ranks[:, None], 500, generator, by_frequency=by_frequency)
    drawn = np.concatenate([batches.next_into(torch.empty(500, 1)).numpy() for _ in range(600)])
    found = np.bincount(drawn[:, 0].astype(int), minlength=201)[1:] / len(drawn)
    expected = np.ones(200)
    if by_frequency:
        text = (1 / (ranks + RANK_OFFSET)) / (1 / (ranks + RANK_OFFSET)).sum()
        expected = np.maximum(text, np.sqrt(text * COMMON_SHARE) + COMMON_SHARE)
        assert (expected > text).any()
        assert (expected == text).any()
    expected /= expected.sum()
    assert np.abs(found / expected - 1).max() < 5 / np.sqrt(len(drawn) * expected.min())


@pytest.mark.parametrize(("fast", "precision"), [(False, "highest"), (True, "medium")])
def test_threads_precision_and_autograd_are_restored_after_a_training(
    fast: bool, precision: str
) -> None:
    before = torch.get_num_threads()
    with reproducible(fast_products=fast):
        assert torch.get_num_threads() == 1
        assert torch.get_float32_matmul_precision() == precision
        assert not torch.is_grad_enabled()
    assert torch.get_num_threads() == before
    assert torch.get_float32_matmul_precision() == "highest"
    assert torch.is_grad_enabled()


@pytest.mark.parametrize("rows", [32, 64])
def test_fast_products_are_exact_up_to_rounding(rows: int) -> None:
    generator = seeded_generator("cpu", 5)
    inputs, weights = (
        torch.randn(shape, generator=generator) for shape in ((rows, 700), (700, 900))
    )
    with reproducible(fast_products=True):
        found = inputs @ weights
    expected = inputs.double() @ weights.double()
    # On CPUs with fast bfloat16 the factors keep eight bits; this bounds the worst sum.
    assert (found - expected).abs().max() < 2**-6 * expected.std()
