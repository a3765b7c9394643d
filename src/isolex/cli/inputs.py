"""Vector files as commands read them: with a bar, and a line on what had to be repaired."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from isolex.cli.console import Reporter

if TYPE_CHECKING:
    from isolex.run_folder import Input


def read_both(
    src: Path, trg: Path, reporter: Reporter, max_words: int | None = None
) -> tuple[Input, Input]:
    """Read the vectors of both sides."""
    from isolex.run_folder import Input

    with reporter.task(f"reading {src.name} and {trg.name}") as tick:
        sides = Input.read_both(src, trg, max_words, tick)
    for given in sides:
        reporter.note(given.repairs)
    return sides
