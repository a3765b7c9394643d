"""Adam against the algorithm of the paper."""

from __future__ import annotations

import numpy as np
import torch

from isolex.trainers.adversarial.adam import Adam


def test_steps_are_those_of_algorithm_1_of_the_paper() -> None:
    parameters = torch.ones(4)
    adam = Adam(parameters, 0.01, mean_decay=0.8)
    rate, beta1, beta2, epsilon = 0.01, 0.8, 0.999, 1e-8
    expected, mean, square = np.ones(4), np.zeros(4), np.zeros(4)
    for step in range(1, 6):
        gradient = np.linspace(-1, 2, 4) * step
        gradient[1] = 1e-9  # so small that epsilon matters
        adam.step(torch.from_numpy(gradient).float())
        mean = beta1 * mean + (1 - beta1) * gradient
        square = beta2 * square + (1 - beta2) * gradient**2
        corrected_mean, corrected_square = mean / (1 - beta1**step), square / (1 - beta2**step)
        expected -= rate * corrected_mean / (np.sqrt(corrected_square) + epsilon)
        np.testing.assert_allclose(parameters.numpy(), expected, rtol=1e-5)
