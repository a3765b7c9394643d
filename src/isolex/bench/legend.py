"""What is said in words about the figures in a table."""

from __future__ import annotations

from collections.abc import Mapping

from isolex.bench.cells import Cells
from isolex.bench.plan import Entry, Plan, Table
from isolex.evaluate.coverage import few


def needs(entry: Entry, found: Cells) -> str:
    """The supervision of a row: never more pairs than there were to learn from."""
    if entry.pairs is None:
        return entry.system.needs
    counts = [cell.training_pairs for (row, _), cell in found.items() if row == entry.key]
    used = [count for count in counts if count is not None] or [entry.pairs]
    fewest, most = min(used), max(used)
    if fewest >= entry.pairs:
        return f"{entry.pairs:,} pairs"
    shown = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
    return f"{shown} of {entry.pairs:,} pairs"


def legend(plan: Plan, table: Table, found: Cells, told: Mapping[str, str]) -> list[str]:
    """What the columns are, how many words and pairs there were, and what went wrong.

    What is told of a pair is said where the table has a system that learnt from its pairs.
    """
    lines = ["Average precision@1 in percent, each system with its own retrieval."]
    if table.layout == "runs":
        lines = [
            "best, avg: precision@1 in percent, each system with its own retrieval; "
            f"s: runs above {plan.success:g} %; t: minutes a run."
        ]
    here = {place: cell for place, cell in found.items() if place[0] in table.rows}
    asked = {pair: cell.entries for (_, pair), cell in here.items() if cell.entries is not None}
    gold = {pair: cell.words for (_, pair), cell in here.items() if cell.words is not None}
    learnt = {
        pair: cell.training_pairs
        for (row, pair), cell in here.items()
        if cell.training_pairs is not None and plan.entries[row].pairs is None
    }
    lines += _counts(plan, "Source words asked", asked)
    lines += _counts(plan, "Training pairs in the vocabularies", learnt)
    lines += [
        f"{pair}: only {asked[pair]:,} of {total:,} source words could be asked."
        for pair, total in gold.items()
        if few(asked[pair], total)
    ]
    learning = {pair for row, pair in here if plan.entries[row].system.takes_lexicon}
    warned = (pair.name for pair in plan.data if pair.name in told.keys() & learning)
    lines += [f"{name}: {told[name]}." for name in warned]
    for (row, pair), cell in here.items():
        if cell.failures:
            some = cell.failures < cell.runs
            which = f"{cell.failures} of {cell.runs} runs of " if some else "x: "
            lines.append(
                f"{which}{plan.entries[row].label} could not be made on {pair}: {cell.error}."
            )
    if len(here) < len(table.rows) * len(plan.data):
        lines.append("-: not run.")
    return lines


def _counts(plan: Plan, what: str, counts: Mapping[str, int]) -> list[str]:
    """A line with the count of each pair; none where there is no count."""
    names = [pair.name for pair in plan.data if pair.name in counts]
    return [f"{what}: {', '.join(f'{name} {counts[name]:,}' for name in names)}."] if names else []
