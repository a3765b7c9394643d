"""Spaces in which the spelling of words says something about them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np

from isolex import Space
from isolex.core.spelling import GRADES, LENGTHS, SpellingFacts

RATIOS = np.linspace(-1, 3, GRADES) + np.arange(len(LENGTHS) + 1)[:, None]
FACTS = SpellingFacts.of(0.25, RATIOS)


def with_spelling(space: Space) -> Space:
    """The same space with evidence about the spelling of every pair of languages."""
    pairs = {
        names: replace(space.about(*names), spelling=FACTS)
        for names in combinations(space.names, 2)
    }
    return replace(space, pairs=pairs)
