"""isolex fetch: download published vectors and dictionaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isolex.cli.console import Reporter, print_text, progress_bar
from isolex.cli.help import epilog
from isolex.cli.options import Quiet
from isolex.errors import UsageError

if TYPE_CHECKING:
    from rich.progress import Progress

    from isolex.fetching import Remote, Watcher

_GIB = 1 << 30

app = typer.Typer(
    no_args_is_help=True,
    help="Download published vectors and dictionaries.",
    epilog=epilog(
        "isolex fetch fasttext en es --max-words 200000",
        "isolex fetch muse en-es --out gold",
    ),
)

OutFolder = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", show_default="the cache", help="Folder for the files."),
]
CacheFolder = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="DIR",
        envvar="ISOLEX_CACHE",
        show_default="the user's cache",
        help="Folder that keeps downloaded files.",
    ),
]
Mirror = Annotated[
    str | None,
    typer.Option(
        "--mirror",
        metavar="URL",
        envvar="ISOLEX_MIRROR",
        show_default="https://dl.fbaipublicfiles.com",
        help="Alternative server with the same paths.",
    ),
]
Update = Annotated[
    bool, typer.Option("--update", help="Replace cached files with the server's current version.")
]


class Source(StrEnum):
    """The names in `isolex.fetching.SOURCES`, repeated here to keep the import fast."""

    WIKI = "wiki"
    CRAWL = "crawl"


@app.command("fasttext", epilog=epilog("isolex fetch fasttext en es --max-words 200000"))
def fetch_fasttext(
    languages: Annotated[list[str], typer.Argument(metavar="LANGUAGE", help="Codes such as en.")],
    source: Annotated[
        Source,
        typer.Option("--source", help="wiki: lower-cased; crawl: original case, compressed."),
    ] = Source.WIKI,
    max_words: Annotated[
        int | None,
        typer.Option(
            "--max-words",
            min=1,
            metavar="N",
            help="Only the N most frequent words; the download stops after them.",
        ),
    ] = None,
    model: Annotated[
        bool,
        typer.Option("--model", help="The .bin.gz model instead of text (crawl only)."),
    ] = False,
    out: OutFolder = None,
    cache: CacheFolder = None,
    mirror: Mirror = None,
    update: Update = False,
    quiet: Quiet = False,
) -> None:
    """Download fastText vectors and print their paths.

    If a download is interrupted, run the command again to resume it. A whole file can be several
    gigabytes; most papers use the 200,000 most frequent words (--max-words 200000).
    """
    from isolex import fetching

    if model and max_words is not None:
        raise UsageError("--max-words cannot be used with --model: a model is downloaded whole")
    remotes = [fetching.fasttext(code, source.value, model=model) for code in languages]
    _fetch(remotes, max_words, out, cache, mirror, update, quiet)


@app.command("muse", epilog=epilog("isolex fetch muse en-es --out gold"))
def fetch_muse(
    pairs: Annotated[list[str], typer.Argument(metavar="PAIR", help="Pairs such as en-es.")],
    out: OutFolder = None,
    cache: CacheFolder = None,
    mirror: Mirror = None,
    update: Update = False,
    quiet: Quiet = False,
) -> None:
    """Download MUSE dictionaries and print their paths.

    Each pair has three files: the full dictionary (en-es.txt), the training part
    (en-es.0-5000.txt) and the test part (en-es.5000-6500.txt).
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
        with _watching(
            remote.name, reporter, uncut=max_words is None and ".vec" in remote.name
        ) as watcher:
            downloads = fetching.DownloadCache(folder, mirror, watcher)
            path = downloads.get(remote, max_words, update=update)
        print_text(f"{path if out is None else fetching.place(path, out)}\n")
    for licence in dict.fromkeys(remote.licence for remote in remotes):
        reporter.note(licence)


@contextmanager
def _watching(name: str, reporter: Reporter, *, uncut: bool) -> Iterator[Watcher]:
    """Show a progress bar for one download if standard error is a terminal."""
    if not reporter.shown:
        yield _new_watcher(reporter, None, name, uncut)
        return
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TransferSpeedColumn

    with progress_bar(
        TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn()
    ) as progress:
        yield _new_watcher(reporter, progress, name, uncut)


def _new_watcher(reporter: Reporter, progress: Progress | None, name: str, uncut: bool) -> Watcher:
    from isolex.fetching import Watcher

    class ReportingWatcher(Watcher):
        def __init__(self) -> None:
            self._task = None if progress is None else progress.add_task(name, total=None)
            self._may_note_size = uncut

        def progress(self, done: int, total: int | None) -> None:
            if total is not None and total > _GIB and self._may_note_size:
                self._may_note_size = False
                reporter.note(f"{name}: {total / _GIB:.1f} GiB; --max-words N downloads less")
            if progress is not None and self._task is not None:
                progress.update(self._task, completed=done, total=total)

        def note(self, line: str) -> None:
            reporter.note(line)

    return ReportingWatcher()
