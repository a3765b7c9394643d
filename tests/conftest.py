"""Where the real data is, and the tests that need it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
