"""A bench: run, stopped, gone on with; its tables; its command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from isolex import io
from isolex.adapters import extras
from isolex.bench import engine, running
from isolex.bench.plan import Job, Plan, read
from isolex.bench.running import Result, advice, check, run
from isolex.bench.store import Store
from isolex.bench.tables import Tables
from isolex.core.retrieval import Retrieval
from isolex.errors import InputError, UsageError
from isolex.systems import get
from tests.bench.conftest import PLAN
from tests.planted import noise


@pytest.fixture
def plan(folder: Path) -> Plan:
    return read(str(folder / "plan.toml"))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "out")
    made.prepare()
    return made


def job(plan: Plan, name: str) -> Job:
    return next(job for job in plan.jobs() if job.name == name)


def result(
    row: str, data: str, accuracy: float | None, seconds: float = 30.0, seed: int = 0
) -> Result:
    return {"row": row, "data": data, "accuracy": accuracy, "seconds": seconds, "seed": seed}


def test_a_run_is_scored_and_described(plan: Plan) -> None:
    found = run(job(plan, "two, few, seed 0"), threads=1)
    assert found["accuracy"] > 95
    assert (found["data"], found["row"], found["system"]) == ("two", "few", "semi-supervised")
    assert 0 < found["entries"] < 150, "of the 150 most frequent words"
    assert found["verdict"] == "succeeded"
    assert found["seconds"] > 0
    assert found["cpu_seconds"] > 0
    assert found["error"] is None
    assert found["threads"] == 1
    assert found["details"]["system"] == "semi-supervised"
    json.dumps(found)


def test_libraries_are_loaded_before_the_clock_starts(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def now() -> float:
        seen.append("time")
        return 0.0

    monkeypatch.setattr(extras, "load", lambda _: seen.append("load"))
    monkeypatch.setattr(running, "warm_up", lambda: seen.append("compile"))
    monkeypatch.setattr(time, "process_time", now)
    run(job(plan, "one, few, seed 0"))
    assert seen == ["load", "compile", "time", "time"]


def test_a_temperature_that_is_fitted_is_scored_by(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = job(plan, "one, xing2015, seed 0")
    smith = replace(asked, entry=replace(asked.entry, system=get("smith2017")))
    used = []
    scored = running.evaluate_lexicon

    def watched(*arguments: Any, **more: Any) -> Any:
        used.append(arguments[3])
        return scored(*arguments, **more)

    monkeypatch.setattr(running, "evaluate_lexicon", watched)
    run(smith)
    assert used[0].method == "invsoftmax"
    assert used[0].temperature != Retrieval().temperature


def test_a_run_tells_how_many_pairs_it_learnt_from(plan: Plan, folder: Path) -> None:
    with (folder / "train.txt").open("a") as file:
        file.write("no such\n")
    assert run(job(plan, "one, xing2015, seed 0"))["training_pairs"] == 100
    assert run(job(plan, "one, few, seed 0"))["training_pairs"] == 20
    assert "training_pairs" not in run(job(plan, "one, artetxe2018, seed 0"))


def test_an_alignment_that_cannot_be_made_is_a_result(plan: Plan, folder: Path) -> None:
    (folder / "train.txt").write_text("no such\n")
    found = run(job(plan, "one, few, seed 0"))
    assert found["accuracy"] is found["csls"] is found["nn"] is None
    assert "no training pair" in found["error"]


@pytest.mark.parametrize("name", ["gold.txt", "train.txt"])
def test_pairs_of_the_other_direction_are_refused(plan: Plan, folder: Path, name: str) -> None:
    """Words spelt alike would match all the same."""
    pairs = [line.split() for line in (folder / name).read_text().splitlines()]
    turned = "".join(f"{target} {source}\n" for source, target in pairs[5:])
    alike = "".join(f"{source} {target}\n" for source, target in pairs[:5])
    (folder / name).write_text(turned + alike)
    with pytest.raises(UsageError, match=rf"{name}: 5 pairs are in .* but \d+ the other way round"):
        run(job(plan, "one, few, seed 0"))


def test_gold_words_that_are_learnt_from_are_told(plan: Plan, folder: Path) -> None:
    jobs = list(plan.jobs())
    assert advice(jobs) == {}
    with (folder / "gold.txt").open("a") as file:
        file.write((folder / "train.txt").read_text())
    assert list(advice(jobs)) == ["one", "two"]
    with (folder / "gold.txt").open("a") as file:
        file.writelines(f"s{number} nowhere\n" for number in range(1000, 1200))
    told = "100 of the 300 words asked are in the training pairs too: systems that learn"
    assert told in advice(jobs)["one"], "of those that are in the vocabularies"
    assert advice([job for job in jobs if not job.entry.system.takes_lexicon]) == {}
    (folder / "plan.toml").write_text(PLAN.replace('"train.txt"', '"gold.txt"', 1))
    same = list(read(str(folder / "plan.toml")).jobs())
    assert "300 of the 300 words asked" in advice(same)["one"]


def test_what_is_told_of_those_that_learn_stands_below_their_tables_only(plan: Plan) -> None:
    told = {"one": "9 of the 90 words of gold_1.txt are known", "two": "so are others"}
    results = [result("artetxe2018", "one", 80.0), result("xing2015", "one", 60.0)]
    made = Tables.of(plan, results, told)
    first, second = made.markdown.split("### Accuracy")
    assert "one: 9 of the 90 words of gold_1.txt are known.\n" in second
    assert "known" not in first, "it has results of artetxe2018 alone"
    assert "others" not in made.markdown, "nothing was run on it"
    assert made.latex.count(r"one: 9 of the 90 words of gold\_1.txt are known.") == 1


def test_the_command_writes_below_the_tables_what_it_told(folder: Path) -> None:
    with (folder / "gold.txt").open("a") as file:
        file.write((folder / "train.txt").read_text())
    told = "words asked are in the training pairs too: systems that learn"
    few = ("plan.toml", "--out", "out", "--system", "xing2015", "--only")
    one = isolex(*few, "one", cwd=folder)
    assert f"[[data]] one: 100 of the 300 {told}" in one.stderr
    assert f"\none: 100 of the 300 {told}" in one.stdout
    isolex(*few, "two", "-q", cwd=folder)
    for name in ("table.md", "table.tex"):
        written = (folder / "out" / name).read_text()
        assert "one: 100 of the 300" in written
        assert written.count(told) == 2, "of both commands"


def test_gold_pairs_of_other_words_are_refused_before_the_alignment(
    plan: Plan, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "gold.txt").write_text("no such\n")
    monkeypatch.setattr("isolex.systems.align.align", lambda *_, **__: pytest.fail("it was run"))
    with pytest.raises(UsageError, match=r"gold.txt: no pair has both words .*\[\[data\]\] one"):
        run(job(plan, "one, few, seed 0"))


def test_a_result_is_found_again_unless_something_changed(
    plan: Plan, store: Store, folder: Path
) -> None:
    first = job(plan, "one, few, seed 0")
    assert store.find(first) is None
    store.keep(first, run(first))
    assert store.find(first) is not None
    os.utime(folder / "gold.txt", (1, 1))  # fetched again, say
    assert store.find(first) is not None
    assert store.find(job(plan, "two, few, seed 0")) is None
    other = (folder / "plan.toml").read_text().replace("cutoff = 200", "cutoff = 190")
    (folder / "plan.toml").write_text(other)
    changed = read(str(folder / "plan.toml"))
    assert store.find(job(changed, "one, few, seed 0")) is None
    assert store.outdated(changed.jobs()) == 1
    assert store.everything(changed) == {}
    assert list(store.everything(plan)) == [first.name]
    (store.path / "runs" / "a--b--c--d.json").write_text("not of a bench")
    assert list(store.everything(plan)) == [first.name]
    (folder / "gold.txt").write_text("s1 t1\ns2 t2\n")
    assert store.find(first) is None


@pytest.mark.parametrize("name", ["table.md", "table.tex", "table.json"])
def test_a_table_of_somebody_else_is_not_replaced(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(UsageError, match=rf"{name}: is not of a bench: name another folder"):
        Store(tmp_path).prepare()
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "mine")]
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "train.log").touch()
    with pytest.raises(UsageError, match="is not of a bench"):
        Store(tmp_path).prepare()
    (tmp_path / "runs" / "en-es--robust--0--0123ab.json").touch()
    Store(tmp_path).prepare()


def test_a_bench_whose_runs_were_all_taken_away_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "table.md").write_text("of before")
    (tmp_path / "runs").mkdir()
    Store(tmp_path).prepare()
    assert not Store(tmp_path).begun


def test_the_tables_are_the_papers(plan: Plan) -> None:
    results = [
        result("artetxe2018", "one", 4.0, 90, seed=1) | {"cpu_seconds": 60},
        result("artetxe2018", "one", 80.0, 30) | {"cpu_seconds": 30},
        result("few", "one", 70.126, 300),
        result("xing2015", "two", 60.0),
    ]
    made = Tables.of(plan, results)
    assert "| artetxe2018 | nothing | 80.00 | 42.00 | 1/2 | 1.0 | - | - | - | - |" in made.markdown
    assert "| twenty_pairs | 20 pairs | 70.13 | 70.13 | 1/1 | 5.0 | -" in made.markdown
    assert "| xing2015 | a training lexicon | - | 60.00 |" in made.markdown
    assert "| system | needs | one | two |" in made.markdown
    assert r"twenty\_pairs & 20 pairs & 70.13 & 70.13 & 1/1 & 5.0 & - & - & - & - \\" in made.latex
    assert r"\caption{Runs \& more. best, avg: precision@1" in made.latex
    assert made.latex.count(r"\begin{tabular}") == made.latex.count(r"\end{tabular}") == 2
    cell = made.plain[0]["rows"][0]["data"]["one"]
    figures = {"runs": 2, "best": 80.0, "average": 42.0, "successes": 1, "minutes": 1.0}
    none = dict.fromkeys(("entries", "coverage", "training_pairs", "error"))
    every = {"accuracies": {0: 80.0, 1: 4.0}, "cpu_minutes": 0.75, "failures": 0}
    assert cell == figures | none | every
    assert list(cell["accuracies"]) == [0, 1]
    assert made.plain[0]["rows"][1]["data"]["one"]["cpu_minutes"] is None, "from before"
    assert made.plain[0]["success"] == 5
    assert made.plain[0]["notes"][-1] == "-: not run."
    assert "\n-: not run.\n" in made.markdown


def test_the_tables_tell_how_many_were_asked_and_what_could_not_be_run(plan: Plan) -> None:
    asked = {"entries": 1234, "coverage": 0.5}
    failed = {"error": "the vocabularies share no number in digits"}
    results = [
        result("few", "one", 70.0) | asked,
        result("artetxe2018", "one", None) | failed,
        result("artetxe2018", "two", None) | failed,
        result("artetxe2018", "two", 9.0, seed=1) | asked,
    ]
    made = Tables.of(plan, results)
    assert "| artetxe2018 | nothing | x | x | x | x | 9.00 | 9.00 | 1/2 |" in made.markdown
    assert "Source words asked: one 1,234, two 1,234." in made.markdown
    for which, pair in (("x: ", "one"), ("1 of 2 runs of ", "two")):
        why = f"{which}artetxe2018 could not be made on {pair}: {failed['error']}."
        assert why in made.markdown
        assert why in made.latex
    cell = made.plain[0]["rows"][0]["data"]["one"]
    assert (cell["failures"], cell["error"]) == (1, failed["error"])
    assert cell["best"] is cell["average"] is None
    assert "could be asked" not in made.markdown
    assert made.plain[0]["rows"][1]["data"]["one"]["entries"] == 1234


def test_the_tables_tell_that_few_were_asked(plan: Plan) -> None:
    asked = {"entries": 2, "coverage": 2 / 1500}
    told = "one: only 2 of 1,500 source words could be asked."
    failed = result("artetxe2018", "one", None) | {"error": "the vocabularies share no number"}
    made = Tables.of(plan, [result("few", "one", 50.0) | asked, failed])
    assert made.markdown.count(told) == made.latex.count(told) == 2
    assert all(told in table["notes"] for table in made.plain)


def test_the_tables_tell_how_many_pairs_were_learnt_from(plan: Plan) -> None:
    results = [
        result("xing2015", "one", 70.0),  # from before the count was kept
        result("xing2015", "one", 70.0, seed=1) | {"training_pairs": 2544},
        result("xing2015", "two", 70.0) | {"training_pairs": 99},
        result("few", "one", 70.0) | {"training_pairs": 20},
        result("few", "two", 70.0) | {"training_pairs": 20},
    ]
    made = Tables.of(plan, results)
    first, second = made.markdown.split("### Accuracy")
    told = "Training pairs in the vocabularies: one 2,544, two 99."
    assert told in second
    assert "Training pairs" not in first, "of a row that asks for twenty"
    assert made.latex.count(told) == 1
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
    entry = replace(plan.entries["few"], pairs=250_000)
    many = replace(plan, entries=dict(plan.entries) | {"few": entry})
    results = [
        result("few", name, 70.0) | {"training_pairs": count}
        for name, count in zip(("one", "two"), counts, strict=True)
    ]
    made = Tables.of(many, results)
    assert f"| twenty_pairs | {needs} |" in made.markdown
    assert rf"twenty\_pairs & {needs} &" in made.latex


def test_a_result_from_before_the_count_of_pairs_is_still_one(plan: Plan, store: Store) -> None:
    one = job(plan, "one, few, seed 0")
    before = run(one)
    del before["training_pairs"]
    store.keep(one, before)
    assert store.find(one) == before
    assert "| twenty_pairs | 20 pairs |" in Tables.of(plan, [before]).markdown


def test_no_label_breaks_the_latex(plan: Plan) -> None:
    entry = replace(plan.entries["few"], label="[short] *a|b* <c>")
    odd = replace(plan, entries=dict(plan.entries) | {"few": entry})
    escaped = r"{[}short] {*}a\textbar{}b{*} \textless{}c\textgreater{} & 20 pairs"
    assert escaped in Tables.of(odd, []).latex


def test_a_lexicon_that_is_missing_is_said_before_anything_is_run(folder: Path) -> None:
    text = (folder / "plan.toml").read_text().replace('lexicon = "train.txt"', "", 1)
    (folder / "plan.toml").write_text(text)
    with pytest.raises(UsageError, match=r"name a lexicon in \[\[data\]\] one"):
        check(list(read(str(folder / "plan.toml")).jobs()))


def test_a_file_or_a_library_that_is_missing_is_said_of_what_is_asked_for_only(
    plan: Plan, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (folder / "plan.toml").read_text().replace('src = "s.vec"', 'src = "x.vec"', 1)
    (folder / "plan.toml").write_text(text.replace('"xing2015"', '"conneau2018"'))
    monkeypatch.setitem(extras.MODULES, "torch", "no_such_module")
    changed = read(str(folder / "plan.toml"))
    check(list(changed.only(["two"], ["few"], None).jobs()))
    with pytest.raises(InputError, match=r"x.vec: no such file, but \[\[data\]\] one names it"):
        check(list(changed.only([], ["few"], None).jobs()))
    with pytest.raises(UsageError, match="system 'conneau2018' needs more than is installed"):
        check(list(changed.only(["two"], [], None).jobs()))


def test_vectors_that_have_changed_are_read_again(plan: Plan, folder: Path) -> None:
    one = job(plan, "one, xing2015, seed 0")
    before = run(one)
    io.save(noise(300, 12, 5), folder / "t.vec")
    words = (folder / "t.vec").read_text().replace("\nw", "\nt")
    (folder / "t.vec").write_text(words)
    assert run(one)["accuracy"] < before["accuracy"] / 2


def test_names_that_look_alike_are_told_apart(plan: Plan, store: Store) -> None:
    one = job(plan, "one, few, seed 0")
    alike = [replace(one, data=replace(one.data, name=name)) for name in ("a b", "a/b")]
    for other in alike:
        store.keep(other, run(other))
    assert all(store.find(other) for other in alike)


def isolex(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "isolex", "bench", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a graphics card")
def test_a_device_that_is_not_there_is_refused_and_makes_no_result(folder: Path) -> None:
    done = isolex("plan.toml", "--out", "out", "--device", "cuda", cwd=folder)
    assert done.returncode == 2
    assert "use --device cpu, or install a PyTorch built for CUDA" in done.stderr
    assert not (folder / "out").exists()


def test_the_command_runs_writes_and_goes_on(folder: Path) -> None:
    first = isolex("plan.toml", "--out", "out", "--only", "one", "--runs", "1", cwd=folder)
    assert first.returncode == 0, first.stderr
    assert "### Runs & more" in first.stdout
    assert first.stderr.count("seed 0") == 3
    assert "two" not in first.stdout
    assert "| - | - | - | - |" in (folder / "out" / "table.md").read_text(), "not run of the plan"
    second = isolex("plan.toml", "--out", "out", "--only", "one", "--runs", "2", cwd=folder)
    assert "3 of 5 runs are there from before" in second.stderr
    assert second.stderr.count("seed 1") == 2, "xing2015 cannot come out differently"
    assert "seed 0" not in second.stderr
    twice = ("--only", "one", "--runs", "2")
    third = isolex("plan.toml", "--out", "out", *twice, "--json", "-q", cwd=folder)
    assert third.stderr == ""
    written = json.loads((folder / "out" / "table.json").read_text())
    for shown, whole in zip(json.loads(third.stdout), written, strict=True):
        assert [row["data"]["one"] for row in shown["rows"]] == [
            row["data"]["one"] for row in whole["rows"]
        ]
    more = isolex("plan.toml", "--out", "out", "--system", "few", "--runs", "4", "-q", cwd=folder)
    assert "4/4" in more.stdout
    assert "artetxe2018" not in more.stdout
    fewer = isolex(
        "plan.toml", "--out", "out", "--system", "few", "--only", "one", "-q", cwd=folder
    )
    assert "4/4" in fewer.stdout, "as in the file"
    assert len(list((folder / "out" / "runs").glob("*.json"))) == 11
    isolex("plan.toml", "--out", "out", "--system", "xing2015", "-q", cwd=folder)
    last = (folder / "out" / "table.md").read_text()
    assert "| artetxe2018 | nothing | 1" in last
    assert "4/4" in last, "more runs than the plan has"


def test_a_bench_that_is_interrupted_says_how_it_goes_on(folder: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "isolex", "bench", "plan.toml", "--out", "out", "--runs", "1000"],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        # A job in the background is born deaf to the interrupt.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stderr is not None
        assert "artetxe2018, seed 0" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    told = "interrupted: the same command goes on where it stopped; runs under way begin anew"
    assert errors.splitlines()[-1] == f"isolex: {told}"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing.toml", "--out", "out"), "nothing.toml: no such file; give a TOML file or one"),
        (("plan.toml", "--out", "s.vec"), "s.vec: cannot be written to"),
        (("plan.toml", "--out", "mine"), "mine/table.md: is not of a bench: name another folder"),
        (("plan.toml", "--out", "out", "--engine", "dask"), "belong together"),
        (("plan.toml", "--out", "out", "--scheduler", "tcp://127.0.0.1:1"), "belong together"),
        (
            ("plan.toml", "--out", "out", "--engine", "dask", "--scheduler", "nowhere"),
            "no Dask scheduler at nowhere: an address is such as tcp://10.0.0.1:8786",
        ),
        (
            ("plan.toml", "--out", "out", "--engine", "dask", "--scheduler", "tcp://127.0.0.1:1"),
            "no Dask scheduler at tcp://127.0.0.1:1: [Errno 111] Connection refused",
        ),
        (("zhang2017", "--out", "out", "--data", "."), "no such file, but [[data]] es-en"),
        (("plan.toml", "--out", "out", "--only", "three"), "no data 'three' in the plan"),
    ],
)
def test_mistakes_at_the_command_line(
    folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "table.md").write_text("mine")
    done = isolex(*arguments, cwd=folder)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (folder / "out" / "table.md").exists(), "nothing was run"


@pytest.fixture
def cluster() -> Iterator[str]:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as made:
        yield made.scheduler_address


@pytest.fixture
def alone() -> Iterator[str]:
    """A cluster of one worker, in this process."""
    from distributed import LocalCluster

    with LocalCluster(
        processes=False, n_workers=1, protocol="tcp://", dashboard_address=None
    ) as made:
        yield made.scheduler_address


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a graphics card")
def test_on_a_cluster_the_device_is_one_of_the_workers(folder: Path, alone: str) -> None:
    there = ("--engine", "dask", "--scheduler", alone, "--device", "cuda")
    done = isolex("plan.toml", "--out", "out", "--system", "few", *there, cwd=folder)
    assert done.returncode == 2
    assert "2 of 2 runs could not be made" in done.stderr, "as a worker has found"
    assert "use --device cpu" in done.stderr


def test_on_a_cluster_a_run_that_cannot_be_made_is_named_when_the_others_are_done(
    plan: Plan, folder: Path, alone: str
) -> None:
    (folder / "other.txt").write_text("no such\n")
    jobs = [job for job in plan.jobs() if job.entry.key == "few"]
    wrong = replace(jobs[0], data=replace(jobs[0].data, gold=folder / "other.txt"))
    with engine.dask(alone, threads=1) as spread:
        results = spread([wrong, jobs[1]])
        assert next(results)[0] == jobs[1]
        with pytest.raises(UsageError, match=r"1 of 2 runs could not .*other\.txt: no pair"):
            next(results)


def test_on_a_cluster_what_is_done_is_not_held_to_be_done_again(plan: Plan, alone: str) -> None:
    from distributed import Client

    def held(dask_scheduler: Any) -> list[str]:
        return [task.state for task in dask_scheduler.tasks.values() if task.state == "memory"]

    jobs = [job for job in plan.jobs() if job.entry.key == "few"]
    with (
        Client(alone, set_as_default=False) as client,
        engine.dask(alone, threads=1) as spread,
    ):
        results = spread(jobs)
        found = [next(results) for _ in jobs]
        deadline = time.monotonic() + 10
        while client.run_on_scheduler(held) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert client.run_on_scheduler(held) == []
        assert next(results, None) is None
    assert {job.name for job, _ in found} == {job.name for job in jobs}


def test_on_a_cluster_nothing_is_lost_with_a_worker(plan: Plan, store: Store, cluster: str) -> None:
    from distributed import Client

    with Client(cluster, set_as_default=False) as client:
        workers = list(client.run(os.getpid).values())
    jobs = list(plan.jobs())
    found = []
    with engine.dask(cluster, threads=1) as spread:
        for done, outcome in spread(jobs):
            if not found:
                os.kill(workers[0], signal.SIGKILL)
            store.keep(done, outcome)
            found.append(done.name)
    assert sorted(found) == sorted(job.name for job in jobs)
    here = {one.name: outcome for one, outcome in engine.local(threads=1)(jobs)}
    for one in jobs:
        there = store.find(one)
        assert there is not None
        assert there["accuracy"] == here[one.name]["accuracy"]
        assert there["objective"] == here[one.name]["objective"]
