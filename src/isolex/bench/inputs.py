"""Reading the files of a run: vectors, gold pairs and training pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import file_digest
from pathlib import Path

from isolex import io
from isolex.bench.plan import TWO, BenchRun, Dataset, LanguagePair
from isolex.core.embeddings import Embeddings
from isolex.core.file_errors import shown
from isolex.core.files import stamp
from isolex.core.lexicon import Lexicon, match, match_directed
from isolex.errors import UsageError

Words = list[tuple[str, str]]
"""Word pairs, source word first."""

WordPairs = dict[LanguagePair, Words]
"""Word pairs by the languages of their words."""


def read_language(dataset: Dataset, name: str) -> Embeddings:
    """The vectors of a language, named as in the dataset because files may share a name."""
    path = dataset.languages[name]
    return _read(path, dataset.max_words, _version(path)).named(name)


@lru_cache(maxsize=4)
def _read(path: Path, max_words: int | None, _: Version) -> Embeddings:
    return io.load(path, max_words=max_words)


def read_gold(dataset: Dataset, languages: Mapping[str, Embeddings]) -> WordPairs:
    """The gold pairs; unusable ones are refused before hours of training."""
    found = {}
    for pair, path in dataset.gold.items():
        found[pair] = io.read_pairs(path)
        source, target = (languages[name] for name in pair)
        if not len(_in_vocabulary(found[pair], source, target, path)):
            raise UsageError(
                f"{shown(path)}: no pair has both words in the vocabularies of [[data]] "
                f"{dataset.name}: check its direction and spelling"
            )
    return found


def read_lexicon(run: BenchRun, languages: Mapping[str, Embeddings]) -> WordPairs:
    """The training pairs in the vocabularies: all, or the first few with different source words."""
    found = {}
    for pair, path in run.lexicon.items():
        source, target = (languages[name] for name in pair)
        known = _in_vocabulary(io.read_pairs(path), source, target, path)
        rows = zip(known.sources.tolist(), known.targets.tolist(), strict=True)
        found[pair] = [(source.words[one], target.words[other]) for one, other in rows]
        if run.row.pairs is not None:
            first: dict[str, str] = {}
            for one, other in found[pair]:
                first.setdefault(one, other)
            found[pair] = list(first.items())[: run.row.pairs]
    return found


def _in_vocabulary(
    pairs: Iterable[tuple[str, str]], source: Embeddings, target: Embeddings, path: Path
) -> Lexicon:
    """The pairs of a file that both vocabularies contain."""
    try:
        return match_directed(pairs, source, target)[0]
    except UsageError as error:
        raise UsageError(f"{shown(path)}: {error}") from error


def overlap_warnings(runs: Iterable[BenchRun]) -> dict[str, str]:
    """Warnings about columns whose scores are too high, by the name of the column.

    Scores are too high if systems learn from pairs whose source words are also in the gold pairs.
    """
    learning = {
        pair.name: pair
        for run in runs
        if run.row.system.takes_lexicon
        for pair in run.dataset.split()
    }
    counts = {name: _overlap(pair) for name, pair in learning.items()}
    return {
        name: f"{both:,} of the {scored:,} gold words are also in the training pairs: systems that "
        "learn from these have seen the answers"
        for name, (both, scored) in counts.items()
        if both
    }


def _overlap(dataset: Dataset) -> tuple[int, int]:
    """The number of gold words that are also in the training pairs, and of all gold words."""
    gold, training = (_word_pairs(files) for files in (dataset.gold, dataset.lexicon))
    if {source for source, _ in gold}.isdisjoint(source for source, _ in training):
        return 0, 0
    source, target = (read_language(dataset, name) for name in TWO)
    scored, known = (
        set(match(pairs, source, target)[0].sources.tolist()) for pairs in (gold, training)
    )
    return len(scored & known), len(scored)


def _word_pairs(files: Mapping[LanguagePair, Path]) -> Words:
    """The word pairs of the files of two languages, source word first."""
    found: Words = []
    for pair, path in files.items():
        words = io.read_pairs(path)
        found += words if pair == TWO else [(target, source) for source, target in words]
    return found


Version = tuple[tuple[str, int], ...]
"""Size and modification time of a file: a file that has changed is read again."""


def _version(path: Path) -> Version:
    return tuple((stamp(path) or {}).items())


def checksum(path: Path) -> str | None:
    """The SHA-256 of a file; ``None`` if there is no such file."""
    return _digest(path, _version(path))


@lru_cache(maxsize=64)
def _digest(path: Path, version: Version) -> str | None:
    if not version:
        return None
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
