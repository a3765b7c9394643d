"""isolex evaluate: how good mapped vectors are, against gold data."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from isolex.cli.console import Reporter, print_json, print_table
from isolex.cli.gold import (
    Places,
    Src,
    Trg,
    both_sides,
    check_direction,
    check_side,
    find_places,
    given_sides,
    warn_of_few,
)
from isolex.cli.manual import examples
from isolex.cli.options import (
    Json,
    Lowercase,
    Quiet,
    Retrieve,
    SideName,
    Temperature,
    Threads,
    check_temperature,
    retrieval,
)
from isolex.errors import UsageError

app = typer.Typer(
    no_args_is_help=True,
    help="Measure mapped vectors against gold data.",
    epilog=examples(
        "isolex evaluate lexicon en-es gold.txt",
        "isolex evaluate similarity en-es en-es-SEMEVAL17.txt --lowercase",
        "isolex evaluate analogy en-es questions-words.txt --lowercase",
    ),
)


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
    from isolex.core.retrieval import Retrieval
    from isolex.evaluate import evaluate_lexicon
    from isolex.kernels.parallel import use_threads

    check_temperature(method, temperature)
    reporter = Reporter(quiet=quiet)
    folder, gold = find_places(places, src=src, trg=trg)
    pairs = io.read_pairs(gold)
    if lowercase:
        pairs = [(source.lower(), target.lower()) for source, target in pairs]
    with use_threads(threads):
        source, target, alignment = both_sides(folder, src, trg, reporter)
        own = alignment.retrieval if alignment else Retrieval()
        chosen = retrieval(own, method, temperature)
        with reporter.task("retrieving") as tick:
            space = alignment.space if alignment else None
            result = evaluate_lexicon(source, target, pairs, chosen, space=space, tick=tick)
    doubt = "is the gold file the right one, source language first?"
    warn_of_few(result.entries, len(result.oov), "source words", doubt)
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
    from isolex.evaluate import evaluate_similarity
    from isolex.kernels.parallel import use_threads

    reporter = Reporter(quiet=quiet)
    if reverse and sides != Sides.CROSS:
        raise UsageError("--reverse belongs to --sides cross")
    folder, gold = find_places(places, src=src, trg=trg)
    pairs = io.read_similarity(gold, lowercase=lowercase)
    with use_threads(threads):
        source, target, _ = both_sides(folder, src, trg, reporter)
    left = target if sides == Sides.TRG else source
    right = source if sides == Sides.SRC else target
    if reverse:
        left, right = right, left
    check_direction(left, right, pairs, "leave out --reverse" if reverse else "use --reverse")
    result = evaluate_similarity(left, right, pairs)
    warn_of_few(result.entries, result.oov, "pairs", "are the languages those of --sides?")
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

    A section begins with a line ": name"; then come four words a line. Without DIR only the vectors
    of --side are needed.

    Example: isolex evaluate analogy en-es questions-words.txt --lowercase

    Example: isolex evaluate analogy --src en.vec questions-words.txt --lowercase
    """
    from isolex import io
    from isolex.evaluate import evaluate_analogy
    from isolex.kernels.parallel import use_threads

    reporter = Reporter(quiet=quiet)
    folder, gold = find_places(places, **{side.value: src if side == SideName.SRC else trg})
    sections = io.read_analogies(gold, lowercase=lowercase)
    with use_threads(threads):
        sides = given_sides(folder, src, trg, reporter)
        check_side(side, sides, sections)
        with reporter.task("answering") as tick:
            result = evaluate_analogy(sides[side], sections, tick)
    warn_of_few(
        result.total.entries, result.total.oov, "questions", "are they in the language of --side?"
    )
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
