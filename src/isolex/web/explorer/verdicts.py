"""What the pages say about verdicts."""

from __future__ import annotations

from typing import NamedTuple

from isolex.core.choices import Outcome
from isolex.core.pair import Pair
from isolex.core.space import Space
from isolex.core.space_view import count_pairs
from isolex.core.verdict import MEANINGS
from isolex.web.templating import listed


class Notice(NamedTuple):
    """A verdict that the reader of a page must know about."""

    outcome: Outcome
    meaning: str


def about_space(space: Space) -> Notice | None:
    """What to know before a word is looked up."""
    if space.verdict and len(space) == 2:
        return _doubt(space.verdict.outcome, space.verdict.meaning)
    alone = [name for name in space.names if space.outcome(name) == Outcome.FAILED]
    return _not_connected(alone) if alone else None


def about_language(space: Space, name: str) -> Notice | None:
    """What to know about a word of one of several languages."""
    return _not_connected([name]) if space.outcome(name) == Outcome.FAILED else None


def about_pair(space: Space, one: str, other: str) -> Notice | None:
    """What to know about translations between two languages."""
    pair = space.about(one, other)
    if pair.verdict is None or len(space) == 2:
        return about_space(space)
    outcome = pair.verdict.outcome
    if outcome == Outcome.FAILED:
        meaning = f"{one} and {other} are not aligned: these translations are most likely useless."
        return Notice(outcome, meaning)
    if pair.is_recovered:
        meaning = "" if outcome == Outcome.SUCCEEDED else f"{MEANINGS[outcome]} "
        meaning += f"On their own, {one} and {other} failed. They were {_recovered(pair)}."
        return Notice(outcome, meaning)
    return _doubt(outcome, MEANINGS[outcome])


def status(pair: Pair) -> str:
    """The verdict on two languages in a few words; empty if there is none."""
    if pair.verdict is None:
        return ""
    outcome = pair.verdict.outcome
    if outcome == Outcome.FAILED:
        return f"{outcome}: most likely useless"
    return f"{outcome}, {_recovered(pair)}" if pair.is_recovered else str(outcome)


def summary(space: Space) -> str:
    """The verdict on a space; with several languages, the number of pairs with each verdict."""
    if space.verdict is None:
        return ""
    return count_pairs(space) if len(space) > 2 else str(space.verdict.outcome)


def _doubt(outcome: Outcome, meaning: str) -> Notice | None:
    return None if outcome == Outcome.SUCCEEDED else Notice(outcome, meaning)


def _not_connected(names: list[str]) -> Notice:
    them = "it" if len(names) == 1 else "them"
    return Notice(
        Outcome.FAILED,
        f"Nothing connects {listed(names)} with the other languages: translations from and into "
        f"{them} are most likely useless.",
    )


def _recovered(pair: Pair) -> str:
    return f"recovered through {listed(pair.through) if pair.through else 'other languages'}"
