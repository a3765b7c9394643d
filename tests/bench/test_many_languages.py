"""A dataset may have many languages: a run for all of them, and a column for each pair."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from isolex.bench.inputs import overlap_warnings
from isolex.bench.plan import TWO, Plan
from isolex.bench.plan_file import read_plan
from isolex.bench.running import check, execute, fingerprint
from isolex.bench.store import ResultStore
from isolex.bench.tables import Tables
from isolex.errors import InputError, UsageError
from tests.bench.conftest import MANY, make_result, run_named
from tests.wording import Wording

ROOT = Path(__file__).parents[2]


def test_languages_run_together_or_each_pair_on_its_own(many: Plan) -> None:
    assert [run.name for run in many.runs()] == [
        "abc, artetxe2018, seed 0",
        "abc, some, seed 0",
        "abc a-b, alone, seed 0",
        "abc c-b, alone, seed 0",
        "two, artetxe2018, seed 0",
        "two, some, seed 0",
        "two, alone, seed 0",
    ]
    assert many.columns == ["abc a-b", "abc c-b", "two"]


def test_a_pair_on_its_own_is_a_dataset_of_two_languages(many: Plan, many_folder: Path) -> None:
    files = run_named(many, "abc c-b, alone, seed 0").files
    assert {role: path.name for role, path in files.items()} == {
        "source": "c.vec",
        "target": "b.vec",
        "gold": "c-b.txt",
        "lexicon target-source": "b-c.train.txt",
    }
    same = [fingerprint(run_named(many, f"{name}, alone, seed 0")) for name in ("abc a-b", "two")]
    assert same[0] == same[1] | {"data": "abc a-b"}
    assert all(path.parent == many_folder for path in files.values())


def test_a_run_of_many_languages_is_scored_by_pair(many: Plan) -> None:
    found = execute(run_named(many, "abc, some, seed 0"), threads=1)
    assert list(found["inputs"]) == [
        *"abc", "gold a-b", "gold c-b", "lexicon a-b", "lexicon b-c"
    ]  # fmt: skip
    assert found["languages"] == ["a", "b", "c"]
    assert list(found["scores"]) == ["a-b", "c-b"]
    for score in found["scores"].values():
        assert score["accuracy"] > 80
        assert score["csls"] == score["accuracy"]
        assert (score["entries"], score["coverage"]) == (200, 100)
        assert score["verdict"] == "succeeded"
        assert score["training_pairs"] == 50, "in whatever direction they were given"
    accuracies = [score["accuracy"] for score in found["scores"].values()]
    assert min(accuracies) <= found["accuracy"] <= max(accuracies)
    assert set(found["verdicts"]) == {"a-b", "a-c", "b-c"}
    assert set(found["language_verdicts"]) == set("abc")
    assert len(found["tree"]) == 2
    json.dumps(found)


def test_without_training_pairs_none_are_used(many: Plan) -> None:
    run = run_named(many, "abc, artetxe2018, seed 0")
    assert list(run.files) == [*"abc", "gold a-b", "gold c-b"]
    assert run.lexicon == {}


def test_an_alignment_that_fails_has_no_scores(many: Plan, many_folder: Path) -> None:
    (many_folder / "b-c.train.txt").write_text("no such\n")
    found = execute(run_named(many, "abc, some, seed 0"))
    assert found["accuracy"] is None
    assert "c" in found["error"]
    made = Tables.of(many, [found])
    assert "| some | 50 pairs | x | x | x | x | x | x | x | x | - |" in made.markdown


def test_every_pair_has_a_column(many: Plan) -> None:
    score = {"entries": 150, "coverage": 50.0}
    together = make_result("some", "abc", 60.0, seconds=300) | {
        "scores": {
            "a-b": score | {"accuracy": 80.0, "training_pairs": 50},
            "c-b": score | {"accuracy": 40.0},
        }
    }
    alone = make_result("alone", "abc c-b", 30.0) | score
    made = Tables.of(many, [together, alone, make_result("some", "two", 70.0)])
    assert "| system | needs | abc a-b best | abc a-b avg |" in made.markdown
    first = "80.00 | 80.00 | 1/1 | 5.0 | 40.00 | 40.00 | 1/1 | 5.0 | 70.00 | 70.00 | 1/1 | 0.50 |"
    assert f"| some | 50 pairs | {first}" in made.markdown
    assert "| each pair | a training lexicon | - | - | - | - | 30.00 | 30.00 |" in made.markdown
    assert r"\multicolumn{4}{c}{\textbf{abc c-b}}" in made.latex
    notes = made.plain[0]["notes"]
    assert "Gold source words in the vocabularies: abc a-b 150, abc c-b 150." in notes
    cells = made.plain[0]["rows"][1]["data"]
    assert [cells[name]["training_pairs"] for name in many.columns] == [50, None, None]


def test_the_notes_say_what_the_time_covers(many: Plan, wording: Wording) -> None:
    [note] = [one for one in Tables.of(many, []).plain[0]["notes"] if "3 languages" in one]
    wording(note)
    alone = many.select([], ["alone"], None)
    assert "3 languages" not in Tables.of(alone, []).markdown


def test_a_result_is_found_unless_the_order_of_the_languages_changes(
    many: Plan, many_folder: Path, store: ResultStore
) -> None:
    for run in many.runs():
        store.save(run, fingerprint(run))
    assert set(store.find_all(many)) == {run.name for run in many.runs()}
    swapped = MANY.replace('a = "a.vec"\nb = "b.vec"', 'b = "b.vec"\na = "a.vec"')
    (many_folder / "plan.toml").write_text(swapped)
    found = store.find_all(read_plan(str(many_folder / "plan.toml")))
    assert set(found) == {run.name for run in many.runs()} - {
        "abc, artetxe2018, seed 0",
        "abc, some, seed 0",
    }


def test_gold_words_in_the_training_pairs_are_counted_in_both_directions(
    many: Plan, many_folder: Path
) -> None:
    assert overlap_warnings(many.runs()) == {}
    with (many_folder / "b-c.train.txt").open("a") as file:
        file.writelines(f"b{word} c{word}\n" for word in range(200, 230))
    [(name, warning)] = overlap_warnings(many.runs()).items()
    assert name == "abc c-b"
    assert "30 of the 200 gold words" in warning


def test_a_pair_on_its_own_needs_training_pairs_of_its_own(many_folder: Path) -> None:
    (many_folder / "plan.toml").write_text(MANY.replace('b-c = "b-c.train.txt"\n', ""))
    runs = list(read_plan(str(many_folder / "plan.toml")).runs())
    with pytest.raises(UsageError, match=r"lexicon .*\[\[data\]\] abc c-b"):
        check(runs)
    check([run for run in runs if run.dataset.name != "abc c-b"])


def test_gold_may_have_both_directions(many_folder: Path) -> None:
    (many_folder / "b-a.txt").write_text("b1 a1\n")
    text = MANY.replace("[data.gold]\n", '[data.gold]\nb-a = "b-a.txt"\n')
    (many_folder / "plan.toml").write_text(text)
    plan = read_plan(str(many_folder / "plan.toml"))
    assert plan.columns == ["abc b-a", "abc a-b", "abc c-b", "two"]
    [back] = [part for part in plan.datasets[0].split() if part.name == "abc b-a"]
    assert {role: path.name for role, path in back.languages.items()} == {
        "source": "b.vec",
        "target": "a.vec",
    }
    assert list(back.lexicon) == [TWO[::-1]]


MISTAKES = [
    ("together = false", "", r"\[systems.alone\].*'smith2017' .*two languages.* abc has 3"),
    ("together = false", "together = 0", r"\[systems.alone\].* together .*true or false.* 0"),
    ('c = "c.vec"\n', "", r"\[\[data\]\] abc: languages .*three"),
    ('c = "c.vec"\n', "c = 3\n", r"\[\[data\]\] abc languages: c .*string.* 3"),
    ('c = "c.vec"\n', '"../c" = "c.vec"\n', r"\[\[data\]\] abc: languages: '../c'"),
    (
        'c = "c.vec"\n',
        'c = "c.vec"\nb-c = "d.vec"\na-b = "e.vec"\n',
        r"\[\[data\]\] abc: languages: a-b-c .*two pairs",
    ),
    ('name = "abc"', 'name = "abc"\nsource = "a.vec"', r"\[\[data\]\] abc.* source, not both"),
    ('name = "two"', 'name = "two"\nlanguages = 3', r"\[\[data\]\] two: .* source, not both"),
    ('c-b = "c-b.txt"', 'c-d = "c-d.txt"', r"\[\[data\]\] abc: gold: 'c-d' .*such as a-b"),
    ('b-c = "b-c.train.txt"', 'b = "b.txt"', r"\[\[data\]\] abc: lexicon: 'b' .*such as a-b"),
    ('a-b = "a-b.txt"\nc-b = "c-b.txt"', "", r"\[\[data\]\] abc: gold .*at least one"),
    ('name = "two"', 'name = "abc a-b"', r"\[\[data\]\] .*'abc a-b'"),
]
"""What is replaced in the plan, by what, and the facts in the message."""


@pytest.mark.parametrize(
    ("old", "new", "facts"),
    MISTAKES,
    ids=[new.replace("\n", " ") or f"no {old}".replace("\n", " ") for old, new, _ in MISTAKES],
)
def test_a_mistake_is_reported_in_one_line(
    many_folder: Path, old: str, new: str, facts: str, wording: Wording
) -> None:
    assert old in MANY
    (many_folder / "plan.toml").write_text(MANY.replace(old, new, 1))
    with pytest.raises(InputError, match=f"plan.toml.*{facts}") as caught:
        read_plan(str(many_folder / "plan.toml"))
    assert "\n" not in str(caught.value)
    wording(caught.value)


def test_the_plan_for_many_languages_compares_them_with_each_pair(tmp_path: Path) -> None:
    plan = read_plan(str(ROOT / "benchmarks" / "plans" / "many-languages.toml"), tmp_path)
    assert len(plan.columns) == 11
    assert len(list(plan.runs())) == plan.seeds * (2 + 11)


def test_the_example_for_many_languages_in_the_documentation_is_valid(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "bench.md").read_text(encoding="utf-8")
    _, example = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "plan.toml").write_text(example, encoding="utf-8")
    plan = read_plan(str(tmp_path / "plan.toml"))
    assert plan.columns == ["europe en-es", "europe en-pl", "europe es-pl"]
    assert [row.together for row in plan.rows.values()] == [True, False]
