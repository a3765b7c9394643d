"""Halves of the case ``lexicon`` that run in processes of their own, so that memory can be told.

``python -m benchmarks.workers isolex|faiss FOLDER OUT``; the folder has src, trg and order as .npy.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from isolex.kernels.types import Floats, Ints

K = 10


class Counter:
    """Multiply-adds of the matrix products that went through NumPy."""

    def __init__(self) -> None:
        self.done = 0
        self._lock = Lock()

    def add(self, a: Any, b: Any) -> None:
        """Count one product."""
        with self._lock:
            self.done += a.shape[0] * a.shape[1] * b.shape[-1]


@contextmanager
def counted() -> Iterator[Counter]:
    """Count the products inside the block; a tile is milliseconds, its count a microsecond."""
    counter = Counter()
    originals = {name: getattr(np, name) for name in ("matmul", "dot")}

    def counting(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(a: Any, b: Any, *rest: Any, **named: Any) -> Any:
            counter.add(a, b)
            return original(a, b, *rest, **named)

        return call

    for name, original in originals.items():
        setattr(np, name, counting(original))
    try:
        yield counter
    finally:
        for name, original in originals.items():
            setattr(np, name, original)


def isolex_lexicon(src: Floats, trg: Floats) -> tuple[Ints, dict[str, float]]:
    """CSLS, the ten best targets of every source word, mutual pairs marked."""
    from isolex.core.retrieval import Retrieval, Space

    Space(src[:64], trg[:64]).lexicon(K, Retrieval())  # load what Numba compiled
    with counted() as counter:
        began = time.perf_counter()
        lexicon = Space(src, trg).lexicon(K, Retrieval())
        seconds = time.perf_counter() - began
    products = counter.done / (len(src) * len(trg) * src.shape[1])
    best = lexicon.trg.reshape(len(src), -1)[:, 0]
    return best, {"seconds": seconds, "products": products}


def faiss_topk(src: Floats, trg: Floats) -> tuple[Ints, dict[str, float]]:
    """Flat inner product, the ten best targets of every source word: one direction, no CSLS."""
    from benchmarks.peers import peer

    faiss = peer("faiss")
    began = time.perf_counter()
    index = faiss.IndexFlatIP(trg.shape[1])
    index.add(trg)
    _, best = index.search(src, min(K, len(trg)))
    seconds = time.perf_counter() - began
    return best[:, 0], {"seconds": seconds, "products": 1.0}


SIDES = {"isolex": isolex_lexicon, "faiss": faiss_topk}


def main() -> None:
    """Do one half and write what it took."""
    side, place, out = sys.argv[1:]
    folder = Path(place)
    src, trg, order = (np.load(folder / f"{name}.npy") for name in ("src", "trg", "order"))
    best, facts = SIDES[side](src, trg)
    right = float((order[best] == np.arange(len(src))).mean())
    text = json.dumps(facts | {"precision": 100 * right})
    Path(out).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
