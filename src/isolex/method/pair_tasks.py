"""Tasks on two of several languages. Each can run on this machine or on another one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from isolex.core.checkpoint import Checkpoint, PairRun, Solution
from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.lexicon import Lexicon, match_directed
from isolex.core.linear_map import LinearMap
from isolex.core.problem import Problem
from isolex.core.spelling import SpellingFacts
from isolex.core.verdict import Verdict
from isolex.kernels import linalg
from isolex.kernels.types import Doubles, Inducer
from isolex.method.induced_pairs import induced_pairs, union
from isolex.method.initialise import Given
from isolex.method.learner import Learner, StepTimer
from isolex.method.mapping import ClosedForm, Moments
from isolex.method.maps import rotate
from isolex.method.schedule import Schedule
from isolex.method.self_learning import learn
from isolex.method.spectrum import flattened, flattening
from isolex.method.system import System

Pairs = Sequence[tuple[str, str]]
Flattenings = tuple[Doubles | None, Doubles | None]


@dataclass(frozen=True)
class Tools:
    """What every task needs.

    Attributes:
        system: The system for two languages.
        seed: Random seed.
        inducer: Returns an inducer for the machine where the task runs.
    """

    system: System
    seed: int
    inducer: Callable[[], Inducer]

    @property
    def mapping(self) -> ClosedForm:
        """The final mapping."""
        mapping = self.system.mapping
        if not isinstance(mapping, ClosedForm):
            raise TypeError(f"several languages need a mapping in closed form, not {mapping}")
        return mapping

    @property
    def reweighting(self) -> Schedule:
        """The stages of self-learning with re-weighted maps."""
        stages = self.system.schedule.stages if self.system.schedule else ()
        return Schedule(tuple(stage for stage in stages if stage.reweight is not None))

    def flattening(self, vectors: Vectors) -> Doubles | None:
        """The matrix that flattens ``(n, d)`` normalised vectors for the final mapping, if any."""
        return flattening(self.mapping.flatten, vectors)

    def learner(
        self, source: Embeddings, target: Embeddings, timer: StepTimer, pairs: Pairs | None
    ) -> Learner:
        """Self-learning of two languages."""
        problem = Problem(source, target, source.vectors, target.vectors, pairs, self.seed)
        return Learner(self.system, problem, timer, self.inducer())


@dataclass(frozen=True)
class RunAlone:
    """Self-learning of two languages on their own, up to where restarts would begin.

    Attributes:
        tools: System, seed and inducer.
        pairs: Training pairs, if there are any; they take the place of the first lexicon.
    """

    step: ClassVar[str | None] = "learn"
    tools: Tools
    pairs: Pairs | None

    def __call__(self, source: Embeddings, target: Embeddings, timer: StepTimer) -> PairRun:
        """Run the task."""
        learner = self.tools.learner(source, target, timer, self.pairs)
        initialise = self.tools.system.initialise if self.pairs is None else Given()
        with timer("initialise"):
            start = Checkpoint(Solution(initialise(learner.problem)))
        return _judged(learner, learner.narrow(start))


@dataclass(frozen=True)
class RestartAlone:
    """Further attempts after a run that failed.

    Attributes:
        tools: System, seed and inducer.
        first: The run.
        minutes: Time limit.
    """

    step: ClassVar[str | None] = "restart"
    tools: Tools
    first: PairRun
    minutes: float

    def __call__(self, source: Embeddings, target: Embeddings, timer: StepTimer) -> PairRun:
        """Run the task."""
        system = self.tools.system
        if system.restarts is not None:
            system = replace(system, restarts=replace(system.restarts, minutes=self.minutes))
        learner = replace(self.tools, system=system).learner(source, target, timer, None)
        return _judged(learner, learner.restart(self.first.found))


def _judged(learner: Learner, found: Checkpoint) -> PairRun:
    with learner.timer("check"):
        return PairRun(found, learner.judge.verdict(found.solution.lexicon))


@dataclass(frozen=True, eq=False)
class RoundLexicon:
    """A lexicon induced in the shared space.

    Attributes:
        lexicon: Its pairs.
        cross: ``(d, e)`` cross moment of their vectors.
        objective: Mean highest similarity.
        mutual: Share of the source words with a mutual best translation.
    """

    lexicon: Lexicon
    cross: Doubles
    objective: float
    mutual: float


@dataclass(frozen=True, eq=False)
class Induce:
    """Induce a lexicon in the shared space.

    Attributes:
        tools: System, seed and inducer.
        cutoff: How many of the most frequent words of each language take part.
        rotations: The rotations of the two languages, flattened, into the shared space.
        pairs: Training pairs; they are added to the induced ones.
        flattenings: The matrices that flatten the two languages, if any.
    """

    step: ClassVar[str | None] = None
    tools: Tools
    cutoff: int
    rotations: tuple[Vectors, Vectors]
    pairs: Pairs | None = None
    flattenings: Flattenings = (None, None)

    def __call__(self, source: Embeddings, target: Embeddings, timer: StepTimer) -> RoundLexicon:  # noqa: ARG002
        """Run the task."""
        size = min(self.cutoff, len(source), len(target))
        x, z = map(flattened, (source.vectors, target.vectors), self.flattenings)
        mapped = [
            rotate(v[:size], matrix) for v, matrix in zip((x, z), self.rotations, strict=True)
        ]
        neighbours = self.tools.system.retrieval.neighbours
        found = self.tools.inducer()(mapped[0], mapped[1], neighbours, 1.0, 0)
        lexicon = union(found)
        if self.pairs is not None:
            given, _ = match_directed(self.pairs, source, target)
            lexicon = Lexicon.joined([lexicon, given])
        cross = linalg.cross_moment(x[lexicon.sources], z[lexicon.targets])
        mutual = len(induced_pairs(found, "mutual")) / size
        return RoundLexicon(lexicon, cross, found.objective, mutual)


@dataclass(frozen=True, eq=False)
class Finished:
    """The end of the work on two languages.

    Attributes:
        moments: Second moments of the paired and flattened vectors, divided by the number of pairs.
        maps: The maps of the flattened vectors into a space of the two languages.
        verdict: The verdict.
        spelling: What the spelling contributed, if the system considers it.
    """

    moments: Moments
    maps: tuple[LinearMap, LinearMap]
    verdict: Verdict
    spelling: SpellingFacts | None


@dataclass(frozen=True, eq=False)
class Finish:
    """The last stages of self-learning, the maps of the two, and the verdict.

    Attributes:
        tools: System, seed and inducer.
        lexicon: The lexicon of the two languages in the shared space.
        pairs: Training pairs; they are added to the lexicon.
        flattenings: The matrices that flatten the two languages, if any.
    """

    step: ClassVar[str | None] = "map"
    tools: Tools
    lexicon: Lexicon
    pairs: Pairs | None = None
    flattenings: Flattenings = (None, None)

    def __call__(self, source: Embeddings, target: Embeddings, timer: StepTimer) -> Finished:
        """Run the task."""
        x, z, last = source.vectors, target.vectors, self.tools.reweighting
        learner = self.tools.learner(source, target, timer, self.pairs)
        with timer("map"):
            learned = learn(x, z, self.lexicon, last, self.tools.seed, inducer=learner.inducer)
        lexicon, spelling = learner.spell(learned)
        if last.stages and self.pairs is not None:
            given, _ = match_directed(self.pairs, source, target)
            lexicon = Lexicon.joined([lexicon, given])
        with timer("map"):
            one, other = map(flattened, (x, z), self.flattenings)
            moments = Moments.of(one, other, lexicon).scaled(1 / len(lexicon))
            maps = self.tools.mapping.fit(one, other, lexicon, self.tools.seed)
        with timer("judge"):
            verdict = learner.judge.verdict(lexicon)
        return Finished(moments, maps, verdict, spelling)
