"""Train word vectors on plain text: tokenise it, count words, join phrases, run skip-gram."""

from isolex.corpora.corpus import Corpus, find_files
from isolex.corpora.counting import count
from isolex.corpora.phrases import join_phrases
from isolex.corpora.settings import METHODS, Settings
from isolex.corpora.skipgram import Trained, train, vocabulary
from isolex.corpora.text import Tokeniser, has_spaces, mostly_numbers

__all__ = [
    "METHODS",
    "Corpus",
    "Settings",
    "Tokeniser",
    "Trained",
    "count",
    "find_files",
    "has_spaces",
    "join_phrases",
    "mostly_numbers",
    "train",
    "vocabulary",
]
