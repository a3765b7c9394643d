"""isolex systems: what there is to choose from."""

from __future__ import annotations

from isolex.cli.console import print_json, print_table
from isolex.cli.options import Json


def run(json: Json = False) -> None:
    """List the systems: what each needs, does and comes from.

    A system that needs a library which is not installed is listed with the line that installs it.

    Example: isolex systems

    Example: isolex systems --json
    """
    from isolex.extras import missing, pip_line
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
            "; ".join([system.needs, *map(pip_line, filter(None, [missing(system.extras)]))]),
            system.summary,
            system.paper.partition(":")[0],
        )
        for system in SYSTEMS.values()
    ]
    print_table(("system", "needs", "what it does", "paper"), rows)
