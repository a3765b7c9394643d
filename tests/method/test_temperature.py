"""The temperature that makes pairs likeliest, against a plain search."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from isolex.core.choices import Method
from isolex.core.lexicon import Lexicon
from isolex.core.normaliser import unit
from isolex.core.retrieval import Retrieval, Space
from isolex.core.space import Alignment
from isolex.errors import UsageError
from isolex.kernels import reference
from isolex.method.temperature import COLDEST, HOTTEST, fitted
from isolex.systems import get
from isolex.systems.align import align
from tests.planted import planted


def noisy_space(noise: float, seed: int) -> Space:
    chance = np.random.default_rng(seed)
    src = chance.normal(size=(300, 20)).astype(np.float32)
    trg = src + noise * chance.normal(size=src.shape).astype(np.float32)
    return Space(unit(src), unit(trg))


def likelihood(space: Space, pairs: Lexicon, temperature: float) -> float:
    asked = space.trg[pairs.trg]
    own = (space.src[pairs.src] * asked).sum(axis=1) / temperature
    return float((own - reference.log_sum_exp(asked, space.src, 1 / temperature)).mean())


@pytest.mark.parametrize("noise", [0.3, 1.0, 2.0])
@pytest.mark.parametrize("seed", range(3))
def test_no_other_temperature_makes_the_pairs_likelier(noise: float, seed: int) -> None:
    space = noisy_space(noise, seed)
    same = np.arange(300, dtype=np.int32)
    pairs = Lexicon(same, same)
    found = likelihood(space, pairs, fitted(space, pairs))
    others = np.geomspace(COLDEST, HOTTEST, 60)
    assert found >= max(likelihood(space, pairs, other) for other in others) - 1e-3


def test_pairs_that_are_surer_are_sharper() -> None:
    same = np.arange(300, dtype=np.int32)
    pairs = Lexicon(same, same)
    temperatures = [fitted(noisy_space(noise, 0), pairs) for noise in (0.3, 1.0, 2.0)]
    assert temperatures == sorted(temperatures)


def test_no_pairs_no_temperature() -> None:
    none = np.empty(0, dtype=np.int32)
    with pytest.raises(UsageError, match="pairs"):
        fitted(noisy_space(1.0, 0), Lexicon(none, none))


def test_a_system_that_fits_takes_no_other_temperature_or_method() -> None:
    for other in (Retrieval(Method.INVSOFTMAX, temperature=0.02), Retrieval(Method.CSLS)):
        with pytest.raises(UsageError, match="set fit_temperature=False"):
            replace(get("smith2017"), retrieval=other)
        assert replace(get("smith2017"), retrieval=other, fit_temperature=False)


def test_a_saved_mapping_keeps_its_temperature(tmp_path: Path) -> None:
    problem = planted(300, 20, noise=0.5)
    src, trg = problem.src, problem.trg
    made = align(src, trg, "smith2017", lexicon=problem.pairs[:200])
    made.save(tmp_path / "m.safetensors")
    again = Alignment.load(tmp_path / "m.safetensors", src, trg)
    assert made.temperature is not None
    assert again.retrieval.temperature == made.temperature
    scores = again.lexicon(1).scores
    assert np.array_equal(scores, made.lexicon(1, "invsoftmax").scores), "its own, by its name"
    assert not np.array_equal(scores, made.lexicon(1, Retrieval(Method.INVSOFTMAX)).scores)
