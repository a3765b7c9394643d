"""The fitted temperature makes the pairs most likely; a plain search finds none better."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from isolex import align
from isolex.core.choices import Retrieval, RetrievalMethod
from isolex.core.lexicon import Lexicon
from isolex.core.normaliser import unit
from isolex.core.space_file import read_space
from isolex.errors import UsageError
from isolex.kernels import reference
from isolex.kernels.types import Floats
from isolex.method.temperature import COLDEST, HOTTEST, fit_temperature, log_likelihood
from tests.planted import planted

EVERY = np.arange(300, dtype=np.int32)
PAIRS = Lexicon(EVERY, EVERY)


def noisy_copies(noise: float, seed: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(300, 20)).astype(np.float32)
    z = x + noise * rng.normal(size=x.shape).astype(np.float32)
    return unit(x), unit(z)


def likelihood(x: Floats, z: Floats, pairs: Lexicon, temperature: float) -> float:
    queries = z[pairs.targets]
    own = (x[pairs.sources] * queries).sum(axis=1) / temperature
    return float((own - reference.log_sum_exp(queries, x, 1 / temperature)).mean())


@pytest.mark.parametrize("noise", [0.3, 1.0, 2.0])
@pytest.mark.parametrize("seed", range(3))
def test_no_other_temperature_makes_the_pairs_more_likely(noise: float, seed: int) -> None:
    x, z = noisy_copies(noise, seed)
    found = likelihood(x, z, PAIRS, fit_temperature(x, z, PAIRS))
    others = np.geomspace(COLDEST, HOTTEST, 60)
    assert found >= max(likelihood(x, z, PAIRS, other) for other in others) - 1e-3


def test_the_likelihood_is_the_mean_over_the_pairs() -> None:
    x, z = noisy_copies(1.0, 0)
    pairs = Lexicon(EVERY[:50], EVERY[50:100])
    found = log_likelihood(x, z, pairs.sources, pairs.targets, 0.1)
    assert found == pytest.approx(likelihood(x, z, pairs, 0.1), abs=1e-4)


def test_the_temperature_grows_with_the_noise() -> None:
    found = [fit_temperature(*noisy_copies(noise, 0), PAIRS) for noise in (0.3, 1.0, 2.0)]
    assert found == sorted(found)


def test_many_pairs_are_sampled_evenly() -> None:
    x, z = noisy_copies(1.0, 0)
    repeated = Lexicon(np.repeat(EVERY, 20), np.repeat(EVERY, 20))
    found = fit_temperature(x, z, repeated)
    assert found == pytest.approx(fit_temperature(x, z, PAIRS), rel=0.02)


def test_no_pairs_have_no_temperature() -> None:
    none = np.empty(0, dtype=np.int32)
    with pytest.raises(UsageError, match="no pairs"):
        fit_temperature(*noisy_copies(1.0, 0), Lexicon(none, none))


def test_a_saved_space_keeps_its_temperature(tmp_path: Path) -> None:
    made = planted(300, 20, noise=0.5)
    space = align(made.source, made.target, system="smith2017", lexicon=made.pairs[:200])
    space.save(tmp_path)
    again = read_space(tmp_path)
    assert space.temperature is not None
    assert again.retrieval.temperature == space.temperature
    scores = again.lexicon().scores
    by_name, by_default = space.lexicon(retrieval="invsoftmax").scores, space.lexicon().scores
    assert np.array_equal(scores, by_name), "a method by name has the fitted temperature"
    assert np.array_equal(scores, by_default)
    other = Retrieval(RetrievalMethod.INVSOFTMAX)
    assert not np.array_equal(scores, space.lexicon(retrieval=other).scores)
