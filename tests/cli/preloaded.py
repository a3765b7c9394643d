"""All of isolex, imported once by the process from which the tests fork their commands.

Importing it and loading the compiled scans for each of hundreds of commands would take longer than
the commands themselves. `tests/cli/test_main.py` runs a few commands in a fresh interpreter.
"""

from importlib import import_module
from pkgutil import walk_packages

from typer.testing import CliRunner

import isolex
from isolex.cli import app
from isolex.kernels.warm_up import warm_up

NOT_A_COMMAND = {"isolex.__main__", "isolex.sklearn"}

for module in walk_packages(isolex.__path__, "isolex."):
    if module.name not in NOT_A_COMMAND:
        import_module(module.name)
warm_up()
CliRunner().invoke(app, ["systems"])  # typer imports more when it parses its first command
