"""Shell completion of names; files are left to the shell."""

from __future__ import annotations


def system_names(incomplete: str) -> list[tuple[str, str]]:
    """The systems, with a summary of each."""
    from isolex.systems import SYSTEMS

    found = (system for name, system in SYSTEMS.items() if name.startswith(incomplete))
    return [(system.name, system.summary) for system in found]


def plan_names(incomplete: str) -> list[str]:
    """The plans that come with isolex; if none matches, the shell offers files."""
    from isolex.bench.plan import ready

    return [name for name in ready() if name.startswith(incomplete)]
