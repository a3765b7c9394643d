"""The paper's tables of results: Markdown for the eye, LaTeX for a paper, JSON for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from isolex.bench.plan import Plan, Table
from isolex.bench.running import Result


@dataclass(frozen=True)
class Cell:
    """A system on a pair over all its runs.

    Attributes:
        runs: How many there are.
        best: The highest accuracy in percent.
        average: The mean accuracy.
        successes: Runs above the plan's threshold.
        minutes: Of a run, on average.
        entries: Source words that were asked.
        coverage: Their share of those of the gold pairs.
        error: Why none of the runs could be made, if so.
    """

    runs: int
    best: float
    average: float
    successes: int
    minutes: float
    entries: int | None = None
    coverage: float | None = None
    error: str | None = None

    @classmethod
    def of(cls, results: Sequence[Result], success: float) -> Cell:
        """What several runs come to."""
        accuracies = [result["accuracy"] for result in results]
        made = [result for result in results if not result.get("error")]
        example = made[0] if made else results[0]
        return cls(
            runs=len(results),
            best=max(accuracies),
            average=fmean(accuracies),
            successes=sum(accuracy > success for accuracy in accuracies),
            minutes=fmean(result["seconds"] for result in results) / 60,
            entries=example.get("entries"),
            coverage=example.get("coverage"),
            error=example.get("error"),
        )

    def texts(self, layout: str) -> list[str]:
        """The figures as they stand in a table."""
        if self.error is not None:
            return ["x"] * len(COLUMNS[layout])
        if layout == "accuracy":
            return [f"{self.average:.2f}"]
        minutes = f"{self.minutes:.1f}" if self.minutes >= 1 else f"{self.minutes:.2f}"
        return [f"{self.best:.2f}", f"{self.average:.2f}", f"{self.successes}/{self.runs}", minutes]


@dataclass(frozen=True)
class Tables:
    """All tables of a plan, in every format."""

    markdown: str
    latex: str
    plain: list[dict[str, Any]]

    @classmethod
    def of(cls, plan: Plan, results: Iterable[Result]) -> Tables:
        """The tables of results."""
        found = cells(plan, results)
        return cls(markdown(plan, found), latex(plan, found), plain(plan, found))


COLUMNS = {"runs": ["best", "avg", "s", "t"], "accuracy": ["acc"]}
Cells = Mapping[tuple[str, str], Cell]


def cells(plan: Plan, results: Iterable[Result]) -> Cells:
    """A cell for each row and pair that has results."""
    found: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        found.setdefault((result["row"], result["data"]), []).append(result)
    return {place: Cell.of(some, plan.success) for place, some in found.items()}


def rows(plan: Plan, table: Table, found: Cells) -> list[list[str]]:
    """The header and the rows of a table as text; a dash where there is no run."""
    columns = COLUMNS[table.layout]
    single = len(columns) == 1
    head = [pair.name if single else f"{pair.name} {c}" for pair in plan.data for c in columns]
    lines = [["system", "needs", *head]]
    for key in table.rows:
        entry = plan.entries[key]
        line = [entry.label, _needs(entry.system.needs, entry.pairs)]
        for pair in plan.data:
            cell = found.get((key, pair.name))
            line += cell.texts(table.layout) if cell else ["-"] * len(columns)
        lines.append(line)
    return lines


def markdown(plan: Plan, found: Cells) -> str:
    """All tables of a plan as Markdown."""
    parts = []
    for table in plan.tables:
        header, *body = rows(plan, table, found)
        rule = ["---", "---", *["---:"] * (len(header) - 2)]
        lines = ["| " + " | ".join(map(_cell, line)) + " |" for line in (header, rule, *body)]
        parts.append(
            "\n".join([f"### {table.title}", "", *lines, "", *_legend(plan, table, found), ""])
        )
    return "\n".join(parts)


def latex(plan: Plan, found: Cells) -> str:
    """All tables of a plan as LaTeX."""
    parts = ["% \\usepackage{booktabs}\n"]
    for table in plan.tables:
        columns = COLUMNS[table.layout]
        width = len(columns)
        pairs = [
            rf"\multicolumn{{{width}}}{{c}}{{\textbf{{{_tex(pair.name)}}}}}" for pair in plan.data
        ]
        _, *body = rows(plan, table, found)
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
            rf"\caption{{{_tex(' '.join([f'{table.title}.', *_legend(plan, table, found)]))}}}",
            r"\end{table}",
        ]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def plain(plan: Plan, found: Cells) -> list[dict[str, Any]]:
    """All tables of a plan as plain values."""
    return [
        {
            "title": table.title,
            "layout": table.layout,
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


def _needs(needs: str, pairs: int | None) -> str:
    return needs if pairs is None else f"{pairs} pairs"


def _legend(plan: Plan, table: Table, found: Cells) -> list[str]:
    """What the columns are, how many words were asked, and what could not be run."""
    lines = ["Average precision@1 in percent, each system with its own retrieval."]
    if table.layout == "runs":
        lines = [
            "best, avg: precision@1 in percent, each system with its own retrieval; "
            f"s: runs above {plan.success:g} %; t: minutes a run."
        ]
    here = {place: cell for place, cell in found.items() if place[0] in table.rows}
    asked = {pair: cell.entries for (_, pair), cell in here.items() if cell.entries is not None}
    if asked:
        counts = (f"{pair.name} {asked[pair.name]:,}" for pair in plan.data if pair.name in asked)
        lines.append(f"Source words asked: {', '.join(counts)}.")
    lines += [
        f"x: {plan.entries[row].label} could not be run on {pair}: {cell.error}."
        for (row, pair), cell in here.items()
        if cell.error is not None
    ]
    return lines


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


TEX = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "|": r"\textbar{}",
    "[": "{[}",  # after the end of a row it would begin a length
}


def _tex(text: str) -> str:
    return "".join(TEX.get(char, char) for char in text)
