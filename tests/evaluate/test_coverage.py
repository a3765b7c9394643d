"""A result on too few gold entries says little."""

from __future__ import annotations

import pytest

from isolex.evaluate.coverage import too_few


@pytest.mark.parametrize(
    ("entries", "total", "few"),
    [
        (0, 10, True),
        (9, 10, True),
        (10, 10, False),
        (49, 1000, True),
        (50, 1000, False),
        (99, 10_000, True),
        (100, 10_000, False),
        (0, 0, False),
    ],
)
def test_fifty_entries_and_one_percent_are_enough(entries: int, total: int, few: bool) -> None:
    assert too_few(entries, total) == few
