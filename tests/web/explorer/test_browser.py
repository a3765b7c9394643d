"""The pages in a real browser: typing, clicking, going back, a narrow screen, dark mode.

Needs Chromium: from the path, or the one that `playwright install chromium` downloads.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from isolex.web.explorer.links import readable
from tests.web.explorer.conftest import HOSTILE

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[str]:
    """The address of a running `isolex explore`."""
    with serve(folder) as address:
        yield address


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Run `isolex explore`."""
    command = [sys.executable, "-m", "isolex", "explore", str(folder), "--port", "0", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        yield address
        process.terminate()


@pytest.fixture
def visit(browser: Browser, server: str) -> Iterator[Visit]:
    """Opens an address; an error in the page or a request to another server fails the test."""
    problems: list[str] = []
    requests: list[str] = []
    contexts = []

    def visit(address: str = "", **options: object) -> Page:
        context = browser.new_context(**options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: problems.append(f"dialog: {dialog.message}"))
        page.on("request", lambda sent: requests.append(sent.url))
        page.goto(server + address)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert problems == []
    assert all(url.startswith(server) for url in requests), "nothing is loaded from elsewhere"


def test_a_word_can_be_typed_completed_and_clicked_and_back_works(visit: Visit) -> None:
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


def test_escape_closes_the_list_and_enter_looks_up_the_typed_word(visit: Visit) -> None:
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


def test_words_in_the_picture_are_links(visit: Visit) -> None:
    page = visit("en-es/?word=mother")
    picture = page.get_by_role("group", name="The neighbourhood of mother")
    expect(picture).to_have_count(1)
    spot = picture.get_by_role("link").first
    word = spot.locator("text").text_content() or ""
    spot.locator("text").click()
    expect(page.locator("h2.looked-up")).to_have_text(word)
    assert word != "mother"


def test_an_unknown_word_leads_to_suggestions(visit: Visit) -> None:
    page = visit("en-es/")
    box = page.get_by_role("combobox", name="Word")
    box.fill("mothr")
    page.get_by_role("button", name="Look up").click()
    expect(page.get_by_role("status")).to_contain_text("not in the vocabular")
    page.get_by_role("link", name="mother", exact=True).click()
    expect(page.get_by_role("heading", name="mother")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1000])
def test_nothing_overflows_the_screen(visit: Visit, width: int) -> None:
    for word in ("mother", HOSTILE[7]):
        page = visit(f"en-es/?word={word}&k=20", viewport={"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        expect(page.locator(".narrow" if width == 360 else ".broad")).to_be_visible()
        expect(page.locator(".broad" if width == 360 else ".narrow")).to_be_hidden()


def test_light_and_dark_mode(visit: Visit) -> None:
    def lightness(scheme: str) -> tuple[int, int]:
        page = visit("en-es/?word=mother", color_scheme=scheme)
        script = "name => getComputedStyle(document.body)[name].match(/\\d+/g).map(Number)"
        paper, ink = (page.evaluate(script, name) for name in ("backgroundColor", "color"))
        return sum(paper), sum(ink)

    paper, ink = lightness("light")
    assert paper > 700 > 200 > ink
    paper, ink = lightness("dark")
    assert paper < 100 < 600 < ink


@pytest.mark.parametrize("word", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_words_are_shown_as_text(visit: Visit, word: str) -> None:
    page = visit(f"en-es/?word={quote(word.encode('utf-8', 'surrogateescape'), safe='')}&from=en")
    expect(page.locator("h2.looked-up bdi")).to_have_text(readable(word))
    assert page.locator("script").count() == 1
    assert page.locator("img").count() == 0


def test_hostile_completions_are_shown_as_text(visit: Visit) -> None:
    page = visit("en-es/")
    page.get_by_role("combobox", name="Word").press_sequentially("<scr")
    expect(page.locator("#completions [role=option]").first).to_contain_text(HOSTILE[0])
    page.get_by_role("combobox", name="Word").fill("caf")
    option = page.locator("#completions [role=option]").filter(has_text="caf\\udce9").first
    option.click()
    expect(page.locator("h2.looked-up")).to_have_text("caf\\udce9")


def test_look_ups_work_without_javascript(visit: Visit) -> None:
    page = visit("en-es/", java_script_enabled=False)
    page.get_by_label("Word").fill("mother")
    page.get_by_label("From", exact=True).select_option("en")
    page.get_by_role("button", name="Look up").click()
    page.locator("section.own").get_by_role("link", name="madre", exact=True).click()
    expect(page.locator("h2.looked-up")).to_have_text("madre")
    page.go_back()
    expect(page.locator("h2.looked-up")).to_have_text("mother")


def test_the_lexicon_can_be_downloaded(visit: Visit, folder: Path) -> None:
    page = visit("en-es/")
    with page.expect_download() as download:
        page.get_by_role("link", name="download the lexicon").click()
    assert download.value.suggested_filename == "en-es.tsv"
    assert download.value.path().read_bytes() == (folder / "lexicon.tsv").read_bytes()


def test_everything_can_be_reached_by_keyboard(visit: Visit) -> None:
    page = visit("en-es/?word=mother")
    page.keyboard.press("/")
    reached = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.textContent.trim()"))
    assert "Look up" in reached
    assert "madre" in reached
