"""What commands say about the verdicts on the languages that they use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from isolex.cli.console import say
from isolex.core.choices import Outcome
from isolex.core.verdict import MEANINGS

if TYPE_CHECKING:
    from isolex.core.pair import Pair
    from isolex.core.space import Space

UNSURE = (Outcome.DOUBTFUL, Outcome.FAILED)
"""The verdicts that commands warn about."""

SHOWN = 8
"""How many pairs of languages a warning names."""


def warn(folder: Path | None, space: Space, *names: str) -> None:
    """Warn, even with --quiet, if the verdict on the languages in use is not good.

    Args:
        folder: The folder of the space.
        space: The space.
        names: Two languages, or one.
    """
    several, used = len(space) > 2, tuple(dict.fromkeys(names))
    if several and len(used) == 1:
        outcome = space.outcome(used[0])
    else:
        outcome = _outcome(space.about(*(used if several else space.names)))
    if outcome in UNSURE:
        apart = _apart(space, used) if several else ""
        line = describe(outcome, "-".join(used) if several else "")
        say("; ".join(filter(None, (f"{folder}: {line}", apart))))


def warn_of_pairs(folder: Path | None, space: Space, pairs: Iterable[tuple[str, str]]) -> None:
    """The same for some or all pairs of languages, in a few lines."""
    if len(space) == 2:
        warn(folder, space, *space.names)
        return
    chosen = set(map(frozenset, pairs))
    verdicts = {
        "-".join(names): _outcome(pair)
        for names, pair in space.pairs.items()
        if frozenset(names) in chosen
    }
    names = [name for name in space.names if any(name in pair for pair in chosen)]
    for line in filter(None, (_apart(space, names), *describe_pairs(verdicts))):
        say(f"{folder}: {line}")


def describe(outcome: Outcome, label: str = "") -> str:
    """A verdict and what it means, with the label of the languages if there are several pairs."""
    where = f" on {label}" if label else ""
    return f"the verdict{where} is {outcome}. {MEANINGS[outcome]}".removesuffix(".")


def describe_pairs(verdicts: Mapping[str, Outcome | None]) -> Iterator[str]:
    """A line for each bad verdict, with the labels of the pairs that have it."""
    for outcome in UNSURE:
        labels = [label for label, verdict in verdicts.items() if verdict == outcome]
        if labels:
            more = len(labels) - SHOWN
            listed = ", ".join(labels[:SHOWN]) + (f" and {more} more" if more > 0 else "")
            count = f"{len(labels)} of {len(verdicts)} pairs"
            verb = "" if outcome == Outcome.FAILED else "is " if len(labels) == 1 else "are "
            yield f"{count} {verb}{outcome}: {listed}. {MEANINGS[outcome]}".removesuffix(".")


def _outcome(pair: Pair) -> Outcome | None:
    return pair.verdict.outcome if pair.verdict else None


def _apart(space: Space, names: Iterable[str]) -> str:
    """A text that names unconnected languages; empty if there are none."""
    apart = [name for name in names if space.outcome(name) == Outcome.FAILED]
    verb = "is" if len(apart) == 1 else "are"
    return f"{' and '.join(apart)} {verb} not connected with the other languages" if apart else ""
