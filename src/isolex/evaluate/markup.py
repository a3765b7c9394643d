"""Tables of figures as Markdown and as LaTeX."""

from __future__ import annotations

from collections.abc import Sequence

Line = Sequence[str]
"""The cells of a line of a table, as plain text."""

LATEX_PACKAGES = "% \\usepackage{booktabs}\n"
"""The line before the first LaTeX table of a file."""

_TEX = {
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


def markdown_table(header: Line, body: Sequence[Line], labels: int) -> str:
    """A Markdown table whose first ``labels`` columns are text and the others numbers."""
    rule = [*["---"] * labels, *["---:"] * (len(header) - labels)]
    lines = (header, rule, *body)
    return "".join("| " + " | ".join(map(_cell, line)) + " |\n" for line in lines)


def latex_table(header: Sequence[str], body: Sequence[Line], labels: int, caption: str) -> str:
    """A LaTeX table whose first ``labels`` columns are text and the others numbers.

    Args:
        header: The lines above the rule, in LaTeX.
        body: The other lines.
        labels: Number of columns of text.
        caption: The caption, as plain text.
    """
    lines = [
        r"\begin{table}",
        r"\begin{center}",
        rf"\begin{{tabular}}{{{'l' * labels}{'r' * (len(body[0]) - labels)}}}",
        r"\toprule",
        *(line + r" \\" for line in header),
        r"\midrule",
        *(" & ".join(map(tex, line)) + r" \\" for line in body),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{center}",
        rf"\caption{{{tex(caption)}}}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def tex(text: str) -> str:
    """Plain text in LaTeX."""
    return "".join(_TEX.get(char, char) for char in text)


def _cell(text: str) -> str:
    return text.replace("|", r"\|")
