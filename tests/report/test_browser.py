"""The report in a real browser: on a phone, in the dark, on paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.planted import planted
from tests.report.test_page import report

SETTINGS = "details pre"


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
    assert page.pdf().startswith(b"%PDF")


def _light(colour: str) -> float:
    """The mean of a colour such as rgb(20, 23, 26)."""
    parts = colour[colour.index("(") + 1 : -1].split(",")[:3]
    return sum(map(float, parts)) / 3
