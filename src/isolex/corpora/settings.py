"""How vectors are trained; what is not said follows from the size of the corpus."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Self

from isolex.errors import UsageError
from isolex.kernels.parallel import thread_count

METHODS = ("word2vec", "fasttext")
_FULL_DIMS = 300
_FEW_DIMS = 100
_FEW_WORDS = 5_000  # of a vocabulary
_ENOUGH = 5e7  # words to be seen in all
_FEWEST_EPOCHS, _MOST_EPOCHS = 5, 20


@dataclass(frozen=True)
class Settings:
    """The settings of skip-gram with negative sampling.

    Attributes:
        method: ``word2vec`` (a vector a word) or ``fasttext`` (also one for each part of a word).
        dims: Numbers per vector.
        window: Words on each side that count as context.
        min_count: A rarer word gets no vector.
        negative: Random words that each true context is told from.
        sample: Words of a greater share of the text than this are passed over now and then.
        epochs: How often the text is read.
        rate: How far a vector moves for one pair of words at first; less and less to the end.
        seed: Of every random choice.
        threads: Workers; the vectors are the same again only with one.
    """

    method: str = "word2vec"
    dims: int = _FULL_DIMS
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
            raise UsageError(f"unknown method {self.method!r}: choose from {', '.join(METHODS)}")

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)

    @classmethod
    def fitting(cls, text: int, vocabulary: int, **given: Any) -> Self:
        """Settings for a text of so many words and a vocabulary of so many different ones.

        What is given, and is not ``None``, is taken as it is. A small text is read more often; a
        small vocabulary does not fill 300 dimensions.
        """
        fit = {
            "epochs": min(_MOST_EPOCHS, max(_FEWEST_EPOCHS, round(_ENOUGH / text))),
            "dims": _FULL_DIMS if vocabulary >= _FEW_WORDS else _FEW_DIMS,
            "threads": thread_count(),
        }
        return cls(**fit | {name: value for name, value in given.items() if value is not None})
