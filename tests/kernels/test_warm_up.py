"""Warming up compiles the scans ahead of time."""

from __future__ import annotations

import subprocess
import sys


def test_warm_up_compiles_every_scan_that_an_alignment_needs() -> None:
    code = (
        "from isolex.kernels import scans, warm_up; warm_up.warm_up();"
        "print([bool(scan.signatures) for scan in "
        "(scans.scan_means, scans.scan_best, scans.scan_topk)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[True, True, True]"
