"""spaCy's vectors: from a Language, a Vocab or Vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from isolex.adapters import extras
from isolex.errors import UsageError
from isolex.kernels.types import Floats

_PROBABILITIES = "lexeme_prob"


def take(model: Any) -> tuple[list[str], Floats]:
    """Return the words and vectors of a Language, a Vocab or Vectors.

    spaCy does not sort words by frequency. If the vocabulary has a table of log-probabilities
    (``lexeme_prob``), words are sorted by it. Otherwise they are in row order, which is the order
    of the file the vectors were read from; words that share a row with an earlier word, as after
    pruning, come last. Keys without text are skipped.
    """
    extras.require(["spacy"], "from_spacy")
    vectors, strings, probabilities = _parts(model)
    known = [key for key in vectors.key2row if key in strings]
    if not known:
        raise UsageError("from_spacy: found no words with vectors; pass a model with vectors")
    first_keys: dict[int, int] = {}
    for key in known:
        first_keys.setdefault(vectors.key2row[key], key)

    def rank(key: int) -> tuple[float, bool, int]:
        row = vectors.key2row[key]
        return -probabilities.get(key, -math.inf), first_keys[row] != key, row

    order = sorted(known, key=rank)
    data = vectors.data.get() if hasattr(vectors.data, "get") else vectors.data  # copy from the GPU
    words = [strings[key] for key in order]
    return words, data[[vectors.key2row[key] for key in order]]


def _parts(model: Any) -> tuple[Any, Any, Any]:
    """Return the vectors, the text of their keys, and known log-probabilities of the words."""
    from spacy.vectors import Mode, Vectors

    vocab = getattr(model, "vocab", model)
    vectors = getattr(vocab, "vectors", vocab)
    if not isinstance(vectors, Vectors):
        raise UsageError(
            f"from_spacy takes a Language, a Vocab or Vectors, not {type(model).__name__}"
        )
    if vectors.mode != Mode.default:
        raise UsageError("from_spacy: floret vectors have no words; pass a model with word vectors")
    if vectors.strings is None and vocab is vectors:
        raise UsageError("from_spacy: Vectors without strings have no words; pass their Vocab")
    strings = vectors.strings if vocab is vectors else vocab.strings
    if vocab is vectors or not vocab.lookups.has_table(_PROBABILITIES):
        return vectors, strings, {}
    return vectors, strings, vocab.lookups.get_table(_PROBABILITIES)


def give(words: Sequence[str], vectors: Floats, into: Any = None) -> Any:
    """Return a new Vocab with these vectors, or replace the vectors of ``into`` and return it.

    Args:
        words: The words.
        vectors: ``(n, dims)`` their vectors.
        into: A Language or Vocab.

    Raises:
        UsageError: If a word is not UTF-8, or ``into`` is neither a Language nor a Vocab.
    """
    extras.require(["spacy"], "to_spacy")
    from spacy.vectors import Vectors
    from spacy.vocab import Vocab

    result = Vocab() if into is None else into
    vocab = getattr(result, "vocab", result)
    if not isinstance(vocab, Vocab):
        raise UsageError(f"to_spacy takes a Language or a Vocab, not {type(into).__name__}")
    try:
        for word in words:
            vocab.strings.add(word)
    except UnicodeEncodeError as error:
        raise UsageError(f"to_spacy: the word {error.object!a} is not UTF-8; remove it") from error
    data = np.array(vectors)  # a copy, because spaCy may write to it
    vocab.vectors = Vectors(strings=vocab.strings, data=data, keys=list(words))
    return result
