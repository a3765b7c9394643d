"""The two programs of the case ``lexicon``, each in its own process so that memory is separate.

``python -m benchmarks.workers isolex|faiss FOLDER OUT``; the folder contains source.npy, target.npy
and order.npy.
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
    """Counts the multiply-adds of matrix products in NumPy."""

    def __init__(self) -> None:
        self.done = 0
        self._lock = Lock()

    def add(self, a: Any, b: Any) -> None:
        """Count one product."""
        with self._lock:
            self.done += a.shape[0] * a.shape[1] * b.shape[-1]


@contextmanager
def counted() -> Iterator[Counter]:
    """Count the products in the block; counting takes a microsecond, a product milliseconds."""
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


def isolex_lexicon(source: Floats, target: Floats) -> tuple[Ints, dict[str, float]]:
    """CSLS: the ten best targets of every source word, with mutual pairs marked."""
    from isolex.core.choices import Retrieval
    from isolex.core.retrieval import Direction

    Direction(source[:64], target[:64]).lexicon(K, Retrieval())  # Numba loads what it compiled
    with counted() as counter:
        began = time.perf_counter()
        lexicon = Direction(source, target).lexicon(K, Retrieval())
        seconds = time.perf_counter() - began
    products = counter.done / (len(source) * len(target) * source.shape[1])
    best = lexicon.targets.reshape(len(source), -1)[:, 0]
    return best, {"seconds": seconds, "products": products}


def faiss_topk(source: Floats, target: Floats) -> tuple[Ints, dict[str, float]]:
    """Flat inner product: the ten best targets of every source word, one direction, no CSLS."""
    from benchmarks.peers import peer

    faiss = peer("faiss")
    began = time.perf_counter()
    index = faiss.IndexFlatIP(target.shape[1])
    index.add(target)
    _, best = index.search(source, min(K, len(target)))
    seconds = time.perf_counter() - began
    return best[:, 0], {"seconds": seconds, "products": 1.0}


PROGRAMS = {"isolex": isolex_lexicon, "faiss": faiss_topk}


def main() -> None:
    """Run one of the two and write its figures."""
    program, place, out = sys.argv[1:]
    folder = Path(place)
    arrays = (np.load(folder / f"{name}.npy") for name in ("source", "target", "order"))
    source, target, order = arrays
    best, facts = PROGRAMS[program](source, target)
    right = float((order[best] == np.arange(len(source))).mean())
    text = json.dumps(facts | {"precision": 100 * right})
    Path(out).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
