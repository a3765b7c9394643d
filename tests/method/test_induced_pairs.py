"""From one pass over the similarities to a lexicon."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.lexicon import Lexicon
from isolex.kernels.types import Induction
from isolex.method.induced_pairs import Which, induced_pairs, mutual, union


def induction(forward: list[int], backward: list[int]) -> Induction:
    """An induction of these pairs; -1 for a word whose entries were all masked."""
    best = [np.array(rows, dtype=np.int32) for rows in (forward, backward)]
    zeros = [np.zeros(len(rows), dtype=np.float32) for rows in best]
    return Induction(best[0], best[1], zeros[0], zeros[1], zeros[0], zeros[1])


def pairs(lexicon: Lexicon) -> list[tuple[int, int]]:
    return list(zip(lexicon.sources.tolist(), lexicon.targets.tolist(), strict=True))


def test_the_union_leaves_out_words_without_a_kept_entry() -> None:
    found = union(induction([2, -1, 0], [-1, 1, 0]))
    assert pairs(found) == [(0, 2), (2, 0), (1, 1), (0, 2)]


@pytest.mark.parametrize(
    ("which", "expected"),
    [
        (None, [(0, 2), (2, 0), (3, 1), (1, 1), (0, 2)]),
        ("forward", [(0, 2), (2, 0), (3, 1)]),
        ("mutual", [(0, 2)]),
    ],
)
def test_both_directions_one_direction_or_mutual_pairs(
    which: Which | None, expected: list[tuple[int, int]]
) -> None:
    assert pairs(induced_pairs(induction([2, -1, 0, 1], [-1, 1, 0]), which)) == expected


def test_an_induction_without_kept_entries_gives_no_pairs() -> None:
    nothing = induction([-1, -1], [-1])
    for which in (None, "forward", "mutual"):
        assert len(induced_pairs(nothing, which)) == 0  # type: ignore[arg-type]


def test_mutual_pairs_are_those_that_occur_twice() -> None:
    lexicon = Lexicon(np.array([0, 1, 2, 0, 5]), np.array([7, 8, 9, 7, 8]))
    found = mutual(lexicon)
    assert (found.sources.tolist(), found.targets.tolist()) == ([0], [7])
