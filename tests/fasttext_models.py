"""Small models trained by fastText itself, for tests."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

SYLLABLES = ["ba", "ké", "do", "ñu", "日", "本", "st", "in", "er", "po"]


def corpus(path: Path, words: int = 400, lines: int = 800) -> Path:
    """A text of made-up words of one to four syllables, of Zipf-like frequency."""
    draw = random.Random(0)
    vocabulary = ["".join(draw.choices(SYLLABLES, k=draw.randint(1, 4))) for _ in range(words)]
    weights = [1 / (rank + 1) for rank in range(words)]
    text = "".join(" ".join(draw.choices(vocabulary, weights, k=12)) + "\n" for _ in range(lines))
    path.write_text(text, encoding="utf-8")
    return path


def train(text: Path, **settings: Any) -> Any:
    """A fastText model of a text."""
    import fasttext

    # fastText fills a tenth of its matrix per thread: with fewer than eleven, some stays as it was.
    options = {"dim": 12, "bucket": 2000, "epoch": 1, "minCount": 2, "thread": 12, "verbose": 0}
    return fasttext.train_unsupervised(str(text), **{**options, **settings})
