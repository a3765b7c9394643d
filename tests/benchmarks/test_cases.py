"""Every case runs at a tiny size and saves its figures."""

from __future__ import annotations

import json
import platform
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import isolex
from benchmarks import variants
from benchmarks.cases import CASES, accuracy
from benchmarks.children import ROOT
from benchmarks.cli import main
from isolex.errors import UsageError

TINY = ["--size", "400", "--dims", "16", "--runs", "2"]


def measured(case: str, results: Path, *options: str) -> dict[str, Any]:
    assert main([case, "--results", str(results), *options]) == 0
    text = (results / f"{case}.json").read_text(encoding="utf-8")
    assert not any(secret in text for secret in (str(ROOT), str(Path.home()), str(results)))
    assert f'"{platform.node()}"' not in text
    facts: dict[str, Any] = json.loads(text)
    assert facts["case"] == case
    assert facts["rows"]
    machine = facts["hardware"]
    assert {"cpu", "cores", "ram_gib", "os", "python", "numpy", "numba", "blas"} <= set(machine)
    assert machine["isolex"] == isolex.__version__
    return facts


def test_every_case_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    listed = [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()[1:]]
    assert (
        listed
        == list(CASES)
        == [
            "induction",
            "scaling",
            "load",
            "save",
            "lexicon",
            "map-small",
            "map-large",
            "vecmap-iteration",
            "accuracy",
            "verdicts",
            "cost",
            "startup",
            "explore",
            "trainers",
            "languages",
        ]
    )


def test_induction_is_compared_with_a_product(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, blocked = measured("induction", tmp_path, *TINY)["rows"]
    assert kept["ratio"] == kept["isolex_seconds"] / kept["rival_seconds"]
    assert kept["ratio_low"] <= kept["ratio_high"]
    assert kept["met"] is None, "a target is judged only at its own size"
    assert len(blocked["isolex_runs"]) == 2
    header, *lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert {line.count("\t") for line in lines} == {header.count("\t")}


@pytest.mark.usefixtures("fake_vecmap")
def test_induction_is_compared_with_vecmap(tmp_path: Path) -> None:
    rows = measured("induction", tmp_path, *TINY, "--iterations", "3")["rows"]
    assert [len(row["rival_runs"]) for row in rows[2:]] == [3, 3]
    assert rows[2]["measure"] == "times faster"


def test_scaling_fits_slopes(tmp_path: Path) -> None:
    options = ["--size", "100", "200", "--dims", "8", "--runs", "1", "--no-plot"]
    facts = measured("scaling", tmp_path, *options)
    assert [row["words"] for row in facts["rows"]] == [100, 200]
    assert all(isinstance(slope, float) for slope in facts["settings"]["slopes"].values())


@pytest.mark.slow
def test_scaling_draws_a_plot(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    measured("scaling", tmp_path, "--size", "100", "200", "--dims", "8", "--runs", "1")
    assert (tmp_path / "scaling.png").stat().st_size > 0
    assert "<svg" in (tmp_path / "scaling.svg").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("case", ["load", "save"])
def test_reading_and_writing_are_compared_with_gensim(case: str, tmp_path: Path) -> None:
    pytest.importorskip("gensim")
    row = measured(case, tmp_path, *TINY, "--rival-runs", "1")["rows"][0]
    assert (len(row["isolex_runs"]), len(row["rival_runs"])) == (2, 1)


@pytest.mark.slow
def test_a_lexicon_is_measured_in_products_and_memory(tmp_path: Path) -> None:
    if find_spec("faiss") is None:
        pytest.skip("needs faiss")
    facts = measured("lexicon", tmp_path, *TINY[:4], "--runs", "1")
    each, whole, memory, _ = facts["rows"]
    assert each["products"] >= 1, "the products of isolex were not counted"
    assert each["isolex_seconds"] == pytest.approx(whole["isolex_seconds"] / each["products"])
    assert 0 < memory["ratio"] < 2


@pytest.mark.slow
@pytest.mark.usefixtures("small_data", "fake_vecmap")
def test_map_is_compared_with_vecmap(tmp_path: Path) -> None:
    rows = measured("map-small", tmp_path, "--runs", "1")["rows"]
    assert all(row["csls"] > row["rival_csls"] for row in rows), "the fake VecMap maps nothing"
    assert rows[0]["rival_iterations"] == 8
    assert rows[0]["target"] == "at least 30 x"


@pytest.mark.slow
@pytest.mark.usefixtures("small_data")
def test_map_is_measured_in_products_and_memory(tmp_path: Path) -> None:
    options = ["--pair", "es-en", "--runs", "1", "--system", "artetxe2018", "--size", "250"]
    whole, memory, found = measured("map-large", tmp_path, *options)["rows"]
    assert whole["ratio"] > 0
    assert 0 < memory["ratio"] < 2.5
    assert found["csls"] > 50


@pytest.mark.usefixtures("small_data", "fake_vecmap")
def test_vecmap_is_stopped_after_the_requested_iterations(tmp_path: Path) -> None:
    options = ["--pair", "es-en", "--iterations", "3"]
    row = measured("vecmap-iteration", tmp_path, *options)["rows"][0]
    assert row["iterations"] == 3
    assert row["seconds"] > 0


@pytest.mark.usefixtures("small_data")
def test_accuracy_continues_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["--pairs", "es-en", "--systems", "artetxe2018", "identical", "--size", "200"]
    monkeypatch.setattr(accuracy, "measured", fake_measurement)
    measured("accuracy", tmp_path, *options, "--seeds", "0", "1")
    runs.clear()
    facts = measured("accuracy", tmp_path, *options, "--seeds", "0", "1", "2")
    assert runs == [("artetxe2018", 2), ("identical", 2)]
    paper, other = facts["summary"]
    assert (paper["seeds"], paper["csls_mean"], paper["csls_worst"]) == (3, 51.0, 50.0)
    assert other["loss"] == pytest.approx(0.0)
    runs.clear()
    measured("accuracy", tmp_path, *options, "--seeds", "0", "--fresh")
    assert len(runs) == 2


runs: list[tuple[str, int]] = []


def fake_measurement(name: str, system: isolex.systems.System, seed: int, size: int | None) -> Any:
    runs.append((system.name, seed))
    row = {"pair": name, "system": system.name, "seed": seed, "size": size, "nn": 1.0}
    row |= {"settings": system.fingerprint, "csls": 50.0 + seed, "unlike": 40.0, "seconds": 1.0}
    return row | {"objective": 0.5, "iterations": 3}


@pytest.mark.slow
@pytest.mark.usefixtures("small_data")
def test_accuracy_is_measured(tmp_path: Path) -> None:
    options = ["--pairs", "es-en", "--systems", "artetxe2018", "--seeds", "0"]
    row = measured("accuracy", tmp_path, *options)["rows"][0]
    assert row["csls"] > 50
    assert row["iterations"] > 1


@pytest.mark.slow
@pytest.mark.usefixtures("small_data")
def test_the_default_system_is_compared_with_the_fast_schedule(tmp_path: Path) -> None:
    row = measured("cost", tmp_path, "--pairs", "es-en", "--runs", "1")["rows"][0]
    assert row["rival"] == "fast"
    assert row["ratio"] == row["isolex_seconds"] / row["rival_seconds"]
    assert row["target"] == "at most 1.5 x"


def test_every_variant_has_its_own_settings() -> None:
    assert not variants.VARIANTS.keys() & isolex.systems.SYSTEMS.keys()
    settings = [
        {key: value for key, value in system.describe().items() if key != "system"}
        for system in (*variants.VARIANTS.values(), variants.ROBUST)
    ]
    assert all(settings.count(one) == 1 for one in settings)


def test_variants_and_systems_are_found_by_name() -> None:
    assert variants.get("fast").name == "fast"
    assert variants.get("robust") is variants.ROBUST
    with pytest.raises(UsageError, match=r"'robusd'.* did you mean 'robust'\?"):
        variants.get("robusd")


@pytest.mark.slow
def test_commands_are_measured_in_time_and_memory_at_several_sizes(tmp_path: Path) -> None:
    options = ["--size", "300", "500", "--dims", "16", "--runs", "1"]
    plain, small, large = measured("startup", tmp_path, *options)["rows"]
    assert isinstance(plain["met"], bool)
    assert small["target"] == "at most 1.5 s"
    assert "500 words" in large["what"]
    assert all(row["isolex_mib"] > row["rival_mib"] > 1 for row in (small, large))


@pytest.mark.slow
def test_the_explorer_is_measured_over_http(tmp_path: Path) -> None:
    options = ["--size", "300", "--dims", "16", "--requests", "5"]
    rows = measured("explore", tmp_path, *options)["rows"]
    figures = {row["what"]: row["ratio"] for row in rows}
    assert figures["page, 95th percentile, prepared"] > 0
    assert figures["nn: of the ten best"] == figures["csls: the best"] == 100
    assert figures["second start to all methods"] > 0


@pytest.mark.parametrize(
    ("case", "says"),
    [("map-small", "ISOLEX_DATA"), ("accuracy", "ISOLEX_DATA"), ("vecmap-iteration", "git clone")],
)
def test_missing_data_or_programs_are_reported_in_one_line(
    case: str,
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ISOLEX_DATA", str(tmp_path))
    assert main([case, "--results", str(tmp_path)]) == 2
    assert says in capsys.readouterr().err.splitlines()[-1]
    assert not list(tmp_path.iterdir())


def test_a_missing_package_is_reported_with_the_line_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("benchmarks.peers.find_spec", lambda _: None)
    assert main(["lexicon", "--results", str(tmp_path)]) == 2
    assert "pip install faiss-cpu" in capsys.readouterr().err


def test_languages_are_compared_with_two(tmp_path: Path) -> None:
    facts = measured("languages", tmp_path, *TINY, "--languages", "3")
    assert [row["what"] for row in facts["rows"]] == ["align, 3 languages"]
    assert facts["rows"][0]["rival"] == "2 languages"
