"""isolex apply: map further vectors into a saved space."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isolex.cli.complete import languages
from isolex.cli.console import Reporter, say
from isolex.cli.help import epilog
from isolex.cli.inputs import check_out, open_space
from isolex.cli.options import Folder, MaxWords, Out, Quiet, Threads
from isolex.cli.verdicts import warn
from isolex.errors import InputError, UsageError

if TYPE_CHECKING:
    from isolex.core.space import Space
    from isolex.run.inputs import VectorInput

SHOWN = 5
"""How many words without a vector are named."""

EPILOG = epilog(
    "isolex apply en-es more-english.vec --language en --out mapped.vec",
    "isolex apply en-es cc.en.300.bin --words rare.txt --language en --out rare.vec",
)


def run(
    folder: Folder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Vectors to map.")],
    language: Annotated[
        str,
        typer.Option(
            "--language", metavar="L", autocompletion=languages, help="Language of the vectors."
        ),
    ],
    out: Out,
    words: Annotated[
        Path | None,
        typer.Option(
            "--words", metavar="LIST", help="Map only the words in this file, one per line."
        ),
    ] = None,
    max_words: MaxWords = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Map further vectors into the shared space.

    FILE holds vectors from the same model as those the space was made from. The suffix of the
    output chooses its format: .vec, .txt, .bin, .glove, .parquet or .safetensors. An existing
    output file is replaced. Mapped vectors have unit length.

    If FILE is a fastText model (.bin), words in LIST that are out of vocabulary get the vector of
    their sub-words. Words without a vector are listed on standard error.
    """
    from isolex import io
    from isolex.core.embeddings import Embeddings
    from isolex.kernels.parallel import use_threads
    from isolex.run.inputs import VectorInput

    reporter = Reporter(quiet=quiet)
    io.check(out)
    check_out(out, file, words, run=folder)
    if words is not None and max_words is not None:
        raise UsageError("--words chooses the words to map: leave out --max-words")
    asked = None if words is None else io.read_words(words)
    missing: list[str] = []
    with use_threads(threads):
        space = open_space(folder, None, reporter)
        warn(folder, space, space[language].name)
        with reporter.task(f"reading {file.name}") as tick:
            if asked is None:
                given = VectorInput.read(file, max_words, tick)
            else:
                given, missing = VectorInput.read_words(file, asked, tick)
        reporter.note(given.repairs)
        _check(space, language, given)
        vectors = space[language].transform(given.embeddings.vectors)
        mapped = Embeddings(given.embeddings.words, vectors)
        with reporter.task(f"writing {out.name}") as tick:
            io.save(mapped, out, tick=tick)
    if missing:
        some = ", ".join(map(repr, missing[:SHOWN])) + (" ..." if len(missing) > SHOWN else "")
        say(f"{file}: no vector for {len(missing):,} of {len(asked or []):,} words: {some}")
    reporter.note(f"{out}: {len(mapped):,} words x {mapped.dims}")


def _check(space: Space, name: str, given: VectorInput) -> None:
    """Refuse vectors of another language or of another number of dimensions."""
    own, embeddings = space[name], given.embeddings
    for other in space:
        if other is not own and other.checksums != own.checksums and other.is_from(embeddings):
            raise UsageError(
                f"{given.path.name}: these are the vectors of {other.name}: use --language "
                f"{other.name}"
            )
    if embeddings.dims != own.dims:
        raise InputError(
            f"{given.path.name}: {embeddings.dims} dimensions, but {name} takes {own.dims}; give "
            "vectors from the same model"
        )
