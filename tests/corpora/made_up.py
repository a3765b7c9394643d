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


def zipf_text(path: Path, prefix: str, seed: int, words: int = 260) -> str:
    """Write sentences in which neighbours are related, in any language the same ones.

    Returns:
        The most frequent word.
    """
    random = np.random.default_rng(99)
    meaning = random.normal(size=(words, 6)) * 2 / np.sqrt(6)
    often = 1 / np.arange(5, words + 5)
    next_word = often * np.exp(meaning @ meaning.T)
    steps = np.cumsum(next_word / next_word.sum(axis=1, keepdims=True), axis=1)
    random = np.random.default_rng(seed)
    counts, lines = np.zeros(words, dtype=int), []
    for _ in range(12_000):
        word, sentence = int(random.integers(words)), []
        for draw in random.random(20):
            word = int(min(np.searchsorted(steps[word], draw), words - 1))
            sentence.append(word)
        np.add.at(counts, sentence, 1)
        lines.append(" ".join(f"{prefix}{chr(97 + w % 26)}{chr(97 + w // 26)}" for w in sentence))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    first = int(counts.argmax())
    return f"{prefix}{chr(97 + first % 26)}{chr(97 + first // 26)}"
