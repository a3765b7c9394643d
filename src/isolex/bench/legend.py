"""The notes below a table."""

from __future__ import annotations

from collections.abc import Mapping

from isolex.bench.cells import Cells
from isolex.bench.plan import Plan, TablePlan, TableRow
from isolex.evaluate.coverage import too_few


def needs(row: TableRow, cells: Cells) -> str:
    """The supervision of a row; no more training pairs than it really got."""
    if row.pairs is None:
        return row.system.needs
    counts = [cell.training_pairs for (key, _), cell in cells.items() if key == row.key]
    used = [count for count in counts if count is not None] or [row.pairs]
    fewest, most = min(used), max(used)
    if fewest >= row.pairs:
        return f"{row.pairs:,} pairs"
    shown = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
    return f"{shown} of {row.pairs:,} pairs"


def legend(plan: Plan, table: TablePlan, cells: Cells, warnings: Mapping[str, str]) -> list[str]:
    """What the columns mean, how many words and pairs there were, and what failed.

    A warning about a column is included if a system of the table learned from its pairs.
    """
    lines = ["Average precision@1 in percent, with each system's own retrieval."]
    if table.layout == "runs":
        lines = [
            "best, avg: precision@1 in percent, with each system's own retrieval; "
            f"s: runs above {plan.success:g} %; t: minutes per run."
        ]
        lines += _times(plan, table)
    here = {place: cell for place, cell in cells.items() if place[0] in table.keys}
    scored = {name: cell.entries for (_, name), cell in here.items() if cell.entries is not None}
    gold = {
        name: cell.gold_words for (_, name), cell in here.items() if cell.gold_words is not None
    }
    training = {
        name: cell.training_pairs
        for (key, name), cell in here.items()
        if cell.training_pairs is not None and plan.rows[key].pairs is None
    }
    lines += _counts(plan, "Gold source words in the vocabularies", scored)
    lines += _counts(plan, "Training pairs in the vocabularies", training)
    lines += [
        f"{name}: only {scored[name]:,} of {total:,} gold source words are in the vocabularies."
        for name, total in gold.items()
        if too_few(scored[name], total)
    ]
    learning = {name for key, name in here if plan.rows[key].system.takes_lexicon}
    warned = [name for name in plan.columns if name in warnings.keys() & learning]
    lines += [f"{name}: {warnings[name]}." for name in warned]
    for (key, name), cell in here.items():
        label = plan.rows[key].label
        if cell.failures == cell.runs:
            lines.append(f"x: {label} failed on {name}: {cell.error}.")
        elif cell.failures:
            lines.append(
                f"{cell.failures} of {cell.runs} runs of {label} failed on {name}: {cell.error}."
            )
    if len(here) < len(table.keys) * len(plan.columns):
        lines.append("-: not run.")
    return lines


def _times(plan: Plan, table: TablePlan) -> list[str]:
    """What the time of a run covers, for each dataset of many languages."""
    rows = [plan.rows[key] for key in table.keys]
    alone = " and ".join(f"'{row.label}'" for row in rows if not row.together)
    if not any(row.together for row in rows):
        return []
    but = f" (of one run per pair for {alone})" if alone else ""
    return [
        f"{one.name}: t is the time of one run for all {len(one.languages)} languages{but}."
        for one in plan.datasets
        if one.has_many
    ]


def _counts(plan: Plan, what: str, counts: Mapping[str, int]) -> list[str]:
    """A line with the count of each column, if there are counts."""
    names = [name for name in plan.columns if name in counts]
    return [f"{what}: {', '.join(f'{name} {counts[name]:,}' for name in names)}."] if names else []
