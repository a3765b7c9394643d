"""The paper's tables of results: Markdown for the eye, LaTeX for a paper, JSON for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from isolex.bench.cells import COLUMNS, Cells, cells
from isolex.bench.legend import legend, needs
from isolex.bench.plan import Plan, Table
from isolex.bench.running import Result

NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Tables:
    """All tables of a plan, in every format."""

    markdown: str
    latex: str
    plain: list[dict[str, Any]]

    @classmethod
    def of(cls, plan: Plan, results: Iterable[Result], told: Mapping[str, str] = NOTHING) -> Tables:
        """The tables of results.

        Args:
            plan: What was asked for.
            results: What came out.
            told: What is to be said of systems that learn from pairs, by the names of the data.
        """
        found = cells(plan, results)
        return cls(markdown(plan, found, told), latex(plan, found, told), plain(plan, found, told))


def rows(plan: Plan, table: Table, found: Cells) -> list[list[str]]:
    """The header and the rows of a table as text; a dash where there is no run."""
    columns = COLUMNS[table.layout]
    single = len(columns) == 1
    head = [pair.name if single else f"{pair.name} {c}" for pair in plan.data for c in columns]
    lines = [["system", "needs", *head]]
    for key in table.rows:
        entry = plan.entries[key]
        line = [entry.label, needs(entry, found)]
        for pair in plan.data:
            cell = found.get((key, pair.name))
            line += cell.texts(table.layout) if cell else ["-"] * len(columns)
        lines.append(line)
    return lines


def markdown(plan: Plan, found: Cells, told: Mapping[str, str]) -> str:
    """All tables of a plan as Markdown."""
    parts = []
    for table in plan.tables:
        header, *body = rows(plan, table, found)
        rule = ["---", "---", *["---:"] * (len(header) - 2)]
        lines = ["| " + " | ".join(map(_cell, line)) + " |" for line in (header, rule, *body)]
        below = legend(plan, table, found, told)
        parts.append("\n".join([f"### {table.title}", "", *lines, "", *below, ""]))
    return "\n".join(parts)


def latex(plan: Plan, found: Cells, told: Mapping[str, str]) -> str:
    """All tables of a plan as LaTeX."""
    parts = ["% \\usepackage{booktabs}\n"]
    for table in plan.tables:
        columns = COLUMNS[table.layout]
        width = len(columns)
        pairs = [
            rf"\multicolumn{{{width}}}{{c}}{{\textbf{{{_tex(pair.name)}}}}}" for pair in plan.data
        ]
        _, *body = rows(plan, table, found)
        caption = " ".join([f"{table.title}.", *legend(plan, table, found, told)])
        lines = [
            r"\begin{table}",
            r"\begin{center}",
            rf"\begin{{tabular}}{{ll{'r' * width * len(plan.data)}}}",
            r"\toprule",
            " & ".join(["", "needs", *pairs]) + r" \\",
            *([] if width == 1 else [" & ".join(["", "", *columns * len(plan.data)]) + r" \\"]),
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


def plain(plan: Plan, found: Cells, told: Mapping[str, str]) -> list[dict[str, Any]]:
    """All tables of a plan as plain values."""
    return [
        {
            "title": table.title,
            "layout": table.layout,
            "success": plan.success,
            "notes": legend(plan, table, found, told),
            "rows": [
                {
                    "row": key,
                    "label": plan.entries[key].label,
                    "system": plan.entries[key].system.name,
                    "needs": plan.entries[key].system.needs,
                    "pairs": plan.entries[key].pairs,
                    "data": {
                        pair.name: vars(found[key, pair.name])
                        for pair in plan.data
                        if (key, pair.name) in found
                    },
                }
                for key in table.rows
            ],
        }
        for table in plan.tables
    ]


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


TEX = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "[": "{[}",  # after the end of a row it would begin a length
    "*": "{*}",  # and there it would forbid a page break
}


def _tex(text: str) -> str:
    return "".join(TEX.get(char, char) for char in text)
