"""Linear maps from a lexicon: the multi-step framework of Artetxe et al. (AAAI 2018).

Everything a step needs of the data is in three small matrices, the second moments of the lexicon's
rows. A mapping is a sequence of steps, each of which extends the two maps found so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import LinearMap
from isolex.core.problem import Problem
from isolex.errors import UsageError
from isolex.kernels import linalg
from isolex.kernels.parallel import single_threaded_blas
from isolex.kernels.types import Doubles

Side = Literal["src", "trg"]


@dataclass(frozen=True, eq=False)
class Moments:
    """Second moments of the vectors that a lexicon pairs: ``X`` and ``Z`` row by row.

    Attributes:
        src: ``X.T @ X``.
        trg: ``Z.T @ Z``.
        cross: ``X.T @ Z``; over all pairs this is the paper's ``X.T D Z``.
    """

    src: Doubles
    trg: Doubles
    cross: Doubles

    @classmethod
    def of(cls, src: Vectors, trg: Vectors, lexicon: Lexicon) -> Moments:
        """The moments of ``(n, d)`` and ``(m, e)`` vectors under a lexicon."""
        if not len(lexicon):
            raise UsageError("an empty lexicon cannot be mapped: no pair is in both vocabularies")
        x, z = src[lexicon.src], trg[lexicon.trg]
        return cls(linalg.cross_moment(x, x), linalg.cross_moment(z, z), linalg.cross_moment(x, z))


@dataclass(frozen=True, eq=False)
class Draft:
    """The two maps under construction, and what later steps need of earlier ones.

    Attributes:
        moments: Of the unmapped vectors.
        src: ``(d, k)`` map of the source so far.
        trg: ``(e, k)`` map of the target so far.
        bases: The rotations ``U`` and ``V``, once there are any.
        correlations: The singular values that belong to them.
        whitened: Whether the vectors were whitened before the rotation.
    """

    moments: Moments
    src: Doubles
    trg: Doubles
    bases: tuple[Doubles, Doubles] | None = None
    correlations: Doubles | None = None
    whitened: bool = False

    def rotated(self, step: str) -> tuple[tuple[Doubles, Doubles], Doubles]:
        """The rotations and their singular values; an error where ``step`` comes too early."""
        if self.bases is None or self.correlations is None:
            raise UsageError(f"{step} needs Rotate before it")
        return self.bases, self.correlations


class Step(Protocol):
    """One step of a mapping."""

    def __call__(self, draft: Draft) -> Draft:
        """Extend the maps."""
        ...


@dataclass(frozen=True)
class Whiten:
    """``(X'X)^(-1/2)`` and ``(Z'Z)^(-1/2)``: every direction gets the same variance."""

    def __call__(self, draft: Draft) -> Draft:
        """Extend the maps."""
        return replace(
            draft,
            src=draft.src @ linalg.power(draft.moments.src, -0.5),
            trg=draft.trg @ linalg.power(draft.moments.trg, -0.5),
            whitened=True,
        )


@dataclass(frozen=True)
class Rotate:
    """The orthogonal maps that bring the paired vectors closest: ``U S V' = X' D Z``."""

    def __call__(self, draft: Draft) -> Draft:
        """Extend the maps."""
        u, s, v = linalg.svd(draft.src.T @ draft.moments.cross @ draft.trg)
        return replace(draft, src=draft.src @ u, trg=draft.trg @ v, bases=(u, v), correlations=s)


@dataclass(frozen=True)
class Reweight:
    """Each component times a power of its cross-correlation; symmetric with 1/2 on both sides."""

    src: float = 0.5
    trg: float = 0.5

    def __call__(self, draft: Draft) -> Draft:
        """Extend the maps."""
        _, s = draft.rotated("Reweight")
        return replace(draft, src=draft.src * s**self.src, trg=draft.trg * s**self.trg)


@dataclass(frozen=True)
class Dewhiten:
    """Give each side variance back: ``U' (X'X)^(1/2) U``, that of its own side or of the other."""

    src: Side = "src"
    trg: Side = "trg"

    def __call__(self, draft: Draft) -> Draft:
        """Extend the maps."""
        if not draft.whitened:
            raise UsageError("Dewhiten needs Whiten before it")
        (u, v), _ = draft.rotated("Dewhiten")
        back = {
            "src": u.T @ linalg.power(draft.moments.src, 0.5) @ u,
            "trg": v.T @ linalg.power(draft.moments.trg, 0.5) @ v,
        }
        return replace(draft, src=draft.src @ back[self.src], trg=draft.trg @ back[self.trg])


@dataclass(frozen=True)
class Reduce:
    """Keep the components of highest cross-correlation: ``dims`` of them, or a share of all."""

    dims: int | None = None
    share: float = 1.0

    def __call__(self, draft: Draft) -> Draft:
        """Extend the maps."""
        draft.rotated("Reduce")
        dims = self.dims or max(1, round(self.share * draft.src.shape[1]))
        return replace(draft, src=draft.src[:, :dims], trg=draft.trg[:, :dims])


@dataclass(frozen=True)
class LeastSquares:
    """The map of one side that minimises the squared distance to the other.

    Attributes:
        side: The side that is mapped: the source (Mikolov et al., 2013), or the target, which
            makes fewer hubs (Shigeto et al., 2015).
        ridge: The penalty on the squared entries of the map.
    """

    side: Side = "src"
    ridge: float = 0.0

    def __call__(self, draft: Draft) -> Draft:
        """Extend the maps."""
        src, trg, moments = draft.src, draft.trg, draft.moments
        cross = src.T @ moments.cross @ trg
        if self.side == "src":
            gram = src.T @ moments.src @ src + self.ridge * np.eye(src.shape[1])
            return replace(draft, src=src @ linalg.least_squares(gram, cross))
        gram = trg.T @ moments.trg @ trg + self.ridge * np.eye(trg.shape[1])
        return replace(draft, trg=trg @ linalg.least_squares(gram, cross.T))


ORTHOGONAL: tuple[Step, ...] = (Rotate(),)


def reweighted(exponent: float) -> tuple[Step, ...]:
    """Whitened, rotated, both sides re-weighted alike, and given their variance back."""
    return (Whiten(), Rotate(), Reweight(exponent, exponent), Dewhiten("src", "trg"))


SYMMETRIC = reweighted(0.5)


def fit(steps: Sequence[Step], moments: Moments) -> tuple[LinearMap, LinearMap]:
    """The source and the target map that ``steps`` make of a lexicon's moments."""
    draft = Draft(moments, np.eye(len(moments.src)), np.eye(len(moments.trg)))
    with single_threaded_blas():
        for step in steps:
            draft = step(draft)
    return LinearMap(draft.src.astype(np.float32)), LinearMap(draft.trg.astype(np.float32))


class Mapper(Protocol):
    """A way from a lexicon to the maps of the source and of the target."""

    def __call__(self, problem: Problem, lexicon: Lexicon) -> tuple[LinearMap, LinearMap]:
        """The two maps."""
        ...


@dataclass(frozen=True)
class ClosedForm:
    """Steps of the multi-step framework, see `isolex.method.mapping`."""

    steps: tuple[Step, ...]

    def __call__(self, problem: Problem, lexicon: Lexicon) -> tuple[LinearMap, LinearMap]:
        """The two maps."""
        return fit(self.steps, Moments.of(problem.x, problem.z, lexicon))


@dataclass(frozen=True)
class AsTrained:
    """The maps that were trained directly; the lexicon changes nothing."""

    def __call__(self, problem: Problem, lexicon: Lexicon) -> tuple[LinearMap, LinearMap]:  # noqa: ARG002
        """The two maps."""
        if problem.maps is None:
            raise UsageError("AsTrained needs a system that trains its maps")
        return problem.maps
