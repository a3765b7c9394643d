"""Text in a made-up language whose words belong to topics, which good vectors must recover."""

from __future__ import annotations

from pathlib import Path

import numpy as np

TOPICS = 4
WORDS = 10


def topic_text(path: Path, sentences: int = 1500, seed: int = 0) -> Path:
    """Write sentences of 12 words, each sentence about one topic."""
    random = np.random.default_rng(seed)
    lines = []
    for _ in range(sentences):
        topic = random.integers(TOPICS)
        chosen = random.integers(WORDS, size=12)
        lines.append(" ".join(f"{'abcd'[topic]}{'qrstuvwxyz'[word]}o" for word in chosen))
    path.write_text("".join(f"{line.capitalize()}.\n" for line in lines), encoding="utf-8")
    return path
