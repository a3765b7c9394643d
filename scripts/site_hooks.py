"""What mkdocs does not do by itself: files from outside docs/, and the help of the commands.

Links are written for GitHub, relative to the file they are in. Those between docs/ and the rest of
the checkout are rewritten here: to a page where the site has one, else to plain text.
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
"""Files of the checkout that are pages of the site."""

FIGURES = {"benchmarks/results/scaling.png": "assets/scaling.png"}
"""Those that are shown on one."""

_BROUGHT = PAGES | FIGURES
_HOME = {page: path for path, page in PAGES.items()}
_LINK = re.compile(r"(!?)\[([^][]*)\]\(([^()\s]+)\)")
_FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_HELP = re.compile(r"<!-- help: (.*?) -->")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Bring files from outside docs/ in."""
    for path, page in _BROUGHT.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Rewrite the links that leave or enter docs/, and put in the help that is asked for."""
    home = _HOME.get(page.file.src_uri, f"docs/{page.file.src_uri}")

    def link(found: re.Match[str]) -> str:
        return _link(found, home, page.file.src_uri)

    parts = _FENCED.split(markdown)
    parts[::2] = [_LINK.sub(link, part) for part in parts[::2]]
    return _HELP.sub(lambda found: _help(found[1]), "".join(parts))


def _link(found: re.Match[str], home: str, page: str) -> str:
    mark, text, target = found.groups()
    if re.match(r"[a-z]+:|#", target):
        return found[0]
    place, hash_sign, anchor = target.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(home), place))
    if not (ROOT / path).exists():
        raise PluginError(f"{home}: a link to {target}, which is not there")
    if path in _BROUGHT:
        path = _BROUGHT[path]
    elif path.startswith("docs/"):
        path = path.removeprefix("docs/")
    else:
        return text  # in the checkout, not on the site
    relative = posixpath.relpath(path, posixpath.dirname(page) or ".")
    return f"{mark}[{text}]({relative}{hash_sign}{anchor})"


@cache
def _help(command: str) -> str:
    """What ``isolex COMMAND --help`` prints, as a code block."""
    sys.path[:0] = [str(ROOT / "src")]
    os.environ["COLUMNS"] = "90"
    from typer.testing import CliRunner

    from isolex.cli import app

    done = CliRunner().invoke(app, [*command.split(), "--help"], prog_name="isolex")
    if done.exit_code:
        raise PluginError(f"isolex {command} --help: {done.output}")
    return f"```text\n{done.output.rstrip()}\n```"
