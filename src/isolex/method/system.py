"""System: a method of the literature is data, put together from shared parts."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any

from isolex.core.choices import Method
from isolex.core.retrieval import Retrieval
from isolex.errors import UsageError
from isolex.method.initialise import Given, Initialise
from isolex.method.mapping import SYMMETRIC, ClosedForm, Mapper
from isolex.method.restarts import Search
from isolex.method.schedule import Schedule, annealing
from isolex.method.training import Train

PAPER_SCHEDULE = annealing()
REWEIGHTED = ClosedForm(SYMMETRIC)
CSLS = Retrieval()


@dataclass(frozen=True)
class System:
    """How two spaces are aligned.

    Attributes:
        name: What it is called by.
        summary: What it does, in a line.
        paper: Where it comes from.
        needs: The supervision it needs.
        initialise: The way to the first lexicon.
        train: What learns maps from the vectors before that; nothing by default.
        schedule: Self-learning, or ``None`` for a single mapping of the first lexicon.
        mapping: The way to the final maps.
        normalise: Steps that both spaces go through first.
        retrieval: How translations are chosen in the end.
        search: What is tried when the first stages found nothing; nothing by default.
        fit_temperature: One that is fitted to the pairs of the maps takes the place of the
            retrieval's own, which must be ``invsoftmax``.
    """

    name: str
    summary: str
    paper: str
    needs: str
    initialise: Initialise
    schedule: Schedule | None = PAPER_SCHEDULE
    mapping: Mapper = REWEIGHTED
    normalise: tuple[str, ...] = ("unit", "center", "unit")
    retrieval: Retrieval = CSLS
    search: Search | None = None
    train: Train | None = None
    fit_temperature: bool = False

    def __post_init__(self) -> None:
        if self.fit_temperature and self.retrieval != Retrieval(Method.INVSOFTMAX):
            raise UsageError(
                f"system {self.name!r} fits the temperature of a plain inverted softmax: for "
                "another retrieval set fit_temperature=False"
            )

    @property
    def extras(self) -> tuple[str, ...]:
        """The extras of the package that it needs."""
        return self.train.extras if self.train else ()

    @property
    def takes_lexicon(self) -> bool:
        """Whether it learns from training pairs."""
        return isinstance(self.initialise, Given)

    def describe(self) -> dict[str, Any]:
        """All settings as plain values, the parts by their names."""
        stages = self.schedule.stages if self.schedule else ()
        mapping = self.mapping
        steps = mapping.steps if isinstance(mapping, ClosedForm) else (mapping,)
        settings = {
            "system": self.name,
            "normalise": list(self.normalise),
            "initialise": _part(self.initialise),
            "schedule": [asdict(stage) for stage in stages],
            "mapping": [_part(step) for step in steps],
            "retrieval": asdict(self.retrieval),
            "fit_temperature": self.fit_temperature,
            "search": self.search and asdict(self.search),
            "train": self.train and _part(self.train),
        }
        plain: dict[str, Any] = json.loads(json.dumps(settings))
        return plain

    @property
    def fingerprint(self) -> str:
        """A few letters that change with any setting."""
        settings = json.dumps(in_force(self.describe()), sort_keys=True)
        return hashlib.sha256(settings.encode()).hexdigest()[:12]


def _part(part: Any) -> dict[str, Any]:
    return {"name": type(part).__name__} | asdict(part)


def in_force(value: Any) -> Any:
    """Settings without what is off, so that a new one leaves older results alone."""
    if isinstance(value, dict):
        on = {name: part for name, part in value.items() if part is not None and part is not False}
        return {name: in_force(part) for name, part in on.items()}
    return [in_force(part) for part in value] if isinstance(value, list) else value
