"""The report: whole by itself, true to the run, and safe whatever the words are."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from isolex import Embeddings, io
from isolex.core.history import Record
from isolex.run.folder import RunFolder
from isolex.run.inputs import Input, PairsInput
from isolex.systems import get
from isolex.systems.align import align
from isolex.web.report import look, render
from isolex.web.report.page import STEPS
from tests.planted import Planted, noise, planted

VOID = {"meta", "circle", "path", "rect"}


class Checker(HTMLParser):
    """Remembers the tags and the text, and that every tag is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def report(
    folder: Path, made: Planted, system: str = "robust", gold: list[tuple[str, str]] | None = None
) -> Checker:
    for name, side in (("s.vec", made.src), ("t.vec", made.trg)):
        io.save(side, folder / name)
    sides = Input.read(folder / "s.vec"), Input.read(folder / "t.vec")
    pairs = made.pairs[:60] if get(system).takes_lexicon else None
    alignment = align(made.src, made.trg, system, lexicon=pairs, validation=gold, budget=None)
    run = RunFolder(folder / "out")
    run.prepare(*sides, "none")
    given = {"validation": PairsInput(folder / "gold.txt", gold)} if gold else {}
    run.write(alignment, alignment.lexicon(), *sides, "none", given, render=render)
    return Checker((folder / "out" / "report.html").read_text(encoding="utf-8"))


def headings(page: Checker) -> list[str]:
    return [tag for tag, _ in page.tags if tag == "h2"]


def test_it_says_what_there_is_to_say(tmp_path: Path) -> None:
    made = planted(words=300, dims=15)
    page = report(tmp_path, made, gold=made.pairs[:100])
    for part in (
        "s.vec and t.vec",
        "Succeeded",
        "precision@1",
        "Self-learning",
        "Why it can work",
        "Before and after",
        "Samples",
        "Hubs",
        "To repeat it",
    ):
        assert part in page.text, part
    charts = [attrs.get("aria-label") or "" for tag, attrs in page.tags if tag == "svg"]
    charts = [label for label in charts if label]
    for start in ("objective against", "keep_prob", "words against", "validation", "density"):
        assert any(label.startswith(start) for label in charts), start
    assert charts[-2:] == ["Before", "After"]


def test_the_command_can_be_given_anywhere(tmp_path: Path) -> None:
    folder = tmp_path / "a folder; <b>"
    folder.mkdir()
    made = planted(words=100, dims=8)
    page = report(folder, made, gold=made.pairs[:20])
    files = [str(folder / name) for name in ("s.vec", "t.vec", "gold.txt")]
    start = page.text.index("isolex map ")
    command = shlex.split(page.text[start : page.text.index("\n", start)])
    options = ["--out", "DIR", "--system", "robust", "--seed", "0", "--validation"]
    assert command == ["isolex", "map", *files[:2], *options, files[2]]


def test_it_says_of_what_the_checksums_are(tmp_path: Path) -> None:
    made = planted(words=100, dims=8)
    page = report(tmp_path, made, gold=made.pairs[:20])
    inputs = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))["inputs"]
    assert f"sha256 of the vectors: {inputs['src']['vectors_sha256']}" in page.text
    assert f"sha256 of the pairs: {inputs['validation']['sha256']}" in page.text


def test_every_step_is_explained(tmp_path: Path) -> None:
    page = report(tmp_path, planted(words=100, dims=8))
    timings = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))["timings"]
    assert timings.keys() <= STEPS.keys()
    assert all(f"{step}{STEPS[step]}" in page.text for step in timings)


def test_it_needs_nothing_else(tmp_path: Path) -> None:
    page = report(tmp_path, planted(words=100, dims=8))
    assert not any(tag in ("script", "link", "img", "iframe") for tag, _ in page.tags)
    assert not any({"src", "href"} & set(attrs) for _, attrs in page.tags)
    raw = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"https?:|url\(|@import", raw)


def test_words_are_data(tmp_path: Path) -> None:
    made = planted(words=60, dims=6)
    words = ["<script>alert(1)</script>", "&amp;", '"onload="x', "\udcff", *made.src.words[4:]]
    page = report(tmp_path, Planted(Embeddings(words, made.src.vectors), made.trg))
    assert "<script>alert(1)</script>" in page.text
    assert "&amp;" in page.text
    assert "\\udcff" in page.text
    assert not any(tag == "script" for tag, _ in page.tags)


def test_without_self_learning_there_is_no_curve(tmp_path: Path) -> None:
    page = report(tmp_path, planted(words=200, dims=10), "supervised")
    assert "Self-learning" not in page.text
    assert "Samples" in page.text
    assert "Temperature" not in page.text


def test_a_temperature_that_was_fitted_is_told(tmp_path: Path) -> None:
    page = report(tmp_path, planted(words=200, dims=10, noise=0.3), "smith2017")
    assert re.search(r"inverted softmax, as fitted: 0\.\d{4}\.", page.text)


def test_a_failure_is_said_first(tmp_path: Path) -> None:
    page = report(tmp_path, Planted(noise(60, 10, 0), noise(60, 10, 1)), "artetxe2018")
    assert page.text.index("Failed") < page.text.index("Self-learning")
    assert {"class": "verdict failed"} in [attrs for _, attrs in page.tags]


@pytest.mark.parametrize("words", [2, 5, 12])
def test_few_words_are_enough_for_a_page(tmp_path: Path, words: int) -> None:
    page = report(tmp_path, planted(words=words, dims=4), "artetxe2018")
    assert "Samples" in page.text


@pytest.mark.parametrize(("size", "count"), [(1, 50), (30, 50), (50, 50), (20_000, 50), (3, 2)])
def test_ranks_are_spread_over_the_whole_range(size: int, count: int) -> None:
    ranks = look.spread(size, count)
    assert ranks == sorted(set(ranks))
    assert len(ranks) == min(size, count)
    assert ranks[0] == 1
    assert ranks[-1] == size


def test_many_samples_are_of_rare_words() -> None:
    ranks = look.spread(5000, 50)
    assert sum(rank > 2500 for rank in ranks) >= 14
    assert sum(rank <= 100 for rank in ranks) >= 5


@pytest.mark.parametrize(("words", "expected"), [((120, 150), [100, 120]), ((90, 90), [90, 90])])
def test_so_many_words_take_part_as_there_are(words: tuple[int, int], expected: list[int]) -> None:
    made = planted(words=max(words), dims=8)
    src, trg = made.src.head(words[0]), made.trg.head(words[1])
    alignment = align(src, trg, "robust", budget=0, judge=False)
    stages = [{"keep_prob": 0.1, "cutoff": 100, "even": False}]
    stages.append({"keep_prob": 1.0, "cutoff": 10_000, "even": True})
    history = [
        Record(n, s["keep_prob"], int(s["cutoff"]), 0.5, 0.1, None) for n, s in enumerate(stages)
    ]
    seen = replace(alignment, settings={"schedule": stages}, history=tuple(history))
    assert look.taking_part(seen) == expected
    uneven = [stage | {"even": False} for stage in stages]
    seen = replace(seen, settings={"schedule": uneven})
    assert look.taking_part(seen)[-1] == max(words)


def test_the_unrelated_word_is_frequent_alike_and_far() -> None:
    made = planted(words=300, dims=15)
    alignment = align(made.src, made.trg, "supervised", lexicon=made.pairs[:60])
    lexicon = alignment.lexicon()
    for src, trg in look.mutual_pairs(lexicon, 20, 12):
        other = look.unrelated(alignment, src, trg)
        likes = alignment.space.trg @ alignment.space.src[src]
        assert 0 < abs(other - trg) <= look.LIKELY
        assert likes[other] < np.quantile(likes, 0.2) < likes[trg]
    words = [one.words for one in look.distributions(alignment, lexicon)]
    assert len(words) == 3
    assert words == [one.words for one in look.distributions(alignment, lexicon)]


def test_words_are_chosen_up_to_a_rank() -> None:
    made = planted(words=300, dims=15)
    lexicon = align(made.src, made.trg, "supervised", lexicon=made.pairs[:60]).lexicon()
    chosen = look.mutual_pairs(lexicon, 20, 10, 100)
    assert len(chosen) == 10
    assert all(20 <= src < 100 and trg < 100 for src, trg in chosen)
