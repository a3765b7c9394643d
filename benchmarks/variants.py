"""Variants of ``robust``, and ``fast``, which has a plain finish and nothing after it.

Each variant has one change, except that all of them leave out spelling; ``no-spelling`` changes
nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from isolex import systems
from isolex.method.restarts import Restarts
from isolex.method.schedule import Schedule, Stage
from isolex.systems import SYSTEMS, System

ROBUST = SYSTEMS["robust"]
ANNEALED, FINISH = (ROBUST.schedule or Schedule(())).split()
IN_PARTS, REWEIGHTED = FINISH.stages


def _variant(name: str, *finish: Stage, restarts: Restarts | None = ROBUST.restarts) -> System:
    schedule = Schedule((*ANNEALED.stages, *(finish or FINISH.stages)))
    return replace(ROBUST, name=name, schedule=schedule, spelling=None, restarts=restarts)


def _restarting(name: str, **changes: int | None) -> System:
    """All attempts end in a changed stage."""
    plan = Restarts()
    return _variant(name, restarts=replace(plan, stage=replace(plan.stage, **changes)))  # type: ignore[arg-type]


_TEN_THOUSAND = Stage(1.0, cutoff=10_000, patience=1, threshold=2e-4)
_TWENTY_THOUSAND = replace(_TEN_THOUSAND, cutoff=20_000, patience=2)
_WHOLE = replace(IN_PARTS, parts=None, draws=None)
_LONG = {"patience": 2, "threshold": 2e-4}

_ALL = (
    _variant("fast", _TEN_THOUSAND, _TWENTY_THOUSAND, restarts=None),
    _variant("no-spelling"),
    _variant("all-pairs", _WHOLE, REWEIGHTED),
    _variant("one-draw", replace(IN_PARTS, draws=1), REWEIGHTED),
    _variant("two-parts", replace(IN_PARTS, parts=2), REWEIGHTED),
    _variant("not-reweighted", IN_PARTS),
    _variant("uneven", replace(IN_PARTS, even=False), replace(REWEIGHTED, even=False)),
    _variant("wide", replace(IN_PARTS, cutoff=20_000), replace(REWEIGHTED, cutoff=20_000)),
    _variant("long", replace(IN_PARTS, **_LONG), replace(REWEIGHTED, **_LONG)),  # type: ignore[arg-type]
    _variant("no-restarts", restarts=None),
    _restarting("restarts-all-dims", dims=None),
    _restarting("restarts-100-dims", dims=100),
    _restarting("restarts-hasty", patience=5),
)

VARIANTS: Mapping[str, System] = MappingProxyType({variant.name: variant for variant in _ALL})
EVERYTHING: Mapping[str, System] = MappingProxyType({**SYSTEMS, **VARIANTS})


def get(name: str) -> System:
    """A variant or a system by name."""
    return VARIANTS[name] if name in VARIANTS else systems.get(name)
