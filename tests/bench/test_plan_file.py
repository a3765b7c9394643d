"""A plan file is read whole, or refused with one line that says what is wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from isolex.bench.plan import Plan, ready
from isolex.bench.plan_file import read_plan
from isolex.errors import InputError
from isolex.trainers.adversarial import Adversarial, AutoEncoder
from tests.bench.conftest import PLAN
from tests.wording import Wording

ROOT = Path(__file__).parents[2]


MISTAKES = [
    ("runs = 2", "runs = 0", "runs .*at least 1.* 0"),
    ("runs = 2", 'runs = "2"', "runs .*whole number.* '2'"),
    ("runs = 1", "runs = -1", r"\[systems.few\].* runs .*at least 1.* -1"),
    ("runs = 2", "runs = 2\nsuccess = true", "success .*number.* True"),
    ("pairs = 20", 'pairs = "x"', r"\[systems.few\].* pairs .*whole number.* 'x'"),
    ("max_words = 150", "max_words = 0", r"\[\[data\]\] two.* max_words .*at least 1.* 0"),
    ('lexicon = "train.txt"', "lexicon = 3", r"\[\[data\]\] one.* lexicon .*string.* 3"),
    ('"xing2015", "few"', "3", r"\[\[table\]\] Accuracy.* systems"),
    ('title = "Accuracy"', "title = 3", r"\[\[table\]\].* title .*string.* 3"),
    (
        "[systems.few]",
        "[systems]\nxing2015 = 3\n[systems.few]",
        r"\[systems\].* xing2015 .*table.* 3",
    ),
    ("runs = 2", "run = 2", "unknown key 'run'"),
    ("runs = 2", "runs = ", "not a TOML file"),
    ('name = "two"', 'name = "one"', r"\[\[data\]\] .*'one'"),
    ('gold = "gold.txt"', "", r"\[\[data\]\] one.* 'gold' is missing"),
    ('source = "s.vec"', 'src = "s.vec"', r"\[\[data\]\] one.* 'src' .*'source'"),
    ('target = "t.vec"', 'trg = "t.vec"', r"\[\[data\]\] one.* 'trg' .*'target'"),
    ('systems = ["xing2015", "few"]', "systems = []", r"\[\[table\]\] Accuracy.* systems"),
    ('"xing2015", "few"', '"xing2014"', r"'xing2014'.*did you mean 'xing2015'\?"),
    ('["artetxe2018", "few"]', '["few"]', r"\[systems.artetxe2018\] .*no \[\[table\]\]"),
    ('layout = "accuracy"', 'layout = "wide"', "layout 'wide'.* runs, accuracy"),
    ("cutoff = 200", "cutof = 200", r"\[systems.few\].* unknown key 'cutof'"),
    ("cutoff = 200", "cutoff = 0", r"\[systems.few\].* cutoff .*at least 1.* 0"),
    ("cutoff = 200", "train = { epochs = 1 }", "'semi-supervised' .*no training"),
    ("[systems.artetxe2018]", "[systems.artetxe2018]\npairs = 5", "'artetxe2018' .*no .*pairs"),
    ("[[table]]", "[[tables]]", "unknown key 'tables'"),
    ("runs = 2", "success = 200", "success .*0 to below 100.* 200"),
    ("runs = 2", "success = -1", "success .*0 to below 100.* -1"),
    ('"Accuracy"', '"Accuracy\\n"', r"\[\[table\]\].* title .*one line.* 'Accuracy\\n'"),
    ('name = "two"', 'name = ""', r"\[\[data\]\].* name .*one line.* ''"),
    ('["xing2015", "few"]', '["few", "few"]', r"\[\[table\]\] Accuracy.* 'few' .*twice"),
    ('"twenty_pairs"', '"two\\nlines"', r"label .*one line.* 'two\\nlines'"),
    ('"twenty_pairs"', '" "', r"\[systems.few\].* label .*one line.* ' '"),
]
"""What is replaced in the plan, by what, and the facts in the message."""


def test_settings_reach_the_system(plan: Plan) -> None:
    few = plan.rows["few"]
    assert (few.label, few.pairs, few.system.name) == ("twenty_pairs", 20, "semi-supervised")
    assert few.system.schedule is not None
    assert {stage.cutoff for stage in few.system.schedule.stages} == {200}
    assert plan.datasets[1].max_words == 150


@pytest.mark.parametrize(
    ("old", "new", "facts"),
    MISTAKES,
    ids=[new.replace("\n", " ") or f"no {old}" for old, new, _ in MISTAKES],
)
def test_a_mistake_is_reported_in_one_line(
    folder: Path, old: str, new: str, facts: str, wording: Wording
) -> None:
    count = -1 if old == "[[table]]" else 1
    assert old in PLAN
    (folder / "plan.toml").write_text(PLAN.replace(old, new, count))
    with pytest.raises(InputError, match=f"plan.toml.*{facts}") as caught:
        read_plan(str(folder / "plan.toml"))
    assert "\n" not in str(caught.value)
    wording(caught.value)


def plan_with_trainer(system: str, train: str) -> str:
    """The plan with a system that trains in its last row."""
    text = PLAN.replace('system = "semi-supervised"', f'system = "{system}"')
    return text.replace("pairs = 20\n", "").replace("cutoff = 200", f"train = {{ {train} }}", 1)


@pytest.mark.parametrize(
    ("train", "facts"),
    [
        ('epochs = "x"', r"\[systems.few\] train.* epochs .*whole number.* 'x'"),
        ("epochs = true", "epochs .*whole number.* True"),
        ("epoch = 1", r"\[systems.few\] train.* unknown key 'epoch'"),
        ("epochs = 0", r"\[systems.few\].* epochs .*at least 1.* 0"),
        ("batch = -3", "batch .*at least 1.* -3"),
        ("rate = -1.0", "rate .*at least 0.* -1"),
        ("rate = inf", "rate .*at least 0.* inf"),
        ("dropout = 1.0", "dropout .*below 1.* 1"),
        ("smoothing = 1.0", "smoothing .*below 1.* 1"),
        ("samples = 1.5", "samples .*whole number.* 1.5"),
    ],
)
def test_settings_of_a_trainer_are_checked(folder: Path, train: str, facts: str) -> None:
    (folder / "plan.toml").write_text(plan_with_trainer("conneau2018", train))
    with pytest.raises(InputError, match=facts):
        read_plan(str(folder / "plan.toml"))


def test_every_trainer_names_its_own_shares(folder: Path) -> None:
    (folder / "plan.toml").write_text(plan_with_trainer("zhang2017-adversarial", "fall = 1.0"))
    with pytest.raises(InputError, match=r"fall .*below 1.* 1"):
        read_plan(str(folder / "plan.toml"))


@pytest.mark.parametrize(
    ("system", "train", "expected"),
    [
        ("conneau2018", "epochs = 2, rate = 1", Adversarial(epochs=2, rate=1.0)),
        ("zhang2017-adversarial", "by_frequency = false", AutoEncoder(by_frequency=False)),
    ],
)
def test_a_trainer_can_have_other_settings(
    folder: Path, system: str, train: str, expected: object
) -> None:
    (folder / "plan.toml").write_text(plan_with_trainer(system, train))
    assert read_plan(str(folder / "plan.toml")).rows["few"].system.train == expected


def test_a_missing_plan_is_refused_with_the_names_of_the_plans_of_isolex() -> None:
    with pytest.raises(InputError, match=r"tabel1: no such file.* ablation, dinu2015"):
        read_plan("tabel1")


def test_the_plan_in_the_documentation_is_valid(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "bench.md").read_text(encoding="utf-8")
    example, _ = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "plan.toml").write_text(example, encoding="utf-8")
    plan = read_plan(str(tmp_path / "plan.toml"))
    assert [run.name for run in plan.runs()][:3] == [
        f"en-es, {row}, seed 0" for row in ("robust", "few", "short")
    ]
    assert plan.rows["few"].pairs == 25


@pytest.mark.parametrize("name", ready())
def test_the_plans_of_isolex_are_valid(name: str, tmp_path: Path) -> None:
    assert list(read_plan(name, tmp_path).runs())


@pytest.mark.parametrize("name", ["table1", "ablation-novels", "against-conneau", "numerals"])
def test_the_plans_of_the_results_page_are_valid(name: str, tmp_path: Path) -> None:
    path = f"benchmarks/plans/{name}.toml"
    assert path in (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    assert list(read_plan(str(ROOT / path), tmp_path).runs())
