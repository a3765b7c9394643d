"""The paper's Table 4: artetxe2018 with one change each."""

from __future__ import annotations

from dataclasses import replace

from isolex.core.choices import Retrieval, RetrievalMethod
from isolex.method.initialise import Initialise, Random
from isolex.method.mapping import ORTHOGONAL, ClosedForm
from isolex.method.schedule import Schedule
from isolex.method.system import System


def ablations(full: System) -> tuple[System, ...]:
    """Variants of ``full`` that each lack one part."""
    assert full.schedule is not None, "ablations are variants of self-learning"
    stages = full.schedule.stages

    def every_stage(**changes: object) -> Schedule:
        return Schedule(tuple(replace(stage, **changes) for stage in stages))  # type: ignore[arg-type]

    def start(**changes: object) -> Initialise:
        return replace(full.initialise, **changes)  # type: ignore[type-var]

    def without(what: str, summary: str, **changes: object) -> System:
        name = f"{full.name}-no-{what}"
        return replace(full, name=name, summary=f"{full.name} {summary}", **changes)  # type: ignore[arg-type]

    return (
        without("init", "from a random lexicon", initialise=Random()),
        without(
            "stochastic",
            "without random masks",
            schedule=Schedule(stages[-1:]),
        ),
        without(
            "cutoff", "on the 100,000 most frequent words", schedule=every_stage(cutoff=100_000)
        ),
        without(
            "csls",
            "with plain nearest neighbours throughout",
            initialise=start(neighbours=0),
            schedule=every_stage(neighbours=0),
            retrieval=Retrieval(RetrievalMethod.NN),
        ),
        without(
            "bidirectional",
            "with pairs from source to target only",
            initialise=start(pairs="forward"),
            schedule=every_stage(pairs="forward"),
        ),
        without(
            "reweighting",
            "with an orthogonal final map",
            mapping=ClosedForm(ORTHOGONAL),
        ),
    )
