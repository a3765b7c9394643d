"""Files as commands read them: with a bar, and a line on what is to be known about them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from isolex.cli.console import Reporter, say

if TYPE_CHECKING:
    from isolex.core.space import Alignment
    from isolex.run.inputs import Input

FINDINGS = {
    "doubtful": "the verdict is doubtful: look at some translations before you trust it",
    "failed": "the verdict is failed: the mapping is most likely useless",
}


def check_out(out: Path, *inputs: Path | None, run: Path | None = None, spare: str = "") -> None:
    """Refuse a file that could not be written, or whose loss would be felt, before any work.

    Args:
        out: The file to write.
        inputs: What is read.
        run: A folder that is read; what it was made from is an input too.
        spare: The file of a run that may be written anew.
    """
    from isolex.core.files import check_target, shown
    from isolex.errors import UsageError
    from isolex.run.folder import RunFolder

    sources = [] if run is None else RunFolder(run).sources()
    check_target(out, *filter(None, inputs), *sources)
    if out.name == spare:
        return
    for folder in (out.parent, out.absolute().parent.parent):  # the cache is a folder in a run's
        if RunFolder(folder).owns(out):
            read = run is not None and run.resolve() == folder.resolve()
            whose = "an input" if read else f"the run {folder}"
            raise UsageError(f"{shown(out)}: would overwrite {whose}; name another file")


def read_one(path: Path, reporter: Reporter, max_words: int | None = None) -> Input:
    """Read vectors."""
    from isolex.run.inputs import Input

    with reporter.task(f"reading {path.name}") as tick:
        given = Input.read(path, max_words, tick)
    reporter.note(given.repairs)
    return given


def read_both(
    src: Path, trg: Path, reporter: Reporter, max_words: int | None = None
) -> tuple[Input, Input]:
    """Read the vectors of both sides."""
    from isolex.run.inputs import Input

    with reporter.task(f"reading {src.name} and {trg.name}") as tick:
        sides = Input.read_both(src, trg, max_words, tick)
    for given in sides:
        reporter.note(given.repairs)
    return sides


def warn_of_pipes(src: Input, trg: Input) -> None:
    """Say so where vectors are not in a file, which other commands could find again."""
    for name, given in (("src", src), ("trg", trg)):
        if given.stamp is None:
            say(f"{given.path}: cannot be read again: later commands will need --{name} FILE")


def open_run(folder: Path, src: Path | None, trg: Path | None, reporter: Reporter) -> Alignment:
    """The alignment of a run with its vectors; that it is not to be trusted is said."""
    from isolex.run.folder import RunFolder

    with reporter.task("reading the vectors") as tick:
        alignment = RunFolder(folder).open(src, trg, tick)
    warn(folder, alignment)
    return alignment


def warn(folder: Path, alignment: Alignment) -> None:
    """Say so where a mapping is not to be trusted."""
    outcome = alignment.verdict and alignment.verdict.outcome.value
    if outcome in FINDINGS:
        say(f"{folder}: {FINDINGS[outcome]}")
