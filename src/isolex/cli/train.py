"""isolex train: word vectors of plain text."""

from __future__ import annotations

import logging
import time
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from isolex.cli.console import Reporter, print_json, say
from isolex.cli.inputs import check_out
from isolex.cli.options import Json, Out, Quiet

if TYPE_CHECKING:
    from isolex.corpora import Corpus, Settings

SMALL = 1_000_000


class Method(StrEnum):
    """The ways to train; the names of `isolex.corpora.METHODS`, without its imports."""

    WORD2VEC = "word2vec"
    FASTTEXT = "fasttext"


def run(
    corpus: Annotated[
        list[Path],
        typer.Argument(metavar="CORPUS...", help="Text files, compressed or not, or folders."),
    ],
    out: Out,
    method: Annotated[
        Method, typer.Option("--method", help="fasttext also learns from the parts of words.")
    ] = Method.WORD2VEC,
    dims: Annotated[
        int | None,
        typer.Option(
            "--dims", min=1, metavar="N", show_default="300; of few words 100", help="Per vector."
        ),
    ] = None,
    window: Annotated[
        int, typer.Option("--window", min=1, metavar="N", help="Words of context a side.")
    ] = 5,
    min_count: Annotated[
        int, typer.Option("--min-count", min=1, metavar="N", help="Rarer words get no vector.")
    ] = 5,
    epochs: Annotated[
        int | None,
        typer.Option(
            "--epochs",
            min=1,
            metavar="N",
            show_default="5 to 20, by size",
            help="Passes over it.",
        ),
    ] = None,
    max_words: Annotated[
        int | None,
        typer.Option("--max-words", min=2, metavar="N", help="Vectors of the N most frequent."),
    ] = None,
    phrases: Annotated[
        bool, typer.Option("--phrases", help="Join words that go together: new_york.")
    ] = False,
    lowercase: Annotated[
        bool, typer.Option("--lowercase/--keep-case", help="Whether to lower-case the text.")
    ] = True,
    cut_apostrophes: Annotated[
        bool,
        typer.Option("--cut-apostrophes", help="l'homme is l and homme (French, Italian ...)."),
    ] = False,
    threads: Annotated[
        int | None,
        typer.Option("--threads", min=1, metavar="N", show_default="all cores", help="Workers."),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            "--seed", min=0, metavar="N", help="The same vectors again only with --threads 1."
        ),
    ] = 0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Train word vectors on plain text, for `isolex map`.

    A line is a sentence. Words are runs of letters and digits in any script with spaces between
    words; segment Chinese, Japanese or Thai first. The text may be larger than memory: it is read
    once, and its words are kept beside OUT while training lasts.

    OUT is written in the format of its suffix: .vec, .txt, .bin, .glove, .parquet or .safetensors;
    with --method fasttext, .bin is the whole fastText model. An OUT that is there is replaced.

    Example: isolex train english.txt --out en.vec
    """
    from isolex import corpora, io
    from isolex.adapters import extras
    from isolex.core.files import refuse_os

    extras.require(("gensim",), "isolex train")
    import gensim.models  # noqa: F401 - takes its time: before the work, not amidst it

    logging.getLogger("gensim").setLevel(logging.ERROR)  # what matters is said in words of our own
    reporter = Reporter(quiet=quiet)
    began = time.perf_counter()
    io.check(out)
    files = corpora.find_files(corpus)
    check_out(out, *files)
    try:
        folder = TemporaryDirectory(prefix=".isolex-", dir=out.parent)
    except OSError as error:
        raise refuse_os(out.parent, error) from error
    with folder as scratch:
        tokeniser = corpora.Tokeniser(lowercase, cut_apostrophes)
        with reporter.task("reading") as tick:
            text = corpora.Corpus.read(files, Path(scratch, "words"), tokeniser, tick)
        if phrases:
            with reporter.task("joining phrases") as tick:
                text = corpora.join_phrases(text, Path(scratch, "phrases"), tick)
        if corpora.mostly_numbers(text.counts):
            say(
                "most of the text is numbers: is it a file of vectors? train learns from plain text"
            )
        words = corpora.vocabulary(text.counts, min_count, max_words)
        settings = corpora.Settings.fitting(
            text.words,
            len(words),
            method=method.value,
            dims=dims,
            window=window,
            min_count=min_count,
            epochs=epochs,
            seed=seed,
            threads=threads,
        )
        _announce(text, len(words), settings, reporter)
        with reporter.task("training") as tick:
            trained = corpora.train(text, words, settings, tick)
    if method == Method.FASTTEXT and out.suffix.lower() == ".bin":
        trained.save_model(out)
    else:
        with reporter.task(f"writing {out.name}") as tick:
            io.save(trained.embeddings, out, tick=tick)
    seconds = time.perf_counter() - began
    if json:
        print_json(
            {"words": len(words), "text": text.words, "seconds": seconds} | settings.as_dict()
        )
    reporter.note(f"{out}: {len(words):,} words x {settings.dims}, {seconds:.0f} s")


def _announce(text: Corpus, words: int, settings: Settings, reporter: Reporter) -> None:
    """Say what is trained, and what is to be known about the text."""
    from isolex.corpora import has_spaces

    epochs = "epoch" if settings.epochs == 1 else "epochs"
    reporter.note(
        f"{text.words:,} words of text, {words:,} words to learn: {settings.method}, "
        f"{settings.dims} dimensions, {settings.epochs} {epochs}"
    )
    if not has_spaces(text.counts):
        say("the script puts no spaces between words: segment the text, or whole phrases are words")
    if text.words < SMALL:
        say(f"{text.words:,} words are little text: expect rough vectors; millions are better")
