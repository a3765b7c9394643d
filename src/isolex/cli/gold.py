"""What the evaluations share: the space, the gold file, and whether they fit together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isolex.cli.console import say
from isolex.errors import UsageError

if TYPE_CHECKING:
    from isolex.core.embeddings import Embeddings
    from isolex.evaluate.similarity import ScoredPair
    from isolex.io.analogies import Question

Places = Annotated[
    list[Path],
    typer.Argument(
        metavar="[DIR] GOLD",
        help="A folder that `isolex map` wrote, unless --vectors is given, and the gold file.",
    ),
]
LexiconPlaces = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="DIR GOLD",
        help="A folder that `isolex map` wrote, unless --vectors is given, and the gold file, "
        "unless --gold-dir is given.",
    ),
]


def find_folder(places: Sequence[Path]) -> Path | None:
    """The folder, if there is one, for a command that needs no gold file."""
    if len(places) > 1:
        raise UsageError("give a folder and --gold-dir, but no gold file")
    return places[0] if places else None


def find_places(places: Sequence[Path], vectors: Sequence[str] | None) -> tuple[Path | None, Path]:
    """The folder, if there is one, and the gold file."""
    if len(places) > 2:
        raise UsageError("give a folder and a gold file, nothing more")
    if len(places) == 2:
        return places[0], places[1]
    if not vectors or not places:
        raise UsageError("give a folder and a gold file, or --vectors FILE twice and a gold file")
    return None, places[0]


def check_direction(
    left: Embeddings, right: Embeddings, pairs: Sequence[ScoredPair], advice: str
) -> None:
    """Refuse scored pairs whose words are in the opposite order."""
    from isolex.core.lexicon import refuse_swapped
    from isolex.evaluate.similarity import known

    refuse_swapped(len(known(left, right, pairs)), len(known(right, left, pairs)), advice)


def check_language(
    name: str,
    languages: Mapping[str, Embeddings],
    sections: Mapping[str, Sequence[Question]],
) -> None:
    """Refuse questions in another language of the space."""
    from isolex.evaluate.analogy import count_known

    known = {one: count_known(words, sections) for one, words in languages.items()}
    best = max(known, key=lambda one: known[one])
    if known[best] and not known[name]:
        raise UsageError(
            f"no question has all four words in {name}; number of questions with all four in "
            f"{best}: {known[best]:,}; use --language {best}"
        )


def warn_of_low_coverage(entries: int, oov: int, what: str, advice: str) -> None:
    """Warn, even with --quiet, that little of the gold data is in the vocabularies."""
    from isolex.evaluate.coverage import too_few

    if too_few(entries, total := entries + oov):
        say(f"only {entries:,} of {total:,} {what} are in the vocabularies; {advice}")
