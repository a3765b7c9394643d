"""System: a method of the literature as data, made of shared parts."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any

from isolex.core.choices import Retrieval, RetrievalMethod
from isolex.errors import UsageError
from isolex.method.counted import Counted
from isolex.method.initialise import Given, Initialise
from isolex.method.mapping import SYMMETRIC, ClosedForm, Mapping
from isolex.method.restarts import Restarts
from isolex.method.schedule import Schedule, annealing
from isolex.method.spelling import Spelling
from isolex.method.trainer import Train

PAPER_SCHEDULE = annealing()
REWEIGHTED = ClosedForm(SYMMETRIC)
CSLS = Retrieval()


@dataclass(frozen=True)
class System:
    """How two languages are aligned.

    Attributes:
        name: Its name.
        summary: What it does, in one line.
        paper: The paper it comes from.
        needs: The supervision it needs.
        initialise: The way to the first lexicon.
        schedule: Self-learning; ``None`` for a single mapping of the first lexicon.
        mapping: The way to the final maps.
        normalise: Normalisation steps for both languages.
        retrieval: How translations are chosen.
        counts: Starts from co-occurrence counts if both languages have them; by default not used.
        spelling: Uses spelling as evidence at the end of self-learning; by default not used.
        restarts: Further attempts if the first stages fail; none by default.
        train: Learns maps from the vectors before initialisation; none by default.
        fit_temperature: Whether the temperature of the retrieval, which must be ``invsoftmax``, is
            fitted to the pairs of the lexicon.
    """

    name: str
    summary: str
    paper: str
    needs: str
    initialise: Initialise
    schedule: Schedule | None = PAPER_SCHEDULE
    mapping: Mapping = REWEIGHTED
    normalise: tuple[str, ...] = ("unit", "center", "unit")
    retrieval: Retrieval = CSLS
    counts: Counted | None = None
    spelling: Spelling | None = None
    restarts: Restarts | None = None
    train: Train | None = None
    fit_temperature: bool = False

    def __post_init__(self) -> None:
        if self.fit_temperature and self.retrieval != Retrieval(RetrievalMethod.INVSOFTMAX):
            raise UsageError(
                f"system {self.name!r} fits the temperature of the inverted softmax: set "
                "fit_temperature=False to use another retrieval"
            )

    @property
    def extras(self) -> tuple[str, ...]:
        """The optional dependencies that it needs."""
        return self.train.extras if self.train else ()

    @property
    def takes_lexicon(self) -> bool:
        """Whether it learns from training pairs."""
        return isinstance(self.initialise, Given)

    @property
    def takes_many(self) -> bool:
        """Whether it can align more than two languages."""
        closed = isinstance(self.mapping, ClosedForm)
        return closed and self.train is None and not self.fit_temperature

    def describe(self) -> dict[str, Any]:
        """All settings as plain values, with the parts named."""
        stages = self.schedule.stages if self.schedule else ()
        mapping = self.mapping
        parts = mapping.parts if isinstance(mapping, ClosedForm) else (mapping,)
        settings = {
            "system": self.name,
            "normalise": list(self.normalise),
            "initialise": _part(self.initialise),
            "schedule": [asdict(stage) for stage in stages],
            "mapping": [_part(part) for part in parts],
            "retrieval": asdict(self.retrieval),
            "fit_temperature": self.fit_temperature,
            "counts": self.counts and asdict(self.counts),
            "spelling": self.spelling and asdict(self.spelling),
            "restarts": self.restarts and asdict(self.restarts),
            "train": self.train and _part(self.train),
        }
        plain: dict[str, Any] = json.loads(json.dumps(settings))
        return plain

    @property
    def fingerprint(self) -> str:
        """A few characters that change with every setting."""
        settings = json.dumps(active(self.describe()), sort_keys=True)
        return hashlib.sha256(settings.encode()).hexdigest()[:12]


def _part(part: Any) -> dict[str, Any]:
    return {"name": type(part).__name__} | asdict(part)


def active(value: Any) -> Any:
    """Settings without those that are off, so that a new one does not invalidate old results."""
    if isinstance(value, dict):
        on = {name: part for name, part in value.items() if part is not None and part is not False}
        return {name: active(part) for name, part in on.items()}
    return [active(part) for part in value] if isinstance(value, list) else value
