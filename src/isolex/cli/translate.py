"""isolex translate: the best translations of words."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from isolex.cli.console import Reporter, print_json, print_table, say
from isolex.cli.help import epilog
from isolex.cli.inputs import language_names, open_space
from isolex.cli.options import (
    Folder,
    From,
    Json,
    Quiet,
    Retrieve,
    Reverse,
    Temperature,
    Threads,
    To,
    check_temperature,
    choose_retrieval,
)
from isolex.cli.verdicts import warn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from isolex.core.space import Space, Translation

EPILOG = epilog(
    "isolex translate en-es dog house -k 3",
    "isolex translate eu perro --from es --to pl",
    "isolex translate en-es --reverse --json < spanish-words.txt",
)


def run(
    folder: Folder,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORD", help="Words; by default lines of standard input."),
    ] = None,
    source: From = None,
    target: To = None,
    k: Annotated[int, typer.Option("-k", min=1, metavar="N", help="Translations per word.")] = 5,
    reverse: Reverse = False,
    method: Retrieve = None,
    temperature: Temperature = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Translate words with the space in DIR.

    Scores are comparable only within one retrieval method: nn is the cosine; csls is at most 2 and
    negative for poor pairs; spelling is csls plus or minus what the spelling of both words says;
    invsoftmax is a log-probability; invnn and gc are the cosine minus a rank.

    If the vectors came from a fastText model (.bin) that is still in its place, words outside the
    vocabulary are translated by their sub-words. Other unknown words are listed on standard error,
    and the exit code is 2.
    """
    from isolex.kernels.parallel import use_threads

    check_temperature(method, temperature)
    reporter = Reporter(quiet=quiet)
    with use_threads(threads):
        space = open_space(folder, None, reporter)
        chosen = choose_retrieval(space.retrieval, method, temperature)
        names = language_names(space, source, target, reverse=reverse)
        warn(folder, space, *names)
        asked = words or _read_words()
        found = space.translate_all(asked, k, chosen, source=names[0], target=names[1])
    if json:
        print_json({word: [t._asdict() for t in found.get(word, [])] for word in asked})
    else:
        _print(asked, found)
    _report(space, names[0], asked, found, reporter)


def _print(asked: Sequence[str], found: Mapping[str, Sequence[Translation]]) -> None:
    rows = [
        (word, translation.word, f"{translation.score:.4f}")
        for word in asked
        for translation in found.get(word, [])
    ]
    if rows:
        print_table(("word", "translation", "score"), rows, right=1)


def _report(
    space: Space,
    source: str,
    asked: Sequence[str],
    found: Mapping[str, Sequence[Translation]],
    reporter: Reporter,
) -> None:
    """Say which words are out of vocabulary; words without a translation make the exit code 2."""
    language = space[source]
    missing = False
    for word in dict.fromkeys(asked):
        if word in language:
            continue
        hint = space.hint(word, language)
        if word in found:
            more = f"; {hint}" if hint else ""
            reporter.note(f"{word!r} is out of vocabulary: translated by its sub-words{more}")
        else:
            say(language.unknown(word, f"{hint}: use {_from(space, word)}" if hint else ""))
            missing = True
    if missing:
        raise typer.Exit(2)


def _from(space: Space, word: str) -> str:
    """The option that chooses a language that has this word."""
    if len(space) == 2:
        return "--from without --reverse"
    return " or ".join(f"--from {one.name}" for one in space if word in one)


def _read_words() -> list[str]:
    """The words on standard input, one per line."""
    if sys.stdin.isatty():
        say("type words, one per line; end with Ctrl-D")
    lines = [line.strip(" \t\r\n") for line in sys.stdin]
    return [line for line in lines if line]
