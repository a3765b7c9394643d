"""The page in a real browser: typed, clicked, gone back, on a narrow screen, in the dark.

Needs Chromium: on the path, or the one that `playwright install chromium` fetches.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from isolex.web.explorer.html import shown
from tests.web.explorer.conftest import ODD

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[str]:
    """The address of the real command, in a process of its own."""
    command = [sys.executable, "-m", "isolex", "explore", str(folder), "--port", "0", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        yield address
        process.terminate()


@pytest.fixture
def visit(browser: Browser, server: str) -> Iterator[Open]:
    """Opens an address; whatever goes wrong in the page fails the test."""
    wrong: list[str] = []
    contexts = []

    def visit(address: str = "", **options: object) -> Page:
        context = browser.new_context(**options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
        page.on("request", lambda asked: wrong.append(asked.url) if server not in asked.url else 0)
        page.goto(server + address)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert wrong == []


def test_type_complete_choose_click_and_go_back(visit: Open) -> None:
    page = visit()
    box = page.get_by_role("combobox", name="Word")
    expect(box).to_be_focused()
    box.press_sequentially("moth")
    options = page.locator("#completions [role=option]")
    expect(options.first).to_contain_text("mother")
    expect(box).to_have_attribute("aria-expanded", "true")
    box.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    assert box.get_attribute("aria-activedescendant") == options.first.get_attribute("id")
    box.press("Enter")
    expect(page.get_by_role("heading", name="mother")).to_be_visible()
    csls = page.locator("section.own")
    expect(csls.get_by_role("link").first).to_have_text("madre")
    expect(csls.locator(".mutual")).to_have_count(1)
    csls.get_by_role("link", name="madre", exact=True).click()
    expect(page.get_by_role("heading", name="madre")).to_be_visible()
    expect(page.get_by_text("Translations into en")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="mother")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", name="madre")).to_be_visible()


def test_the_list_closes_and_the_typed_word_is_looked_up(visit: Open) -> None:
    page = visit()
    box = page.get_by_role("combobox", name="Word")
    box.press_sequentially("father")
    expect(page.get_by_role("listbox")).to_be_visible()
    box.press("ArrowUp")
    box.press("ArrowDown")
    box.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    expect(box).to_have_attribute("aria-expanded", "false")
    box.press("Enter")
    expect(page.get_by_role("heading", name="father")).to_be_visible()
    expect(box).not_to_be_focused()
    page.keyboard.press("/")
    expect(box).to_be_focused()
    page.keyboard.type("night")
    page.locator("#completions [role=option]").first.click()
    expect(page.get_by_role("heading", name="night")).to_be_visible()


def test_the_picture_can_be_clicked_through(visit: Open) -> None:
    page = visit("en-es/?word=mother")
    picture = page.get_by_role("group", name="The neighbourhood of mother")
    expect(picture).to_have_count(1)
    spot = picture.get_by_role("link").first
    word = spot.locator("text").text_content() or ""
    spot.locator("text").click()
    expect(page.locator("h2.asked")).to_have_text(word)
    assert word != "mother"


def test_a_word_that_is_not_there(visit: Open) -> None:
    page = visit("en-es/")
    box = page.get_by_role("combobox", name="Word")
    box.fill("mothr")
    page.get_by_role("button", name="Look up").click()
    expect(page.get_by_role("status")).to_contain_text("This word is not among")
    page.get_by_role("link", name="mother", exact=True).click()
    expect(page.get_by_role("heading", name="mother")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1000])
def test_nothing_sticks_out_of_the_screen(visit: Open, width: int) -> None:
    for word in ("mother", ODD[7]):
        page = visit(f"en-es/?word={word}&k=20", viewport={"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        expect(page.locator(".narrow" if width == 360 else ".broad")).to_be_visible()
        expect(page.locator(".broad" if width == 360 else ".narrow")).to_be_hidden()


def test_light_and_dark(visit: Open) -> None:
    def lightness(scheme: str) -> tuple[int, int]:
        page = visit("en-es/?word=mother", color_scheme=scheme)
        script = "name => getComputedStyle(document.body)[name].match(/\\d+/g).map(Number)"
        paper, ink = (page.evaluate(script, name) for name in ("backgroundColor", "color"))
        return sum(paper), sum(ink)

    paper, ink = lightness("light")
    assert paper > 700 > 200 > ink
    paper, ink = lightness("dark")
    assert paper < 100 < 600 < ink


@pytest.mark.parametrize("word", ODD, ids=range(len(ODD)))
def test_words_are_shown_not_run(visit: Open, word: str) -> None:
    page = visit(f"en-es/?word={quote(word.encode('utf-8', 'surrogateescape'), safe='')}&reverse=0")
    expect(page.locator("h2.asked bdi")).to_have_text(shown(word))
    assert page.locator("script").count() == 1
    assert page.locator("img").count() == 0


def test_a_completion_is_shown_not_run(visit: Open) -> None:
    page = visit("en-es/")
    page.get_by_role("combobox", name="Word").press_sequentially("<scr")
    expect(page.locator("#completions [role=option]").first).to_contain_text(ODD[0])
    page.get_by_role("combobox", name="Word").fill("caf")
    option = page.locator("#completions [role=option]").filter(has_text="caf\\udce9").first
    option.click()
    expect(page.locator("h2.asked")).to_have_text("caf\\udce9")


def test_the_plain_look_up_needs_no_script(visit: Open) -> None:
    page = visit("en-es/", java_script_enabled=False)
    page.get_by_label("Word").fill("mother")
    page.get_by_label("Of", exact=True).select_option("en")
    page.get_by_role("button", name="Look up").click()
    page.locator("section.own").get_by_role("link", name="madre", exact=True).click()
    expect(page.locator("h2.asked")).to_have_text("madre")
    page.go_back()
    expect(page.locator("h2.asked")).to_have_text("mother")


def test_the_lexicon_is_downloaded(visit: Open, folder: Path) -> None:
    page = visit("en-es/")
    with page.expect_download() as download:
        page.get_by_role("link", name="download the lexicon").click()
    assert download.value.suggested_filename == "en-es.tsv"
    assert download.value.path().read_bytes() == (folder / "lexicon.tsv").read_bytes()


def test_all_can_be_reached_by_keyboard(visit: Open) -> None:
    page = visit("en-es/?word=mother")
    page.keyboard.press("/")
    reached = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.textContent.trim()"))
    assert "Look up" in reached
    assert "madre" in reached
