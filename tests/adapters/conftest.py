"""Embeddings that every conversion must bring back."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import Embeddings


@pytest.fixture
def some() -> Embeddings:
    vectors = np.random.default_rng(0).normal(size=(30, 5)).astype(np.float32)
    return Embeddings([f"wört{row}" for row in range(30)], vectors)


def same(one: Embeddings, other: Embeddings) -> bool:
    """Whether words and vectors are the same, to the bit."""
    return one.words == other.words and one.vectors.tobytes() == other.vectors.tobytes()
