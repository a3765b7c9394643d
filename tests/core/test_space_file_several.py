"""A saved space of several languages opens with everything known about its pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from isolex import Embeddings, Space
from isolex.core.choices import Outcome
from isolex.core.linear_map import LinearMap
from isolex.core.pair import Pair
from isolex.core.space import SPACE
from isolex.core.space_file import read_space
from isolex.core.verdict import Evidence, Verdict
from tests.core.test_space_file import Facts, Tensors, change, refusal
from tests.spelled import FACTS

NAMES, DIMS = ("en", "de", "pl"), 6


@pytest.fixture
def space() -> Space:
    rng = np.random.default_rng(0)
    common = rng.normal(size=(60, DIMS))
    mapped = Space.from_vectors(
        *(
            Embeddings([f"{name}{row}" for row in range(60)], common + noise, name=name)
            for name, noise in zip(NAMES, 0.1 * rng.normal(size=(3, 60, DIMS)), strict=True)
        )
    )

    def maps() -> tuple[LinearMap, LinearMap]:
        one, other = rng.normal(size=(2, DIMS, DIMS)).astype(np.float32)
        return LinearMap(one), LinearMap(other)

    evidence = Evidence(0.625, 0.125, 0.75, 0.5, 60)
    pairs = {
        ("en", "de"): Pair(Verdict(Outcome.SUCCEEDED, evidence), None, ("pl",), maps(), 0.5, 12.5),
        ("en", "pl"): Pair(
            Verdict(Outcome.DOUBTFUL, evidence), Outcome.FAILED, (), maps(), 0.1, None, FACTS
        ),
        ("de", "pl"): Pair(Verdict(Outcome.FAILED, evidence), Outcome.FAILED),
    }
    return replace(mapped, pairs=pairs, tree=(("en", "pl"), ("en", "de")), objective=0.25)


@pytest.fixture
def folder(space: Space, tmp_path: Path) -> Path:
    space.save(tmp_path / "three")
    return tmp_path / "three"


def test_everything_known_about_pairs_is_kept(space: Space, folder: Path) -> None:
    opened = read_space(folder)
    assert list(opened.pairs) == list(space.pairs)
    for one, other in zip(space.pairs.values(), opened.pairs.values(), strict=True):
        assert replace(other, maps=None).__dict__ == replace(one, maps=None).__dict__
        assert (other.maps is None) == (one.maps is None)
        for mine, theirs in zip(one.maps or (), other.maps or (), strict=True):
            assert theirs.matrix.tobytes() == mine.matrix.tobytes()
    assert opened.tree == space.tree
    assert opened.objective == space.objective
    assert opened.verdict == space.verdict
    assert [opened.outcome(name) for name in NAMES] == [space.outcome(name) for name in NAMES]


def test_an_opened_space_translates_between_any_two_languages_alike(
    space: Space, folder: Path
) -> None:
    opened = read_space(folder)
    for source, target in permutations(NAMES, 2):
        both = {"source": source, "target": target}
        for method in ("csls", "nn"):
            found, expected = (
                one.translate(f"{source}7", 4, method, **both) for one in (opened, space)
            )
            assert [one.word for one in found] == [one.word for one in expected]
            np.testing.assert_allclose(
                [one.score for one in found], [one.score for one in expected], atol=1e-6
            )
        assert list(opened.lexicon(source, target)) == list(space.lexicon(source, target))


def test_the_means_of_every_pair_are_kept(space: Space, folder: Path) -> None:
    opened = read_space(folder)
    assert set(opened.statistics) == set(permutations(NAMES, 2))
    for names, known in opened.statistics.items():
        assert known.means[10].tobytes() == space.statistics[names].means[10].tobytes()


def test_equal_spaces_give_equal_bytes(space: Space, folder: Path, tmp_path: Path) -> None:
    space.save(tmp_path / "again")
    read_space(folder).save(tmp_path / "copy")
    content = (folder / SPACE).read_bytes()
    assert (tmp_path / "again" / SPACE).read_bytes() == content
    assert (tmp_path / "copy" / SPACE).read_bytes() == content


def first(facts: Facts) -> Facts:
    return facts["pairs"][0]


MISFITS: dict[str, Callable[[Tensors, Facts], object]] = {
    "a pair with an unknown language": lambda _, f: first(f).update(languages=["en", "xx"]),
    "a pair of one language": lambda _, f: first(f).update(languages=["en", "en"]),
    "a pair in the other order": lambda _, f: first(f).update(languages=["de", "en"]),
    "three languages as a pair": lambda _, f: first(f).update(languages=["en", "de", "pl"]),
    "an unknown outcome": lambda _, f: first(f).update(outcome="splendid"),
    "an unknown outcome alone": lambda _, f: first(f).update(alone="splendid"),
    "other evidence": lambda _, f: first(f).update(evidence={"x": 1}),
    "no languages between": lambda _, f: first(f).pop("through"),
    "pairs as text": lambda _, f: f.update(pairs="en-de"),
    "a tree of unknown languages": lambda _, f: f.update(tree=[["en", "xx"]]),
    "a tree as text": lambda _, f: f.update(tree="en-de"),
    "one map of a pair": lambda t, _: t.pop("de/pair/en"),
    "short map": lambda t, _: t.update({"en/pair/de": t["en/pair/de"][1:]}),
    "narrow map": lambda t, _: t.update({"en/pair/de": t["en/pair/de"][:, 1:].copy()}),
    "map of another type": lambda t, _: t.update({"en/pair/de": t["en/pair/de"].view("i4")}),
}


@pytest.mark.parametrize("edit", MISFITS.values(), ids=MISFITS)
def test_pairs_that_do_not_fit_are_refused(
    folder: Path, edit: Callable[[Tensors, Facts], object]
) -> None:
    assert "isolex map" in refusal(change(folder, edit))


def test_an_unchanged_copy_opens(folder: Path) -> None:
    assert read_space(change(folder, lambda *_: None)).tree == (("en", "pl"), ("en", "de"))
