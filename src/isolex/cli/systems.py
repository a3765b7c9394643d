"""isolex systems: what there is to choose from."""

from __future__ import annotations

from isolex.cli.console import print_json, print_table
from isolex.cli.options import Json


def run(json: Json = False) -> None:
    """List the systems: what each needs, does and comes from."""
    from isolex.systems import DEFAULT, SYSTEMS

    if json:
        print_json(
            [
                system.describe()
                | {"needs": system.needs, "summary": system.summary, "paper": system.paper}
                for system in SYSTEMS.values()
            ]
        )
        return
    rows = [
        (
            system.name + (" (default)" if system.name == DEFAULT else ""),
            system.needs,
            system.summary,
            system.paper.partition(":")[0],
        )
        for system in SYSTEMS.values()
    ]
    print_table(("system", "needs", "what it does", "paper"), rows)
