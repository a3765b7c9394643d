"""Tables of results: Markdown to read, LaTeX for a paper, JSON for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from isolex.bench.cells import COLUMNS, Cells, summarise
from isolex.bench.legend import legend, needs
from isolex.bench.plan import Plan, TablePlan
from isolex.bench.running import Result
from isolex.evaluate.markup import LATEX_PACKAGES, latex_table, markdown_table, tex

LABELS = 2
"""Number of columns with text: the system and what it needs."""

NO_WARNINGS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Tables:
    """All tables of a plan, in every format."""

    markdown: str
    latex: str
    plain: list[dict[str, Any]]

    @classmethod
    def of(
        cls, plan: Plan, results: Iterable[Result], warnings: Mapping[str, str] = NO_WARNINGS
    ) -> Tables:
        """Make the tables of a plan.

        Args:
            plan: The plan.
            results: The results of its runs.
            warnings: Warnings about systems that learn from pairs, by the name of the column.
        """
        cells = summarise(plan, results)
        notes = [legend(plan, table, cells, warnings) for table in plan.tables]
        return cls(
            _markdown(plan, cells, notes), _latex(plan, cells, notes), _plain(plan, cells, notes)
        )


def _lines(plan: Plan, table: TablePlan, cells: Cells) -> list[list[str]]:
    """The header and the rows of a table as text; a dash where there is no run."""
    columns = COLUMNS[table.layout]
    single = len(columns) == 1
    head = [name if single else f"{name} {c}" for name in plan.columns for c in columns]
    lines = [["system", "needs", *head]]
    for key in table.keys:
        row = plan.rows[key]
        line = [row.label, needs(row, cells)]
        for name in plan.columns:
            cell = cells.get((key, name))
            line += cell.texts(table.layout) if cell else ["-"] * len(columns)
        lines.append(line)
    return lines


def _markdown(plan: Plan, cells: Cells, notes: list[list[str]]) -> str:
    """All tables of a plan as Markdown."""
    parts = []
    for table, below in zip(plan.tables, notes, strict=True):
        header, *body = _lines(plan, table, cells)
        rows = markdown_table(header, body, LABELS)
        parts.append("\n".join([f"### {table.title}", "", rows, *below, ""]))
    return "\n".join(parts)


def _latex(plan: Plan, cells: Cells, notes: list[list[str]]) -> str:
    """All tables of a plan as LaTeX."""
    parts = [LATEX_PACKAGES]
    for table, below in zip(plan.tables, notes, strict=True):
        columns = COLUMNS[table.layout]
        width = len(columns)
        names = [
            rf"\multicolumn{{{width}}}{{c}}{{\textbf{{{tex(name)}}}}}" for name in plan.columns
        ]
        header = [" & ".join(["", "needs", *names])]
        if width > 1:
            header.append(" & ".join(["", "", *columns * len(names)]))
        _, *body = _lines(plan, table, cells)
        caption = " ".join([f"{table.title}.", *below])
        parts.append(latex_table(header, body, LABELS, caption))
    return "\n".join(parts)


def _plain(plan: Plan, cells: Cells, notes: list[list[str]]) -> list[dict[str, Any]]:
    """All tables of a plan as plain values."""
    return [
        {
            "title": table.title,
            "layout": table.layout,
            "success": plan.success,
            "notes": below,
            "rows": [
                {
                    "row": key,
                    "label": plan.rows[key].label,
                    "system": plan.rows[key].system.name,
                    "needs": plan.rows[key].system.needs,
                    "pairs": plan.rows[key].pairs,
                    "data": {
                        name: vars(cells[key, name])
                        for name in plan.columns
                        if (key, name) in cells
                    },
                }
                for key in table.keys
            ],
        }
        for table, below in zip(plan.tables, notes, strict=True)
    ]
