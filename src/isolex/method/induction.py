"""The pairs that an induction yields: both directions, one, or only mutual pairs."""

from __future__ import annotations

from typing import Literal

import numpy as np

from isolex.core.lexicon import Lexicon
from isolex.kernels.types import Induction

Which = Literal["forward", "mutual"]


def union(induction: Induction) -> Lexicon:
    """Both directions of an induction, one after the other: D = D(X to Z) + D(Z to X)."""
    targets = np.flatnonzero(induction.backward >= 0).astype(np.int32)
    backward = Lexicon(induction.backward[targets], targets)
    return Lexicon.joined([_forward(induction), backward])


def chosen(induction: Induction, which: Which | None = None) -> Lexicon:
    """The pairs of both directions; or of source to target alone, or those that are in both."""
    if which is None:
        return union(induction)
    pairs = _forward(induction)
    if which == "forward":
        return pairs
    return pairs.pairs(induction.backward[pairs.trg] == pairs.src)


def _forward(induction: Induction) -> Lexicon:
    sources = np.flatnonzero(induction.forward >= 0).astype(np.int32)
    return Lexicon(sources, induction.forward[sources])
