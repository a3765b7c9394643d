"""A system is data: it can be described, identified and checked."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from isolex.core.choices import Retrieval, RetrievalMethod
from isolex.errors import UsageError
from isolex.method.initialise import Random
from isolex.method.mapping import AsTrained
from isolex.method.schedule import Stage, annealing
from isolex.method.system import System, active
from isolex.systems import get


@pytest.mark.parametrize(
    "other",
    [
        Retrieval(RetrievalMethod.INVSOFTMAX, temperature=0.02),
        Retrieval(RetrievalMethod.CSLS),
    ],
    ids=["temperature", "method"],
)
def test_a_system_that_fits_its_temperature_takes_no_other_retrieval(other: Retrieval) -> None:
    with pytest.raises(UsageError, match=r"'smith2017'.*fit_temperature=False"):
        replace(get("smith2017"), retrieval=other)
    assert replace(get("smith2017"), retrieval=other, fit_temperature=False).retrieval == other


@pytest.mark.parametrize("name", ["robust", "artetxe2018", "supervised", "smith2017"])
def test_a_description_is_plain_values(name: str) -> None:
    described = get(name).describe()
    assert json.loads(json.dumps(described)) == described
    assert described["system"] == name
    assert Retrieval(**described["retrieval"]) == get(name).retrieval


def test_a_description_names_the_parts() -> None:
    described = replace(get("robust"), initialise=Random(7), mapping=AsTrained()).describe()
    assert described["initialise"] == {"name": "Random", "cutoff": 7}
    assert described["mapping"] == [{"name": "AsTrained"}]
    assert described["restarts"]["rounds"] == 2
    assert [stage["keep_prob"] for stage in described["schedule"]][:2] == [0.1, 0.2]


@pytest.mark.parametrize(
    "changed",
    [
        replace(get("robust"), initialise=Random()),
        replace(get("robust"), schedule=annealing(last=Stage(1.0, patience=3))),
        replace(get("robust"), schedule=None),
        replace(get("robust"), mapping=AsTrained()),
        replace(get("robust"), normalise=("unit",)),
        replace(get("robust"), retrieval=Retrieval(neighbours=3)),
        replace(get("robust"), restarts=None),
    ],
    ids=["initialise", "schedule", "no schedule", "mapping", "normalise", "retrieval", "restarts"],
)
def test_the_fingerprint_changes_with_every_setting(changed: System) -> None:
    assert changed.fingerprint != get("robust").fingerprint
    assert len(changed.fingerprint) == 12


def test_the_fingerprint_ignores_settings_that_are_off() -> None:
    settings = {"a": None, "b": [{"c": False, "d": 0}], "e": {"f": None}, "g": ""}
    assert active(settings) == {"b": [{"d": 0}], "e": {}, "g": ""}


def test_only_some_systems_take_a_lexicon() -> None:
    assert get("supervised").takes_lexicon
    assert not get("robust").takes_lexicon
