"""isolex lexicon: the scored dictionary of a whole vocabulary."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from isolex.cli.console import Reporter
from isolex.cli.inputs import check_out, open_run
from isolex.cli.options import (
    Folder,
    OptionalSrc,
    OptionalTrg,
    Out,
    Quiet,
    Retrieve,
    Temperature,
    Threads,
    check_temperature,
    retrieval,
)
from isolex.errors import UsageError

DICTIONARIES = (".tsv", ".txt", ".parquet")
"""Suffixes of files that may be a dictionary of before, which is written anew."""


def run(
    folder: Folder,
    out: Out,
    k: Annotated[int, typer.Option("-k", min=1, metavar="N", help="Translations per word.")] = 1,
    reverse: Annotated[
        bool, typer.Option("--reverse", help="From the target language into the source.")
    ] = False,
    method: Retrieve = None,
    temperature: Temperature = None,
    src: OptionalSrc = None,
    trg: OptionalTrg = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Write the best translations of every word to a file.

    The file is tab-separated text, or a table where its suffix is .parquet. A .tsv, .txt or
    .parquet that is there is replaced, another file is not.

    Columns: source, target, score, mutual (1 where both words are each other's best).

    Example: isolex lexicon en-es --out en-es.tsv -k 3

    Example: isolex lexicon en-es --out es-en.tsv --reverse --retrieval nn
    """
    from isolex.core.lexicon import check
    from isolex.kernels.parallel import use_threads
    from isolex.run.folder import LEXICON

    check_temperature(method, temperature)
    reporter = Reporter(quiet=quiet)
    check(out)
    check_out(out, src, trg, run=folder, spare=LEXICON)
    _check_stranger(out)
    with use_threads(threads):
        alignment = open_run(folder, src, trg, reporter)
        chosen = retrieval(alignment.retrieval, method, temperature)
        with reporter.task("dictionary") as tick:
            found = alignment.lexicon(k, chosen, tick, reverse=reverse)
    found.save(out)
    reporter.note(f"{out}: {len(found):,} pairs, {found.mutual_count:,} of them mutual best")


def _check_stranger(out: Path) -> None:
    """Refuse to replace a file that, by its suffix, is no dictionary."""
    if out.is_file() and out.suffix.lower() not in DICTIONARIES:
        raise UsageError(
            f"{out}: is there and, by its suffix, no dictionary ({', '.join(DICTIONARIES)}); "
            "name another file"
        )
