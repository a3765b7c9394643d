"""The cache of a run folder: the statistics that retrieval needs, computed once.

It may be deleted at any time. A cache of another space or of other parameters is ignored.
"""

from __future__ import annotations

import json
from contextlib import suppress
from hashlib import sha256
from itertools import permutations
from pathlib import Path

from isolex.core.embeddings import Vectors
from isolex.core.files import atomic
from isolex.core.space import Space
from isolex.core.statistics import WIDTH, Statistics
from isolex.core.tensors import TensorFile, write_tensors
from isolex.errors import InputError

FORMAT, VERSION = "isolex-cache", 2
NDIM = {"means": 1, "sums": 1, "highest": 2, "to_pivots": 2}
"""The tensors of each ordered pair of languages, with their number of dimensions."""


def fingerprint(space: Space) -> str:
    """Identify the vectors of a space and the parameters of its retrieval, without reading them."""
    retrieval = space.retrieval
    parameters = (retrieval.neighbours, retrieval.temperature, retrieval.pivots)
    digest = sha256(repr((FORMAT, VERSION, WIDTH, parameters)).encode())
    for language in space:
        about = (language.name, *language.checksums, *language.normaliser.steps)
        digest.update(repr((about, language.map.matrix.shape)).encode())
        for array in (language.map.matrix, *language.normaliser.fitted):
            digest.update(array.tobytes())
    for names, pair in space.pairs.items():
        for linear in pair.maps or ():
            digest.update(repr((names, linear.matrix.shape)).encode())
            digest.update(linear.matrix.tobytes())
    return digest.hexdigest()


def save_statistics(space: Space, path: Path) -> None:
    """Write all complete statistics of a space; does nothing if the file cannot be written."""
    tensors = {
        f"{source}/{target}/{name}": array
        for source, target in permutations(space.names, 2)
        for name, array in _arrays(space, source, target).items()
    }
    tensors |= {
        f"{source}/{target}/lengths": known.lengths
        for (source, target), known in space.statistics.items()
        if known.lengths is not None
    }
    facts = {"format": FORMAT, "fingerprint": fingerprint(space)}
    with suppress(OSError, InputError), atomic(path) as file:
        write_tensors(file, tensors, {"isolex": json.dumps(facts)})


def load_statistics(space: Space, path: Path) -> None:
    """Add the statistics in a file to a space, if they belong to it."""
    with suppress(OSError, InputError, ValueError, KeyError, TypeError, AttributeError):
        file = TensorFile(path)
        facts = json.loads(file.metadata.get("isolex", "{}"))
        if facts.get("format") != FORMAT or facts.get("fingerprint") != fingerprint(space):
            return
        for source, target in permutations(space.names, 2):
            if f"{source}/{target}/highest" in file:
                _add(space, source, target, file)
            if (key := f"{source}/{target}/lengths") in file:
                lengths = _fitting(space, source, file.array(key, "F32", 1))
                space.statistics.setdefault((source, target), Statistics()).lengths = lengths


def _arrays(space: Space, source: str, target: str) -> dict[str, Vectors]:
    """The statistics of an ordered pair by name; empty unless all of them are known."""
    known, retrieval = space.statistics.get((source, target), Statistics()), space.retrieval
    found = {
        "means": known.means.get(retrieval.neighbours),
        "sums": known.sums.get(retrieval.temperature),
        "highest": known.highest,
        "to_pivots": known.to_pivots.get(retrieval.pivots),
    }
    arrays = {name: array for name, array in found.items() if array is not None}
    return arrays if len(arrays) == len(found) else {}


def _add(space: Space, source: str, target: str, file: TensorFile) -> None:
    found = {
        name: _fitting(space, source, file.array(f"{source}/{target}/{name}", "F32", ndim))
        for name, ndim in NDIM.items()
    }
    retrieval = space.retrieval
    known = space.statistics.setdefault((source, target), Statistics())
    known.means.setdefault(retrieval.neighbours, found["means"])
    known.sums[retrieval.temperature] = found["sums"]
    known.to_pivots[retrieval.pivots] = found["to_pivots"]
    known.highest = found["highest"]


def _fitting(space: Space, source: str, array: Vectors) -> Vectors:
    if array.shape[-1] != len(space[source]):
        raise ValueError("tensors do not fit the vocabulary")
    return array
