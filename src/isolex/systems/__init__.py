"""Systems: every method of the paper's tables, by name.

To add one, add a `System` to `unsupervised` or `supervised`, and its paper to `papers`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from isolex.errors import UsageError, did_you_mean
from isolex.method.system import System
from isolex.systems.supervised import SMALL_SEED, SUPERVISED
from isolex.systems.unsupervised import ABLATIONS, ROBUST, UNSUPERVISED

__all__ = ["DEFAULT", "SYSTEMS", "System", "get"]

_ALL = (*UNSUPERVISED, *SMALL_SEED, *SUPERVISED, *ABLATIONS)
SYSTEMS: Mapping[str, System] = MappingProxyType({system.name: system for system in _ALL})
DEFAULT = ROBUST.name


def get(system: str | System) -> System:
    """A system by name."""
    if isinstance(system, System):
        return system
    if system not in SYSTEMS:
        hint = " ".join(filter(None, (did_you_mean(system, SYSTEMS), "see `isolex systems`")))
        raise UsageError(f"unknown system {system!r}: {hint}")
    return SYSTEMS[system]
