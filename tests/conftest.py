"""Where the real data is, the tests that need it, clusters, a browser, and messages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.wording import Wording

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
TESTS = Path(__file__).parent
SLOW_FOLDERS = ("adapters", "bench", "benchmarks", "cli", "docs", "systems", "trainers", "web")
"""Their tests start commands, run alignments, build pages or import large libraries."""

DATA = Path(os.environ.get("ISOLEX_DATA", TESTS.parents[1] / "shared" / "data"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import tests that `scripts/test fast` skips."""
    fast = config.getoption("markexpr").startswith("not slow")
    slow = collection_path.parent == TESTS and collection_path.name in SLOW_FOLDERS
    return True if fast and slow else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.relative_to(TESTS).parts[0] in SLOW_FOLDERS:
            item.add_marker("slow")
    if DATA.is_dir():
        return
    absent = pytest.mark.skip(reason=f"no real embeddings at {DATA} (set ISOLEX_DATA)")
    for item in items:
        if "data" in item.keywords:
            item.add_marker(absent)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real embeddings and gold dictionaries."""
    return DATA


@pytest.fixture
def wording(request: pytest.FixtureRequest, tmp_path: Path) -> Wording:
    """Compares the exact wording of a message with the snapshot."""
    name = request.path.relative_to(TESTS).with_suffix("").as_posix()
    return Wording(f"{name}: {request.node.name}", tmp_path)


@pytest.fixture
def cluster() -> Iterator[str]:
    """The address of a Dask cluster with two workers."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as made:
        yield made.scheduler_address


@pytest.fixture
def small_cluster() -> Iterator[str]:
    """The address of a Dask cluster with one worker in this process."""
    from distributed import LocalCluster

    with LocalCluster(
        processes=False, n_workers=1, protocol="tcp://", dashboard_address=":0"
    ) as made:
        yield made.scheduler_address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium from the path, or the one that `playwright install chromium` downloads."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
