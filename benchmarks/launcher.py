"""Run a command and write its wall time, peak memory and exit code to a file.

This is a small separate script because on Linux a child inherits the peak memory of its
parent: if the parent held vectors, they would be measured instead of the child.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

KIB_OR_BYTES = 1 if sys.platform == "darwin" else 1024


def main() -> None:
    """``launcher.py REPORT COMMAND...``."""
    report, *command = sys.argv[1:]
    began = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    facts = {
        "seconds": seconds,
        "peak": usage.ru_maxrss * KIB_OR_BYTES,
        "code": process.returncode,
    }
    Path(report).write_text(json.dumps(facts), encoding="utf-8")


if __name__ == "__main__":
    main()
