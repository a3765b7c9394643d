"""Spaces of several planted languages, in which each pair has its own verdict and maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from isolex import Embeddings
from isolex.core.choices import Outcome
from isolex.core.linear_map import LinearMap
from isolex.core.pair import Pair
from isolex.core.space import Space
from isolex.core.verdict import Evidence, Verdict
from tests.planted import planted

DIMS = 12
SCORES = {Outcome.SUCCEEDED: 0.9, Outcome.DOUBTFUL: 0.3, Outcome.FAILED: 0.05}


def verdict(outcome: Outcome) -> Verdict:
    """A verdict with this outcome."""
    return Verdict.of(Evidence(SCORES[outcome], 0.0, 0.5, 0.2, 100))


def space_of(names: Sequence[str], pairs: Mapping[tuple[str, str], Pair], words: int = 80) -> Space:
    """A space of languages in which the words of one row are translations of one another.

    Each word is the language's name with the row; every tenth is spelled the same in all of them.
    Pairs that are not given have succeeded. Each pair that did not fail has maps of its own, which
    change the order of the translations.
    """
    rng = np.random.default_rng(0)
    base = planted(words, DIMS).source.vectors
    languages = []
    for name in names:
        spelled = [f"same{row}" if row % 10 == 0 else f"{name}{row}" for row in range(words)]
        noisy = base + 0.5 * rng.normal(size=base.shape)
        languages.append(Embeddings(spelled, noisy.astype(np.float32), name=name))
    described = {}
    for both in combinations(names, 2):
        pair = pairs.get(both, Pair(verdict(Outcome.SUCCEEDED)))
        if pair.verdict and pair.verdict.outcome != Outcome.FAILED:
            first, second = rng.normal(size=(2, DIMS, DIMS)) * 0.4 + np.eye(DIMS)
            maps = LinearMap(first.astype(np.float32)), LinearMap(second.astype(np.float32))
            pair = replace(pair, maps=maps)
        described[both] = pair
    return replace(Space.from_vectors(*languages), pairs=described)


def four() -> Space:
    """Four languages: one pair is doubtful and recovered, and one language is not connected."""
    recovered = Pair(verdict(Outcome.DOUBTFUL), Outcome.FAILED, through=("en", "es"))
    failed = Pair(verdict(Outcome.FAILED), Outcome.FAILED)
    return space_of(
        ("en", "es", "pl", "xx"),
        {("en", "pl"): recovered, **{(one, "xx"): failed for one in ("en", "es", "pl")}},
    )


def twenty() -> Space:
    """Twenty languages."""
    names = [f"l{number}" for number in range(20)]
    return space_of(names, {}, words=40)
