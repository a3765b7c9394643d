"""The bundled sample; NOTICE.md says where it comes from."""

from __future__ import annotations

from importlib.resources import as_file, files

from isolex import io
from isolex.core.embeddings import Embeddings


def english() -> Embeddings:
    """5,000 English words x 100 dimensions."""
    return _load("en.vec.gz")


def spanish() -> Embeddings:
    """5,000 Spanish words x 100 dimensions."""
    return _load("es.vec.gz")


def gold() -> list[tuple[str, str]]:
    """English-Spanish word pairs to evaluate with."""
    with as_file(files(__package__) / "gold.tsv") as path:
        return io.read_pairs(path)


def _load(name: str) -> Embeddings:
    with as_file(files(__package__) / name) as path:
        return io.load(path)
