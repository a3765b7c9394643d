"""What a user chooses from. Importing it costs nothing, so the command line can list it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from isolex.errors import UsageError


class RetrievalMethod(StrEnum):
    """The retrieval methods, see `Retrieval`."""

    NN = "nn"
    CSLS = "csls"
    INVSOFTMAX = "invsoftmax"
    INVNN = "invnn"
    GC = "gc"
    SPELLING = "spelling"


class Outcome(StrEnum):
    """The possible verdicts on a run."""

    SUCCEEDED = "succeeded"
    DOUBTFUL = "doubtful"
    FAILED = "failed"

    @property
    def severity(self) -> int:
        """Rank of the outcome; 0 is best."""
        return list(Outcome).index(self)


class VectorFormat(StrEnum):
    """How mapped vectors are written to a run folder."""

    TEXT = "text"
    BIN = "bin"
    NONE = "none"


@dataclass(frozen=True)
class Retrieval:
    """How translations are chosen from two mapped vocabularies of unit vectors.

    Attributes:
        method: ``nn``: the highest cosine. ``csls``: cosines corrected by the neighbourhood means
            of both words (Conneau et al., 2018). ``invsoftmax``: the probability of the query given
            the candidate (Smith et al., 2017). ``invnn``: the candidate that ranks the query
            highest among all source words, ties broken by cosine. ``gc``, globally corrected: the
            same among the queries and the most frequent source words only (Dinu et al., 2015).
            ``spelling``: csls, corrected by what the spelling of the two words says.
        neighbours: Number of neighbours in a neighbourhood mean (csls and spelling).
        temperature: Temperature of the inverted softmax; lower is sharper.
        pivots: Number of frequent source words that join the queries in the ranking (gc).
    """

    method: RetrievalMethod = RetrievalMethod.CSLS
    neighbours: int = 10
    temperature: float = 1 / 30
    pivots: int = 5000

    def __post_init__(self) -> None:
        if self.method not in list(RetrievalMethod):
            choices = ", ".join(RetrievalMethod)
            raise UsageError(f"unknown retrieval {self.method!r}: choose from {choices}")
        object.__setattr__(self, "method", RetrievalMethod(self.method))
        if self.neighbours < 1 or self.pivots < 1 or not self.temperature > 0:
            raise UsageError("neighbours, pivots and temperature of a retrieval must be positive")

    @property
    def ranks(self) -> bool:
        """Whether candidates rank the query instead of being scored."""
        return self.method in (RetrievalMethod.INVNN, RetrievalMethod.GC)

    def by(self, method: str) -> Retrieval:
        """The same parameters with another method, given by name."""
        return replace(self, method=method)  # type: ignore[arg-type]

    @classmethod
    def of(cls, method: str | Retrieval) -> Retrieval:
        """A retrieval by the name of its method."""
        return method if isinstance(method, Retrieval) else cls(method=method)  # type: ignore[arg-type]
