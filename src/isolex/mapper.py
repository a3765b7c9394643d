"""The final mapping: how the two maps are made of what was learnt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from isolex.errors import UsageError
from isolex.lexicon import Lexicon
from isolex.mapping import LinearMap, Moments, Step, fit
from isolex.problem import Problem


class Mapper(Protocol):
    """A way from a lexicon to the maps of the source and of the target."""

    def __call__(self, problem: Problem, lexicon: Lexicon) -> tuple[LinearMap, LinearMap]:
        """The two maps."""
        ...


@dataclass(frozen=True)
class ClosedForm:
    """Steps of the multi-step framework, see `isolex.mapping`."""

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
