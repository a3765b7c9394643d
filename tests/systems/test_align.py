"""The whole way, on problems whose answer is known."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from isolex import align
from isolex.errors import UsageError
from isolex.method.self_learning import Iteration
from tests.planted import planted


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_turned_and_roughened_space_is_recovered_without_supervision(seed: int) -> None:
    made = planted(words=1000, dims=40, noise=0.4, seed=seed)
    lexicon = align(made.src, made.trg, seed=seed).lexicon()
    right = np.mean([entry.source[1:] == entry.target[1:] for entry in lexicon])
    assert right >= 0.99


def test_unequal_dimensions_are_aligned_too() -> None:
    made = planted(words=600, dims=30, trg_dims=45, noise=0.2)
    alignment = align(made.src, made.trg)
    assert alignment.source.mapped.dims == alignment.target.mapped.dims == 30
    right = np.mean([e.source[1:] == e.target[1:] for e in alignment.lexicon()])
    assert right >= 0.99


def test_threads_do_not_change_a_byte(tmp_path: Path) -> None:
    made = planted(words=700, dims=20)
    for threads in (1, 3):
        alignment = align(made.src, made.trg, threads=threads, cutoff=600, seed=2)
        alignment.save(tmp_path / f"{threads}.safetensors")
        alignment.lexicon(k=2).save(tmp_path / f"{threads}.tsv")
    for suffix in ("safetensors", "tsv"):
        first, second = (tmp_path / f"{t}.{suffix}" for t in (1, 3))
        assert first.read_bytes() == second.read_bytes()


def test_the_steps_are_announced_and_timed() -> None:
    made = planted(words=400, dims=20)
    steps: list[str] = []
    alignment = align(made.src, made.trg, on_step=steps.append)
    expected = ["compile", "normalise", "initialise", "learn", "check", "widen", "map", "judge"]
    assert steps == list(alignment.timings) == expected
    assert len(alignment.history) == alignment.history[-1].iteration


def test_a_callback_ends_the_run_wherever_it_is() -> None:
    made = planted(words=400, dims=20)
    whole = len(align(made.src, made.trg).history)
    for last in (2, whole - 1):
        alignment = align(made.src, made.trg, callbacks=[partial(_reached, last)])
        assert len(alignment.history) == last
        assert alignment.verdict is not None


def _reached(last: int, iteration: Iteration) -> bool:
    return iteration.number == last


def test_memory_does_not_change_a_bit() -> None:
    made = planted(words=700, dims=20)
    kept, again = (align(made.src, made.trg, cutoff=600, memory=memory) for memory in (None, 0))
    np.testing.assert_array_equal(kept.source.linear.matrix, again.source.linear.matrix)


def test_zero_vectors_do_no_harm() -> None:
    made = planted(words=400, dims=20)
    vectors = made.src.vectors.copy()
    vectors[[5, 350]] = 0
    alignment = align(type(made.src)(made.src.words, vectors), made.trg)
    entries = [e for e in alignment.lexicon() if e.source not in ("s5", "s350")]
    assert np.mean([e.source[1:] == e.target[1:] for e in entries]) >= 0.99


def test_files_in_place_of_what_is_in_them_are_refused() -> None:
    made = planted(words=50, dims=5)
    with pytest.raises(UsageError, match="align takes Embeddings, not str"):
        align("en.vec", made.trg)
    with pytest.raises(UsageError, match="align takes word pairs, not a file"):
        align(made.src, made.trg, "supervised", lexicon="gold.txt")


@pytest.mark.parametrize("pairs", [[("s1", "t1", "0.5")], [("s1", 1)], ["s1"], [1]])
def test_pairs_that_are_none_are_refused(pairs: list[object]) -> None:
    made = planted(words=50, dims=5)
    with pytest.raises(UsageError, match="a pair is two words"):
        align(made.src, made.trg, "supervised", lexicon=pairs)  # type: ignore[arg-type]


def test_pairs_may_be_a_dict() -> None:
    made = planted(words=100, dims=10)
    listed, mapped = (
        align(made.src, made.trg, "supervised", lexicon=pairs, judge=False)
        for pairs in (made.pairs[:50], dict(made.pairs[:50]))
    )
    assert np.array_equal(listed.source.linear.matrix, mapped.source.linear.matrix)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": -1}, "a seed is a whole number"),
        ({"memory": -1}, "memory is a number of bytes"),
        ({"cutoff": 0}, "a cutoff is a number of words"),
        ({"validation": [("q", "q")]}, "no validation pair"),
        ({"system": "nope"}, "unknown system"),
        ({"system": "supervised", "lexicon": [("s1", "t1")], "cutoff": 5}, "no self-learning"),
    ],
)
def test_what_cannot_be_done_is_said(options: dict, message: str) -> None:
    made = planted(words=50, dims=5)
    with pytest.raises(UsageError, match=message):
        align(made.src, made.trg, **options)
