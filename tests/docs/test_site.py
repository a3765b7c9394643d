"""The site is built with warnings as errors; its links lead somewhere and it asks nobody else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from isolex.cli import app

ROOT = Path(__file__).parents[2]
LOADED = {("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src")}
CSS_URL = re.compile(r"""url\(\s*['"]?(?!data:)([^'")]+)|@import\s+['"]([^'"]+)""")
ONLY_NAMED = {"canonical", "prev", "next", "alternate"}


@dataclass
class Seen(HTMLParser):
    """What a page links to, what it loads, and the places in it that can be linked to."""

    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {value for name in ("id", "name") if (value := given.get(name))}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"] or "")
        for name, value in given.items():
            if (tag, name) in LOADED and value and given.get("rel") not in ONLY_NAMED:
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
def pages(site: Path) -> dict[Path, Seen]:
    found = {}
    for path in sorted(site.rglob("*.html")):
        found[path] = Seen()
        found[path].feed(path.read_text(encoding="utf-8"))
    return found


def test_every_link_and_anchor_leads_somewhere(site: Path, pages: dict[Path, Seen]) -> None:
    assert len(pages) > 15
    lost = []
    for path, seen in pages.items():
        if path.name == "404.html":  # its links are absolute: it may be shown anywhere
            continue
        here = f"http://site/{path.relative_to(site)}"
        for link in [*seen.links, *seen.loaded]:
            there = urlsplit(urljoin(here, link))
            if there.netloc != "site":
                continue
            target = site / unquote(there.path).lstrip("/")
            target = target / "index.html" if target.is_dir() else target
            known = target.is_file() and (
                not there.fragment
                or unquote(there.fragment) in pages[target].anchors
                or there.fragment.startswith("__")  # made by the theme's script
            )
            if not known:
                lost.append(f"{path.relative_to(site)}: {link}")
    assert not lost


def test_no_page_asks_for_anything_from_the_network(site: Path, pages: dict[Path, Seen]) -> None:
    outside = [
        f"{path.name}: {link}"
        for path, seen in pages.items()
        for link in seen.loaded
        if urlsplit(link).scheme in ("http", "https") or link.startswith("//")
    ]
    for sheet in site.rglob("*.css"):
        found = CSS_URL.findall(sheet.read_text(encoding="utf-8"))
        urls = (one or other for one, other in found)
        outside += [f"{sheet.name}: {url}" for url in urls if urlsplit(url).netloc]
    assert not outside


def test_every_command_is_on_the_page_of_commands() -> None:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"<!-- help: (.*?) -->", text))
    names = {str(command.name) for command in app.registered_commands}
    for group in app.registered_groups:
        assert group.typer_instance is not None
        some = group.typer_instance.registered_commands
        names |= {str(group.name), *(f"{group.name} {command.name}" for command in some)}
    assert shown == names


def test_the_public_names_are_on_the_page_of_python(site: Path, pages: dict[Path, Seen]) -> None:
    import isolex

    anchors = pages[site / "api.html"].anchors
    for name in set(isolex.__all__) - {"__version__", "systems"}:
        assert any(anchor.endswith(f".{name}") for anchor in anchors), name
