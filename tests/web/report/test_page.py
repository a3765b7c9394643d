"""The report is self-contained, agrees with the run, and is safe whatever the words are."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from isolex import Embeddings
from isolex.core.linear_map import LinearMap
from isolex.run.opening import open_space
from isolex.web.report import render
from isolex.web.wording import STEPS, VERDICTS
from tests.planted import Planted, noise, planted
from tests.web.report.pages import Page, Report, make_report


def report(
    folder: Path, made: Planted, system: str = "robust", gold: list[tuple[str, str]] | None = None
) -> Report:
    return make_report(folder, made.source, made.target, system, lexicon=made.pairs[:60], gold=gold)


def command_of(page: Page) -> list[str]:
    start = page.text.index("isolex map ")
    return shlex.split(page.text[start : page.text.index("\n", start)])


def test_it_has_every_section_and_chart(tmp_path: Path) -> None:
    made = planted(words=300, dims=15)
    page = report(tmp_path, made, gold=made.pairs[:100]).page
    sections = (
        "s and t",
        "Succeeded",
        "precision@1",
        "Self-learning",
        "Why it can work",
        "Before and after",
        "Samples",
        "Hubs",
        "Time",
        "To repeat it",
    )
    places = [page.text.index(section) for section in sections]
    assert places == sorted(places)
    charts = [attrs.get("aria-label") or "" for tag, attrs in page.tags if tag == "svg"]
    charts = [label for label in charts if label]
    for start in ("objective against", "keep_prob", "words against", "validation", "density"):
        assert any(label.startswith(start) for label in charts), start
    assert charts[-2:] == ["Before", "After"]


def test_the_command_works_in_any_folder(tmp_path: Path) -> None:
    folder = tmp_path / "a folder; <b>"
    folder.mkdir()
    made = planted(words=100, dims=8)
    page = report(folder, made, "artetxe2018", gold=made.pairs[:20]).page
    files = [str(folder / name) for name in ("s.vec", "t.vec", "gold.txt")]
    options = ["--out", "DIR", "--system", "artetxe2018", "--seed", "0", "--validation"]
    assert command_of(page) == ["isolex", "map", *files[:2], *options, files[2]]


def test_the_command_names_a_language_only_if_its_file_does_not(tmp_path: Path) -> None:
    made = planted(words=100, dims=8)
    files, names = ("wiki.en.vec", "es.300.vec"), ("en", None)
    page = make_report(
        tmp_path, made.source, made.target, "artetxe2018", files=files, names=names
    ).page
    assert "en and es" in page.text
    paths = [f"en={tmp_path / files[0]}", str(tmp_path / files[1])]
    assert command_of(page)[2:4] == paths


def test_checksums_are_those_of_the_data(tmp_path: Path) -> None:
    made = planted(words=100, dims=8)
    found = report(tmp_path, made, "artetxe2018", gold=made.pairs[:20])
    inputs, text = found.run["inputs"], found.page.text
    for name in ("s", "t"):
        assert f"SHA-256 of the vectors: {inputs['vectors'][name]['vectors_sha256']}" in text
    assert f"SHA-256 of the pairs: {inputs['validation']['sha256']}" in text


def test_every_step_is_explained(tmp_path: Path) -> None:
    found = report(tmp_path, planted(words=100, dims=8))
    timings, text = found.run["timings"], found.page.text
    assert timings
    assert timings.keys() <= STEPS.keys()
    assert all(f"{step}{STEPS[step]}" in text for step in timings)


def test_it_needs_no_other_file(tmp_path: Path) -> None:
    found = report(tmp_path, planted(words=100, dims=8), "artetxe2018")
    tags = found.page.tags
    assert not any(tag in ("script", "link", "img", "iframe") for tag, _ in tags)
    assert not any({"src", "href"} & set(attrs) for _, attrs in tags)
    assert "--paper:" in found.html
    assert not re.search(r"https?:|url\(|@import", found.html)


def test_it_can_be_made_again_without_the_original_vectors(tmp_path: Path) -> None:
    made = planted(words=300, dims=15)
    found = report(tmp_path, made, "supervised")
    for name in ("s.vec", "t.vec"):
        (tmp_path / name).unlink()
    space = open_space(found.folder)
    assert render(space, {space.names: space.lexicon()}, found.run, {}) == found.html


def test_without_an_inverse_map_there_is_no_view_of_the_vectors_before(tmp_path: Path) -> None:
    found = report(tmp_path, planted(words=300, dims=15), "supervised")
    source, target = found.space.languages
    flattened = source.map.matrix.copy()
    flattened[:, 0] = 0
    languages = (replace(source, map=LinearMap(flattened)), target)
    space = replace(found.space, languages=languages)
    page = Page(render(space, {space.names: found.lexicon}, found.run, {}))
    assert "Why it can work" in found.page.text
    assert "Why it can work" not in page.text
    assert "Before and after" not in page.text
    assert "Samples" in page.text


def test_vectors_of_different_dimensions_have_a_page(tmp_path: Path) -> None:
    page = report(tmp_path, planted(words=200, dims=10, target_dims=12), "supervised").page
    assert re.search(r"200 words . 10 dimensions and 200 words . 12 dimensions", page.text)
    assert "Samples" in page.text


def test_words_cannot_inject_html(tmp_path: Path) -> None:
    made = planted(words=60, dims=6)
    words = ["<script>alert(1)</script>", "&amp;", '"onload="x', "\udcff", *made.source.words[4:]]
    page = report(tmp_path, Planted(Embeddings(words, made.source.vectors), made.target)).page
    assert "<script>alert(1)</script>" in page.text
    assert "&amp;" in page.text
    assert '"onload="x' in page.text
    assert "\\udcff" in page.text
    assert not any(tag == "script" for tag, _ in page.tags)
    assert not any("onload" in attrs for _, attrs in page.tags)


def test_file_names_cannot_inject_html(tmp_path: Path) -> None:
    made = planted(words=60, dims=6)
    files = ("<script>x<br>.vec", "&lt;'\".vec")
    page = make_report(tmp_path, made.source, made.target, "artetxe2018", files=files).page
    assert "<script>x<br> and &lt;'\"" in page.text
    assert not {"script", "br"} & {tag for tag, _ in page.tags}
    assert command_of(page)[2:4] == [str(tmp_path / name) for name in files]


def test_without_self_learning_there_is_no_curve(tmp_path: Path) -> None:
    page = report(tmp_path, planted(words=200, dims=10), "supervised").page
    assert "Self-learning" not in page.text
    assert "Samples" in page.text
    assert "Fitted temperature" not in page.text


def test_a_fitted_temperature_is_shown(tmp_path: Path) -> None:
    page = report(tmp_path, planted(words=200, dims=10, noise=0.3), "smith2017").page
    assert re.search(r"Fitted temperature of the inverted softmax: 0\.\d{4}\.", page.text)


def test_a_failure_comes_first(tmp_path: Path) -> None:
    page = report(tmp_path, Planted(noise(60, 10, 0), noise(60, 10, 1)), "artetxe2018").page
    assert page.text.index("Failed") < page.text.index("Self-learning")
    assert {"class": "verdict failed"} in [attrs for _, attrs in page.tags]


@pytest.mark.parametrize("outcome", list(VERDICTS))
def test_each_verdict_comes_with_its_meaning_and_evidence(tmp_path: Path, outcome: str) -> None:
    found = report(tmp_path, planted(words=100, dims=8), "supervised")
    run = found.run | {"verdict": outcome, "reason": "a <reason>"}
    page = Page(render(found.space, {found.space.names: found.lexicon}, run, {}))
    assert {"class": f"verdict {outcome}"} in [attrs for _, attrs in page.tags]
    for text in (outcome.capitalize(), VERDICTS[outcome], "Evidence: a <reason>."):
        assert text in page.text


@pytest.mark.parametrize(
    ("finished", "count", "taken"), [(True, 1, 1), (True, 3, 0), (False, 3, 2)]
)
def test_restarts_are_counted(tmp_path: Path, finished: bool, count: int, taken: int) -> None:
    found = report(tmp_path, planted(words=60, dims=6), "supervised")
    attempts = [{"taken": n < taken, "finished": True} for n in range(count)]
    attempts[-1]["finished"] = finished
    run = found.run | {"attempts": attempts}
    page = Page(render(found.space, {found.space.names: found.lexicon}, run, {}))
    text = " ".join(page.text.split())
    assert f"{count} restart{'s' if count > 1 else ''} and continued from {taken or 'none'}" in text
    assert ("--budget" in text) is not finished


@pytest.mark.parametrize("used", [True, False])
def test_spelling_is_mentioned_if_it_was_considered(tmp_path: Path, used: bool) -> None:
    found = report(tmp_path, planted(words=60, dims=6), "supervised")
    lexicons = {found.space.names: found.lexicon}
    run = found.run | {"spelling": {"alike": 0.256, "used": used}}
    text = " ".join(Page(render(found.space, lexicons, run, {})).text.split())
    said = "26 % of the surest pairs are spelled alike, so spelling was "
    assert said + ("used" if used else "not used") + " as evidence" in text
    assert "spelled alike" not in Page(render(found.space, lexicons, found.run, {})).text


@pytest.mark.parametrize("words", [2, 5, 12])
def test_a_few_words_are_enough(tmp_path: Path, words: int) -> None:
    page = report(tmp_path, planted(words=words, dims=4), "artetxe2018").page
    assert "Samples" in page.text


def test_zero_vectors_do_not_break_the_page(tmp_path: Path) -> None:
    made = planted(words=100, dims=8)
    vectors = made.source.vectors.copy()
    vectors[[0, 30, 60]] = 0
    page = report(
        tmp_path, Planted(Embeddings(made.source.words, vectors), made.target), "supervised"
    ).page
    assert "nan" not in page.text
