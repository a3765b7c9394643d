"""A local server with files in the layout of fastText and MUSE."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import numpy as np
import pytest

from tests.fetching.server import Shelf, serve


def vec(words: int, dims: int = 20, seed: int = 0) -> bytes:
    numbers = np.random.default_rng(seed).standard_normal((words, dims))
    rows = (f"wórd{i} {' '.join(f'{x:.5f}' for x in row)}\n" for i, row in enumerate(numbers))
    return (f"{words} {dims}\n" + "".join(rows)).encode()


def pairs(count: int) -> bytes:
    return "".join(f"word{i}\tpalabra{i}\n" for i in range(count)).encode()


@pytest.fixture(scope="session")
def published() -> dict[str, bytes]:
    wiki = vec(2000)
    return {
        "fasttext/vectors-wiki/wiki.en.vec": wiki,
        "fasttext/vectors-wiki/wiki.es.vec": vec(1500, seed=1),
        "fasttext/vectors-crawl/cc.en.300.vec.gz": gzip.compress(wiki, mtime=0),
        "fasttext/vectors-crawl/cc.en.300.bin.gz": gzip.compress(
            (793_712_314).to_bytes(4, "little") + bytes(1000), mtime=0
        ),
        "arrival/dictionaries/en-es.txt": pairs(300),
        "arrival/dictionaries/en-es.0-5000.txt": pairs(200),
        "arrival/dictionaries/en-es.5000-6500.txt": pairs(100),
    }


@pytest.fixture
def shelf(published: dict[str, bytes]) -> Iterator[Shelf]:
    with serve(Shelf(dict(published))) as shelf:
        yield shelf
