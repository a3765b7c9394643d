"""Join words that occur together more often than chance (Mikolov et al., 2013)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from isolex.corpora.corpus import Corpus
from isolex.io.streams import Tick

_CONNECTORS = 100  # number of most frequent words that may be inside a phrase, but not at its ends
_MIN_COUNT = 5
_THRESHOLD = 10.0


def join_phrases(corpus: Corpus, path: Path, tick: Tick | None = None) -> Corpus:
    """Write a copy of a corpus to ``path`` with phrases as single words, such as ``new_york``.

    Args:
        corpus: Corpus to search for phrases.
        path: File to write.
        tick: Called with the fraction done, in [0, 1].
    """
    from gensim.models.phrases import FrozenPhrases, Phrases

    tick = tick or (lambda _: None)
    connectors = frozenset(word for word, _ in corpus.counts.most_common(_CONNECTORS))
    phrases = FrozenPhrases(
        Phrases(
            corpus.lines(lambda done: tick(done / 2)),
            min_count=_MIN_COUNT,
            threshold=_THRESHOLD,
            connector_words=connectors,
        )
    )

    def joined() -> Iterator[list[str]]:
        for sentence in corpus.lines(lambda done: tick((1 + done) / 2)):
            yield phrases[sentence]

    return Corpus.from_sentences(joined(), path)
