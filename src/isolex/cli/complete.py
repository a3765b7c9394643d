"""Shell completion of names; files are left to the shell."""

from __future__ import annotations

from pathlib import Path

import typer

from isolex.errors import IsolexError


def system_names(incomplete: str) -> list[tuple[str, str]]:
    """The systems, with a summary of each."""
    from isolex.systems import SYSTEMS

    found = (system for name, system in SYSTEMS.items() if name.startswith(incomplete))
    return [(system.name, system.summary) for system in found]


def languages(context: typer.Context, incomplete: str) -> list[str]:
    """The languages of the space on the command line; none if it cannot be opened."""
    from isolex.run.inputs import LanguageFile
    from isolex.run.opening import open_space

    given = context.params
    # Arguments before an option without a value are not parsed yet.
    places = [given.get("folder"), *(given.get("places") or ()), *context.args]
    folder = next(filter(None, places), None)
    try:
        if given.get("vectors"):
            names = [one.name for one in LanguageFile.parse_all(given["vectors"])]
        else:
            names = list(open_space(Path(folder).expanduser()).names) if folder else []
    except (IsolexError, OSError):
        return []
    return [name for name in names if name.startswith(incomplete)]


def plan_names(incomplete: str) -> list[str]:
    """The plans that come with isolex; if none matches, the shell offers files."""
    from isolex.bench.plan import ready

    return [name for name in ready() if name.startswith(incomplete)]
