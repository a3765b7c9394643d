"""isolex lexicon: the scored lexicon of a whole vocabulary."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from isolex.cli.console import Reporter, print_text
from isolex.cli.help import epilog
from isolex.cli.inputs import check_out, language_names, open_space
from isolex.cli.options import (
    From,
    OptionalFolder,
    Quiet,
    Retrieve,
    Reverse,
    Temperature,
    Threads,
    To,
    Vectors,
    check_temperature,
    choose_retrieval,
)
from isolex.cli.verdicts import warn

EPILOG = epilog(
    "isolex lexicon en-es --out en-es.tsv -k 3",
    "isolex lexicon eu --from pl --to es --out pl-es.parquet",
    "isolex lexicon en-es --out - --reverse --retrieval nn | head",
    "isolex lexicon --vectors en=a.vec --vectors es=b.vec --out en-es.csv",
)


def run(
    out: Annotated[
        str,
        typer.Option("--out", metavar="FILE", help="The file to write, or - for standard output."),
    ],
    folder: OptionalFolder = None,
    source: From = None,
    target: To = None,
    k: Annotated[int, typer.Option("-k", min=1, metavar="N", help="Translations per word.")] = 1,
    reverse: Reverse = False,
    method: Retrieve = None,
    temperature: Temperature = None,
    vectors: Vectors = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Write the best translations of every word to a file.

    The suffix of FILE chooses the format: .tsv, .csv, .jsonl (JSON Lines) or .parquet. An existing
    FILE is replaced. With - the lexicon is printed as tab-separated text.

    Columns: source, target, score, mutual (1 if the words are each other's best translation).
    """
    from isolex.core import lexicon_file
    from isolex.kernels.parallel import use_threads
    from isolex.run.folder import LEXICON
    from isolex.run.inputs import LanguageFile

    check_temperature(method, temperature)
    reporter = Reporter(quiet=quiet)
    if out != "-":
        lexicon_file.check(out)
        given = (one.path for one in LanguageFile.parse_all(vectors or ()))
        check_out(Path(out), *given, run=folder, spare=LEXICON)
    with use_threads(threads):
        space = open_space(folder, vectors, reporter)
        chosen = choose_retrieval(space.retrieval, method, temperature)
        names = language_names(space, source, target, reverse=reverse)
        warn(folder, space, *names)
        with reporter.task("building the lexicon") as tick:
            found = space.lexicon(*names, k, chosen, tick)
    if out == "-":
        print_text(lexicon_file.as_tsv(found))
        return
    found.save(out)
    reporter.note(f"{out}: {len(found):,} pairs, {found.mutual_count:,} of them mutual best")
