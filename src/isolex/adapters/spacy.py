"""spaCy: the vectors of a pipeline, of a vocabulary, or alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolex.adapters import extras
from isolex.errors import UsageError

Floats = NDArray[np.float32]

_PROBABILITIES = "lexeme_prob"


def take(source: Any) -> tuple[list[str], Floats]:
    """Words and vectors of a Language, a Vocab or Vectors, as near to frequency as can be told.

    spaCy keeps no order of frequency. Where the vocabulary has a table of log-probabilities
    (``lexeme_prob``), it decides. Else it is the order of the rows, which is that of the file the
    vectors were read from; words that share a row with an earlier one, as after pruning, come
    last. A key whose text is not known has no word and is left out.
    """
    extras.require(["spacy"], "spaCy's vectors")
    vectors, strings, probabilities = _parts(source)
    known = [key for key in vectors.key2row if key in strings]
    if not known:
        raise UsageError("from_spacy: no vectors whose words are known; give a model with vectors")
    firsts: dict[int, int] = {}
    for key in known:
        firsts.setdefault(vectors.key2row[key], key)

    def place(key: int) -> tuple[float, bool, int]:
        row = vectors.key2row[key]
        return -probabilities.get(key, -math.inf), firsts[row] != key, row

    order = sorted(known, key=place)
    data = vectors.data.get() if hasattr(vectors.data, "get") else vectors.data  # off the GPU
    words = [strings[key] for key in order]
    return words, data[[vectors.key2row[key] for key in order]]


def _parts(source: Any) -> tuple[Any, Any, Any]:
    """The vectors, the texts of their keys, and the words' log-probabilities where known."""
    from spacy.vectors import Mode, Vectors

    vocab = getattr(source, "vocab", source)
    vectors = getattr(vocab, "vectors", vocab)
    if not isinstance(vectors, Vectors):
        raise UsageError(
            f"from_spacy takes a Language, a Vocab or Vectors, not {type(source).__name__}"
        )
    if vectors.mode != Mode.default:
        raise UsageError("from_spacy: floret vectors have no words of their own; give others")
    if vectors.strings is None and vocab is vectors:
        raise UsageError("from_spacy: Vectors without strings hold no words; give their Vocab")
    strings = vectors.strings if vocab is vectors else vocab.strings
    if vocab is vectors or not vocab.lookups.has_table(_PROBABILITIES):
        return vectors, strings, {}
    return vectors, strings, vocab.lookups.get_table(_PROBABILITIES)


def give(words: Sequence[str], vectors: Floats, into: Any = None) -> Any:
    """A Vocab with these vectors, or the Language or Vocab ``into`` with them in place of its own.

    Raises:
        UsageError: If a word is not text that spaCy can hold, or ``into`` is something else.
    """
    extras.require(["spacy"], "spaCy's vectors")
    from spacy.vectors import Vectors
    from spacy.vocab import Vocab

    given = Vocab() if into is None else into
    vocab = getattr(given, "vocab", given)
    if not isinstance(vocab, Vocab):
        raise UsageError(f"to_spacy takes a Language or a Vocab, not {type(into).__name__}")
    try:
        for word in words:
            vocab.strings.add(word)
    except UnicodeEncodeError as error:
        raise UsageError(f"to_spacy: the word {error.object!a} is not UTF-8; drop it") from error
    data = np.array(vectors)  # spaCy may write to its own
    vocab.vectors = Vectors(strings=vocab.strings, data=data, keys=list(words))
    return given
