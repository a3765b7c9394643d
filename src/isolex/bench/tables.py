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

NO_WARNINGS: Mapping[str, str] = MappingProxyType({})

TEX = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "[": "{[}",  # after the end of a row it would begin a length
    "*": "{*}",  # after the end of a row it would forbid a page break
}


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
            warnings: Warnings about systems that learn from pairs, by the name of the dataset.
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
    head = [one.name if single else f"{one.name} {c}" for one in plan.datasets for c in columns]
    lines = [["system", "needs", *head]]
    for key in table.keys:
        row = plan.rows[key]
        line = [row.label, needs(row, cells)]
        for dataset in plan.datasets:
            cell = cells.get((key, dataset.name))
            line += cell.texts(table.layout) if cell else ["-"] * len(columns)
        lines.append(line)
    return lines


def _markdown(plan: Plan, cells: Cells, notes: list[list[str]]) -> str:
    """All tables of a plan as Markdown."""
    parts = []
    for table, below in zip(plan.tables, notes, strict=True):
        header, *body = _lines(plan, table, cells)
        rule = ["---", "---", *["---:"] * (len(header) - 2)]
        lines = ["| " + " | ".join(map(_cell, line)) + " |" for line in (header, rule, *body)]
        parts.append("\n".join([f"### {table.title}", "", *lines, "", *below, ""]))
    return "\n".join(parts)


def _latex(plan: Plan, cells: Cells, notes: list[list[str]]) -> str:
    """All tables of a plan as LaTeX."""
    parts = ["% \\usepackage{booktabs}\n"]
    for table, below in zip(plan.tables, notes, strict=True):
        columns = COLUMNS[table.layout]
        width = len(columns)
        names = [
            rf"\multicolumn{{{width}}}{{c}}{{\textbf{{{_tex(one.name)}}}}}" for one in plan.datasets
        ]
        _, *body = _lines(plan, table, cells)
        caption = " ".join([f"{table.title}.", *below])
        lines = [
            r"\begin{table}",
            r"\begin{center}",
            rf"\begin{{tabular}}{{ll{'r' * width * len(plan.datasets)}}}",
            r"\toprule",
            " & ".join(["", "needs", *names]) + r" \\",
            *([] if width == 1 else [" & ".join(["", "", *columns * len(names)]) + r" \\"]),
            r"\midrule",
            *(" & ".join(map(_tex, line)) + r" \\" for line in body),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{center}",
            rf"\caption{{{_tex(caption)}}}",
            r"\end{table}",
        ]
        parts.append("\n".join(lines) + "\n")
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
                        one.name: vars(cells[key, one.name])
                        for one in plan.datasets
                        if (key, one.name) in cells
                    },
                }
                for key in table.keys
            ],
        }
        for table, below in zip(plan.tables, notes, strict=True)
    ]


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def _tex(text: str) -> str:
    return "".join(TEX.get(char, char) for char in text)
