"""Induction (section 3.3): from one pass over the similarities to a lexicon."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from isolex.core.lexicon import Lexicon
from isolex.kernels.types import Induction

Which = Literal["forward", "mutual"]
"""Which induced pairs to use: from source to target only, or those induced both ways."""


def union(induction: Induction) -> Lexicon:
    """The pairs of both directions, one after the other: ``D = D(X to Z) + D(Z to X)``."""
    targets = np.flatnonzero(induction.backward >= 0).astype(np.int32)
    backward = Lexicon(induction.backward[targets], targets)
    return Lexicon.joined([_forward(induction), backward])


def induced_pairs(induction: Induction, which: Which | None = None) -> Lexicon:
    """The induced pairs: of both directions, or as ``which`` says."""
    if which is None:
        return union(induction)
    pairs = _forward(induction)
    if which == "forward":
        return pairs
    return pairs.select(induction.backward[pairs.targets] == pairs.sources)


def _forward(induction: Induction) -> Lexicon:
    sources = np.flatnonzero(induction.forward >= 0).astype(np.int32)
    return Lexicon(sources, induction.forward[sources])


def mutual(lexicon: Lexicon) -> Lexicon:
    """The pairs that were induced in both directions, that is, those that occur twice."""
    _, first, counts = np.unique(codes(lexicon), return_index=True, return_counts=True)
    return lexicon.select(first[counts > 1])


def codes(lexicon: Lexicon) -> NDArray[np.int64]:
    """One number for each pair."""
    codes: NDArray[np.int64] = (lexicon.sources.astype(np.int64) << 32) | lexicon.targets
    return codes
