"""isolex train: train word vectors on plain text."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from isolex.cli.console import Reporter, print_json, say
from isolex.cli.help import epilog
from isolex.cli.inputs import check_out
from isolex.cli.options import Json, Out, Quiet
from isolex.errors import UsageError

if TYPE_CHECKING:
    from isolex.corpora import Corpus, Settings, Tokeniser, Trained

_SMALL_CORPUS = 1_000_000  # words


EPILOG = epilog(
    "isolex train english.txt --out en.vec",
    "isolex train english.txt --out en.vec --counts en.npz",
)


class TrainingMethod(StrEnum):
    """The names in `isolex.corpora.METHODS`, repeated here to keep the import fast."""

    WORD2VEC = "word2vec"
    FASTTEXT = "fasttext"


CorpusFiles = Annotated[
    list[Path],
    typer.Argument(metavar="CORPUS", help="Text files, plain or compressed, or folders."),
]
Method = Annotated[
    TrainingMethod, typer.Option("--method", help="fasttext also learns from sub-words.")
]
Dims = Annotated[
    int | None,
    typer.Option(
        "--dims",
        min=1,
        metavar="N",
        show_default="300; 100 if under 5,000 words",
        help="Number of dimensions.",
    ),
]
Window = Annotated[
    int, typer.Option("--window", min=1, metavar="N", help="Context words on each side.")
]
MinCount = Annotated[
    int, typer.Option("--min-count", min=1, metavar="N", help="Rarer words get no vector.")
]
Epochs = Annotated[
    int | None,
    typer.Option(
        "--epochs",
        min=1,
        metavar="N",
        show_default="5 to 20, by corpus size",
        help="Number of passes over the text.",
    ),
]
MaxVocabulary = Annotated[
    int | None,
    typer.Option("--max-words", min=2, metavar="N", help="Only the N most frequent words."),
]
Phrases = Annotated[
    bool, typer.Option("--phrases", help="Join frequent phrases into words: new_york.")
]
Lower = Annotated[
    bool, typer.Option("--lowercase/--keep-case", help="Whether to lower-case the text.")
]
CutApostrophes = Annotated[
    bool,
    typer.Option("--cut-apostrophes", help="Split l'homme into l and homme (French, Italian)."),
]
CountsOut = Annotated[
    Path | None,
    typer.Option(
        "--counts",
        metavar="FILE",
        help="Also write how often the 5,000 most frequent words occur near one another, for "
        "isolex map --counts; .npz.",
    ),
]
TrainingThreads = Annotated[
    int | None,
    typer.Option(
        "--threads", min=1, metavar="N", show_default="all cores", help="Number of threads."
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed", min=0, metavar="N", help="Random seed; reproducible only with --threads 1."
    ),
]


def run(
    corpus: CorpusFiles,
    out: Out,
    method: Method = TrainingMethod.WORD2VEC,
    dims: Dims = None,
    window: Window = 5,
    min_count: MinCount = 5,
    epochs: Epochs = None,
    max_words: MaxVocabulary = None,
    phrases: Phrases = False,
    lowercase: Lower = True,
    cut_apostrophes: CutApostrophes = False,
    counts: CountsOut = None,
    threads: TrainingThreads = None,
    seed: Seed = 0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Train word vectors on plain text, for `isolex map`.

    Each line is a sentence. A word is a run of letters and digits, in any script that puts spaces
    between words; segment Chinese, Japanese or Thai first. The text may be larger than memory: it
    is read once, and a tokenised copy is kept next to OUT during training.

    The suffix of OUT sets the format: .vec, .txt, .bin, .glove, .parquet or .safetensors. With
    --method fasttext, .bin is the whole fastText model. An existing OUT is replaced.
    """
    from isolex import corpora, io

    _load_gensim()
    reporter = Reporter(quiet=quiet)
    began = time.perf_counter()
    io.check(out)
    files = corpora.find_files(corpus)
    _check_targets(out, counts, files)
    with _scratch_folder(out.parent) as scratch:
        tokeniser = corpora.Tokeniser(lowercase, cut_apostrophes)
        text = _read_corpus(files, tokeniser, scratch, reporter, phrases=phrases)
        words = corpora.vocabulary(text.counts, min_count, max_words)
        settings = corpora.Settings.for_corpus(
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
        _write_counts(text, words, counts, reporter)
        with reporter.task("training") as tick:
            trained = corpora.train(text, words, settings, tick)
    _save(trained, out, reporter)
    seconds = time.perf_counter() - began
    if json:
        facts = {"words": len(words), "text": text.words, "seconds": seconds}
        print_json(facts | settings.as_dict())
    reporter.note(f"{out}: {len(words):,} words x {settings.dims}, {seconds:.0f} s")


def _check_targets(out: Path, counts: Path | None, files: Sequence[Path]) -> None:
    """Refuse files that cannot be written, before the work starts."""
    check_out(out, *files)
    if counts is None:
        return
    if counts.resolve() == out.resolve():
        raise UsageError(f"{counts}: --out and --counts name the same file; choose another one")
    check_out(counts, *files)


def _write_counts(
    text: Corpus, words: Iterable[str], path: Path | None, reporter: Reporter
) -> None:
    """Write the co-occurrence counts, if they were requested."""
    from isolex import corpora, io

    if path is None:
        return
    with reporter.task("counting") as tick:
        io.save_counts(corpora.count(text, words, tick), path)


def _load_gensim() -> None:
    """Import gensim, or name the pip command; before the work starts, because it is slow."""
    from isolex.adapters import extras

    extras.require(("gensim",), "isolex train")
    import gensim.models  # noqa: F401

    logging.getLogger("gensim").setLevel(logging.ERROR)  # isolex prints its own warnings


def _save(trained: Trained, out: Path, reporter: Reporter) -> None:
    """Write the vectors, or the whole model if it is fastText and OUT ends in .bin."""
    from isolex import io

    if trained.settings.method == TrainingMethod.FASTTEXT and out.suffix.lower() == ".bin":
        trained.save_model(out)
        return
    with reporter.task(f"writing {out.name}") as tick:
        io.save(trained.embeddings, out, tick=tick)


@contextmanager
def _scratch_folder(parent: Path) -> Iterator[Path]:
    from isolex.core.file_errors import refuse_os

    try:
        folder = TemporaryDirectory(prefix=".isolex-", dir=parent)
    except OSError as error:
        raise refuse_os(parent, error) from error
    with folder as scratch:
        yield Path(scratch)


def _read_corpus(
    files: Sequence[Path],
    tokeniser: Tokeniser,
    scratch: Path,
    reporter: Reporter,
    *,
    phrases: bool,
) -> Corpus:
    from isolex import corpora

    with reporter.task("reading") as tick:
        text = corpora.Corpus.read(files, scratch / "words", tokeniser, tick)
    if phrases:
        with reporter.task("joining phrases") as tick:
            text = corpora.join_phrases(text, scratch / "phrases", tick)
    if corpora.mostly_numbers(text.counts):
        say("most of the text is numbers; is this a vector file? isolex train needs plain text")
    return text


def _announce(text: Corpus, words: int, settings: Settings, reporter: Reporter) -> None:
    """Print what will be trained, and warn about text that gives poor vectors."""
    from isolex.corpora import has_spaces

    epochs = "epoch" if settings.epochs == 1 else "epochs"
    reporter.note(
        f"{text.words:,} words of text, {words:,} words to learn: {settings.method}, "
        f"{settings.dims} dimensions, {settings.epochs} {epochs}"
    )
    if not has_spaces(text.counts):
        say(
            "the script has no spaces between words, so whole phrases count as words; "
            "segment the text first"
        )
    if text.words < _SMALL_CORPUS:
        say(f"{text.words:,} words are little text: expect poor vectors; millions are better")
