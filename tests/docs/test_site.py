"""The site builds without warnings, its links work, and it loads nothing from other servers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from isolex.cli import app

ROOT = Path(__file__).parents[2]
LOADED = {("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src")}
CSS_URL = re.compile(r"""url\(\s*['"]?(?!data:)([^'")]+)|@import\s+['"]([^'"]+)""")
NOT_LOADED = {"canonical", "prev", "next", "alternate"}


@dataclass
class ParsedPage(HTMLParser):
    """The links of a page, the files it loads, and its anchors."""

    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.anchors |= {value for name in ("id", "name") if (value := attributes.get(name))}
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"] or "")
        for name, value in attributes.items():
            if (tag, name) in LOADED and value and attributes.get("rel") not in NOT_LOADED:
                self.loaded.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert "WARNING" not in done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, ParsedPage]:
    found = {}
    for path in sorted(site.rglob("*.html")):
        found[path] = ParsedPage()
        found[path].feed(path.read_text(encoding="utf-8"))
    return found


@pytest.mark.slow
def test_every_link_and_anchor_exists(site: Path, pages: dict[Path, ParsedPage]) -> None:
    assert len(pages) > 15
    broken = []
    for path, page in pages.items():
        if path.name == "404.html":  # a server may show it at any address: its links are absolute
            continue
        address = f"http://site/{path.relative_to(site)}"
        for link in [*page.links, *page.loaded]:
            url = urlsplit(urljoin(address, link))
            if url.netloc != "site":
                continue
            target = site / unquote(url.path).lstrip("/")
            target = target / "index.html" if target.is_dir() else target
            exists = target.is_file() and (
                not url.fragment
                or unquote(url.fragment) in pages[target].anchors
                or url.fragment.startswith("__")  # made by the theme's script
            )
            if not exists:
                broken.append(f"{path.relative_to(site)}: {link}")
    assert not broken


@pytest.mark.slow
def test_no_page_loads_anything_from_another_server(
    site: Path, pages: dict[Path, ParsedPage]
) -> None:
    outside = [
        f"{path.name}: {link}"
        for path, page in pages.items()
        for link in page.loaded
        if urlsplit(link).scheme in ("http", "https") or link.startswith("//")
    ]
    for sheet in site.rglob("*.css"):
        found = CSS_URL.findall(sheet.read_text(encoding="utf-8"))
        urls = (url or imported for url, imported in found)
        outside += [f"{sheet.name}: {url}" for url in urls if urlsplit(url).netloc]
    assert not outside


def test_the_commands_page_shows_the_help_of_every_command() -> None:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"<!-- help: (.*?) -->", text))
    names = {str(command.name) for command in app.registered_commands}
    for group in app.registered_groups:
        assert group.typer_instance is not None
        commands = group.typer_instance.registered_commands
        names |= {str(group.name), *(f"{group.name} {command.name}" for command in commands)}
    assert shown == names


@pytest.mark.slow
def test_the_python_page_describes_every_public_name(
    site: Path, pages: dict[Path, ParsedPage]
) -> None:
    import isolex

    anchors = pages[site / "api.html"].anchors
    for name in set(isolex.__all__) - {"__version__"}:
        value = getattr(isolex, name)
        if isinstance(value, ModuleType):
            described = any(anchor.startswith(f"{value.__name__}.") for anchor in anchors)
        else:
            described = any(
                anchor.endswith((f".{name}", f".{value.__name__}")) for anchor in anchors
            )
        assert described, name
