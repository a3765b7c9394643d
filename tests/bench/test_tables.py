"""Tables have the figures of the paper, and notes about everything that they leave out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from isolex.bench.plan import Plan
from isolex.bench.tables import Tables
from tests.bench.conftest import make_result
from tests.wording import Wording


def test_a_table_has_the_columns_of_the_paper(plan: Plan) -> None:
    results = [
        make_result("artetxe2018", "one", 4.0, 90, seed=1) | {"cpu_seconds": 60},
        make_result("artetxe2018", "one", 80.0, 30) | {"cpu_seconds": 30},
        make_result("few", "one", 70.126, 300),
        make_result("xing2015", "two", 60.0),
    ]
    made = Tables.of(plan, results)
    assert "| artetxe2018 | nothing | 80.00 | 42.00 | 1/2 | 1.0 | - | - | - | - |" in made.markdown
    assert "| twenty_pairs | 20 pairs | 70.13 | 70.13 | 1/1 | 5.0 | -" in made.markdown
    assert "| xing2015 | a training lexicon | - | 60.00 |" in made.markdown
    assert "| system | needs | one | two |" in made.markdown
    assert r"twenty\_pairs & 20 pairs & 70.13 & 70.13 & 1/1 & 5.0 & - & - & - & - \\" in made.latex
    assert r"\caption{Runs \& more. best, avg: precision@1" in made.latex
    assert made.latex.count(r"\begin{tabular}") == made.latex.count(r"\end{tabular}") == 2
    assert "\n-: not run.\n" in made.markdown


def test_the_json_has_the_figures_of_every_cell(plan: Plan) -> None:
    results = [
        make_result("artetxe2018", "one", 4.0, 90, seed=1) | {"cpu_seconds": 60},
        make_result("artetxe2018", "one", 80.0, 30) | {"cpu_seconds": 30},
        make_result("few", "one", 70.126, 300),
    ]
    [table, _] = Tables.of(plan, results).plain
    cell = table["rows"][0]["data"]["one"]
    assert cell == {
        "runs": 2,
        "best": 80.0,
        "average": 42.0,
        "successes": 1,
        "minutes": 1.0,
        "cpu_minutes": 0.75,
        "accuracies": {0: 80.0, 1: 4.0},
        "entries": None,
        "coverage": None,
        "training_pairs": None,
        "failures": 0,
        "error": None,
    }
    assert list(cell["accuracies"]) == [0, 1]
    assert table["rows"][1]["data"]["one"]["cpu_minutes"] is None, "of an earlier version"
    assert table["success"] == 5
    assert table["notes"][-1] == "-: not run."


def test_notes_count_the_gold_words_and_name_what_failed(plan: Plan) -> None:
    scored = {"entries": 1234, "coverage": 50.0}
    failed = {"error": "the vocabularies share no number"}
    results = [
        make_result("few", "one", 70.0) | scored,
        make_result("artetxe2018", "one", None) | failed,
        make_result("artetxe2018", "two", None) | failed,
        make_result("artetxe2018", "two", 9.0, seed=1) | scored,
    ]
    made = Tables.of(plan, results)
    assert "| artetxe2018 | nothing | x | x | x | x | 9.00 | 9.00 | 1/2 |" in made.markdown
    notes = made.plain[0]["notes"]
    assert "Gold source words in the vocabularies: one 1,234, two 1,234." in notes
    assert f"x: artetxe2018 failed on one: {failed['error']}." in notes
    assert f"1 of 2 runs of artetxe2018 failed on two: {failed['error']}." in notes
    assert all(note in made.markdown and note in made.latex for note in notes[1:])
    cell = made.plain[0]["rows"][0]["data"]["one"]
    assert (cell["failures"], cell["error"]) == (1, failed["error"])
    assert cell["best"] is cell["average"] is None
    assert "only" not in made.markdown, "half of the gold words is enough"
    assert made.plain[0]["rows"][1]["data"]["one"]["entries"] == 1234


def test_a_note_warns_if_few_gold_words_are_in_the_vocabularies(plan: Plan) -> None:
    scored = {"entries": 2, "coverage": 200 / 1500}
    failed = make_result("artetxe2018", "one", None) | {"error": "the vocabularies share no number"}
    made = Tables.of(plan, [make_result("few", "one", 50.0) | scored, failed])
    for table in made.plain:
        [warning] = [note for note in table["notes"] if "2 of 1,500" in note]
        assert warning.startswith("one: ")
        assert made.markdown.count(warning) == made.latex.count(warning) == 2


def test_notes_count_the_training_pairs(plan: Plan) -> None:
    results = [
        make_result("xing2015", "one", 70.0),  # of a version that did not record the count
        make_result("xing2015", "one", 70.0, seed=1) | {"training_pairs": 2544},
        make_result("xing2015", "two", 70.0) | {"training_pairs": 99},
        make_result("few", "one", 70.0) | {"training_pairs": 20},
        make_result("few", "two", 70.0) | {"training_pairs": 20},
    ]
    made = Tables.of(plan, results)
    first, second = made.markdown.split("### Accuracy")
    note = "Training pairs in the vocabularies: one 2,544, two 99."
    assert note in second
    assert "Training pairs" not in first, "its only row with pairs asks for twenty"
    assert made.latex.count(note) == 1
    assert made.plain[1]["rows"][0]["data"]["one"]["training_pairs"] == 2544
    assert "| twenty_pairs | 20 pairs |" in first


@pytest.mark.parametrize(
    ("counts", "needs"),
    [
        ((1641, 1641), "1,641 of 250,000 pairs"),
        ((1641, 300), "300 to 1,641 of 250,000 pairs"),
        ((1641, 250_000), "1,641 to 250,000 of 250,000 pairs"),
        ((250_000, 250_000), "250,000 pairs"),
    ],
)
def test_a_row_claims_no_more_pairs_than_there_were(
    plan: Plan, counts: tuple[int, int], needs: str
) -> None:
    row = replace(plan.rows["few"], pairs=250_000)
    many = replace(plan, rows=dict(plan.rows) | {"few": row})
    results = [
        make_result("few", name, 70.0) | {"training_pairs": count}
        for name, count in zip(("one", "two"), counts, strict=True)
    ]
    made = Tables.of(many, results)
    assert f"| twenty_pairs | {needs} |" in made.markdown
    assert rf"twenty\_pairs & {needs} &" in made.latex


def test_a_warning_about_training_pairs_is_below_tables_that_used_them(plan: Plan) -> None:
    warnings = {"one": "9 of the 90 words of gold_1.txt are known", "two": "so are others"}
    results = [make_result("artetxe2018", "one", 80.0), make_result("xing2015", "one", 60.0)]
    made = Tables.of(plan, results, warnings)
    first, second = made.markdown.split("### Accuracy")
    assert "one: 9 of the 90 words of gold_1.txt are known.\n" in second
    assert "known" not in first, "it has only results of artetxe2018"
    assert "others" not in made.markdown, "nothing was run on it"
    assert made.latex.count(r"one: 9 of the 90 words of gold\_1.txt are known.") == 1


def test_no_label_breaks_the_latex(plan: Plan) -> None:
    row = replace(plan.rows["few"], label="[short] *a|b* <c>")
    odd = replace(plan, rows=dict(plan.rows) | {"few": row})
    escaped = r"{[}short] {*}a\textbar{}b{*} \textless{}c\textgreater{} & 20 pairs"
    assert escaped in Tables.of(odd, []).latex


def test_the_columns_are_explained(plan: Plan, wording: Wording) -> None:
    tables = Tables.of(plan, [make_result("few", "one", 70.0)]).plain
    assert tables
    for table in tables:
        assert table["notes"]
        wording("\n".join(table["notes"]))
