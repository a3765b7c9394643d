"""The parts of the cases: planted pairs, turns, targets, counts, rivals."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from benchmarks import measure, vecmap
from benchmarks.data import Files
from benchmarks.hardware import busy
from benchmarks.measure import Target
from benchmarks.planted import planted
from benchmarks.textfile import write_decimals
from benchmarks.workers import counted


@pytest.mark.usefixtures("fake_vecmap")
def test_a_vecmap_that_ends_early_gives_the_iterations_it_did(tmp_path: Path) -> None:
    files = Files(tmp_path / "a", tmp_path / "b")
    for path in files:
        path.touch()
    assert len(vecmap.iteration_seconds(files, tmp_path, 100)) == 7


def test_planted_pairs_are_found_by_procrustes() -> None:
    pair = planted(1000, 50, noise=0.5, seed=3)
    place = np.argsort(pair.order)
    train = np.arange(0, 1000, 2)
    u, _, vt = np.linalg.svd(pair.source[train].T @ pair.target[place[train]])
    test = np.arange(1, 1000, 2)
    found = (pair.source[test] @ (u @ vt) @ pair.target.T).argmax(axis=1)
    assert (found == place[test]).mean() > 0.9
    np.testing.assert_allclose(np.linalg.norm(pair.source, axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(pair.target, axis=1), 1, rtol=1e-5)
    assert 0 < np.abs(place - np.arange(1000)).mean() < 100


def test_a_planted_pair_has_hubs_and_is_reproducible() -> None:
    pair = planted(2000, 50, seed=1)
    nearest = np.argsort(-(pair.mapped @ pair.target.T), axis=1)[:, :10]
    popular = np.bincount(nearest.ravel(), minlength=2000)
    assert popular.max() > 5 * popular.mean()
    again = planted(2000, 50, seed=1)
    assert again.target.tobytes() == pair.target.tobytes()
    assert planted(2000, 50, seed=2).target.tobytes() != pair.target.tobytes()


def test_six_decimals_are_written(tmp_path: Path) -> None:
    vectors = np.array([[0.5, -0.25], [1e-6, -1.0]], dtype=np.float32)
    write_decimals(tmp_path / "a.vec", ["a", "b"], vectors)
    text = (tmp_path / "a.vec").read_text(encoding="utf-8")
    assert text == "2 2\na 0.500000 -0.250000\nb 0.000001 -1.000000\n"


def test_products_are_counted() -> None:
    a = np.ones((4, 3), dtype=np.float32)
    before = np.matmul
    with counted() as counter:
        np.matmul(a, a.T, out=np.empty((4, 4), dtype=np.float32))
    assert counter.done == 4 * 4 * 3
    assert np.matmul is before


def test_a_slow_rival_can_have_fewer_turns() -> None:
    turns: list[str] = []
    programs = {name: lambda name=name: turns.append(name) for name in ("rival", "isolex")}
    measure.interleave(programs, 3, {"rival": 1})
    assert turns == ["rival", "isolex", "isolex", "isolex"]


def test_a_target_is_an_upper_or_a_lower_bound() -> None:
    assert Target("at most", 1.5).met(1.5)
    assert not Target("at least", 8).met(7.9)


def test_the_load_of_the_machine_is_a_number_of_cores() -> None:
    cores = busy(0.1)
    assert cores is None or 0 <= cores <= (os.cpu_count() or 1)
