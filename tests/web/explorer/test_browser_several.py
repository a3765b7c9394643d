"""The pages of twenty languages in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.web.explorer.several import twenty
from tests.web.explorer.test_browser import Visit, serve, visit

pytestmark = pytest.mark.browser
__all__ = ["visit"]  # the fixture


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running `isolex explore`."""
    folder: Path = tmp_path_factory.mktemp("explorer") / "all"
    twenty().save(folder)
    with serve(folder) as address:
        yield address


def test_languages_are_chosen_by_keyboard_without_javascript(visit: Visit) -> None:
    page = visit("all/?word=same10", java_script_enabled=False)
    expect(page.locator("section.column")).to_have_count(19)
    page.get_by_role("textbox", name="Word").focus()
    page.keyboard.press("Tab")
    page.keyboard.type("l17")
    page.keyboard.press("Tab")
    page.keyboard.type("l3")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Translations into l3")).to_be_visible()
    expect(page.get_by_label("From", exact=True)).to_have_value("l17")
    page.get_by_role("link", name="all languages").click()
    expect(page.get_by_role("heading", name="Translations from l17 into all")).to_be_visible()


def test_a_click_leads_to_another_language_or_to_two_of_them(visit: Visit) -> None:
    page = visit("all/?word=same10")
    page.get_by_role("link", name="l12", exact=True).first.click()
    expect(page.get_by_role("heading", name="Translations from l12 into all")).to_be_visible()
    page.get_by_role("heading", name="l5", exact=True).get_by_role("link").click()
    expect(page.get_by_role("heading", name="Translations into l5")).to_be_visible()


def test_a_completed_word_is_translated_into_all_languages(visit: Visit) -> None:
    page = visit("all/")
    page.get_by_role("combobox", name="Word").press_sequentially("same1")
    options = page.locator("#completions [role=option]")
    expect(options.first).to_contain_text("same10")
    expect(options).to_have_count(1)
    options.first.click()
    expect(page.get_by_role("heading", name="Translations from l0 into all")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1000])
def test_nothing_overflows_the_screen(visit: Visit, width: int) -> None:
    for query in ("", "?word=same10", "?word=same10&to=l5", "?word=l5"):
        page = visit(f"all/{query}", viewport={"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        chosen = page.get_by_label("To", exact=True)
        assert chosen.evaluate("one => one.scrollWidth <= one.clientWidth")
