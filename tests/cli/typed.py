"""A command line as a person types it, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

COMMAND = (sys.executable, "-m", "isolex")


def isolex(
    home: Path | None, *arguments: str, stdin: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, by default this one, and wait for its end."""
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=home,
        env=os.environ | environment,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
