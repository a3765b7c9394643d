"""The report in a real browser: on a phone, in the dark, on paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from isolex import Embeddings
from tests.planted import Planted, planted
from tests.web.report.test_page import report

SETTINGS = "details pre"
PHONE = {"width": 390, "height": 800}


@pytest.fixture(scope="module")
def page_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    report(folder, planted(words=300, dims=10), "supervised")
    return folder / "out" / "report.html"


def opened(browser: Browser, path: Path, **options: object) -> Page:
    page = browser.new_context(**options).new_page()  # type: ignore[arg-type]
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(path.as_uri())
    assert asked == [path.as_uri()], "the page asked for something else"
    return page


@pytest.mark.parametrize("width", [320, 1000])
def test_nothing_sticks_out_of_the_screen(browser: Browser, page_path: Path, width: int) -> None:
    page = opened(browser, page_path, viewport={"width": width, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_phone_words_and_numbers_are_whole(browser: Browser, tmp_path: Path) -> None:
    made = planted(words=2000, dims=10)
    src, trg = (
        Embeddings([f"{word}isattended" for word in side.words], side.vectors)
        for side in (made.src, made.trg)
    )
    report(tmp_path, Planted(src, trg), "supervised")
    page = opened(browser, tmp_path / "out" / "report.html", viewport=PHONE)
    lines = page.evaluate(
        """[...document.querySelectorAll("td.n, td.n + td")].map(cell => {
            const range = document.createRange(); range.selectNodeContents(cell);
            return new Set([...range.getClientRects()].map(box => box.top)).size})"""
    )
    assert len(lines) > 100
    assert set(lines) <= {0, 1}


def test_on_a_phone_the_text_of_pictures_can_be_read(browser: Browser, page_path: Path) -> None:
    page = opened(browser, page_path, viewport=PHONE)
    sizes = page.evaluate(
        """[...document.querySelectorAll("svg text")].map(text =>
            parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""
    )
    assert min(sizes) > 11


def test_light_on_dark_where_the_system_is_dark(browser: Browser, page_path: Path) -> None:
    page = opened(browser, page_path, color_scheme="dark")
    ink, paper = (
        page.evaluate(f"getComputedStyle(document.body).{name}")
        for name in ("color", "backgroundColor")
    )
    assert _light(ink) > 200 > 60 > _light(paper)


def test_on_paper_all_is_open_and_no_figure_is_cut(browser: Browser, page_path: Path) -> None:
    page = opened(browser, page_path, color_scheme="dark")
    settings = page.locator(SETTINGS).first
    assert not settings.is_visible()
    page.emulate_media(media="print")
    assert settings.is_visible()
    assert _light(page.evaluate("getComputedStyle(document.body).color")) < 60
    kept = page.locator("figure").first.evaluate("it => getComputedStyle(it).breakInside")
    assert kept == "avoid"
    assert settings.evaluate("it => getComputedStyle(it).columnCount") == "4"
    whole = page.locator(".whole").evaluate_all(
        "all => all.map(it => getComputedStyle(it).breakInside)"
    )
    assert whole == ["avoid"] * 4
    assert page.pdf().startswith(b"%PDF")


def _light(colour: str) -> float:
    """The mean of a colour such as rgb(20, 23, 26)."""
    parts = colour[colour.index("(") + 1 : -1].split(",")[:3]
    return sum(map(float, parts)) / 3
