"""Joining: which pairs of languages to run on their own, and the tree that connects them.

A run of two languages costs a hundred times more than a guess at whether it will succeed, and one
success joins two groups of languages for good. So runs are chosen in waves: in each wave, every
group tries its most promising pair with another group. The runs of a wave are independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from isolex.core.choices import Outcome
from isolex.core.embeddings import Vectors
from isolex.core.verdict import Verdict
from isolex.kernels.induction import induce
from isolex.kernels.similarity import similarity_profile
from isolex.method import normalise

Key = tuple[int, int]
"""Two languages by their positions, the smaller one first."""

WORDS, NEIGHBOURS = 2000, 10
"""The number of words, and of CSLS neighbours, for measuring the likeness of two languages."""


def likeness(languages: Sequence[Vectors]) -> dict[Key, float]:
    """How promising each pair is: the share of mutual pairs in its first lexicon.

    This is the first lexicon of section 3.2, from sorted similarities, but of few words.
    """
    size = min(WORDS, *map(len, languages))
    steps = ("unit", "center", "unit")
    profiles = [normalise.fit(steps, similarity_profile(one[:size]))[1] for one in languages]
    shares = {}
    for one, other in combinations(range(len(languages)), 2):
        found = induce(profiles[one], profiles[other], NEIGHBOURS)
        back = found.backward[found.forward]
        shares[one, other] = float((back == np.arange(len(back))).mean())
    return shares


def tree(
    verdicts: Mapping[Key, Verdict],
    size: int,
    runs: Mapping[Key, Verdict] | None = None,
    links: Iterable[Key] = (),
) -> list[Key]:
    """The most reliable pairs that connect the languages, the most reliable first (Kruskal).

    Args:
        verdicts: The verdicts on pairs; pairs that failed connect nothing.
        size: The number of languages.
        runs: Verdicts on runs of two languages alone. Pairs whose run did not fail come first,
            pairs whose run failed come last.
        links: Pairs that are connected in any case; they come before all others.
    """
    groups, known = Groups(size), runs or {}

    def rank(key: Key) -> tuple[float, ...]:
        before = known[key].outcome == Outcome.FAILED if key in known else 0.5
        return (before, *verdicts[key].badness, *key)

    right = [key for key, verdict in verdicts.items() if verdict.outcome != Outcome.FAILED]
    return [key for key in (*links, *sorted(right, key=rank)) if groups.join(key)]


class Groups:
    """Languages that are connected, directly or through others."""

    def __init__(self, size: int, pairs: Iterable[Key] = ()) -> None:
        self._group = list(range(size))
        for key in pairs:
            self.join(key)

    def join(self, key: Key) -> bool:
        """Join the groups of two languages; false if they are in the same group already."""
        kept, gone = sorted(self._group[place] for place in key)
        self._group = [kept if group == gone else group for group in self._group]
        return kept != gone

    def together(self, key: Key) -> bool:
        """Whether two languages are in the same group."""
        return self._group[key[0]] == self._group[key[1]]

    def __iter__(self) -> Iterator[list[int]]:
        for group in sorted(set(self._group)):
            yield [place for place, other in enumerate(self._group) if other == group]

    @property
    def is_one(self) -> bool:
        """Whether all languages are connected."""
        return len(set(self._group)) == 1

    def outsider(self, key: Key) -> int:
        """The language of the pair that is in the smaller group."""
        first, second = (self._group.count(self._group[place]) for place in key)
        return key[0] if first < second else key[1]

    def wave(self, pairs: Iterable[Key], promise: Mapping[Key, float]) -> list[Key]:
        """For each group its most promising pair with another group, without duplicates."""
        best: dict[int, Key] = {}
        for key in sorted(pairs, key=lambda key: (-promise[key], key)):
            if not self.together(key):
                for place in key:
                    best.setdefault(self._group[place], key)
        return sorted(set(best.values()))


def path(edges: Iterable[Key], start: int, end: int) -> tuple[int, ...] | None:
    """The languages between two others in a tree; ``None`` if it does not connect them."""
    ways: dict[int, tuple[int, ...]] = {start: (start,)}
    both = [way for one, other in edges for way in ((one, other), (other, one))]
    while end not in ways:
        found = {other: (*ways[one], other) for one, other in both if one in ways}
        if found.keys() <= ways.keys():
            return None
        ways = found | ways
    return ways[end][1:-1]
