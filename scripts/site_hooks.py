"""Hooks for mkdocs: add pages from outside docs/, and insert the help of the commands.

Links are written for GitHub, relative to the file that contains them. Links between docs/ and the
rest of the checkout are rewritten: to a page if the site has one, else to plain text.
"""

from __future__ import annotations

import os
import posixpath
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
PAGES = {
    "README.md": "readme.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Files outside docs/ and the pages of the site that they become."""

FIGURES = {"benchmarks/results/scaling.png": "assets/scaling.png"}
"""Images outside docs/ that pages show."""

_ADDED = PAGES | FIGURES
_SOURCE = {page: path for path, page in PAGES.items()}
_LINK = re.compile(r"(!?)\[([^][]*)\]\(([^()\s]+)\)")
_CODE_BLOCK = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_HELP = re.compile(r"<!-- help: (.*?) -->")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files from outside docs/."""
    for path, page in _ADDED.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Rewrite links that leave or enter docs/, and insert the help of commands."""
    source = _SOURCE.get(page.file.src_uri, f"docs/{page.file.src_uri}")

    def rewrite(link: re.Match[str]) -> str:
        return _rewrite_link(link, source, page.file.src_uri)

    parts = _CODE_BLOCK.split(markdown)  # every second part is a code block
    parts[::2] = [_LINK.sub(rewrite, part) for part in parts[::2]]
    return _HELP.sub(lambda mark: _help(mark[1]), "".join(parts))


def _rewrite_link(link: re.Match[str], source: str, page: str) -> str:
    image_mark, text, target = link.groups()
    if re.match(r"[a-z]+:|#", target):
        return link[0]
    file, hash_sign, anchor = target.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), file))
    if not (ROOT / path).exists():
        raise PluginError(f"{source}: the link to {target} is broken; there is no such file")
    if path in _ADDED:
        path = _ADDED[path]
    elif path.startswith("docs/"):
        path = path.removeprefix("docs/")
    else:
        return text  # in the checkout, not on the site
    relative = posixpath.relpath(path, posixpath.dirname(page) or ".")
    return f"{image_mark}[{text}]({relative}{hash_sign}{anchor})"


@cache
def _help(command: str) -> str:
    """The output of ``isolex COMMAND --help`` as a code block."""
    sys.path[:0] = [str(ROOT / "src")]
    os.environ["COLUMNS"] = "90"
    from typer.testing import CliRunner

    from isolex.cli import app

    done = CliRunner().invoke(app, [*command.split(), "--help"], prog_name="isolex")
    if done.exit_code:
        raise PluginError(f"isolex {command} --help: {done.output}")
    return f"```text\n{done.output.rstrip()}\n```"
