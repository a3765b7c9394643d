"""isolex apply: map further vectors with a saved mapping."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from isolex.cli.console import Reporter
from isolex.cli.inputs import warn
from isolex.cli.options import Folder, MaxWords, Out, Quiet, SideName, Threads


def run(
    folder: Folder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Vectors to map.")],
    side: Annotated[SideName, typer.Option("--side", help="Which language they belong to.")],
    out: Out,
    max_words: MaxWords = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Map vectors into the shared space: other words of a language, or the same ones again.

    The format is that of the suffix: .vec, .txt, .bin, .glove or .safetensors.

    Example: isolex apply en-es more-english.vec --side src --out mapped.vec
    """
    from isolex import io
    from isolex.embeddings import Embeddings
    from isolex.errors import InputError
    from isolex.files import check_target
    from isolex.kernels.parallel import use_threads
    from isolex.reading import Input
    from isolex.run_folder import RunFolder

    reporter = Reporter(quiet=quiet)
    io.check(out)
    check_target(out, file)
    with use_threads(threads):
        alignment = RunFolder(folder).mapping()
        warn(folder, alignment)
        mapping = alignment.source if side == SideName.SRC else alignment.target
        with reporter.task(f"reading {file.name}") as tick:
            given = Input.read(file, max_words, tick)
        reporter.note(given.repairs)
        if given.embeddings.dims != mapping.origin.dims:
            raise InputError(
                f"{file}: {given.embeddings.dims} dimensions, but this mapping's {side} side takes "
                f"{mapping.origin.dims}; give vectors of the same space"
            )
        mapped = Embeddings(given.embeddings.words, mapping.transform(given.embeddings.vectors))
        with reporter.task(f"writing {out.name}") as tick:
            io.save(mapped, out, tick=tick)
    reporter.note(f"{out}: {len(mapped):,} words x {mapped.dims}")
