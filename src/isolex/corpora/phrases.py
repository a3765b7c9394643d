"""Words that go together more often than chance, joined by an underscore (Mikolov et al., 2013)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from isolex.corpora.corpus import Corpus
from isolex.io.streams import Tick

_CONNECTORS = 100  # the most frequent words of any language stand inside a phrase, not at its ends
_MIN_COUNT = 5
_THRESHOLD = 10.0


def join_phrases(corpus: Corpus, path: Path, tick: Tick | None = None) -> Corpus:
    """The same corpus with its phrases as single words, such as ``new_york``, written to ``path``.

    Args:
        corpus: The text.
        path: The file to write.
        tick: Told the share that is done, in [0, 1].
    """
    from gensim.models.phrases import FrozenPhrases, Phrases

    tick = tick or (lambda _: None)
    connectors = frozenset(word for word, _ in corpus.counts.most_common(_CONNECTORS))
    found = FrozenPhrases(
        Phrases(
            corpus.lines(lambda share: tick(share / 2)),
            min_count=_MIN_COUNT,
            threshold=_THRESHOLD,
            connector_words=connectors,
        )
    )

    def joined() -> Iterator[list[str]]:
        for line in corpus.lines(lambda share: tick((1 + share) / 2)):
            yield found[line]

    return Corpus.of(joined(), path)
