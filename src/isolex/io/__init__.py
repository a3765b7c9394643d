"""Read and write word vectors, dictionaries and benchmarks: one module per format."""

from isolex.core.repairs import Repairs
from isolex.io.analogies import read_analogies
from isolex.io.counts import read_counts, save_counts
from isolex.io.fasttext import model_of
from isolex.io.pairs import read_pairs
from isolex.io.reading import load, read
from isolex.io.similarity import read_similarity
from isolex.io.streams import Tick
from isolex.io.words import read_words
from isolex.io.writing import FORMATS, check, save

__all__ = [
    "FORMATS",
    "Repairs",
    "Tick",
    "check",
    "load",
    "model_of",
    "read",
    "read_analogies",
    "read_counts",
    "read_pairs",
    "read_similarity",
    "read_words",
    "save",
    "save_counts",
]
