"""Texts that the pages share: verdicts, retrieval methods and steps."""

from __future__ import annotations

from isolex.core.choices import Outcome, RetrievalMethod
from isolex.core.verdict import MEANINGS
from isolex.method.pipeline import STEPS as PIPELINE_STEPS

VERDICTS = {
    Outcome.SUCCEEDED: f"{MEANINGS[Outcome.SUCCEEDED]} See the samples below.",
    Outcome.DOUBTFUL: f"{MEANINGS[Outcome.DOUBTFUL]} Another seed, some training pairs or more "
    "text may help.",
    Outcome.FAILED: f"{MEANINGS[Outcome.FAILED]} Try some training pairs, or vectors trained on "
    "more text or on more similar text.",
}
"""The verdicts in the report, with advice."""

SEVERAL = {
    Outcome.SUCCEEDED: "Every pair of languages is aligned. See the sample words below.",
    Outcome.DOUBTFUL: "All languages are connected. Parts of the alignment of doubtful pairs look "
    "right, but not all of it: check some translations before you trust them.",
    Outcome.FAILED: "Translations between two languages whose pair failed are most likely useless.",
}
"""The verdicts in the report on three or more languages, unless some are not connected."""

NO_TWO = "No two of the languages are aligned: all translations are most likely useless."

MARKS = {Outcome.SUCCEEDED: "\u2713", Outcome.DOUBTFUL: "?", Outcome.FAILED: "\u2717"}
"""A mark for each verdict, for readers who cannot tell the colours apart."""

RETRIEVAL = {
    RetrievalMethod.NN: "cosine",
    RetrievalMethod.CSLS: "twice the cosine minus the means of both neighbourhoods",
    RetrievalMethod.INVSOFTMAX: "log-probability of the word given the translation",
    RetrievalMethod.INVNN: "cosine minus the rank of the word among all words, as seen from the "
    "translation",
    RetrievalMethod.GC: "cosine minus the rank of the word among frequent words, as seen from the "
    "translation",
    RetrievalMethod.SPELLING: "the csls score plus what the spelling of both words says",
}
"""What the scores of each retrieval method are."""

STEPS = {
    "read": "read the vector files",
    **PIPELINE_STEPS,
    "lexicon": "build the lexicon",
}
"""The steps of a run, in order, and what each does."""
