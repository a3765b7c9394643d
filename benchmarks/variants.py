"""Variants of ``robust`` by one change each, and the schedule it grew from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from isolex import systems
from isolex.method.restarts import Search
from isolex.method.schedule import Schedule, Stage
from isolex.systems import SYSTEMS, System

ROBUST = SYSTEMS["robust"]
ANNEALED, FINISH = (ROBUST.schedule or Schedule(())).split()
IN_PARTS, REWEIGHTED = FINISH.stages


def _variant(name: str, *finish: Stage, search: Search | None = ROBUST.search) -> System:
    schedule = Schedule((*ANNEALED.stages, *(finish or FINISH.stages)))
    return replace(ROBUST, name=name, schedule=schedule, search=search)


def _searching(name: str, **changes: int | None) -> System:
    plan = Search()
    return _variant(name, search=replace(plan, stage=replace(plan.stage, **changes)))  # type: ignore[arg-type]


_TEN_THOUSAND = Stage(1.0, cutoff=10_000, patience=1, threshold=2e-4)
_WHOLE = replace(IN_PARTS, parts=None, draws=None)
_LONG = {"patience": 2, "threshold": 2e-4}

_ALL = (
    _variant("fast", _TEN_THOUSAND, replace(_TEN_THOUSAND, cutoff=20_000, patience=2), search=None),
    _variant("all-pairs", _WHOLE, REWEIGHTED),
    _variant("one-draw", replace(IN_PARTS, draws=1), REWEIGHTED),
    _variant("two-parts", replace(IN_PARTS, parts=2), REWEIGHTED),
    _variant("not-reweighted", IN_PARTS),
    _variant("uneven", replace(IN_PARTS, even=False), replace(REWEIGHTED, even=False)),
    _variant("wide", replace(IN_PARTS, cutoff=20_000), replace(REWEIGHTED, cutoff=20_000)),
    _variant("long", replace(IN_PARTS, **_LONG), replace(REWEIGHTED, **_LONG)),  # type: ignore[arg-type]
    _variant("no-search", search=None),
    _searching("search-all-dims", dims=None),
    _searching("search-100-dims", dims=100),
    _searching("search-hasty", patience=5),
)

VARIANTS: Mapping[str, System] = MappingProxyType({variant.name: variant for variant in _ALL})
EVERYTHING: Mapping[str, System] = MappingProxyType({**SYSTEMS, **VARIANTS})


def get(name: str) -> System:
    """A variant or a system by its name."""
    return VARIANTS[name] if name in VARIANTS else systems.get(name)
