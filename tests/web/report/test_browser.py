"""The report in a browser: on a phone, in dark mode, and printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from isolex import Embeddings
from tests.planted import planted
from tests.web.explorer.several import four, space_of, twenty
from tests.web.report.pages import make_report
from tests.web.report.several import page_of

pytestmark = pytest.mark.browser

SETTINGS = "details pre"
PHONE = {"width": 390, "height": 800}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = planted(words=300, dims=10)
    folder = tmp_path_factory.mktemp("report")
    pairs = made.pairs[:60]
    return make_report(folder, made.source, made.target, "supervised", lexicon=pairs).path


def open_page(browser: Browser, path: Path, **options: object) -> Page:
    page = browser.new_context(**options).new_page()  # type: ignore[arg-type]
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(path.as_uri())
    assert requested == [path.as_uri()], "the page requested another file"
    return page


@pytest.mark.parametrize("width", [320, 1000])
def test_nothing_is_wider_than_the_screen(browser: Browser, report: Path, width: int) -> None:
    page = open_page(browser, report, viewport={"width": width, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [320, 1000])
@pytest.mark.parametrize("languages", [4, 20])
def test_nothing_about_several_languages_is_wider_than_the_screen(
    browser: Browser, tmp_path: Path, width: int, languages: int
) -> None:
    path = tmp_path / "report.html"
    path.write_text(page_of(four() if languages == 4 else twenty()), encoding="utf-8")
    page = open_page(browser, path, viewport={"width": width, "height": 700})
    page.evaluate("document.querySelectorAll('details').forEach(it => it.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_long_names_of_languages_fit_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    names = [f"{letter}-language-with-a-very-long-name-indeed" for letter in "abc"]
    path = tmp_path / "report.html"
    path.write_text(page_of(space_of(names, {}, words=20)), encoding="utf-8")
    page = open_page(browser, path, viewport={"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_matrix_is_legible(browser: Browser, tmp_path: Path, scheme: str) -> None:
    path = tmp_path / "report.html"
    path.write_text(page_of(four()), encoding="utf-8")
    page = open_page(browser, path, viewport=PHONE, color_scheme=scheme)
    colours = page.evaluate(
        """[...document.querySelectorAll(".cell")].map(cell => {
            const style = getComputedStyle(cell);
            return [cell.className.replace(" recovered", ""), style.backgroundColor,
                    style.backgroundImage, parseFloat(style.fontSize)]})"""
    )
    looks = {name: (colour, image) for name, colour, image, _ in colours}
    assert len(set(looks.values())) == 3, "succeeded, doubtful and failed look different"
    assert min(size for *_, size in colours) > 11


def test_on_a_phone_words_and_numbers_do_not_wrap(browser: Browser, tmp_path: Path) -> None:
    made = planted(words=2000, dims=10)
    source, target = (
        Embeddings([f"{word}isattended" for word in language.words], language.vectors)
        for language in (made.source, made.target)
    )
    pairs = [(f"{one}isattended", f"{other}isattended") for one, other in made.pairs[:60]]
    report = make_report(tmp_path, source, target, "supervised", lexicon=pairs)
    page = open_page(browser, report.path, viewport=PHONE)
    lines = page.evaluate(
        """[...document.querySelectorAll("td.n, td.n + td")].map(cell => {
            const range = document.createRange(); range.selectNodeContents(cell);
            return new Set([...range.getClientRects()].map(box => box.top)).size})"""
    )
    assert len(lines) > 100
    assert set(lines) <= {0, 1}


def test_on_a_phone_the_text_of_plots_is_legible(browser: Browser, report: Path) -> None:
    page = open_page(browser, report, viewport=PHONE)
    sizes = page.evaluate(
        """[...document.querySelectorAll("svg text")].map(text =>
            parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""
    )
    assert min(sizes) > 11


def test_dark_mode_is_light_on_dark(browser: Browser, report: Path) -> None:
    page = open_page(browser, report, color_scheme="dark")
    ink, paper = (
        page.evaluate(f"getComputedStyle(document.body).{name}")
        for name in ("color", "backgroundColor")
    )
    assert brightness(ink) > 200 > 60 > brightness(paper)


def test_in_print_everything_is_open_and_no_figure_is_split(browser: Browser, report: Path) -> None:
    page = open_page(browser, report, color_scheme="dark")
    settings = page.locator(SETTINGS).first
    assert not settings.is_visible()
    page.emulate_media(media="print")
    assert settings.is_visible()
    assert brightness(page.evaluate("getComputedStyle(document.body).color")) < 60
    kept = page.locator("figure").first.evaluate("it => getComputedStyle(it).breakInside")
    assert kept == "avoid"
    assert settings.evaluate("it => getComputedStyle(it).columnCount") == "4"
    whole = page.locator(".whole").evaluate_all(
        "all => all.map(it => getComputedStyle(it).breakInside)"
    )
    assert whole == ["avoid"] * 4
    assert page.pdf().startswith(b"%PDF")


def brightness(colour: str) -> float:
    """The mean of the channels of a colour such as rgb(20, 23, 26)."""
    parts = colour[colour.index("(") + 1 : -1].split(",")[:3]
    return sum(map(float, parts)) / 3
