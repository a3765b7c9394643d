"""What the evaluations share: where vectors and gold data are, and whether these fit together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isolex.cli.console import Reporter, say
from isolex.cli.inputs import open_run, read_both, read_one
from isolex.cli.options import SideName
from isolex.errors import UsageError

if TYPE_CHECKING:
    from isolex.core.embeddings import Embeddings
    from isolex.core.space import Alignment
    from isolex.evaluate.similarity import ScoredPair
    from isolex.io.analogies import Question

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


def find_places(places: list[Path], **needed: Path | None) -> tuple[Path | None, Path]:
    """The folder, if there is one, and the gold file; without a folder, vectors are needed."""
    if len(places) == 2:
        return places[0], places[1]
    if len(places) != 1:
        raise UsageError("give a folder and a gold file, nothing more")
    if None in needed.values():
        options = " and ".join(f"--{name} FILE" for name in needed)
        raise UsageError(f"give a folder and a gold file, or {options} and a gold file")
    return None, places[0]


def both_sides(
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


def given_sides(
    folder: Path | None, src: Path | None, trg: Path | None, reporter: Reporter
) -> dict[SideName, Embeddings]:
    """The sides that there are, where one may be enough."""
    if folder is not None or (src and trg):
        source, target, _ = both_sides(folder, src, trg, reporter)
        return {SideName.SRC: source, SideName.TRG: target}
    given = {SideName.SRC: src, SideName.TRG: trg}
    return {
        side: read_one(path, reporter).embeddings
        for side, path in given.items()
        if path is not None
    }


def check_direction(
    left: Embeddings, right: Embeddings, pairs: Sequence[ScoredPair], advice: str
) -> None:
    """Refuse scored pairs whose words are in the order of the other direction."""
    from isolex.core.lexicon import refuse_turned
    from isolex.evaluate.similarity import known

    refuse_turned(len(known(left, right, pairs)), len(known(right, left, pairs)), advice)


def check_side(
    side: SideName, sides: Mapping[SideName, Embeddings], sections: Mapping[str, Sequence[Question]]
) -> None:
    """Refuse questions in the other language."""
    from isolex.evaluate.analogy import count_known

    known = {name: count_known(words, sections) for name, words in sides.items()}
    best = max(known, key=lambda name: known[name])
    if known[best] and not known[side]:
        raise UsageError(
            f"no question has all four words on the side {side}, but {known[best]:,} on the "
            f"other: use --side {best}"
        )


def warn_of_few(entries: int, oov: int, what: str, doubt: str) -> None:
    """Say, to the quiet too, that little of the gold data could be asked."""
    from isolex.evaluate.coverage import few

    if few(entries, total := entries + oov):
        say(f"only {entries:,} of {total:,} {what} could be asked; {doubt}")
