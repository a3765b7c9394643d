"""Pairs of languages: the matrix of all of them, the tree that connects them, and their runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from isolex.core.history import IterationRecord
from isolex.core.pair import Pair
from isolex.core.space import Space
from isolex.web.report.verdicts import groups, outcome_of
from isolex.web.templating import listed


@dataclass(frozen=True)
class Node:
    """A language in the tree.

    Attributes:
        name: The language.
        pair: What is known about it and the language above it, if there is one.
        children: The languages that it connects with the others, most reliable first.
    """

    name: str
    pair: Pair | None
    children: tuple[Node, ...]


@dataclass(frozen=True)
class PairRunSummary:
    """The run of two languages without the others."""

    label: str
    pair: Pair
    iterations: int
    objective: float | None


def matrix(space: Space) -> list[tuple[str, list[tuple[Pair, str] | None]]]:
    """For each language what is known about it and each other one, with a description."""
    return [
        (
            one,
            [
                (space.about(one, other), description(one, other, space.about(one, other)))
                if one != other
                else None
                for other in space.names
            ],
        )
        for one in space.names
    ]


def description(one: str, other: str, pair: Pair) -> str:
    """Everything that is known about two languages, in sentences."""
    sentences = [f"{one} and {other}: {outcome_of(pair) or 'no verdict'}."]
    if pair.verdict:
        reason = pair.verdict.reason
        sentences.append(f"{reason[:1].upper()}{reason[1:]}.")
    if pair.mutual is not None:
        sentences.append(f"{pair.mutual:.0%} of frequent words have a mutual best translation.")
    if pair.validation is not None:
        sentences.append(f"Precision@1 on validation pairs: {pair.validation:.1f}%.")
    if pair.alone is not None:
        sentences.append(f"Run on their own: {pair.alone}.")
    if pair.through:
        sentences.append(f"Connected through {listed(pair.through)}.")
    return " ".join(sentences)


def trees(space: Space) -> list[Node]:
    """The tree of each group of connected languages, from its first language on."""
    group_of = {name: number for number, group in enumerate(groups(space)) for name in group}
    edges = [edge for edge in space.tree if group_of[edge[0]] == group_of[edge[1]]]
    seen: set[str] = set()

    def grow(name: str, pair: Pair | None) -> Node:
        seen.add(name)
        beyond = [edge[name == edge[0]] for edge in edges if name in edge]
        return Node(
            name,
            pair,
            tuple(grow(other, space.about(name, other)) for other in beyond if other not in seen),
        )

    found = [grow(name, None) for name in space.names if name not in seen]
    return [node for node in found if node.children]


def pair_runs(space: Space) -> Iterator[PairRunSummary]:
    """The runs of two languages on their own, in the order of the space."""
    for names, pair in space.pairs.items():
        records = _records(space, "-".join(names))
        if pair.alone is not None:
            objective = records[-1].objective if records else None
            yield PairRunSummary("-".join(names), pair, len(records), objective)


def rounds(space: Space) -> Sequence[IterationRecord]:
    """The rounds in which all languages moved together."""
    return _records(space, "all")


def _records(space: Space, label: str) -> Sequence[IterationRecord]:
    return [record for record in space.history if record.pair == label]
