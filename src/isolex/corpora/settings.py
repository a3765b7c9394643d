"""Training settings, with defaults that depend on the size of the corpus."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Self

from isolex.errors import UsageError
from isolex.kernels.parallel import thread_count

METHODS = ("word2vec", "fasttext")
_DIMS = 300
_DIMS_SMALL_VOCABULARY = 100
_SMALL_VOCABULARY = 5_000
_TRAINING_WORDS = 5e7  # over all epochs
_MIN_EPOCHS, _MAX_EPOCHS = 5, 20


@dataclass(frozen=True)
class Settings:
    """Settings of skip-gram with negative sampling.

    Attributes:
        method: ``word2vec`` (one vector per word) or ``fasttext`` (also one per subword).
        dims: Number of dimensions.
        window: Context words on each side.
        min_count: Words with fewer occurrences get no vector.
        negative: Negative samples per context word.
        sample: Subsampling threshold: words with a higher relative frequency are randomly skipped.
        epochs: Number of passes over the corpus.
        rate: Initial learning rate; it decreases until the end of training.
        seed: Random seed.
        threads: Number of threads. Results are reproducible only with one.
    """

    method: str = "word2vec"
    dims: int = _DIMS
    window: int = 5
    min_count: int = 5
    negative: int = 5
    sample: float = 1e-3
    epochs: int = 5
    rate: float = 0.025
    seed: int = 0
    threads: int = 1

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise UsageError(f"unknown method {self.method!r}; choose from {', '.join(METHODS)}")

    def as_dict(self) -> dict[str, Any]:
        """Return the settings by name."""
        return asdict(self)

    @classmethod
    def for_corpus(cls, words: int, vocabulary: int, **given: Any) -> Self:
        """Choose settings for a corpus.

        A small corpus gets more epochs, a small vocabulary fewer dimensions.

        Args:
            words: Total number of words in the corpus.
            vocabulary: Number of words that get a vector.
            given: Settings to use as they are; ``None`` stands for the default.
        """
        chosen = {
            "epochs": min(_MAX_EPOCHS, max(_MIN_EPOCHS, round(_TRAINING_WORDS / words))),
            "dims": _DIMS if vocabulary >= _SMALL_VOCABULARY else _DIMS_SMALL_VOCABULARY,
            "threads": thread_count(),
        }
        return cls(**chosen | {name: value for name, value in given.items() if value is not None})
