"""The mapping as an estimator of scikit-learn: ``fit``, ``transform``, in a ``Pipeline``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np

from isolex.adapters import extras
from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.normaliser import unit
from isolex.core.space import Side
from isolex.errors import UsageError
from isolex.method.mapping import ORTHOGONAL, ClosedForm, Reweight
from isolex.systems import System, get
from isolex.systems.align import align

extras.require(["sklearn"], "isolex.sklearn")

from sklearn.base import (  # noqa: E402
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import Tags, check_random_state  # noqa: E402
from sklearn.utils.validation import (  # noqa: E402
    check_array,
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

_SEEDS = 2**31 - 1


class Aligner(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Moves vectors of one space, the source, into another, the target.

    ``fit(X, y)`` takes source vectors ``X`` ``(n, d)`` and target vectors ``y`` ``(m, e)``. For a
    system that learns from pairs, such as ``supervised``, row ``i`` of both is the same thing in
    the two spaces. For any other, such as ``robust``, the rows are not paired, most frequent first,
    and their numbers may differ. Either may be an `Embeddings`; the words are then used by the
    systems that look at them.

    Args:
        system: A system or its name, see `isolex.systems`.
        output: ``"target"``: vectors land in the target's own space and compare with target vectors
            as they are. Their length is one, unless the system leaves lengths alone
            (``mikolov2013``, ``zhang2016``). A system whose last step re-weights the target too
            ends in a rotation instead: the target stays what it is. ``"shared"``: they land in the
            space that the system maps both sides to, where it translates best;
            ``transform_target`` brings target vectors there.
        random_state: Of every random choice: a seed, a ``RandomState``, or ``None``.
        cutoff: So many of the first rows take part in self-learning, see `isolex.align`.
        budget: Minutes that a search may take, see `isolex.align`.
        threads: Workers; every core by default. Their number does not change the result.

    Attributes:
        alignment_: The `Alignment`, without the vectors it was learnt from.
        n_features_in_: ``d``.
        feature_names_in_: Names of the columns of ``X``, where it had any.
    """

    def __init__(
        self,
        system: str | System = "supervised",
        *,
        output: str = "target",
        random_state: Any = 0,
        cutoff: int | None = None,
        budget: float | None = None,
        threads: int | None = None,
    ) -> None:
        self.system = system
        self.output = output
        self.random_state = random_state
        self.cutoff = cutoff
        self.budget = budget
        self.threads = threads

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn to move vectors like ``X`` ``(n, d)`` to vectors like ``y`` ``(m, e)``."""
        system = self._system()
        if y is None:
            raise ValueError(
                "Aligner requires y to be passed, but the target y is None: give target vectors"
            )
        vectors = validate_data(self, _plain(X), dtype=np.float32)
        targets = check_array(_plain(y), dtype=np.float32, input_name="y")
        if system.takes_lexicon:
            check_consistent_length(vectors, targets)
        src, trg = _embeddings(X, vectors, "s"), _embeddings(y, targets, "t")
        found = align(
            src,
            trg,
            system,
            lexicon=list(zip(src.words, trg.words, strict=True)) if system.takes_lexicon else None,
            seed=self._seed(),
            cutoff=self.cutoff,
            budget=self.budget,
            threads=self.threads,
            judge=system.schedule is not None,  # what pairs were given is for `score` to tell
        )
        if self.output == "target" and not _is_orthonormal(found.target.linear.matrix):
            raise UsageError(
                f"system {system.name!r} changes the target space: choose output='shared'"
            )
        self.alignment_ = replace(
            found,
            source=replace(found.source, embeddings=None),
            target=replace(found.target, embeddings=None),
        )
        shape = found.target.linear.matrix.shape
        self._n_features_out = shape[0] if self.output == "target" else shape[1]
        return self

    def transform(self, X: Any) -> Vectors:
        """Move source vectors ``(n, d)``, seen before or not, into the target's or shared space."""
        check_is_fitted(self)
        vectors = validate_data(self, _plain(X), dtype=np.float32, reset=False)
        shared = self.alignment_.source.transform(vectors)
        return _restore(self.alignment_.target, shared) if self.output == "target" else shared

    def transform_target(self, y: Any) -> Vectors:
        """Target vectors ``(m, e)`` in the space that ``transform`` moves source vectors to."""
        check_is_fitted(self)
        targets: Vectors = check_array(_plain(y), dtype=np.float32, input_name="y")
        return targets if self.output == "target" else self.alignment_.target.transform(targets)

    def inverse_transform(self, X: Any) -> Vectors:
        """Move vectors of the space that ``transform`` lands in back to the source's own space."""
        check_is_fitted(self)
        vectors = check_array(X, dtype=np.float32)
        if self.output == "target":
            vectors = self.alignment_.target.transform(vectors)
        return _restore(self.alignment_.source, vectors)

    def score(self, X: Any, y: Any) -> float:
        """The mean cosine between rows of ``X``, moved, and the rows of ``y`` they belong to."""
        moved, targets = unit(self.transform(X)), unit(self.transform_target(y))
        check_consistent_length(moved, targets)
        return float((moved * targets).sum(axis=1).mean())

    def _system(self) -> System:
        if self.output not in ("target", "shared"):
            raise UsageError(f"output is 'target' or 'shared', not {self.output!r}")
        system = get(self.system)
        mapping = system.mapping
        steps = mapping.steps if isinstance(mapping, ClosedForm) else ()
        if self.output == "target" and any(isinstance(step, Reweight) for step in steps):
            return replace(system, mapping=ClosedForm(ORTHOGONAL))
        return system

    def _seed(self) -> int:
        if isinstance(self.random_state, int | np.integer):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(_SEEDS))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags


def _plain(given: Any) -> Any:
    return given.vectors if isinstance(given, Embeddings) else given


def _embeddings(given: Any, vectors: Vectors, mark: str) -> Embeddings:
    """What is given, with made-up words if it has none."""
    if isinstance(given, Embeddings):
        return given
    return Embeddings([f"{mark}{row}" for row in range(len(vectors))], vectors)


def _is_orthonormal(matrix: Vectors) -> bool:
    """Whether a map ``(e, k)`` into the shared space turns, and at most leaves dimensions out."""
    product = matrix.T.astype(np.float64) @ matrix
    return bool(np.allclose(product, np.eye(len(product)), atol=1e-3))


def _restore(side: Side, shared: Vectors) -> Vectors:
    """Vectors ``(n, k)`` of the shared space in a side's own space, before normalisation."""
    if _is_orthonormal(side.linear.matrix):
        return side.normaliser.undo(shared @ side.linear.matrix.T)
    return side.normaliser.undo(side.inverse_transform(shared))
