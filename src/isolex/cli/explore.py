"""isolex explore: a page to look words up."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isolex.adapters.extras import require
from isolex.cli.console import Reporter, print_text
from isolex.cli.inputs import open_run
from isolex.cli.options import OptionalSrc, OptionalTrg, Quiet
from isolex.errors import UsageError

if TYPE_CHECKING:
    from isolex.web.explorer.atlas import Atlas

PORT = 8765


def run(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Folders that `isolex map` wrote.")
    ],
    port: Annotated[
        int,
        typer.Option(
            "--port", min=0, max=65535, metavar="N", help="Of this machine; 0 takes a free one."
        ),
    ] = PORT,
    show: Annotated[bool, typer.Option("--open", help="Open a browser there.")] = False,
    src: OptionalSrc = None,
    trg: OptionalTrg = None,
    quiet: Quiet = False,
) -> None:
    """Look words up in a browser.

    It shows translations by every method, neighbours and a picture. Of several folders each has
    its own address.

    The page is for this machine only. Answers come at once; what some methods need of large
    vocabularies is prepared meanwhile, and kept in DIR/cache. Ctrl-C ends it. Beside the pages
    there is JSON: /api/translate?word=W&k=N, see docs/explore.md.

    Example: isolex explore en-es --open

    Example: isolex explore en-es en-de old/en-es --port 9000
    """
    require(["web"], "isolex explore")
    from isolex.web.explorer.app import make_app
    from isolex.web.explorer.kept import Kept
    from isolex.web.explorer.preparing import Preparation
    from isolex.web.explorer.server import open_up, reserve, serve

    if len(folders) > 1 and (src or trg):
        raise UsageError("--src and --trg belong to a single DIR: explore the others apart")
    reporter = Reporter(quiet=quiet)
    with reserve(port) as taken:
        atlases = _open(folders, src, trg, reporter)
        preparation = Preparation(
            [(atlas, Kept.of(atlas)) for atlas in atlases], reporter.task, reporter.note
        )
        preparation.start()
        try:
            address = open_up(taken)
            print_text(f"{address}\n")
            if show:
                typer.launch(address)
            serve(make_app(atlases, preparation), taken)
            # It ends by a signal only, whose exception may be lost where Python ignores them.
            raise KeyboardInterrupt
        finally:
            preparation.stop()


def _open(
    folders: list[Path], src: Path | None, trg: Path | None, reporter: Reporter
) -> list[Atlas]:
    from isolex.run.folder import RunFolder
    from isolex.web.explorer.app import RESERVED
    from isolex.web.explorer.atlas import Atlas, distinct

    runs = [RunFolder(folder) for folder in folders]
    for run in runs:
        run.mapping()  # a wrong folder is said before the others are read
    slugs = distinct(folders, RESERVED)
    return [
        Atlas.of(slug, run.path, open_run(run.path, src, trg, reporter), run.inputs())
        for slug, run in zip(slugs, runs, strict=True)
    ]
