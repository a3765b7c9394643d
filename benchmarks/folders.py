"""Run folders of planted pairs, made without an alignment."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.planted import Planted, planted
from isolex.core.choices import VectorFormat
from isolex.core.embeddings import Embeddings
from isolex.core.lexicon import Lexicon
from isolex.core.space import Space
from isolex.core.statistics import Statistics
from isolex.kernels.similarity import topk_mean
from isolex.run.folder import RunFolder
from isolex.run.results import Results

SAMPLE = 2000
"""Words that neighbourhood means are estimated from."""


def run_folder(path: Path, size: int, dims: int, seed: int, *, exact_means: bool) -> Path:
    """Write the files of a run, without mapped vectors as text and with an empty lexicon.

    Args:
        path: The folder to create.
        size: Number of words per language.
        dims: Number of dimensions.
        seed: Random seed of the pair.
        exact_means: Whether neighbourhood means are exact. Otherwise they are estimated from a
            sample: exact ones take minutes, and a look-up takes as long either way.
    """
    space = make_space(planted(size, dims, seed=seed))
    if not exact_means:
        _estimate_means(space)
    none = np.empty(0, dtype=np.int32)
    one, other = space.languages
    lexicon = Lexicon(
        none, none, np.empty(0, np.float32), np.empty(0, np.bool_), (one.words, other.words)
    )
    folder = RunFolder(path)
    folder.prepare([], VectorFormat.NONE)
    lexicons = {(one.name, other.name): lexicon}
    folder.write(Results(space, lexicons, [], {}, {}, {}), VectorFormat.NONE)
    return path


def make_space(pair: Planted) -> Space:
    """The shared space of a planted pair, by its planted map."""
    source, target = pair.embeddings()
    return Space.from_vectors(Embeddings(source.words, pair.mapped, name=source.name), target)


def _estimate_means(space: Space) -> None:
    neighbours = space.retrieval.neighbours
    one, other = space.languages
    for language, others in ((one, other), (other, one)):
        means = topk_mean(language.vectors, others.vectors[:SAMPLE], neighbours)
        known = space.statistics.setdefault((language.name, others.name), Statistics())
        known.means[neighbours] = means
