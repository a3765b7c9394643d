"""Pairs, coverage and the written dictionary."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from isolex import Embeddings, Lexicon
from isolex.core.lexicon import match, match_directed
from isolex.errors import UsageError
from isolex.io import read_pairs

SRC = Embeddings(["dog", "cat", "\udcff"], np.eye(3))
TRG = Embeddings(["perro", "gato", "can"], np.eye(3))


def test_match_counts_source_words_and_names_the_missing() -> None:
    pairs = [("dog", "perro"), ("dog", "can"), ("dog", "perro"), ("cow", "vaca"), ("cat", "felino")]
    lexicon, coverage = match(pairs, SRC, TRG)
    assert list(zip(lexicon.src, lexicon.trg, strict=True)) == [(0, 0), (0, 2)]
    assert coverage.entries == 1
    assert coverage.oov == ("cow", "cat")
    assert coverage.share == pytest.approx(1 / 3)


def test_pairs_with_the_target_word_first_are_refused() -> None:
    src = Embeddings(["uno", "dos", "tres", "no", "sol"], np.eye(5))
    trg = Embeddings(["one", "two", "three", "no", "sun"], np.eye(5))
    pairs = [("uno", "one"), ("dos", "two"), ("tres", "three"), ("no", "no")]
    assert len(match_directed(pairs, src, trg)[0]) == 4
    with pytest.raises(UsageError, match=r"1 pairs are in .* but 4 the other way round"):
        match_directed([(t, s) for s, t in pairs], src, trg)


def scored() -> Lexicon:
    return Lexicon(
        np.array([0, 2], dtype=np.int32),
        np.array([1, 0], dtype=np.int32),
        np.array([0.5, 0.25], dtype=np.float32),
        np.array([True, False]),
        (SRC.words, TRG.words),
    )


def test_a_saved_lexicon_has_four_columns_and_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.tsv"
    scored().save(path)
    lines = path.read_bytes().split(b"\n")
    assert lines[0] == b"source\ttarget\tscore\tmutual"
    assert lines[1] == b"dog\tgato\t0.500000\t1"
    assert lines[2] == b"\xff\tperro\t0.250000\t0"  # a byte that is not UTF-8 stays that byte
    assert read_pairs(path) == [("dog", "gato"), ("\udcff", "perro")]


def test_a_compressed_lexicon_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="plain text; drop the suffix"):
        scored().save(tmp_path / "lexicon.tsv.gz")


def test_mutual_pairs_are_counted() -> None:
    assert scored().mutual_count == 1


def test_indices_alone_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="indices only"):
        Lexicon(scored().src, scored().trg).save(tmp_path / "x.tsv")
    assert not (tmp_path / "x.tsv").exists()
