"""Names a user chooses from; importing them costs nothing."""

from __future__ import annotations

from enum import StrEnum


class Method(StrEnum):
    """The names of the retrieval methods."""

    NN = "nn"
    CSLS = "csls"
    INVSOFTMAX = "invsoftmax"
    INVNN = "invnn"
    GC = "gc"
