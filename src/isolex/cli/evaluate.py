"""isolex evaluate: how good mapped vectors are, against gold data."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isolex.cli.console import Reporter, print_json, print_table, say
from isolex.cli.inputs import open_run, read_both
from isolex.cli.manual import examples
from isolex.cli.options import (
    Json,
    Lowercase,
    Quiet,
    Retrieve,
    SideName,
    Temperature,
    Threads,
    retrieval,
)
from isolex.errors import UsageError

if TYPE_CHECKING:
    from isolex.alignment import Alignment
    from isolex.embeddings import Embeddings

app = typer.Typer(
    no_args_is_help=True,
    help="Measure mapped vectors against gold data.",
    epilog=examples(
        "isolex evaluate lexicon en-es gold.txt",
        "isolex evaluate similarity en-es en-es-SEMEVAL17.txt --lowercase",
        "isolex evaluate analogy en-es questions-words.txt --lowercase",
    ),
)

Places = Annotated[
    list[Path],
    typer.Argument(
        metavar="[DIR] GOLD",
        help="The folder that `isolex map` wrote (not with --src and --trg), and the gold file.",
    ),
]
Src = Annotated[
    Path | None,
    typer.Option(
        "--src", metavar="FILE", help="Source vectors: mapped ones, or with DIR the originals."
    ),
]
Trg = Annotated[
    Path | None,
    typer.Option("--trg", metavar="FILE", help="Target vectors, likewise."),
]


FEW, SHARE = 50, 0.01
"""Entries, and the share of all, below which a result says little, and is said to."""


class Sides(StrEnum):
    """Which languages the two words of a pair are in."""

    CROSS = "cross"
    SRC = "src"
    TRG = "trg"


@app.command("lexicon")
def lexicon(
    places: Places,
    src: Src = None,
    trg: Trg = None,
    method: Retrieve = None,
    temperature: Temperature = None,
    lowercase: Lowercase = False,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Precision at 1, 5 and 10 on a dictionary of two words a line.

    A source word counts as right if any of its gold translations is retrieved. Source words that
    cannot be asked are counted apart, as oov. Coverage in JSON is a share from 0 to 1.

    Example: isolex evaluate lexicon en-es gold.txt --retrieval nn

    Example: isolex evaluate lexicon --src mapped-en.vec --trg mapped-es.vec gold.txt --json
    """
    from isolex import io
    from isolex.evaluate import evaluate_lexicon
    from isolex.induce import Retrieval
    from isolex.kernels.parallel import use_threads

    reporter = Reporter(quiet=quiet)
    chosen = retrieval(method, temperature)
    folder, gold = _places(places, src, trg)
    pairs = io.read_pairs(gold)
    if lowercase:
        pairs = [(source.lower(), target.lower()) for source, target in pairs]
    with use_threads(threads):
        source, target, alignment = _mapped(folder, src, trg, reporter)
        chosen = chosen or (alignment.retrieval if alignment else Retrieval())
        with reporter.task("retrieving") as tick:
            space = alignment.space if alignment else None
            result = evaluate_lexicon(source, target, pairs, chosen, space=space, tick=tick)
    doubt = "is the gold file the right one, source language first?"
    _warn_of_few(result.entries, len(result.oov), "source words", doubt)
    if json:
        print_json(result.as_dict())
        return
    rows = [(f"precision@{cut}", f"{value:.2f} %") for cut, value in result.precision.items()]
    rows += [
        ("coverage", f"{100 * result.coverage:.2f} %"),
        ("entries", f"{result.entries:,}"),
        ("out of vocabulary", f"{len(result.oov):,}"),
    ]
    print_table((chosen.method.value, ""), rows, right=1)


@app.command("similarity")
def similarity(
    places: Places,
    sides: Annotated[
        Sides, typer.Option("--sides", help="Languages of a pair: one of each, or both the same.")
    ] = Sides.CROSS,
    reverse: Annotated[
        bool, typer.Option("--reverse", help="The file has the target language's words first.")
    ] = False,
    src: Src = None,
    trg: Trg = None,
    lowercase: Lowercase = False,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Correlation with scored pairs: two words and a number a line.

    Pearson's and Spearman's. The words of a pair are in the order of the mapping, source language
    first, unless --reverse is given.

    Example: isolex evaluate similarity en-es en-es-SEMEVAL17.txt --lowercase

    Example: isolex evaluate similarity es-en en-es-SEMEVAL17.txt --lowercase --reverse

    Example: isolex evaluate similarity en-es wordsim353.txt --sides src
    """
    from isolex import io
    from isolex.evaluate.similarity import evaluate_similarity, known
    from isolex.kernels.parallel import use_threads

    reporter = Reporter(quiet=quiet)
    if reverse and sides != Sides.CROSS:
        raise UsageError("--reverse belongs to --sides cross")
    folder, gold = _places(places, src, trg)
    pairs = io.read_similarity(gold, lowercase=lowercase)
    with use_threads(threads):
        source, target, _ = _mapped(folder, src, trg, reporter)
    left = target if sides == Sides.TRG else source
    right = source if sides == Sides.SRC else target
    if reverse:
        left, right = right, left
    here, there = len(known(left, right, pairs)), len(known(right, left, pairs))
    if there > 2 * here:  # words spelt alike are in both vocabularies
        advice = "leave out --reverse" if reverse else "use --reverse"
        raise UsageError(
            f"{here:,} pairs are in the vocabularies, but {there:,} the other way round: {advice}"
        )
    result = evaluate_similarity(left, right, pairs)
    _warn_of_few(result.entries, result.oov, "pairs", "are the languages those of --sides?")
    if json:
        print_json(result.as_dict())
        return
    rows = [
        ("pearson", f"{result.pearson:.4f}"),
        ("spearman", f"{result.spearman:.4f}"),
        ("coverage", f"{100 * result.coverage:.2f} %"),
        ("entries", f"{result.entries:,}"),
        ("out of vocabulary", f"{result.oov:,}"),
    ]
    print_table(("similarity", ""), rows, right=1)


@app.command("analogy")
def analogy(
    places: Places,
    side: Annotated[SideName, typer.Option("--side", help="The language of the questions.")] = (
        SideName.SRC
    ),
    src: Src = None,
    trg: Trg = None,
    lowercase: Lowercase = False,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Accuracy per section of a file of analogies.

    A section begins with a line ": name"; then come four words a line.

    Example: isolex evaluate analogy en-es questions-words.txt --lowercase
    """
    from isolex import io
    from isolex.evaluate import evaluate_analogy
    from isolex.kernels.parallel import use_threads

    reporter = Reporter(quiet=quiet)
    folder, gold = _places(places, src, trg)
    sections = io.read_analogies(gold, lowercase=lowercase)
    with use_threads(threads):
        source, target, _ = _mapped(folder, src, trg, reporter)
        with reporter.task("answering") as tick:
            asked = source if side == SideName.SRC else target
            result = evaluate_analogy(asked, sections, tick)
    if json:
        print_json(result.as_dict())
        return
    rows = [
        (
            name,
            "-" if section.accuracy is None else f"{section.accuracy:.2f} %",
            f"{section.entries:,}",
            f"{section.oov:,}",
        )
        for name, section in [*result.sections.items(), ("all", result.total)]
    ]
    print_table(("section", "accuracy", "entries", "out of vocabulary"), rows, right=3)


def _places(places: list[Path], src: Path | None, trg: Path | None) -> tuple[Path | None, Path]:
    """The folder, if there is one, and the gold file."""
    if len(places) == 2:
        return places[0], places[1]
    if len(places) != 1:
        raise UsageError("give a folder and a gold file, nothing more")
    if src is None or trg is None:
        raise UsageError("give a folder and a gold file, or --src and --trg and a gold file")
    return None, places[0]


def _mapped(
    folder: Path | None, src: Path | None, trg: Path | None, reporter: Reporter
) -> tuple[Embeddings, Embeddings, Alignment | None]:
    """Both sides in the shared space: of a run folder, or of vectors that anything mapped."""
    if folder is not None:
        alignment = open_run(folder, src, trg, reporter)
        return alignment.source.mapped, alignment.target.mapped, alignment
    assert src is not None
    assert trg is not None
    source, target = read_both(src, trg, reporter)
    return source.embeddings, target.embeddings, None


def _warn_of_few(entries: int, oov: int, what: str, doubt: str) -> None:
    """Say, to the quiet too, that little of the gold data could be asked."""
    total = entries + oov
    if entries < max(SHARE * total, min(FEW, total)):
        say(f"only {entries:,} of {total:,} {what} could be asked; {doubt}")
