"""Train vectors on a corpus with gensim: skip-gram with negative sampling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from isolex.core.embeddings import Embeddings
from isolex.core.file_errors import StrPath
from isolex.core.files import atomic
from isolex.corpora.corpus import Corpus
from isolex.corpora.settings import Settings
from isolex.errors import InputError
from isolex.io.streams import Tick

if TYPE_CHECKING:
    from gensim.models import Word2Vec

_MIN_VOCABULARY = 2
_MAX_BUCKETS = 2_000_000  # hash buckets for sub-words; fastText's own default
_BUCKETS_PER_WORD = 20
_MAX_FEEDING_THREADS = 4  # above that, workers read the file and progress is per epoch


@dataclass(frozen=True)
class Trained:
    """A trained gensim model and the settings it was trained with."""

    model: Word2Vec
    settings: Settings

    @property
    def embeddings(self) -> Embeddings:
        """The words, most frequent first, and their vectors, ``(words, dims)``."""
        return Embeddings(self.model.wv.index_to_key, self.model.wv.vectors)

    def save_model(self, path: StrPath) -> None:
        """Write the whole fastText model, including sub-words, in fastText's binary format."""
        from gensim.models.fasttext import save_facebook_model

        with atomic(path) as file:
            save_facebook_model(self.model, file.name)


def vocabulary(
    counts: Mapping[str, int], min_count: int, max_words: int | None = None
) -> dict[str, int]:
    """Choose the words that get vectors; return them with their counts, most frequent first.

    Raises:
        InputError: If fewer than two words are frequent enough.
    """
    # Words with equal counts are sorted, so that the result does not depend on the order of counts.
    kept = sorted(
        ((word, count) for word, count in counts.items() if count >= min_count),
        key=lambda item: (-item[1], item[0]),
    )[:max_words]
    if len(kept) < _MIN_VOCABULARY:
        raise InputError(
            f"only {len(kept)} of {len(counts):,} words occur at least {min_count} times; "
            "add more text or lower --min-count"
        )
    return dict(kept)


def train(
    corpus: Corpus, words: Mapping[str, int], settings: Settings, tick: Tick | None = None
) -> Trained:
    """Train vectors on a corpus.

    Args:
        corpus: Text to train on.
        words: Words that get a vector, with their counts, as returned by `vocabulary`.
        settings: Training settings.
        tick: Called with the fraction done, in [0, 1].
    """
    tick = tick or (lambda _: None)
    model = _new_model(settings, len(words))
    model.build_vocab_from_freq(dict(words), corpus_count=corpus.sentences)
    epochs = _Epochs(corpus, settings.epochs, tick)
    if settings.threads > _MAX_FEEDING_THREADS:
        text: dict[str, Any] = {
            "corpus_file": str(corpus.path),
            "callbacks": [_epoch_callback(epochs)],
        }
    else:
        text = {"corpus_iterable": epochs}
    model.train(
        **text, total_examples=corpus.sentences, total_words=corpus.words, epochs=settings.epochs
    )
    tick(1.0)
    return Trained(model, settings)


class _Epochs:
    """Iterates over a corpus once per epoch and reports progress over all epochs."""

    def __init__(self, corpus: Corpus, epochs: int, tick: Tick) -> None:
        self._corpus, self._epochs, self._tick = corpus, epochs, tick
        self._finished = 0

    def __iter__(self) -> Iterator[list[str]]:
        yield from self._corpus.lines(
            lambda done: self._tick((self._finished + done) / self._epochs)
        )
        self.finish_epoch()

    def finish_epoch(self) -> None:
        self._finished += 1
        self._tick(self._finished / self._epochs)


def _epoch_callback(epochs: _Epochs) -> Any:
    from gensim.models.callbacks import CallbackAny2Vec

    class EpochCallback(CallbackAny2Vec):  # type: ignore[misc]
        def on_epoch_end(self, _: Word2Vec) -> None:
            epochs.finish_epoch()

    return EpochCallback()


def _new_model(settings: Settings, words: int) -> Word2Vec:
    from gensim.models import FastText, Word2Vec

    model, options = Word2Vec, {}
    if settings.method == "fasttext":
        model, options = FastText, {"bucket": min(_MAX_BUCKETS, _BUCKETS_PER_WORD * words)}
    return model(
        vector_size=settings.dims,
        window=settings.window,
        min_count=1,  # `vocabulary` has already dropped rare words
        negative=settings.negative,
        sample=settings.sample,
        epochs=settings.epochs,
        alpha=settings.rate,
        seed=settings.seed,
        workers=settings.threads,
        sg=1,
        **options,
    )
