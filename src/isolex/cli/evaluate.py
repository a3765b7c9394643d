"""isolex evaluate: how good a space is, measured with gold data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from isolex.cli.complete import languages
from isolex.cli.console import Reporter, print_json, print_table
from isolex.cli.gold import (
    LexiconPlaces,
    Places,
    check_direction,
    check_language,
    find_folder,
    find_places,
    warn_of_low_coverage,
)
from isolex.cli.gold_matrix import (
    Codes,
    Format,
    GoldFolder,
    GoldPattern,
    MatrixRequest,
)
from isolex.cli.help import epilog
from isolex.cli.inputs import language_names, open_space
from isolex.cli.options import (
    From,
    Json,
    Lowercase,
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

if TYPE_CHECKING:
    from isolex.core.choices import Retrieval
    from isolex.evaluate import LexiconResult

app = typer.Typer(
    no_args_is_help=True,
    help="Measure a space with gold data.",
    epilog=epilog(
        "isolex evaluate lexicon en-es gold.txt",
        "isolex evaluate similarity en-es en-es-SEMEVAL17.txt --lowercase",
        "isolex evaluate analogy en-es questions-words.txt --lowercase",
    ),
)


@app.command(
    "lexicon",
    epilog=epilog(
        "isolex evaluate lexicon en-es gold.txt --retrieval nn",
        "isolex evaluate lexicon eu pl-es.txt --from pl --to es --json",
        "isolex evaluate lexicon eu --gold-dir muse --gold-pattern '{from}-{to}.5000-6500.txt'",
        "isolex evaluate lexicon --vectors en=a.vec --vectors es=b.vec gold.txt",
    ),
)
def lexicon(
    places: LexiconPlaces = None,
    source: From = None,
    target: To = None,
    reverse: Reverse = False,
    gold_folder: GoldFolder = None,
    pattern: GoldPattern = None,
    codes: Codes = None,
    method: Retrieve = None,
    temperature: Temperature = None,
    vectors: Vectors = None,
    lowercase: Lowercase = False,
    threads: Threads = None,
    style: Format = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Precision at 1, 5 and 10 on gold dictionaries.

    The gold file has two words per line. A source word counts as correct if any of its gold
    translations is retrieved. Only source words that are in the vocabulary together with a
    translation are counted; coverage is their share. Precision and coverage are in percent.

    With --gold-dir, prints precision at 1 for every pair of languages that has a gold file; --json
    has all figures and the verdicts. Files are named after the languages: en-es.txt for en to es.
    It is preferred to en-es.test.txt; for any other choice, use --gold-pattern. If there is no
    es-en.txt, the pairs of en-es.txt are swapped for es to en; such figures are marked *.
    """
    from isolex.evaluate import evaluate_lexicon
    from isolex.kernels.parallel import use_threads
    from isolex.run.gold_folder import read_gold

    check_temperature(method, temperature)
    pair = bool(source or target or reverse)
    matrix = MatrixRequest.parse(
        gold_folder, pattern, codes, style, lowercase=lowercase, json=json, pair=pair
    )
    reporter = Reporter(quiet=quiet)
    if matrix:
        folder = find_folder(places or ())
    else:
        folder, gold = find_places(places or (), vectors)
        pairs = read_gold(gold, lowercase=lowercase)
    with use_threads(threads):
        space = open_space(folder, vectors, reporter)
        chosen = choose_retrieval(space.retrieval, method, temperature)
        if matrix:
            matrix.run(folder, space, chosen, reporter)
            return
        names = language_names(space, source, target, reverse=reverse)
        warn(folder, space, *names)
        with reporter.task("retrieving") as tick:
            result = evaluate_lexicon(
                space, pairs, chosen, source=names[0], target=names[1], tick=tick
            )
    advice = f"is this the right gold file, with words of {names[0]} first?"
    warn_of_low_coverage(result.entries, len(result.oov), "source words", advice)
    _print_lexicon(result, chosen, json=json)


def _print_lexicon(result: LexiconResult, retrieval: Retrieval, *, json: bool) -> None:
    if json:
        print_json(result.as_dict())
        return
    rows = [(f"precision@{cut}", f"{value:.2f} %") for cut, value in result.precision.items()]
    rows += [
        ("coverage", f"{result.coverage:.2f} %"),
        ("entries", f"{result.entries:,}"),
        ("out of vocabulary", f"{len(result.oov):,}"),
    ]
    print_table((retrieval.method.value, ""), rows, right=1)


@app.command(
    "similarity",
    epilog=epilog(
        "isolex evaluate similarity en-es en-es-SEMEVAL17.txt --lowercase",
        "isolex evaluate similarity es-en en-es-SEMEVAL17.txt --lowercase --reverse",
        "isolex evaluate similarity en-es wordsim353.txt --from en --to en",
    ),
)
def similarity(
    places: Places,
    source: From = None,
    target: To = None,
    reverse: Reverse = False,
    vectors: Vectors = None,
    lowercase: Lowercase = False,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Correlation with human scores of word pairs.

    The gold file has two words and a number per line. Prints Pearson's and Spearman's
    correlation. The first word of a pair is in the language of
    --from, the second in the language of --to; for pairs in one language, give it twice.
    """
    from isolex import io
    from isolex.evaluate import evaluate_similarity
    from isolex.kernels.parallel import use_threads

    reporter = Reporter(quiet=quiet)
    folder, gold = find_places(places, vectors)
    pairs = io.read_similarity(gold, lowercase=lowercase)
    with use_threads(threads):
        space = open_space(folder, vectors, reporter)
        if source is not None and source == target:
            names = source, source
        else:
            names = language_names(space, source, target, reverse=reverse)
        warn(folder, space, *names)
        left, right = (space[name].embeddings for name in names)
        check_direction(left, right, pairs, "leave out --reverse" if reverse else "use --reverse")
        result = evaluate_similarity(left, right, pairs)
    advice = f"are the words in {' and '.join(names)}?"
    warn_of_low_coverage(result.entries, result.oov, "pairs", advice)
    if json:
        print_json(result.as_dict())
        return
    rows = [
        ("pearson", f"{result.pearson:.4f}"),
        ("spearman", f"{result.spearman:.4f}"),
        ("coverage", f"{result.coverage:.2f} %"),
        ("entries", f"{result.entries:,}"),
        ("out of vocabulary", f"{result.oov:,}"),
    ]
    print_table(("similarity", ""), rows, right=1)


@app.command(
    "analogy",
    epilog=epilog(
        "isolex evaluate analogy en-es questions-words.txt --lowercase",
        "isolex evaluate analogy en-es preguntas.txt --language es --json",
    ),
)
def analogy(
    places: Places,
    language: Annotated[
        str | None,
        typer.Option(
            "--language",
            metavar="L",
            autocompletion=languages,
            show_default="the first",
            help="Language of the questions.",
        ),
    ] = None,
    vectors: Vectors = None,
    lowercase: Lowercase = False,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Accuracy per section of a file of word analogies.

    A section begins with a line ": name"; the other lines have four words each.
    """
    from isolex import io
    from isolex.evaluate import evaluate_analogy
    from isolex.kernels.parallel import use_threads

    reporter = Reporter(quiet=quiet)
    folder, gold = find_places(places, vectors)
    sections = io.read_analogies(gold, lowercase=lowercase)
    with use_threads(threads):
        space = open_space(folder, vectors, reporter)
        name = space[language].name if language else space.names[0]
        warn(folder, space, name)
        check_language(name, {one.name: one.embeddings for one in space}, sections)
        with reporter.task("answering") as tick:
            result = evaluate_analogy(space[name].embeddings, sections, tick)
    advice = f"are they in {name}?"
    warn_of_low_coverage(result.total.entries, result.total.oov, "questions", advice)
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
