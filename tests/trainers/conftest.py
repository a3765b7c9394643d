"""A problem that no rotation solves, for the supervised trainers; libraries loaded in advance."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.lexicon import Lexicon, match
from isolex.core.problem import Problem
from isolex.kernels.warm_up import warm_up
from isolex.method import normalise
from tests.planted import planted

TRAINING_PAIRS = 200


@pytest.fixture(scope="session")
def loaded_libraries() -> None:
    """Load what PyTorch and Numba load at first use, several seconds that belong to no test."""
    import torch

    torch.optim.RMSprop([torch.zeros(1, requires_grad=True)])
    warm_up()


@pytest.fixture(params=range(3))
def stretched(request: pytest.FixtureRequest) -> Problem:
    """A planted problem whose target dimensions are stretched differently."""
    made = planted(words=400, dims=15, seed=request.param, noise=0.1)
    target = made.target.vectors * np.geomspace(0.1, 3, 15).astype(np.float32)
    x, z = (
        normalise.fit(("unit", "center", "unit"), vectors)[1]
        for vectors in (made.source.vectors, target)
    )
    return Problem(made.source, made.target, x, z, made.pairs, seed=request.param)


@pytest.fixture
def training_lexicon(stretched: Problem) -> Lexicon:
    return match((stretched.seed_pairs or [])[:TRAINING_PAIRS], stretched.source, stretched.target)[
        0
    ]


@pytest.fixture
def held_out_lexicon(stretched: Problem) -> Lexicon:
    return match((stretched.seed_pairs or [])[TRAINING_PAIRS:], stretched.source, stretched.target)[
        0
    ]
