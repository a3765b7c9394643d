"""isolex evaluate: lexicon, similarity and analogy, of a run and of vectors mapped elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.wording import Wording

MAPPED = ("--vectors", "out/s.vec", "--vectors", "out/t.vec")


def scored_pairs() -> list[tuple[int, int, float]]:
    return [(i, j, 10.0 if i == j else 1.0) for i in range(5) for j in range(5)]


def test_lexicon_of_a_run_and_of_mapped_vectors(run: Run) -> None:
    done = run("evaluate", "lexicon", "out", "gold.txt", "--json")
    result = json.loads(done.stdout)
    assert result.keys() == {"precision", "coverage", "entries", "oov"}
    assert list(result["precision"]) == ["1", "5", "10"]
    assert result["precision"]["1"] > 99
    assert (result["entries"], result["oov"]) == (200, 1)
    assert result["coverage"] == pytest.approx(100 * 200 / 201)
    other = run("evaluate", "lexicon", *MAPPED, "gold.txt", "--json")
    assert json.loads(other.stdout) == result


def test_lexicon_prints_a_table_in_percent(run: Run) -> None:
    table = run("evaluate", "lexicon", "out", "gold.txt").stdout
    assert "precision@1\t" in table
    assert "coverage\t99.50 %" in table


@pytest.mark.parametrize("options", [("--reverse",), ("--from", "t"), ("--from", "t", "--to", "s")])
def test_the_direction_of_a_lexicon_can_be_changed(
    run: Run, home: Path, options: tuple[str, ...]
) -> None:
    lines = (home / "gold.txt").read_text().splitlines()[:200]
    swapped = "".join("{1} {0}\n".format(*line.split()) for line in lines)
    (home / "swapped.txt").write_text(swapped)
    result = json.loads(run("evaluate", "lexicon", "out", "swapped.txt", *options, "--json").stdout)
    assert result["precision"]["1"] > 99
    assert (result["entries"], result["coverage"]) == (200, 100)


@pytest.mark.parametrize(
    ("known", "unknown", "warned"),
    [(2, 0, False), (49, 1, True), (60, 60 * 20, False), (60, 60 * 100, True)],
)
def test_low_coverage_of_a_gold_file_is_a_warning(
    run: Run, home: Path, known: int, unknown: int, warned: bool, wording: Wording
) -> None:
    pairs = [f"s{i} t{i}\n" for i in range(known)] + [f"x{i} t1\n" for i in range(unknown)]
    (home / "some.txt").write_text("".join(pairs))
    done = run("evaluate", "lexicon", "out", "some.txt", "--quiet", "--json")
    assert json.loads(done.stdout)["entries"] == known
    if warned:
        assert f"only {known} of {known + unknown:,} source words" in done.stderr
        wording(done.stderr)
    else:
        assert done.stderr == ""


def test_similarity_across_languages_of_a_run_and_of_mapped_vectors(run: Run, home: Path) -> None:
    lines = [f"S{i}\tT{j}\t{score}\n" for i, j, score in scored_pairs()]
    (home / "similar.txt").write_text("".join(lines) + "S1\tnowhere\t3\n")
    options = ("similar.txt", "--lowercase", "--json")
    done = run("evaluate", "similarity", "out", *options)
    result = json.loads(done.stdout)
    assert result["pearson"] > 0.5
    assert "only 25 of 26 pairs" in done.stderr
    assert (result["entries"], result["oov"]) == (25, 1)
    assert result["coverage"] == pytest.approx(100 * 25 / 26)
    mapped = json.loads(run("evaluate", "similarity", *MAPPED, *options).stdout)
    assert mapped["pearson"] == pytest.approx(result["pearson"], abs=1e-4)


def test_similarity_within_one_language(run: Run, home: Path) -> None:
    (home / "within.txt").write_text("s1 s1 10\ns1 s2 1\ns3 s3 10\n")
    within = ("--from", "s", "--to", "s", "--json")
    done = run("evaluate", "similarity", "out", "within.txt", *within)
    assert json.loads(done.stdout)["spearman"] > 0.8


@pytest.fixture
def both_orders(home: Path) -> None:
    """The same scored pairs in sim.txt and, with their words swapped, in turned.txt."""
    pairs = scored_pairs()
    (home / "sim.txt").write_text("".join(f"s{i} t{j} {score}\n" for i, j, score in pairs))
    (home / "turned.txt").write_text("".join(f"t{j} s{i} {score}\n" for i, j, score in pairs))


@pytest.mark.usefixtures("both_orders")
@pytest.mark.parametrize(
    "options", [("turned.txt",), ("sim.txt", "--reverse")], ids=["missing", "needless"]
)
def test_similarity_pairs_in_the_opposite_order_are_refused(
    run: Run, options: tuple[str, ...], wording: Wording
) -> None:
    done = run("evaluate", "similarity", "out", *options)
    assert done.returncode == 2
    assert all(fact in done.stderr for fact in ("0 pairs", "25", "--reverse"))
    wording(done.stderr)


@pytest.mark.usefixtures("both_orders")
def test_similarity_pairs_can_be_reversed(run: Run) -> None:
    plain = run("evaluate", "similarity", "out", "sim.txt")
    assert plain.returncode == 0
    assert run("evaluate", "similarity", "out", "turned.txt", "--reverse").stdout == plain.stdout


def test_analogy_has_a_result_for_each_section(run: Run, home: Path) -> None:
    (home / "sections.txt").write_text(": one\ns1 s2 s3 s4\n: two\ns1 s2 s3 nowhere\n")
    done = run("evaluate", "analogy", "out", "sections.txt", "--json")
    result = json.loads(done.stdout)
    assert (result["entries"], result["oov"], result["coverage"]) == (1, 1, 50)
    assert set(result["sections"]) == {"one", "two"}


@pytest.mark.parametrize("language", ["s", "t"])
def test_analogies_are_answered_in_one_language(run: Run, home: Path, language: str) -> None:
    (home / "analogies.txt").write_text(question(language))
    options = ("analogies.txt", "--language", language)
    whole = run("evaluate", "analogy", "out", *options)
    assert whole.returncode == 0
    assert run("evaluate", "analogy", *MAPPED, *options).stdout == whole.stdout


@pytest.mark.parametrize(("language", "other"), [("s", "t"), ("t", "s")])
def test_analogies_in_another_language_are_refused(
    run: Run, home: Path, language: str, other: str, wording: Wording
) -> None:
    (home / "analogies.txt").write_text(question(language))
    done = run("evaluate", "analogy", "out", "analogies.txt", "--language", other)
    assert done.returncode == 2
    assert f"--language {language}" in done.stderr
    wording(done.stderr)


def question(language: str) -> str:
    """A file with one analogy question."""
    return ": one\n" + " ".join(f"{language}{i}" for i in range(4)) + "\n"
