"""Evaluation: pure functions from a space or vectors and gold data to result objects."""

from isolex.evaluate.analogy import AnalogyResult, SectionResult, evaluate_analogy
from isolex.evaluate.lexicon import LexiconResult, evaluate_lexicon
from isolex.evaluate.matrix import LexiconMatrix, evaluate_lexicons
from isolex.evaluate.similarity import SimilarityResult, evaluate_similarity

__all__ = [
    "AnalogyResult",
    "LexiconMatrix",
    "LexiconResult",
    "SectionResult",
    "SimilarityResult",
    "evaluate_analogy",
    "evaluate_lexicon",
    "evaluate_lexicons",
    "evaluate_similarity",
]
