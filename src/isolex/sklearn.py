"""Alignment as a scikit-learn estimator, with ``fit`` and ``transform``, for a ``Pipeline``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np

from isolex.adapters import extras
from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.language import Language
from isolex.core.normaliser import unit
from isolex.core.observer import Observer
from isolex.errors import UsageError
from isolex.kernels.parallel import use_threads
from isolex.method import pipeline
from isolex.method.mapping import ORTHOGONAL, ClosedForm, Reweight
from isolex.systems import System, get
from isolex.systems.align import configure
from isolex.systems.inducers import make_inducer

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
    """Maps vectors of one space, the source, into another, the target.

    ``fit(X, y)`` takes source vectors ``X`` ``(n, d)`` and target vectors ``y`` ``(m, e)``. For a
    system that learns from pairs, such as ``supervised``, row ``i`` of both is the same item.
    For any other system, such as ``robust``, the rows are not paired but sorted by frequency, and
    their numbers may differ. Either may be an `Embeddings`; some systems use its words.

    Args:
        system: A system or its name, see `isolex.systems`.
        output: ``"target"``: mapped vectors are in the target's own space and can be compared with
            target vectors. They have unit length, unless the system keeps lengths
            (``mikolov2013``, ``zhang2016``). A system whose last step re-weights the target ends
            with a rotation instead, so that the target is unchanged. ``"shared"``: mapped vectors
            are in the space that the system maps both languages to, where it translates best;
            ``transform_target`` maps target vectors there.
        random_state: Random seed: an int, a ``RandomState``, or ``None``.
        cutoff: How many of the first rows take part in self-learning, see `isolex.align`.
        budget: Time limit in minutes for restarts, see `isolex.align`.
        threads: Number of threads, by default all cores; does not change the result.

    Attributes:
        space_: The `Space`, without words and vectors.
        n_features_in_: ``d``.
        feature_names_in_: Names of the columns of ``X``, if it had any.
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
        """Learn to map vectors like ``X`` ``(n, d)`` to vectors like ``y`` ``(m, e)``."""
        system = self._system()
        if y is None:
            raise ValueError(
                "Aligner requires y to be passed, but the target y is None: give target vectors"
            )
        vectors = validate_data(self, _vectors(X), dtype=np.float32)
        targets = check_array(_vectors(y), dtype=np.float32, input_name="y")
        if system.takes_lexicon:
            check_consistent_length(vectors, targets)
        source, target = _embeddings(X, vectors, "source"), _embeddings(y, targets, "target")
        paired = list(zip(source.words, target.words, strict=False))
        pairs = paired if system.takes_lexicon else None
        named = isinstance(X, Embeddings) and isinstance(y, Embeddings)
        system = configure(
            system,
            lexicon=pairs is not None,
            cutoff=self.cutoff,
            budget=self.budget,
            spelling=None if named else False,  # made-up words tell nothing
        )
        extras.require(system.extras, f"system {system.name!r}")
        job = pipeline.Job(
            source,
            target,
            system,
            make_inducer("cpu"),
            pairs,
            seed=self._seed(),
            judged=system.schedule is not None,  # `score` tells how well given pairs were fitted
        )
        with use_threads(self.threads):
            found = pipeline.run(job, Observer())
        changed = found["target"].map
        if self.output == "target" and not changed.is_orthonormal:
            raise UsageError(
                f"system {system.name!r} changes the target space: choose output='shared'"
            )
        self.space_ = replace(found, languages=tuple(map(_without_words, found)))
        self._n_features_out = changed.matrix.shape[0 if self.output == "target" else 1]
        return self

    def transform(self, X: Any) -> Vectors:
        """Map source vectors ``(n, d)``, seen before or not, to the target's or shared space."""
        check_is_fitted(self)
        vectors = validate_data(self, _vectors(X), dtype=np.float32, reset=False)
        shared = self.space_["source"].project(vectors)
        return _restore(self.space_["target"], shared) if self.output == "target" else shared

    def transform_target(self, y: Any) -> Vectors:
        """Target vectors ``(m, e)`` in the space that ``transform`` maps source vectors to."""
        check_is_fitted(self)
        targets: Vectors = check_array(_vectors(y), dtype=np.float32, input_name="y")
        return targets if self.output == "target" else self.space_["target"].project(targets)

    def inverse_transform(self, X: Any) -> Vectors:
        """Map vectors from the space that ``transform`` maps to back to the source's own space."""
        check_is_fitted(self)
        vectors = check_array(X, dtype=np.float32)
        if self.output == "target":
            vectors = self.space_["target"].project(vectors)
        return _restore(self.space_["source"], vectors)

    def score(self, X: Any, y: Any) -> float:
        """The mean cosine between the mapped rows of ``X`` and their counterparts in ``y``."""
        mapped, targets = unit(self.transform(X)), unit(self.transform_target(y))
        check_consistent_length(mapped, targets)
        return float((mapped * targets).sum(axis=1).mean())

    def _system(self) -> System:
        if self.output not in ("target", "shared"):
            raise UsageError(f"output must be 'target' or 'shared', not {self.output!r}")
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


def _vectors(given: Any) -> Any:
    return given.vectors if isinstance(given, Embeddings) else given


def _embeddings(given: Any, vectors: Vectors, name: str) -> Embeddings:
    """Embeddings under a name, with made-up words if only vectors were given."""
    if isinstance(given, Embeddings):
        return given.named(name)
    return Embeddings([f"{name}{row}" for row in range(len(vectors))], vectors, name=name)


def _restore(language: Language, shared: Vectors) -> Vectors:
    """Vectors ``(n, k)`` of the shared space in the original space of a language."""
    if language.map.is_orthonormal:
        return language.normaliser.undo(shared @ language.map.matrix.T)
    return language.normaliser.undo(language.inverse_transform(shared))


def _without_words(language: Language) -> Language:
    return replace(language, words=(), vectors=language.vectors[:0].copy(), subwords=None)
