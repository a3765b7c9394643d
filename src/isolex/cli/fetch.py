"""isolex fetch: ready-made vectors and dictionaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isolex.cli.console import Reporter, print_text
from isolex.cli.options import Quiet
from isolex.errors import UsageError

if TYPE_CHECKING:
    from rich.progress import Progress

    from isolex.fetching import Remote, Watcher

LARGE = 1 << 30

app = typer.Typer(no_args_is_help=True, help="Fetch ready-made vectors and dictionaries.")

OutFolder = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="DIR", show_default="the cache", help="A folder to put the files into."
    ),
]
Cache = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="DIR",
        envvar="ISOLEX_CACHE",
        show_default="the user's cache",
        help="Where what was fetched is kept.",
    ),
]
Mirror = Annotated[
    str | None,
    typer.Option(
        "--mirror",
        metavar="URL",
        envvar="ISOLEX_MIRROR",
        show_default="https://dl.fbaipublicfiles.com",
        help="Another server with the same paths.",
    ),
]
Update = Annotated[
    bool, typer.Option("--update", help="Take what the server has now, whatever was there before.")
]


class Source(StrEnum):
    """Where fastText vectors were learnt; the names of `isolex.fetching.SOURCES`."""

    WIKI = "wiki"
    CRAWL = "crawl"


@app.command("fasttext")
def fasttext(
    languages: Annotated[list[str], typer.Argument(metavar="LANGUAGE...", help="Such as en.")],
    source: Annotated[
        Source,
        typer.Option("--source", help="wiki is lower-cased; crawl keeps case and comes as .gz."),
    ] = Source.WIKI,
    max_words: Annotated[
        int | None,
        typer.Option(
            "--max-words",
            min=1,
            metavar="N",
            help="Only the N most frequent words: the download stops behind them.",
        ),
    ] = None,
    model: Annotated[
        bool, typer.Option("--model", help="The whole .bin.gz model (crawl only), not text.")
    ] = False,
    out: OutFolder = None,
    cache: Cache = None,
    mirror: Mirror = None,
    update: Update = False,
    quiet: Quiet = False,
) -> None:
    """Fetch fastText vectors of languages and print where they are.

    A download that was interrupted goes on when the command is given again. Whole files may have
    gigabytes; --max-words 200000 is what most papers use.

    Example: isolex fetch fasttext en es --max-words 200000
    """
    from isolex import fetching

    if model and max_words is not None:
        raise UsageError("--max-words cuts vectors in text, --model is whole: give one of the two")
    remotes = [fetching.fasttext(code, source.value, model=model) for code in languages]
    _fetch(remotes, max_words, out, cache, mirror, update, quiet)


@app.command("muse")
def muse(
    pairs: Annotated[list[str], typer.Argument(metavar="PAIR...", help="Such as en-es.")],
    out: OutFolder = None,
    cache: Cache = None,
    mirror: Mirror = None,
    update: Update = False,
    quiet: Quiet = False,
) -> None:
    """Fetch MUSE dictionaries of pairs and print where they are.

    Three files a pair: the whole (en-es.txt), a part for training (en-es.0-5000.txt) and one for
    test (en-es.5000-6500.txt).

    Example: isolex fetch muse en-es --out gold
    """
    from isolex import fetching

    remotes = [remote for pair in pairs for remote in fetching.muse(pair)]
    _fetch(remotes, None, out, cache, mirror, update, quiet)


def _fetch(
    remotes: Sequence[Remote],
    max_words: int | None,
    out: Path | None,
    cache: Path | None,
    mirror: str | None,
    update: bool,
    quiet: bool,
) -> None:
    from isolex import fetching

    reporter = Reporter(quiet=quiet)
    folder = cache or fetching.default_cache()
    for remote in remotes:
        with _watched(remote.name, reporter, whole=max_words is None) as watcher:
            store = fetching.Store(folder, mirror, watcher)
            path = store.get(remote, max_words, update=update)
        print_text(f"{path if out is None else fetching.place(path, out)}\n")
    for licence in dict.fromkeys(remote.licence for remote in remotes):
        reporter.note(licence)


@contextmanager
def _watched(name: str, reporter: Reporter, *, whole: bool) -> Iterator[Watcher]:
    """A bar for a download, where there is a terminal."""
    if not reporter.shown:
        yield _watcher(reporter, None, name, whole)
        return
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TransferSpeedColumn

    with reporter.progress(
        TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn()
    ) as progress:
        yield _watcher(reporter, progress, name, whole)


def _watcher(reporter: Reporter, progress: Progress | None, name: str, whole: bool) -> Watcher:
    from isolex.fetching import Watcher

    class Shown(Watcher):
        def __init__(self) -> None:
            self._task = None if progress is None else progress.add_task(name, total=None)
            self._silent = not whole

        def progress(self, done: int, total: int | None) -> None:
            if total is not None and total > LARGE and not self._silent:
                self._silent = True
                reporter.note(f"{name}: {total / LARGE:.1f} GiB; --max-words would stop early")
            if progress is not None and self._task is not None:
                progress.update(self._task, completed=done, total=total)

        def note(self, line: str) -> None:
            reporter.note(line)

    return Shown()
