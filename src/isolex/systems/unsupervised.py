"""Systems that need nothing but the two sets of vectors."""

from __future__ import annotations

from isolex.initialise import Unsupervised
from isolex.refine import coarse_to_fine
from isolex.search import Search
from isolex.systems import papers
from isolex.systems.ablations import ablations
from isolex.systems.system import System

NOTHING = "nothing"

ROBUST = System(
    name="robust",
    summary="artetxe2018 from coarse to fine; other starts when the first one finds nothing",
    paper=f"isolex, after {papers.ACL_2018}",
    needs=NOTHING,
    initialise=Unsupervised(),
    schedule=coarse_to_fine(),
    search=Search(),
)
ARTETXE_2018 = System(
    name="artetxe2018",
    summary="unsupervised initialisation, stochastic self-learning, symmetric re-weighting",
    paper=papers.ACL_2018,
    needs=NOTHING,
    initialise=Unsupervised(),
)
UNSUPERVISED = (ROBUST, ARTETXE_2018)
ABLATIONS = ablations(ARTETXE_2018)
