"""Mapping (section 3.4): linear maps from a lexicon, in steps (Artetxe et al., AAAI 2018).

Everything a step needs to know about the data is in three small matrices, the second moments of the
paired vectors. A mapping is a sequence of steps; each extends the two maps found so far.
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
from isolex.method.contrast import Contrast
from isolex.method.spectrum import Flatten, flattened, flattening

Role = Literal["source", "target"]


@dataclass(frozen=True, eq=False)
class Moments:
    """Second moments of the vectors that a lexicon pairs, ``X`` and ``Z`` row by row.

    Attributes:
        source: ``X.T @ X``.
        target: ``Z.T @ Z``.
        cross: ``X.T @ Z``; over all pairs this is the paper's ``X.T D Z``.
    """

    source: Doubles
    target: Doubles
    cross: Doubles

    @classmethod
    def of(cls, x: Vectors, z: Vectors, lexicon: Lexicon) -> Moments:
        """The moments of ``(n, d)`` and ``(m, e)`` vectors under a lexicon."""
        if not len(lexicon):
            raise UsageError("the lexicon is empty: no pair has both words in the vocabularies")
        x, z = x[lexicon.sources], z[lexicon.targets]
        return cls(linalg.cross_moment(x, x), linalg.cross_moment(z, z), linalg.cross_moment(x, z))

    def scaled(self, factor: float) -> Moments:
        """All moments times a factor."""
        return Moments(self.source * factor, self.target * factor, self.cross * factor)


@dataclass(frozen=True, eq=False)
class Draft:
    """The two maps under construction, with what later steps need from earlier ones.

    Attributes:
        moments: Moments of the unmapped vectors.
        source: ``(d, k)`` map of the source so far.
        target: ``(e, k)`` map of the target so far.
        bases: The rotations ``U`` and ``V``, after `Rotate`.
        correlations: Their singular values.
        whitened: Whether the vectors were whitened before the rotation.
    """

    moments: Moments
    source: Doubles
    target: Doubles
    bases: tuple[Doubles, Doubles] | None = None
    correlations: Doubles | None = None
    whitened: bool = False

    def rotations(self, step: str) -> tuple[tuple[Doubles, Doubles], Doubles]:
        """The rotations and their singular values; an error if ``step`` comes before `Rotate`."""
        if self.bases is None or self.correlations is None:
            raise UsageError(f"{step} needs Rotate before it")
        return self.bases, self.correlations


class MappingStep(Protocol):
    """One step of a mapping."""

    def __call__(self, draft: Draft) -> Draft:
        """Extend the maps."""
        ...


@dataclass(frozen=True)
class Whiten:
    """``(X'X)^(-1/2)`` and ``(Z'Z)^(-1/2)``: give every direction the same variance."""

    def __call__(self, draft: Draft) -> Draft:
        """Extend the maps."""
        return replace(
            draft,
            source=draft.source @ linalg.power(draft.moments.source, -0.5),
            target=draft.target @ linalg.power(draft.moments.target, -0.5),
            whitened=True,
        )


@dataclass(frozen=True)
class Rotate:
    """The orthogonal maps that bring paired vectors closest: ``U S V' = X' D Z``."""

    def __call__(self, draft: Draft) -> Draft:
        """Extend the maps."""
        u, s, v = linalg.svd(draft.source.T @ draft.moments.cross @ draft.target)
        source, target = draft.source @ u, draft.target @ v
        return replace(draft, source=source, target=target, bases=(u, v), correlations=s)


@dataclass(frozen=True)
class Reweight:
    """Scale each component by a power of its cross-correlation; symmetric with 1/2 for both."""

    source: float = 0.5
    target: float = 0.5

    def __call__(self, draft: Draft) -> Draft:
        """Extend the maps."""
        _, s = draft.rotations("Reweight")
        return replace(
            draft, source=draft.source * s**self.source, target=draft.target * s**self.target
        )


@dataclass(frozen=True)
class Dewhiten:
    """Restore variance: ``U' (X'X)^(1/2) U``, that is the variance of the named language.

    Attributes:
        source: The language whose variance the source gets.
        target: The language whose variance the target gets.
        exponent: A smaller exponent restores less variance; by default 1/2, which restores it all.
    """

    source: Role = "source"
    target: Role = "target"
    exponent: float | None = None

    def restore(self, moment: Doubles) -> Doubles:
        """The matrix that restores the variance of a second moment."""
        return linalg.power(moment, 0.5 if self.exponent is None else self.exponent)

    def __call__(self, draft: Draft) -> Draft:
        """Extend the maps."""
        if not draft.whitened:
            raise UsageError("Dewhiten needs Whiten before it")
        (u, v), _ = draft.rotations("Dewhiten")
        variance = {
            "source": u.T @ self.restore(draft.moments.source) @ u,
            "target": v.T @ self.restore(draft.moments.target) @ v,
        }
        return replace(
            draft,
            source=draft.source @ variance[self.source],
            target=draft.target @ variance[self.target],
        )


@dataclass(frozen=True)
class Reduce:
    """Keep the components of highest cross-correlation: ``dims`` of them, or a share of all."""

    dims: int | None = None
    share: float = 1.0

    def __call__(self, draft: Draft) -> Draft:
        """Extend the maps."""
        draft.rotations("Reduce")
        dims = self.dims or max(1, round(self.share * draft.source.shape[1]))
        return replace(draft, source=draft.source[:, :dims], target=draft.target[:, :dims])


@dataclass(frozen=True)
class LeastSquares:
    """Map one language so that the squared distance to the other is minimal.

    Attributes:
        role: The language that is mapped: the source (Mikolov et al., 2013), or the target, which
            produces fewer hubs (Shigeto et al., 2015).
        ridge: Penalty on the squared entries of the map.
    """

    role: Role = "source"
    ridge: float = 0.0

    def __call__(self, draft: Draft) -> Draft:
        """Extend the maps."""
        source, target, moments = draft.source, draft.target, draft.moments
        cross = source.T @ moments.cross @ target
        if self.role == "source":
            gram = source.T @ moments.source @ source + self.ridge * np.eye(source.shape[1])
            return replace(draft, source=source @ linalg.least_squares(gram, cross))
        gram = target.T @ moments.target @ target + self.ridge * np.eye(target.shape[1])
        return replace(draft, target=target @ linalg.least_squares(gram, cross.T))


ORTHOGONAL: tuple[MappingStep, ...] = (Rotate(),)


def reweighted(exponent: float, restore: float | None = None) -> tuple[MappingStep, ...]:
    """Whiten, rotate, re-weight both languages alike and restore their variance.

    Args:
        exponent: Exponent of the re-weighting.
        restore: Exponent of the restored variance, as in `Dewhiten`.
    """
    dewhiten = Dewhiten("source", "target", restore)
    return (Whiten(), Rotate(), Reweight(exponent, exponent), dewhiten)


SYMMETRIC = reweighted(0.5)


def fit(steps: Sequence[MappingStep], moments: Moments) -> tuple[LinearMap, LinearMap]:
    """The source and the target map that the steps make from the moments of a lexicon."""
    draft = Draft(moments, np.eye(len(moments.source)), np.eye(len(moments.target)))
    with single_threaded_blas():
        for step in steps:
            draft = step(draft)
    return LinearMap(draft.source.astype(np.float32)), LinearMap(draft.target.astype(np.float32))


class Mapping(Protocol):
    """A way from a lexicon to the final maps of source and target."""

    def __call__(self, problem: Problem, lexicon: Lexicon) -> tuple[LinearMap, LinearMap]:
        """The two maps."""
        ...


@dataclass(frozen=True)
class ClosedForm:
    """Steps with a closed-form solution.

    Attributes:
        steps: The steps.
        flatten: Flattens the spectrum of both languages first; by default it stays as it is.
        contrast: Improves the maps by gradient descent at the end; by default not done.
    """

    steps: tuple[MappingStep, ...]
    flatten: Flatten | None = None
    contrast: Contrast | None = None

    @property
    def parts(self) -> tuple[Flatten | MappingStep | Contrast, ...]:
        """Everything that is done, in order."""
        before, after = (self.flatten,), (self.contrast,)
        return tuple(part for part in (*before, *self.steps, *after) if part is not None)

    def __call__(self, problem: Problem, lexicon: Lexicon) -> tuple[LinearMap, LinearMap]:
        """The two maps."""
        matrices = [flattening(self.flatten, vectors) for vectors in (problem.x, problem.z)]
        x, z = map(flattened, (problem.x, problem.z), matrices)
        source, target = self.fit(x, z, lexicon, problem.seed)
        return source.after(matrices[0]), target.after(matrices[1])

    def fit(
        self, x: Vectors, z: Vectors, lexicon: Lexicon, seed: int
    ) -> tuple[LinearMap, LinearMap]:
        """The two maps of vectors that are flattened already."""
        source, target = fit(self.steps, Moments.of(x, z, lexicon))
        if self.contrast is None:
            return source, target
        frequent = slice(self.contrast.words)
        one, other = source.transform_to_unit(x[frequent]), target.transform_to_unit(z[frequent])
        improve, improve_other = self.contrast(one, other, lexicon, seed)
        return source.then(improve), target.then(improve_other)


@dataclass(frozen=True)
class AsTrained:
    """The maps as a trainer left them; the lexicon is not used."""

    def __call__(self, problem: Problem, lexicon: Lexicon) -> tuple[LinearMap, LinearMap]:  # noqa: ARG002
        """The two maps."""
        if problem.trained is None:
            raise UsageError("AsTrained needs a system that trains its maps")
        return problem.trained
