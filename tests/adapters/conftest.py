"""Embeddings and a lexicon that every conversion must preserve."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import Embeddings, Lexicon


@pytest.fixture
def embeddings() -> Embeddings:
    vectors = np.random.default_rng(0).normal(size=(30, 5)).astype(np.float32)
    return Embeddings([f"wört{row}" for row in range(30)], vectors)


@pytest.fixture
def not_utf8() -> Embeddings:
    return Embeddings(["dog", "caf\udce9"], [[1, 2], [3, 4]])


@pytest.fixture
def lexicon() -> Lexicon:
    return Lexicon(
        np.array([0, 1], np.int32),
        np.array([1, 0], np.int32),
        np.array([0.5, 0.25], np.float32),
        np.array([True, False]),
        (["dog", "caf\udce9"], ["gato", "perro"]),
    )


def same(one: Embeddings, other: Embeddings) -> bool:
    """Whether words and vectors are equal, bit by bit."""
    return one.words == other.words and one.vectors.tobytes() == other.vectors.tobytes()
