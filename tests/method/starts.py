"""A system whose self-learning starts badly for some pairs of languages: their runs fail."""

from __future__ import annotations

from dataclasses import dataclass, replace

from isolex.core.lexicon import Lexicon
from isolex.core.problem import Problem
from isolex.method.initialise import Random, Unsupervised
from isolex.method.schedule import Schedule, Stage
from isolex.method.system import System
from isolex.systems import get


@dataclass(frozen=True)
class Misled:
    """Unsupervised, but random for some pairs of languages, such as ``"ac"``."""

    pairs: tuple[str, ...]

    def __call__(self, problem: Problem) -> Lexicon:
        names = {problem.source.name, problem.target.name}
        misled = any(names == set(pair) for pair in self.pairs)
        return Random()(problem) if misled else Unsupervised()(problem)


def misled(*pairs: str, minutes: float = 0.0) -> System:
    """The system ``robust``, misled for these pairs, with some time for restarts.

    Without annealing self-learning cannot leave a bad start.
    """
    system = get("robust")
    assert system.restarts is not None
    return replace(
        system,
        initialise=Misled(pairs),
        schedule=Schedule((Stage(1.0, patience=2, threshold=1e-4),)),
        restarts=replace(system.restarts, minutes=minutes),
    )
