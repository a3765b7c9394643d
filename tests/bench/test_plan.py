"""A plan is read whole, or refused with a line that says what is wrong with it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from isolex.bench import plan as plans
from isolex.bench.plan import Plan, read, ready
from isolex.errors import InputError, UsageError
from isolex.systems import SYSTEMS
from isolex.trainers.adversarial import Adversarial, AutoEncoder
from tests.bench.conftest import PLAN


@pytest.fixture
def plan(folder: Path) -> Plan:
    return read(str(folder / "plan.toml"))


def test_it_asks_for_every_run_once_the_first_seeds_first(plan: Plan) -> None:
    names = [job.name for job in plan.jobs()]
    assert names == [
        "one, artetxe2018, seed 0",
        "one, few, seed 0",
        "one, xing2015, seed 0",
        "two, artetxe2018, seed 0",
        "two, few, seed 0",
        "two, xing2015, seed 0",
        "one, artetxe2018, seed 1",
        "two, artetxe2018, seed 1",
    ]


def test_settings_reach_the_system(plan: Plan) -> None:
    few = plan.entries["few"]
    assert (few.label, few.pairs, few.system.name) == ("twenty_pairs", 20, "semi-supervised")
    assert few.system.schedule is not None
    assert {stage.cutoff for stage in few.system.schedule.stages} == {200}
    assert plan.data[1].max_words == 150


def test_a_part_of_it_can_be_asked_for(plan: Plan) -> None:
    part = plan.only(["two"], ["few"], runs=3)
    assert [job.name for job in part.jobs()] == [f"two, few, seed {seed}" for seed in range(3)]
    assert [table.rows for table in part.tables] == [("few",), ("few",)]
    for data, rows in ((["three"], []), ([], ["many"])):
        with pytest.raises(UsageError, match="in the plan: choose from"):
            plan.only(data, rows, None)
    with pytest.raises(UsageError, match=r"no system 'xing2051' in the plan: did you mean 'xing20"):
        plan.only([], ["xing2051"], None)


def test_what_cannot_come_out_differently_runs_once_whatever_is_asked(plan: Plan) -> None:
    entry = replace(plan.entries["xing2015"], runs=3)
    assert plan.seeds(entry) == 1


def test_what_cannot_come_out_differently_runs_once() -> None:
    once = {name for name, system in SYSTEMS.items() if not plans.random(system)}
    assert once >= {"mikolov2013", "supervised", "artetxe2017", "artetxe2018-no-stochastic"}
    assert "alvarezmelis2018" in once
    assert not once & {"artetxe2018", "robust", "artetxe2018-no-init", "semi-supervised"}
    assert not once & {"lazaridou2015", "conneau2018", "grave2018", "zhang2017-emd"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("runs = 2", "runs = 0", "runs of the plan is a whole number from one up, not 0"),
        ("runs = 2", 'runs = "2"', "runs of the plan is a whole number, not '2'"),
        ("runs = 1", "runs = -1", r"runs of \[systems.few\] is a whole number from one up"),
        ("runs = 2", "runs = 2\nsuccess = true", "success of the plan is a number, not True"),
        ("pairs = 20", 'pairs = "x"', r"pairs of \[systems.few\] is a whole number, not 'x'"),
        ("max_words = 150", "max_words = 0", r"max_words of \[\[data\]\] two is a whole number"),
        ('lexicon = "train.txt"', "lexicon = 3", r"lexicon of \[\[data\]\] one is a text, not 3"),
        ('"xing2015", "few"', "3", "has no systems"),
        ('title = "Accuracy"', "title = 3", r"title of \[\[table\]\] is a text, not 3"),
        (
            "[systems.few]",
            "[systems]\nxing2015 = 3\n[systems.few]",
            "xing2015 of .systems. is a table, not 3",
        ),
        ("runs = 2", "run = 2", "unknown key 'run' in the plan"),
        ("runs = 2", "runs = ", "not a TOML file"),
        ('name = "two"', 'name = "one"', "the same name"),
        ('gold = "gold.txt"', "", "has no gold"),
        ('systems = ["xing2015", "few"]', "systems = []", "has no systems"),
        (
            '"xing2015", "few"',
            '"xing2014"',
            r"unknown system 'xing2014': did you mean 'xing2015'\?",
        ),
        ('["artetxe2018", "few"]', '["few"]', r"\[systems.artetxe2018\] is in no table"),
        ('layout = "accuracy"', 'layout = "wide"', "layout 'wide'; choose from runs, accuracy"),
        ("cutoff = 200", "cutof = 200", r"unknown key 'cutof' in \[systems.few\]"),
        ("cutoff = 200", "cutoff = 0", r"cutoff of \[systems.few\] is a whole number from one up"),
        ("cutoff = 200", "train = { epochs = 1 }", "does no training"),
        ("[systems.artetxe2018]", "[systems.artetxe2018]\npairs = 5", "takes no training pairs"),
        ("[[table]]", "[[tables]]", "unknown key 'tables'"),
        ("runs = 2", "success = 200", "success of .* is a percentage from 0 to below 100, not 200"),
        ("runs = 2", "success = -1", "success of .* is a percentage from 0 to below 100, not -1"),
        ('"Accuracy"', '"Accuracy\\n"', r"title of \[\[table\]\] is a text of one line, not 'Acc"),
        ('name = "two"', 'name = ""', r"name of \[\[data\]\] is a text of one line, not ''"),
        ('["xing2015", "few"]', '["few", "few"]', r"\[\[table\]\] Accuracy has a system twice"),
        (
            '"twenty_pairs"',
            '"two\\nlines"',
            r"label of .* is a text of one line, not 'two\\nlines'",
        ),
        ('"twenty_pairs"', '" "', r"label of \[systems.few\] is a text of one line, not ' '"),
    ],
)
def test_mistakes_get_one_line(folder: Path, old: str, new: str, message: str) -> None:
    count = -1 if old == "[[table]]" else 1
    (folder / "plan.toml").write_text(PLAN.replace(old, new, count))
    with pytest.raises(InputError, match=message) as caught:
        read(str(folder / "plan.toml"))
    assert "\n" not in str(caught.value)


def trained(system: str) -> str:
    """The plan, its last row with a system that trains and takes no pairs."""
    return PLAN.replace('system = "semi-supervised"', system).replace("pairs = 20\n", "")


@pytest.mark.parametrize(
    ("train", "message"),
    [
        ('epochs = "x"', "epochs of train of .* is a whole number, not 'x'"),
        ("epoch = 1", "unknown key 'epoch' in train of"),
        (
            "epochs = 0",
            r"\[systems.few\]: epochs of a training is a whole number from one up, not 0",
        ),
        ("batch = -3", "batch of a training is a whole number from one up, not -3"),
        ("rate = -1.0", "rate of a training is a number from zero up, not -1"),
        ("rate = inf", "rate of a training is a number from zero up, not inf"),
        ("dropout = 1.0", "dropout of a training is a number from zero to below one, not 1"),
        ("smoothing = 1.0", "smoothing of a training is a number from zero to below one, not 1"),
        ("samples = 1.5", "samples of train of .* is a whole number, not 1.5"),
    ],
)
def test_settings_of_a_training_are_checked(folder: Path, train: str, message: str) -> None:
    text = trained('system = "conneau2018"')
    (folder / "plan.toml").write_text(text.replace("cutoff = 200", f"train = {{ {train} }}", 1))
    with pytest.raises(InputError, match=message):
        read(str(folder / "plan.toml"))


def test_a_training_may_have_other_settings(folder: Path) -> None:
    text = trained('system = "conneau2018"')
    train = "train = { epochs = 2, rate = 1 }"
    (folder / "plan.toml").write_text(text.replace("cutoff = 200", train, 1))
    found = read(str(folder / "plan.toml")).entries["few"].system.train
    assert found == Adversarial(epochs=2, rate=1.0)


def test_a_share_of_another_training_is_checked_too(folder: Path) -> None:
    text = trained('system = "zhang2017-adversarial"')
    (folder / "plan.toml").write_text(text.replace("cutoff = 200", "train = { fall = 1.0 }", 1))
    with pytest.raises(InputError, match="fall of a training is a number from zero to below one"):
        read(str(folder / "plan.toml"))


def test_what_is_on_or_off_may_be_set_and_a_number_may_not_be_true(folder: Path) -> None:
    text = trained('system = "zhang2017-adversarial"')
    train = "train = { by_frequency = false }"
    (folder / "plan.toml").write_text(text.replace("cutoff = 200", train, 1))
    found = read(str(folder / "plan.toml")).entries["few"].system.train
    assert found == AutoEncoder(by_frequency=False)
    train = "train = { epochs = true }"
    (folder / "plan.toml").write_text(text.replace("cutoff = 200", train, 1))
    with pytest.raises(InputError, match=r"epochs of train of .* is a whole number, not True"):
        read(str(folder / "plan.toml"))


def test_a_plan_that_is_not_there_is_refused_with_the_ready_ones() -> None:
    with pytest.raises(InputError, match="no such file; give a TOML file or one of ablation, din"):
        read("tabel1")


def test_the_plan_of_the_docs_is_one(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "bench.md").read_text(encoding="utf-8")
    [example] = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "plan.toml").write_text(example, encoding="utf-8")
    plan = read(str(tmp_path / "plan.toml"))
    assert [job.name for job in plan.jobs()][:3] == [
        f"en-es, {row}, seed 0" for row in ("robust", "few", "short")
    ]
    assert plan.entries["few"].pairs == 25


ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ready())
def test_every_ready_plan_can_be_read(name: str, tmp_path: Path) -> None:
    assert list(read(name, tmp_path).jobs())


@pytest.mark.parametrize("name", ["table1", "ablation-novels", "against-conneau", "numerals"])
def test_the_plans_of_the_results_page_can_be_read(name: str, tmp_path: Path) -> None:
    path = f"benchmarks/plans/{name}.toml"
    assert path in (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    assert list(read(str(ROOT / path), tmp_path).jobs())


KEPT = sorted((ROOT / "benchmarks" / "results").glob("*/table.md"))


@pytest.mark.parametrize("path", KEPT, ids=[path.parent.name for path in KEPT])
def test_the_results_page_has_the_tables_of_the_kept_runs(path: Path) -> None:
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    missing = [line for line in path.read_text(encoding="utf-8").splitlines() if line not in page]
    assert not missing
