"""Where the real data is, the tests that need it, and a browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DATA = Path(os.environ.get("ISOLEX_DATA", Path(__file__).parents[2] / "shared" / "data"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium: that on the path, or the one that `playwright install chromium` fetches."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
