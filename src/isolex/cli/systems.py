"""isolex systems: what there is to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from isolex.cli.console import print_json, print_table
from isolex.cli.help import epilog
from isolex.cli.options import Json

if TYPE_CHECKING:
    from isolex.method.system import System

EPILOG = epilog("isolex systems", "isolex systems --json")


def run(json: Json = False) -> None:
    """List the systems: what each needs and does, and its paper.

    If a system needs a library that is not installed, the list shows the pip command for it.
    """
    from isolex.adapters.extras import missing
    from isolex.systems import DEFAULT, SYSTEMS

    if json:
        print_json(
            [
                system.describe()
                | {
                    "needs": system.needs,
                    "summary": system.summary,
                    "paper": system.paper,
                    "extras": list(system.extras),
                    "missing": missing(system.extras),
                }
                for system in SYSTEMS.values()
            ]
        )
        return
    rows = [
        (
            system.name + (" (default)" if system.name == DEFAULT else ""),
            "; ".join([system.needs, *_extras(system)]),
            system.summary,
            system.paper.partition(":")[0],
        )
        for system in SYSTEMS.values()
    ]
    print_table(("system", "needs", "what it does", "paper"), rows)


def _extras(system: System) -> list[str]:
    """The optional dependencies of a system, or the command that installs them."""
    from isolex.adapters.extras import missing, pip_line

    if absent := missing(system.extras):
        return [pip_line(absent)]
    return [f"[{extra}]" for extra in system.extras]
