"""Systems: a method of the literature is data, put together from shared parts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from isolex.errors import UsageError
from isolex.induce import Retrieval
from isolex.initialise import Given, Identical, Initialise, Numerals, Unsupervised
from isolex.mapping import SYMMETRIC, Step
from isolex.refine import Schedule, annealing, coarse_to_fine
from isolex.search import Search

ACL_2018 = (
    "Artetxe, Labaka and Agirre (ACL 2018): A robust self-learning method for fully unsupervised "
    "cross-lingual mappings of word embeddings"
)
AAAI_2018 = (
    "Artetxe, Labaka and Agirre (AAAI 2018): Generalizing and improving bilingual word embedding "
    "mappings with a multi-step framework of linear transformations"
)

PAPER_SCHEDULE = annealing()
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
        schedule: Self-learning, or ``None`` for a single mapping of the first lexicon.
        mapping: The steps of the final mapping.
        normalise: Steps that both spaces go through first.
        retrieval: How translations are chosen in the end.
        search: What is tried when the first stages found nothing; nothing by default.
    """

    name: str
    summary: str
    paper: str
    needs: str
    initialise: Initialise
    schedule: Schedule | None = PAPER_SCHEDULE
    mapping: tuple[Step, ...] = SYMMETRIC
    normalise: tuple[str, ...] = ("unit", "center", "unit")
    retrieval: Retrieval = CSLS
    search: Search | None = None

    @property
    def takes_lexicon(self) -> bool:
        """Whether it learns from training pairs."""
        return isinstance(self.initialise, Given)

    def describe(self) -> dict[str, Any]:
        """All settings as plain values, the parts by their names."""
        stages = self.schedule.stages if self.schedule else ()
        settings = {
            "system": self.name,
            "normalise": list(self.normalise),
            "initialise": _part(self.initialise),
            "schedule": [asdict(stage) for stage in stages],
            "mapping": [_part(step) for step in self.mapping],
            "retrieval": asdict(self.retrieval),
            "search": self.search and asdict(self.search),
        }
        plain: dict[str, Any] = json.loads(json.dumps(settings))
        return plain


def _part(part: Any) -> dict[str, Any]:
    return {"name": type(part).__name__} | asdict(part)


_ALL = (
    System(
        name="robust",
        summary="artetxe2018 from coarse to fine; other starts when the first one finds nothing",
        paper=f"isolex, after {ACL_2018}",
        needs="nothing",
        initialise=Unsupervised(),
        schedule=coarse_to_fine(),
        search=Search(),
    ),
    System(
        name="artetxe2018",
        summary="unsupervised initialisation, stochastic self-learning, symmetric re-weighting",
        paper=ACL_2018,
        needs="nothing",
        initialise=Unsupervised(),
    ),
    System(
        name="supervised",
        summary="one mapping of the training pairs: whitened, re-weighted, de-whitened",
        paper=AAAI_2018,
        needs="a training lexicon",
        initialise=Given(),
        schedule=None,
    ),
    System(
        name="semi-supervised",
        summary="self-learning from a small training lexicon, 25 pairs and up",
        paper=ACL_2018,
        needs="a training lexicon",
        initialise=Given(),
    ),
    System(
        name="identical",
        summary="self-learning from the words spelt alike in both languages",
        paper=ACL_2018,
        needs="words spelt alike",
        initialise=Identical(),
    ),
    System(
        name="numerals",
        summary="self-learning from the numbers in digits that both languages share",
        paper="Artetxe, Labaka and Agirre (ACL 2017): Learning bilingual word embeddings with "
        "(almost) no bilingual data",
        needs="numbers in digits",
        initialise=Numerals(),
    ),
)

SYSTEMS: Mapping[str, System] = MappingProxyType({system.name: system for system in _ALL})
DEFAULT = "robust"


def get(system: str | System) -> System:
    """A system by its name."""
    if isinstance(system, System):
        return system
    if system not in SYSTEMS:
        raise UsageError(f"unknown system {system!r}: choose from {', '.join(SYSTEMS)}")
    return SYSTEMS[system]
