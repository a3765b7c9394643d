"""Systems that need nothing but the vectors."""

from __future__ import annotations

from dataclasses import replace

from isolex.core.choices import Retrieval, RetrievalMethod
from isolex.method.contrast import Contrast
from isolex.method.counted import Counted
from isolex.method.initialise import START, Induced, Unsupervised
from isolex.method.mapping import ORTHOGONAL, AsTrained, ClosedForm, reweighted
from isolex.method.restarts import Restarts
from isolex.method.schedule import Schedule, Stage, coarse_to_fine
from isolex.method.spectrum import Flatten
from isolex.method.spelling import Spelling
from isolex.method.system import System
from isolex.method.trainer import Train
from isolex.systems import papers
from isolex.systems.ablations import ablations
from isolex.trainers.adversarial import Adversarial, AutoEncoder
from isolex.trainers.transport import EarthMover, GromovWasserstein, WassersteinProcrustes

NOTHING = "nothing"
LENGTHS = ("unit",)
CENTRED = ("unit", "center", "unit")

ROBUST = System(
    name="robust",
    summary="artetxe2018 from coarse to fine, with restarts if the first attempt fails",
    paper=f"isolex, after {papers.ACL_2018}",
    needs=NOTHING,
    initialise=START,
    schedule=coarse_to_fine(),
    mapping=ClosedForm(reweighted(0.5, restore=0.4), Flatten(), Contrast()),
    counts=Counted(),
    spelling=Spelling(),
    restarts=Restarts(),
)
ARTETXE_2018 = System(
    name="artetxe2018",
    summary="unsupervised initialisation, stochastic self-learning, symmetric re-weighting",
    paper=papers.ACL_2018,
    needs=NOTHING,
    initialise=Unsupervised(),
)


def _trained(
    name: str,
    summary: str,
    paper: str,
    train: Train,
    normalise: tuple[str, ...],
    retrieval: RetrievalMethod,
) -> System:
    """A system that uses its maps as they were trained."""
    return System(
        name=name,
        summary=summary,
        paper=paper,
        needs=NOTHING,
        initialise=Induced(),
        schedule=None,
        mapping=AsTrained(),
        normalise=normalise,
        retrieval=Retrieval(retrieval),
        train=train,
    )


_ROUNDS = Stage(1.0, 15_000, patience=3, threshold=1.0, pairs="forward")
CONNEAU_2018 = System(
    name="conneau2018",
    summary="adversarial map, then five rounds of Procrustes; settings of the authors' code",
    paper=papers.CONNEAU_2018,
    needs=NOTHING,
    initialise=Induced(15_000, pairs="forward"),
    # Four rounds here; the final mapping is the fifth.
    schedule=Schedule((_ROUNDS,)),
    mapping=ClosedForm(ORTHOGONAL),
    normalise=LENGTHS,
    train=Adversarial(),
)
CONNEAU_2018_PAPER = replace(
    CONNEAU_2018,
    name="conneau2018-paper",
    summary="conneau2018 with mutual pairs and the settings of the paper",
    initialise=Induced(15_000, pairs="mutual"),
    schedule=Schedule((replace(_ROUNDS, pairs="mutual"),)),
    train=Adversarial(
        steps=1,
        smoothing=0.2,
        decay=0.95,
        discriminator_decay=0.95,
        falls=1,
        cutoff=50_000,
        beta=0.01,
    ),
)
UNSUPERVISED = (
    ROBUST,
    ARTETXE_2018,
    CONNEAU_2018,
    CONNEAU_2018_PAPER,
    _trained(
        "zhang2017-adversarial",
        "adversarial map with reconstruction, lambda = 1",
        papers.ZHANG_2017,
        AutoEncoder(),
        LENGTHS,
        RetrievalMethod.NN,
    ),
    _trained(
        "zhang2017-adversarial-10",
        "zhang2017-adversarial with lambda = 10",
        papers.ZHANG_2017,
        AutoEncoder(weight=10.0),
        LENGTHS,
        RetrievalMethod.NN,
    ),
    _trained(
        "micelibarone2016",
        "adversarial auto-encoder",
        papers.MICELIBARONE_2016,
        AutoEncoder(
            tied=False,
            layers=2,
            slope=0.2,
            noise=0.0,
            epochs=50,
            by_frequency=False,
            selected=False,
        ),
        LENGTHS,
        RetrievalMethod.NN,
    ),
    _trained(
        "zhang2017-emd",
        "Wasserstein GAN, then exact transport alternating with Procrustes",
        papers.ZHANG_2017_EMD,
        EarthMover(),
        CENTRED,
        RetrievalMethod.NN,
    ),
    _trained(
        "grave2018",
        "Wasserstein Procrustes: transport of batches alternating with gradient steps",
        papers.GRAVE_2018,
        WassersteinProcrustes(),
        CENTRED,
        RetrievalMethod.CSLS,
    ),
    _trained(
        "alvarezmelis2018",
        "Gromov-Wasserstein: transport that preserves similarities",
        papers.ALVAREZMELIS_2018,
        GromovWasserstein(),
        CENTRED,
        RetrievalMethod.CSLS,
    ),
)
ABLATIONS = ablations(ARTETXE_2018)
