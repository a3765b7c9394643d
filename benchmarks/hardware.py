"""The hardware and software of a measurement, without names of machines, users or folders."""

from __future__ import annotations

import os
import platform
import time
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

import isolex
from isolex.kernels.parallel import available_threads, blas

PEERS = ("numba", "scipy", "gensim", "faiss-cpu", "matplotlib")


def hardware() -> dict[str, Any]:
    """The machine and the libraries that the figures depend on."""
    return {
        "cpu": cpu(),
        "cores": available_threads(),
        "ram_gib": ram_gib(),
        "os": system(),
        "busy_before": busy(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "blas": blas(),
        **{peer.replace("-", "_"): installed(peer) for peer in PEERS},
        "isolex": isolex.__version__,
        "date": datetime.now(UTC).date().isoformat(),
    }


def cpu() -> str:
    """The model of the processor."""
    facts = Path("/proc/cpuinfo")
    if facts.is_file():
        for line in facts.read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return " ".join(value.split())
    return platform.processor() or platform.machine()


def ram_gib() -> float | None:
    """Memory of the machine in GiB."""
    try:
        size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
    return round(size / 2**30, 1)


def system() -> str:
    """The operating system and its kernel."""
    kernel = f"{platform.system()} {platform.release()}"
    try:
        return f"{platform.freedesktop_os_release()['PRETTY_NAME']}, {kernel}"
    except (OSError, KeyError):
        return kernel


def busy(seconds: float = 2.0) -> float | None:
    """How many cores are in use right now; the load average would include the previous case."""
    try:
        before = _ticks()
        time.sleep(seconds)
        after = _ticks()
    except (OSError, ValueError):
        return None
    idle, total = (later - earlier for earlier, later in zip(before, after, strict=True))
    return round((1 - idle / total) * (os.cpu_count() or 1), 2) if total else None


def _ticks() -> tuple[int, int]:
    """Idle ticks and all ticks of all cores so far, as counted by Linux."""
    with Path("/proc/stat").open(encoding="ascii") as file:
        ticks = [int(number) for number in file.readline().split()[1:9]]
    return ticks[3] + ticks[4], sum(ticks)


def installed(package: str) -> str | None:
    """The version of a package, if it is installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
