"""Tables as Markdown and LaTeX keep what is in their cells."""

from __future__ import annotations

from isolex.evaluate.markup import latex_table, markdown_table, tex

HEADER, BODY = ["from", "a|b", "c"], [["a_b", "1.00", ""], ["c", "", "2.00*"]]


def test_a_markdown_table_aligns_numbers_and_escapes_bars() -> None:
    assert markdown_table(HEADER, BODY, 1) == (
        "| from | a\\|b | c |\n| --- | ---: | ---: |\n| a_b | 1.00 |  |\n| c |  | 2.00* |\n"
    )


def test_a_latex_table_has_its_lines_and_escapes_text() -> None:
    table = latex_table([" & ".join(map(tex, HEADER))], BODY, 1, "All_of & more.")
    assert r"\begin{tabular}{lrr}" in table
    lines = table.splitlines()
    start = lines.index(r"\toprule")
    assert lines[start + 1 : start + 6] == [
        r"from & a\textbar{}b & c \\",
        r"\midrule",
        r"a\_b & 1.00 &  \\",
        r"c &  & 2.00{*} \\",
        r"\bottomrule",
    ]
    assert r"\caption{All\_of \& more.}" in lines
