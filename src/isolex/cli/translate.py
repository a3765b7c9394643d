"""isolex translate: the best translations of words."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from isolex.cli.console import Reporter, print_json, print_table, say
from isolex.cli.inputs import open_run
from isolex.cli.options import (
    Folder,
    Json,
    OptionalSrc,
    OptionalTrg,
    Quiet,
    Retrieve,
    Temperature,
    Threads,
    check_temperature,
    retrieval,
)


def run(
    folder: Folder,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORD...", help="Words; without any, lines of standard input."),
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, metavar="N", help="Translations per word.")] = 5,
    reverse: Annotated[
        bool, typer.Option("--reverse", help="From the target language into the source.")
    ] = False,
    method: Retrieve = None,
    temperature: Temperature = None,
    src: OptionalSrc = None,
    trg: OptionalTrg = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Translate words with the mapping in DIR.

    Scores compare within one retrieval only: nn is the cosine, csls up to 2 and negative for poor
    pairs, invsoftmax a log-probability, invnn and gc the cosine, less its rank.

    A word that is not in the vocabulary is said on standard error; the exit code is then 2. Where
    the vectors came from a fastText model (.bin), such a word is translated by its sub-words, and
    that is said.

    Example: isolex translate en-es dog house -k 3

    Example: isolex translate en-es --reverse --json < spanish-words.txt
    """
    from isolex.core.space import unknown
    from isolex.kernels.parallel import use_threads

    check_temperature(method, temperature)
    with use_threads(threads):
        reporter = Reporter(quiet=quiet)
        alignment = open_run(folder, src, trg, reporter)
        chosen = retrieval(alignment.retrieval, method, temperature)
        asked = words or _lines()
        found = alignment.translate_all(asked, k, chosen, reverse=reverse)
    if json:
        print_json({word: [t._asdict() for t in found.get(word, [])] for word in asked})
    else:
        rows = [
            (word, translation.word, f"{translation.score:.4f}")
            for word in asked
            for translation in found.get(word, [])
        ]
        if rows:
            print_table(("word", "translation", "score"), rows, right=1)
    vocabulary, other = alignment.source.vocabulary, alignment.target.vocabulary
    if reverse:
        vocabulary, other = other, vocabulary
    hint = (
        "it is a word of the source language: leave out --reverse"
        if reverse
        else "it is a word of the target language: use --reverse"
    )
    for word in found:
        if word not in vocabulary:
            more = f"; {hint}" if word in other else ""
            reporter.note(f"{word!r} is not in the vocabulary: translated by its sub-words{more}")
    missing = [word for word in dict.fromkeys(asked) if word not in found]
    for word in missing:
        say(unknown(word, vocabulary, hint if word in other else ""))
    if missing:
        raise typer.Exit(2)


def _lines() -> list[str]:
    """The words on standard input, one a line, blanks around them taken off."""
    if sys.stdin.isatty():
        say("type words, one a line; Ctrl-D ends")
    lines = [line.strip(" \t\r\n") for line in sys.stdin]
    return [line for line in lines if line]
