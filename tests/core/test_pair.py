"""A pair of languages: its verdicts, and look-ups that see vectors through the maps of the pair."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from isolex import Embeddings, Space
from isolex.core.choices import Outcome, RetrievalMethod
from isolex.core.linear_map import LinearMap
from isolex.core.normaliser import unit
from isolex.core.pair import Pair, PairVectors, pair_labels
from isolex.core.spelling import SpellingFacts
from isolex.core.verdict import Evidence, Verdict
from isolex.errors import UsageError
from tests.spelled import with_spelling

GOOD = Verdict.of(Evidence(0.9, 0.0, 0.7, 0.5, 90))
WEAK = Verdict.of(Evidence(0.3, 0.0, 0.7, 0.5, 90))
BAD = Verdict.of(Evidence(0.1, 0.1, 0.7, 0.5, 90))
SIZES = {"en": 100, "de": 90, "pl": 80}
DIMS = 10


def linear(seed: int) -> LinearMap:
    """A random map with two dimensions fewer."""
    matrix = np.random.default_rng(seed).normal(size=(DIMS, DIMS - 2))
    return LinearMap(matrix.astype(np.float32))


@pytest.fixture
def plain() -> Space:
    """Noisy copies of the same vectors, en0, en1, ... and so on."""
    rng = np.random.default_rng(0)
    common = rng.normal(size=(100, DIMS))
    return Space.from_vectors(
        *(
            Embeddings(
                [f"{name}{row}" for row in range(size)],
                common[:size] + 0.1 * rng.normal(size=(size, DIMS)),
                name=name,
            )
            for name, size in SIZES.items()
        )
    )


@pytest.fixture
def space(plain: Space) -> Space:
    """The same with maps for two of the three pairs."""
    pairs = {
        ("en", "de"): Pair(GOOD, maps=(linear(1), linear(2))),
        ("en", "pl"): Pair(BAD, maps=(linear(3), linear(3))),
        ("de", "pl"): Pair(WEAK),
    }
    return replace(plain, pairs=pairs, tree=(("en", "de"),))


def seen(space: Space, name: str, matrix: LinearMap) -> np.ndarray:
    return unit(space[name].vectors @ matrix.matrix)


def test_pair_vectors_are_the_vectors_mapped_and_of_unit_length(plain: Space) -> None:
    vectors, one = plain["en"].vectors, linear(1)
    found, expected = PairVectors(vectors, one), seen(plain, "en", one)
    assert (len(found), found.shape) == (100, (100, DIMS - 2))
    for rows in (slice(None), slice(20, 30), np.array([7, 3, 7])):
        np.testing.assert_allclose(found[rows], expected[rows], atol=1e-6)
    np.testing.assert_allclose(np.asarray(found), expected, atol=1e-6)
    assert np.asarray(found) is np.asarray(found), "computed once"
    np.testing.assert_allclose(found[5:9], expected[5:9], atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(found[:9], axis=1), 1, atol=1e-6)


def test_a_direction_sees_each_language_through_its_map_of_the_pair(space: Space) -> None:
    there, back = space.direction("en", "de"), space.direction("de", "en")
    for direction, names, seeds in ((there, ("en", "de"), (1, 2)), (back, ("de", "en"), (2, 1))):
        for vectors, name, seed in zip((direction.x, direction.z), names, seeds, strict=True):
            np.testing.assert_allclose(vectors, seen(space, name, linear(seed)), atol=1e-6)
    own = space.direction("de", "pl")
    assert own.x is space["de"].vectors, "a pair without maps is seen in the shared space"


@pytest.mark.parametrize("method", list(RetrievalMethod))
@pytest.mark.parametrize(("source", "target"), [("en", "pl"), ("pl", "en")])
def test_look_ups_agree_with_a_space_that_was_mapped_beforehand(
    space: Space, method: str, source: str, target: str
) -> None:
    space = with_spelling(space)
    mapped = with_spelling(
        Space.from_vectors(
            *(
                Embeddings(space[name].words, seen(space, name, linear(3)), name=name)
                for name in (source, target)
            )
        )
    )
    words = [f"{source}{row}" for row in (3, 50)]
    for k, asked in ((1, words[:1]), (4, words)):
        found = space.translate_all(asked, k, method, source=source, target=target)
        expected = mapped.translate_all(asked, k, method)
        for word in asked:
            assert [one.word for one in found[word]] == [one.word for one in expected[word]]
            scores = [[one.score for one in some[word]] for some in (found, expected)]
            np.testing.assert_allclose(scores[0], scores[1], atol=1e-5)
    lexicons = [list(space.lexicon(source, target, 2, method)), list(mapped.lexicon(None, k=2))]
    if method == space.retrieval.method:
        assert [(e.source, e.target, e.mutual) for e in lexicons[0]] == [
            (e.source, e.target, e.mutual) for e in lexicons[1]
        ]


def test_a_translation_that_was_computed_before_a_lexicon_is_in_it(space: Space) -> None:
    before = space.translate("en9", 1, source="en", target="de")[0]
    entry = next(e for e in space.lexicon("en", "de") if e.source == "en9")
    assert entry.target == before.word
    assert entry.score == pytest.approx(before.score, abs=1e-5)


def test_words_out_of_vocabulary_are_seen_through_the_map_too(space: Space) -> None:
    class Same:
        """Composes every word to the vector of en9."""

        def compose(self, words: list[str]) -> dict[str, np.ndarray]:
            return dict.fromkeys(words, space["en"].vectors[9])

    en, *others = space.languages
    able = replace(space, languages=(replace(en, subwords=Same()), *others))
    found = able.translate("unseen", 3, source="en", target="de")
    assert [one.word for one in found] == [
        one.word for one in able.translate("en9", 3, source="en", target="de")
    ]


def test_a_pair_is_known_in_either_order(space: Space) -> None:
    assert space.about("de", "en") is space.about("en", "de") is space.pairs["en", "de"]
    with pytest.raises(UsageError, match="no language 'xx'"):
        space.about("en", "xx")
    with pytest.raises(UsageError, match="no language 'xx'"):
        space.outcome("xx")


def test_the_verdict_of_a_space_is_its_worst_and_that_of_a_language_its_best(space: Space) -> None:
    assert space.verdict == BAD
    outcomes = {name: space.outcome(name) for name in space.names}
    good, weak = Outcome.SUCCEEDED, Outcome.DOUBTFUL
    assert outcomes == {"en": good, "de": good, "pl": weak}
    assert replace(space, pairs={}).outcome("en") is None


@pytest.mark.parametrize(
    ("alone", "now", "recovered"),
    [
        (Outcome.FAILED, GOOD, True),
        (Outcome.FAILED, WEAK, True),
        (Outcome.FAILED, BAD, False),
        (Outcome.FAILED, None, False),
        (Outcome.DOUBTFUL, GOOD, False),
        (None, GOOD, False),
    ],
)
def test_a_pair_is_recovered_if_it_failed_alone_and_no_longer_does(
    alone: Outcome | None, now: Verdict | None, recovered: bool
) -> None:
    assert Pair(now, alone).is_recovered == recovered
    assert Pair(now, alone).as_dict()["recovered"] == recovered


def test_a_pair_as_plain_values() -> None:
    spelling = SpellingFacts(0.123456, ((0.5, 1.0),))
    found = Pair(GOOD, Outcome.FAILED, ("fr",), None, 0.123456, 45.678, spelling).as_dict()
    assert found.pop("evidence")["recovered"] == 0.9
    assert "90%" in found.pop("reason")
    assert found == {
        "verdict": "succeeded",
        "alone": "failed",
        "recovered": True,
        "through": ["fr"],
        "mutual": 0.1235,
        "validation": 45.68,
        "spelling": {"alike": 0.1235, "used": True},
        "counted": False,
    }
    empty = {"verdict": None, "alone": None, "recovered": False, "through": [], "counted": False}
    assert Pair().as_dict() == {**empty, "mutual": None, "validation": None, "spelling": None}


def test_labels_name_two_languages_in_both_orders() -> None:
    found = pair_labels(["en", "pt-br", "es"])
    assert found["en-pt-br"] == ("en", "pt-br")
    assert found["pt-br-en"] == ("pt-br", "en")
    assert len(found) == 6


@pytest.mark.parametrize("names", [["a", "b-c", "a-b", "c"], ["a", "a-a", "b"]])
def test_labels_that_could_be_two_pairs_are_refused(names: list[str]) -> None:
    with pytest.raises(UsageError, match=r"could be two pairs .* hyphens"):
        pair_labels(names)
