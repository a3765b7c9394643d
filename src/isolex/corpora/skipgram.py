"""Training vectors of a corpus with gensim: skip-gram with negative sampling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from isolex.core.embeddings import Embeddings
from isolex.core.files import StrPath, atomic
from isolex.corpora.corpus import Corpus
from isolex.corpora.settings import Settings
from isolex.errors import InputError
from isolex.io.streams import Tick

if TYPE_CHECKING:
    from gensim.models import Word2Vec

_FEWEST = 2  # words that can be told apart
_BUCKETS = 2_000_000  # of fastText, for the parts of words
_PARTS = 20  # different parts of words, to a word, that are made room for
_MANY_THREADS = 4  # above that, lines are read by the workers, and progress is told by epochs


@dataclass(frozen=True)
class Trained:
    """Vectors that were trained, with the model behind them."""

    model: Word2Vec
    settings: Settings

    @property
    def embeddings(self) -> Embeddings:
        """The words, most frequent first, and their vectors."""
        return Embeddings(self.model.wv.index_to_key, self.model.wv.vectors)

    def save_model(self, path: StrPath) -> None:
        """Write the whole fastText model, parts of words and all, as fastText itself does."""
        from gensim.models.fasttext import save_facebook_model

        with atomic(path) as file:
            save_facebook_model(self.model, file.name)


def vocabulary(
    counts: Mapping[str, int], min_count: int, max_words: int | None = None
) -> dict[str, int]:
    """The words that get vectors, most frequent first, with their counts.

    Raises:
        InputError: If hardly any word is frequent enough.
    """
    # Words of equal count come in alphabetical order, whatever order they were seen in.
    kept = sorted(
        ((word, count) for word, count in counts.items() if count >= min_count),
        key=lambda item: (-item[1], item[0]),
    )[:max_words]
    if len(kept) < _FEWEST:
        raise InputError(
            f"only {len(kept)} of {len(counts):,} words occur {min_count} times or more: give more "
            "text, or a lower --min-count"
        )
    return dict(kept)


def train(
    corpus: Corpus, words: Mapping[str, int], settings: Settings, tick: Tick | None = None
) -> Trained:
    """Train vectors of ``words`` on a corpus.

    Args:
        corpus: The text.
        words: What gets a vector, with its count, as `vocabulary` gives it.
        settings: How to train.
        tick: Told the share that is done, in [0, 1].
    """
    tick = tick or (lambda _: None)
    model = _model(settings, len(words))
    model.build_vocab_from_freq(dict(words), corpus_count=corpus.sentences)
    lines = _Epochs(corpus, settings.epochs, tick)
    if settings.threads > _MANY_THREADS:
        source: dict[str, Any] = {"corpus_file": str(corpus.path), "callbacks": [_watch(lines)]}
    else:
        source = {"corpus_iterable": lines}
    model.train(
        **source, total_examples=corpus.sentences, total_words=corpus.words, epochs=settings.epochs
    )
    tick(1.0)
    return Trained(model, settings)


class _Epochs:
    """A corpus that is read once an epoch, and says how far all of them have come."""

    def __init__(self, corpus: Corpus, epochs: int, tick: Tick) -> None:
        self._corpus, self._epochs, self._tick = corpus, epochs, tick
        self._done = 0

    def __iter__(self) -> Iterator[list[str]]:
        yield from self._corpus.lines(lambda share: self._tick((self._done + share) / self._epochs))
        self.over()

    def over(self) -> None:
        self._done += 1
        self._tick(self._done / self._epochs)


def _watch(epochs: _Epochs) -> Any:
    from gensim.models.callbacks import CallbackAny2Vec

    class Watch(CallbackAny2Vec):  # type: ignore[misc]
        def on_epoch_end(self, _: Word2Vec) -> None:
            epochs.over()

    return Watch()


def _model(settings: Settings, words: int) -> Word2Vec:
    from gensim.models import FastText, Word2Vec

    kind, more = Word2Vec, {}
    if settings.method == "fasttext":
        kind, more = FastText, {"bucket": min(_BUCKETS, _PARTS * words)}
    return kind(
        vector_size=settings.dims,
        window=settings.window,
        min_count=1,  # the vocabulary has been chosen already
        negative=settings.negative,
        sample=settings.sample,
        epochs=settings.epochs,
        alpha=settings.rate,
        seed=settings.seed,
        workers=settings.threads,
        sg=1,
        **more,
    )
