"""The report on three or more languages."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from isolex import io
from isolex.core.choices import Outcome, VectorFormat
from isolex.run.folder import RunFolder
from isolex.run.inputs import VectorInput
from isolex.run.results import Results
from isolex.systems.align import align
from isolex.web.report import render
from isolex.web.wording import MARKS
from tests.planted import planted_languages
from tests.web.explorer.several import four, space_of, twenty
from tests.web.report.pages import Page
from tests.web.report.several import connected, page_of, with_pair


def text_of(html: str) -> str:
    return " ".join(Page(html).text.split())


def cells_of(html: str) -> list[str]:
    """The contents of the cells of the matrix."""
    return re.findall(r'<td class="cell [^>]*>(.*?)</td>', html)


def test_it_has_every_section_in_order() -> None:
    text = text_of(page_of(four()))
    sections = (
        "en, es, pl and xx",
        "4 languages of 80 words, mapped into one space of 12 dimensions",
        "Failed: xx is not connected",
        "6 pairs of languages: 2 ✓ succeeded 1 ? doubtful 3 ✗ failed",
        "✓ en Aligned with es; doubtful with pl",
        "✗ xx Not connected with any other language",
        "The evidence for each pair",
        "How the languages are connected",
        "Sample words",
        "lexicons/en-es.tsv",
        "Course of the run",
        "Time",
        "To repeat it",
    )
    places = [text.index(section) for section in sections]
    assert places == sorted(places)


def test_a_run_is_shown_as_it_was(tmp_path: Path) -> None:
    languages = planted_languages(3, words=150, dims=10)
    gold = {("a", "c"): [(f"a{row}", f"c{row}") for row in range(50)]}
    space = align(*languages, system="artetxe2018", validation=gold, progress=False)
    for one in languages:
        io.save(one, tmp_path / f"{one.name}.vec")
    vectors = [VectorInput.read(tmp_path / f"{name}.vec") for name in space.names]
    lexicons = {("a", other): space.lexicon("a", other) for other in "bc"}
    run = RunFolder(tmp_path / "out")
    run.prepare(vectors, VectorFormat.NONE)
    results = Results(space, lexicons, vectors, {}, {}, {})
    facts = run.write(results, VectorFormat.NONE, render)
    html = (run.path / "report.html").read_text(encoding="utf-8")
    text = text_of(html)
    for label, about in facts["lexicons"].items():
        assert re.search(rf"lexicons/{label}.tsv. \w+{about['entries']}{about['mutual']}", text)
    for label, about in facts["pairs"].items():
        counted = sum(record.pair == label for record in space.history)
        if about["alone"]:
            assert re.search(rf"{label}. {about['alone']}{counted}0\.\d{{4}}", text)
        shares = f"{MARKS[Outcome(about['verdict'])]}<br>{100 * about['mutual']:.0f}"
        assert [cell for cell in cells_of(html) if cell.startswith(shares)]
    accuracy = f"<i>{facts['pairs']['a-c']['validation']:.1f}</i>"
    assert [cell.endswith(accuracy) for cell in cells_of(html)].count(True) == 2
    assert json.loads((run.path / "run.json").read_text(encoding="utf-8"))["verdict"] in text
    moved = [record for record in space.history if record.pair == "all"]
    assert moved
    for record in moved:
        assert f"{record.iteration}{record.cutoff:,}{record.objective:.4f}" in text


def test_it_needs_no_other_file_and_has_no_plot_of_two_languages() -> None:
    html = page_of(four())
    tags = Page(html).tags
    assert not {tag for tag, _ in tags} & {"script", "link", "img", "iframe", "svg"}
    assert not any({"src", "href"} & set(attrs) for _, attrs in tags)
    assert not re.search(r"https?:|url\(|@import", html)


def test_each_verdict_in_the_matrix_has_a_mark_and_evidence_to_point_at() -> None:
    html = page_of(four())
    marks = re.sub("<.*?>", "", "".join(cells_of(html)))
    assert {mark: marks.count(mark) for mark in "✓?✗↑"} == {"✓": 4, "?": 2, "✗": 6, "↑": 2}
    titles = [attrs["title"] for tag, attrs in Page(html).tags if tag == "td" and "title" in attrs]
    assert len(titles) == 12
    assert all(title is not None and "it recovers" in title for title in titles)
    assert "en and pl: doubtful." in titles[1]  # type: ignore[operator]


def test_recovered_pairs_and_accuracy_are_explained_only_if_there_are_any() -> None:
    plain = connected(("a", "b", "c"), ("a", "b", "c"))
    text = text_of(page_of(plain))
    assert "recovered:" not in text
    assert "precision@1" not in text
    assert "recovered:" in text_of(page_of(four()))
    validated = with_pair(plain, "a", "c", replace(plain.about("a", "c"), validation=12.34))
    html = page_of(validated)
    assert "precision@1 on the validation pairs" in text_of(html)
    assert sum("<i>12.3</i>" in cell for cell in cells_of(html)) == 2


def test_it_says_what_to_do_about_languages_that_nothing_connects() -> None:
    text = text_of(page_of(four()))
    assert "To connect en and xx, give some training pairs (--lexicon en-xx=FILE)" in text
    assert "✗ xx Not connected: no pair with another language was reliable enough." in text
    good = text_of(page_of(connected(("a", "b", "c"), ("a", "b", "c"))))
    assert "To connect" not in good
    assert "Not connected" not in good


def test_a_success_looks_good_and_a_failure_does_not() -> None:
    good = Page(page_of(connected(("a", "b", "c"), ("a", "b", "c"))))
    assert {"class": "verdict succeeded"} in [attrs for _, attrs in good.tags]
    bad = Page(page_of(four()))
    assert {"class": "verdict failed"} in [attrs for _, attrs in bad.tags]
    shares = [attrs for _, attrs in bad.tags if "flex-grow" in (attrs.get("style") or "")]
    assert [(one["class"], one["style"]) for one in shares] == [
        ("succeeded", "flex-grow: 2"),
        ("doubtful", "flex-grow: 1"),
        ("failed", "flex-grow: 3"),
    ]


def test_hubs_are_words_of_the_language_that_is_translated_into() -> None:
    html = page_of(four())
    [row] = re.findall(r"lexicons/en-pl\.tsv.*?</tr>", html)
    assert len(re.findall(r"<bdi>(?:pl|same)\d+</bdi> \(\d+\)", row)) == 3


def test_twenty_languages_have_a_page() -> None:
    html = page_of(twenty())
    assert len(cells_of(html)) == 380
    assert 'class="matrix small"' in html
    assert "Aligned with all others" in text_of(html)


@pytest.mark.parametrize("name", ["<script>", "a&amp;b", '"onload="x', "\udcff"])
def test_names_and_words_cannot_inject_html(name: str) -> None:
    page = Page(page_of(space_of((name, "es", "pl"), {}, words=20)))
    assert not any(tag == "script" for tag, _ in page.tags)
    assert not any("onload" in attrs for _, attrs in page.tags)
    assert name.encode("utf-8", "backslashreplace").decode() in page.text
