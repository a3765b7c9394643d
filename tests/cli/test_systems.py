"""isolex systems: the list, as a table and as JSON."""

from __future__ import annotations

import json
import subprocess
import sys

from isolex.systems import SYSTEMS
from tests.cli.conftest import Run


def test_all_systems_are_listed(run: Run) -> None:
    assert "robust (default)" in run("systems").stdout
    systems = json.loads(run("systems", "--json").stdout)
    assert [system["system"] for system in systems] == list(SYSTEMS)
    assert {"needs", "summary", "paper", "extras", "missing"} <= systems[0].keys()


def test_a_missing_library_is_listed_with_the_command_that_installs_it() -> None:
    code = (
        "import sys, isolex.cli; from isolex.adapters import extras;"
        "extras.MODULES['torch'] = 'no_such_module';"
        "sys.argv = ['isolex', 'systems']; isolex.cli.main()"
    )
    command = [sys.executable, "-c", code]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = dict(line.split("\t")[:2] for line in listed.splitlines())
    assert rows["conneau2018"] == "nothing; pip install 'isolex[torch]'"
    assert rows["artetxe2018"] == "nothing"
