"""The verdicts on several languages, in plain words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from isolex.core.choices import Outcome
from isolex.core.pair import Pair
from isolex.core.space import Space
from isolex.method.joining import Groups
from isolex.web.templating import listed
from isolex.web.wording import NO_TWO, SEVERAL

NAMED = 3
"""Up to this many languages are named; more are only counted."""

Counts = Mapping[Outcome, int]
"""How many pairs have each outcome."""


@dataclass(frozen=True)
class RunVerdict:
    """The verdict on a run of several languages.

    Attributes:
        outcome: The outcome of the worst pair.
        title: The outcome and what it applies to.
        meaning: What it means.
        counts: How many pairs have each outcome.
        parted: Two languages that nothing connects, as an example.
    """

    outcome: Outcome
    title: str
    meaning: str
    counts: Counts
    parted: tuple[str, str] | None = None


@dataclass(frozen=True)
class LanguageVerdict:
    """The verdict on a language, from its best pair; ``meaning`` says more about its pairs."""

    name: str
    outcome: Outcome | None
    meaning: str


def outcome_of(pair: Pair) -> Outcome | None:
    """The outcome for two languages, if there is a verdict."""
    return pair.verdict.outcome if pair.verdict else None


def groups(space: Space) -> list[list[str]]:
    """Groups of languages that are connected, directly or not, by pairs that did not fail."""
    places = {name: place for place, name in enumerate(space.names)}
    links = [
        (places[one], places[other])
        for (one, other), pair in space.pairs.items()
        if outcome_of(pair) not in (None, Outcome.FAILED)
    ]
    found = Groups(len(space), links)
    return [[space.names[place] for place in group] for group in found]


def unconnected(space: Space) -> list[str]:
    """The languages that nothing connects with any other."""
    return [group[0] for group in groups(space) if len(group) == 1]


def run_verdict(space: Space) -> RunVerdict | None:
    """The verdict on the run, if there is one."""
    if space.verdict is None:
        return None
    outcome, counts = space.verdict.outcome, _counts(space.pairs.values())
    parts = groups(space)
    if len(parts) > 1:
        title, meaning = _divided(space, parts)
        first, second = sorted(parts, key=len, reverse=True)[:2]
        return RunVerdict(outcome, title, meaning, counts, (first[0], second[0]))
    title = outcome.capitalize()
    if counts[outcome] < len(space.pairs):
        title += f" for {counts[outcome]} of {len(space.pairs)} pairs"
    return RunVerdict(outcome, title, SEVERAL[outcome], counts)


def _divided(space: Space, parts: Sequence[Sequence[str]]) -> tuple[str, str]:
    """Title and meaning of the verdict if not all languages are connected."""
    larger = [part for part in parts if len(part) > 1]
    apart = unconnected(space)
    if not larger:
        return "Failed", NO_TWO
    if len(larger) > 1:
        listed_parts = "; ".join(listed(part) for part in parts)
        return (
            f"Failed: the languages form {len(parts)} groups that nothing connects",
            f"The groups are: {listed_parts}. Translations from one group into another are most "
            "likely useless. Translations within a group are not affected.",
        )
    [rest] = larger
    pairs = [pair for names, pair in space.pairs.items() if set(names) <= set(rest)]
    names, (are, them) = few(apart), ("is", "it") if len(apart) == 1 else ("are", "them")
    return (
        f"Failed: {names} {are} not connected",
        f"Nothing connects {names} with the other languages: translations from and into {them} are "
        f"most likely useless. The other {len(rest)} languages are not affected: of their pairs, "
        f"{count_text(_counts(pairs))}.",
    )


def language_verdicts(space: Space) -> list[LanguageVerdict]:
    """The verdict on each language."""
    apart = unconnected(space)
    return [
        LanguageVerdict(name, space.outcome(name), _meaning(space, name, apart))
        for name in space.names
    ]


def _meaning(space: Space, name: str, apart: Collection[str]) -> str:
    """How well a language is aligned with the others, except unconnected ones."""
    if name in apart:
        return "Not connected with any other language"
    others = [other for other in space.names if other != name and other not in apart]
    every = "all connected languages" if apart else "all others"
    phrases = {
        Outcome.SUCCEEDED: "aligned with",
        Outcome.DOUBTFUL: "doubtful with",
        Outcome.FAILED: "not connected with",
    }
    texts = []
    for outcome, phrase in phrases.items():
        found = [other for other in others if outcome_of(space.about(name, other)) == outcome]
        if found:
            texts.append(f"{phrase} {every if found == others else few(found, 'others')}")
    text = "; ".join(texts)
    return text[:1].upper() + text[1:]


def few(names: Sequence[str], noun: str = "languages") -> str:
    """The names, or their number if there are many."""
    return listed(names) if len(names) <= NAMED else f"{len(names)} {noun}"


def count_text(counts: Counts) -> str:
    """How many pairs have each outcome, as text."""
    doubtful = counts[Outcome.DOUBTFUL]
    texts = {
        Outcome.SUCCEEDED: f"{counts[Outcome.SUCCEEDED]} succeeded",
        Outcome.DOUBTFUL: f"{doubtful} {'is' if doubtful == 1 else 'are'} doubtful",
        Outcome.FAILED: f"{counts[Outcome.FAILED]} failed",
    }
    return listed([text for outcome, text in texts.items() if counts[outcome]])


def _counts(pairs: Iterable[Pair]) -> Counts:
    found = Counter(outcome_of(pair) for pair in pairs)
    return {outcome: found[outcome] for outcome in Outcome}
