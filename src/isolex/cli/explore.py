"""isolex explore: look words up in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isolex.adapters.extras import require
from isolex.cli.console import Reporter, print_text
from isolex.cli.help import epilog
from isolex.cli.inputs import open_space
from isolex.cli.options import Quiet, Vectors
from isolex.cli.verdicts import warn_of_pairs
from isolex.errors import UsageError

if TYPE_CHECKING:
    from isolex.web.explorer.served_space import ServedSpace

PORT = 8765
EPILOG = epilog(
    "isolex explore en-es --open",
    "isolex explore en-es en-de old/en-es --port 9000",
    "isolex explore --vectors en=mapped-en.vec --vectors es=mapped-es.vec",
)


def run(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="DIR", help="Folders that `isolex map` wrote.", show_default=False),
    ] = None,
    vectors: Vectors = None,
    port: Annotated[
        int,
        typer.Option(
            "--port", min=0, max=65535, metavar="N", help="Port on this machine; 0: any free port."
        ),
    ] = PORT,
    show: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    quiet: Quiet = False,
) -> None:
    """Look words up in a browser.

    The pages show translations by every retrieval method, nearest words and a picture. With three
    or more languages, a word is translated into all of them at once. Each folder has its own
    address.

    Only this machine can open the pages. Some methods need statistics about all words; they are
    prepared in the background and kept in DIR/cache.safetensors, which may be deleted. Stop with
    Ctrl-C. There is also JSON: /api/translate?word=W&from=L&to=L&k=N, see docs/explore.md.
    """
    require(["web"], "isolex explore")
    from isolex.web.explorer.app import make_app
    from isolex.web.explorer.preparation import Preparation
    from isolex.web.explorer.server import listen, reserve, serve

    if folders and vectors:
        raise UsageError("give either folders that `isolex map` wrote, or --vectors, not both")
    reporter = Reporter(quiet=quiet)
    with reserve(port) as bound:
        spaces = _open(folders, vectors, reporter)
        preparation = Preparation(spaces, reporter.task, reporter.note)
        preparation.start()
        try:
            address = listen(bound)
            print_text(f"{address}\n")
            if show:
                typer.launch(address)
            serve(make_app(spaces, preparation), bound)
            # Only a signal ends it, and its exception may get lost inside the server.
            raise KeyboardInterrupt
        finally:
            preparation.stop()


def _open(
    folders: list[Path] | None, vectors: list[str] | None, reporter: Reporter
) -> list[ServedSpace]:
    """Open run folders, or read vectors into a space without a folder."""
    from isolex.run.folder import RunFolder
    from isolex.web.explorer.served_space import ServedSpace, make_slugs

    if not folders:
        space = open_space(None, vectors, reporter)
        [slug] = make_slugs(["-".join(space.names)])
        return [ServedSpace(slug, space)]
    spaces = [open_space(folder, None, reporter) for folder in folders]
    for folder, space in zip(folders, spaces, strict=True):
        warn_of_pairs(folder, space, space.pairs)
    slugs = make_slugs([folder.resolve().name for folder in folders])
    runs = [RunFolder(folder) for folder in folders]
    return [ServedSpace(*each) for each in zip(slugs, spaces, runs, strict=True)]
