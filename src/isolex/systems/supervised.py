"""Systems that learn from training pairs, many or few, or from words that are spelled alike."""

from __future__ import annotations

from dataclasses import replace

from isolex.core.choices import Retrieval, RetrievalMethod
from isolex.method.initialise import Given, Identical, Numerals
from isolex.method.mapping import (
    ORTHOGONAL,
    ClosedForm,
    Dewhiten,
    LeastSquares,
    Mapping,
    Reduce,
    Reweight,
    Rotate,
    Whiten,
)
from isolex.method.schedule import Schedule, Stage
from isolex.method.system import CSLS, REWEIGHTED, System
from isolex.systems import papers
from isolex.trainers.max_margin import MaxMargin
from isolex.trainers.rcsls import RelaxedCsls

LEXICON = "a training lexicon"
NEAREST = Retrieval(RetrievalMethod.NN)
INVERTED_SOFTMAX = Retrieval(RetrievalMethod.INVSOFTMAX)
ROTATION = ClosedForm(ORTHOGONAL)
REDUCED = ClosedForm((Rotate(), Reduce(share=2 / 3)))
PLAIN_LOOP = Schedule((Stage(1.0, patience=1, neighbours=0, pairs="forward"),))


def _mapped(
    name: str,
    summary: str,
    paper: str,
    mapping: Mapping,
    normalise: tuple[str, ...],
    retrieval: Retrieval = NEAREST,
) -> System:
    """A single mapping of the training pairs, without self-learning."""
    return System(name, summary, paper, LEXICON, Given(), None, mapping, normalise, retrieval)


SUPERVISED = (
    _mapped(
        "mikolov2013",
        "least squares from source to target",
        papers.MIKOLOV_2013,
        ClosedForm((LeastSquares(),)),
        (),
    ),
    _mapped(
        "faruqui2014",
        "canonical correlation analysis, better half of the components",
        papers.FARUQUI_2014,
        ClosedForm((Whiten(), Rotate(), Reduce(share=0.5))),
        ("unit", "center"),
    ),
    _mapped(
        "shigeto2015",
        "ridge regression from target to source, which gives fewer hubs",
        papers.SHIGETO_2015,
        ClosedForm((LeastSquares("target", ridge=1.0),)),
        ("unit",),
    ),
    _mapped(
        "dinu2015",
        "least squares with globally corrected retrieval",
        papers.DINU_2015,
        ClosedForm((LeastSquares(),)),
        ("unit",),
        Retrieval(RetrievalMethod.GC),
    ),
    _mapped(
        "lazaridou2015",
        "max-margin ranking against intruders",
        papers.LAZARIDOU_2015,
        MaxMargin(),
        ("unit",),
    ),
    _mapped(
        "xing2015",
        "orthogonal map of unit vectors",
        papers.XING_2015,
        ROTATION,
        ("unit",),
    ),
    _mapped(
        "zhang2016",
        "orthogonal map of unnormalised vectors, from ten or more pairs",
        papers.ZHANG_2016,
        ROTATION,
        (),
    ),
    _mapped(
        "artetxe2016",
        "orthogonal map of unit, mean-centred vectors",
        papers.ARTETXE_2016,
        ROTATION,
        ("unit", "center"),
    ),
    replace(
        _mapped(
            "smith2017",
            "orthogonal map, two thirds of the components, inverted softmax",
            papers.SMITH_2017,
            REDUCED,
            ("unit",),
            INVERTED_SOFTMAX,
        ),
        fit_temperature=True,
    ),
    _mapped(
        "artetxe2018-aaai",
        "whitening, rotation, re-weighting of the target, de-whitening",
        papers.AAAI_2018,
        ClosedForm((Whiten(), Rotate(), Reweight(0.0, 1.0), Dewhiten())),
        ("unit", "center"),
    ),
    _mapped(
        "joulin2018",
        "gradient descent on the CSLS retrieval loss (RCSLS)",
        papers.JOULIN_2018,
        RelaxedCsls(),
        ("unit", "center", "unit"),
        CSLS,
    ),
    _mapped(
        "supervised",
        "one mapping of the training pairs: whitening, re-weighting, de-whitening",
        papers.AAAI_2018,
        REWEIGHTED,
        ("unit", "center", "unit"),
        CSLS,
    ),
)

SMALL_SEED = (
    System(
        name="semi-supervised",
        summary="self-learning from a small training lexicon of 25 or more pairs",
        paper=papers.ACL_2018,
        needs=LEXICON,
        initialise=Given(),
    ),
    System(
        name="artetxe2017",
        summary="plain self-learning from 25 or more pairs: nearest neighbours, one direction",
        paper=papers.ARTETXE_2017,
        needs=LEXICON,
        initialise=Given(),
        schedule=PLAIN_LOOP,
        mapping=ROTATION,
        retrieval=NEAREST,
    ),
    System(
        name="artetxe2017-numerals",
        summary="artetxe2017 from numbers in digits that both languages share",
        paper=papers.ARTETXE_2017,
        needs="numbers in digits",
        initialise=Numerals(),
        schedule=PLAIN_LOOP,
        mapping=ROTATION,
        retrieval=NEAREST,
    ),
    System(
        name="smith2017-cognates",
        summary="smith2017 from words spelled alike in both languages",
        paper=papers.SMITH_2017,
        needs="words spelled alike",
        initialise=Identical(),
        schedule=None,
        mapping=REDUCED,
        normalise=("unit",),
        retrieval=INVERTED_SOFTMAX,
        fit_temperature=True,
    ),
    System(
        name="identical",
        summary="artetxe2018 from words spelled alike in both languages",
        paper=papers.ACL_2018,
        needs="words spelled alike",
        initialise=Identical(),
    ),
    System(
        name="numerals",
        summary="artetxe2018 from numbers in digits that both languages share",
        paper=papers.ACL_2018,
        needs="numbers in digits",
        initialise=Numerals(),
    ),
)
