"""A run that was interrupted goes on to the very same end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from isolex import Alignment, align
from isolex.core.linear_map import LinearMap
from isolex.errors import InputError
from isolex.method.checkpoint import Checkpoint
from isolex.method.initialise import Induced, Random
from isolex.method.mapping import AsTrained
from isolex.systems import System, get
from tests.planted import Planted, planted

MARK = {"settings": {"seed": 3}, "inputs": {}}


@dataclass(frozen=True)
class Trained:
    """A training that may happen once."""

    extras = ()

    def __call__(self, *_: object) -> tuple[LinearMap, LinearMap]:
        happened.append(1)
        return LinearMap(np.eye(20, dtype=np.float32)), LinearMap(np.eye(20, dtype=np.float32))


happened: list[int] = []


@pytest.fixture(scope="module")
def problem() -> Planted:
    return planted(words=300, dims=20)


def run(problem: Planted, system: System, **options: object) -> tuple[Alignment, list[Checkpoint]]:
    kept: list[Checkpoint] = []
    made = align(problem.src, problem.trg, system, seed=3, on_checkpoint=kept.append, **options)  # type: ignore[arg-type]
    return made, kept


def same(one: Alignment, other: Alignment, folder: Path) -> None:
    for name, made in (("one", one), ("other", other)):
        made.save(folder / name)
    assert (folder / "one").read_bytes() == (folder / "other").read_bytes()
    assert one.attempts == other.attempts

    def plain(made: Alignment) -> list[object]:
        return [replace(record, seconds=0) for record in made.history]

    assert plain(one) == plain(other)


@pytest.mark.parametrize("name", ["artetxe2018", "robust", "blind"])
def test_from_any_checkpoint_it_comes_to_the_same_end(
    problem: Planted, tmp_path: Path, name: str
) -> None:
    system = get("robust" if name == "blind" else name)
    if name == "blind":  # nothing is found at first, so there is a search
        problem, system = planted(words=800, dims=40), replace(system, initialise=Random())
    whole, kept = run(problem, system, validation=problem.pairs[:50])
    assert bool(whole.attempts) == (name == "blind")
    assert kept[0].learnt.iterations == 0
    for place in np.linspace(0, len(kept) - 1, 5).astype(int):
        kept[place].save(tmp_path / "checkpoint", MARK)
        start = Checkpoint.load(tmp_path / "checkpoint", MARK)
        assert start is not None
        again, rest = run(problem, system, validation=problem.pairs[:50], resume=start)
        same(whole, again, tmp_path)
        assert len(rest) <= len(kept) - place


def test_a_training_is_not_repeated(problem: Planted, tmp_path: Path) -> None:
    happened.clear()
    system = replace(
        get("artetxe2018"),
        train=Trained(),
        initialise=Induced(),
        schedule=None,
        mapping=AsTrained(),
    )
    whole, kept = run(problem, system)
    kept[0].save(tmp_path / "checkpoint", MARK)
    again, _ = run(problem, system, resume=Checkpoint.load(tmp_path / "checkpoint", MARK))
    same(whole, again, tmp_path)
    assert len(happened) == 1


def test_a_checkpoint_of_something_else_is_refused(problem: Planted, tmp_path: Path) -> None:
    assert Checkpoint.load(tmp_path / "none", MARK) is None
    _, kept = run(problem, replace(get("artetxe2018"), schedule=None))
    kept[0].save(tmp_path / "checkpoint", MARK)
    with pytest.raises(InputError, match="of a run with other inputs or options; give those"):
        Checkpoint.load(tmp_path / "checkpoint", {"settings": {"seed": 4}, "inputs": {}})
    (tmp_path / "checkpoint").write_bytes(b"rubbish")
    with pytest.raises(InputError, match="not a readable checkpoint; run without --resume"):
        Checkpoint.load(tmp_path / "checkpoint", MARK)
