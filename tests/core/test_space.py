"""A space translates between any two of its languages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from isolex import Embeddings, Space, align
from isolex.core.choices import Retrieval, RetrievalMethod
from isolex.core.language import Language
from isolex.core.lexicon import LexiconEntry
from isolex.core.normaliser import unit
from isolex.core.pair import Pair
from isolex.core.space import Translation
from isolex.core.spelling import SpellingFacts
from isolex.core.verdict import Evidence, Verdict
from isolex.errors import UsageError
from tests.planted import Planted, planted
from tests.spelled import with_spelling


@pytest.fixture(scope="module")
def problem() -> Planted:
    return planted(words=300, dims=12)


@pytest.fixture(scope="module")
def space(problem: Planted) -> Space:
    """English words s0, s1, ... and Spanish words t0, t1, ..."""
    en, es = problem.source.named("en"), problem.target.named("es")
    return align(en, es, system="supervised", lexicon=problem.pairs[:80])


@pytest.fixture
def three() -> Space:
    """Noisy copies of the same vectors: en0, en1, ... and de0, de1, ... and pl0, pl1, ..."""
    rng = np.random.default_rng(0)
    common = rng.normal(size=(100, 20))
    return Space.from_vectors(
        *(
            Embeddings(
                [f"{name}{row}" for row in range(size)],
                common[:size] + 0.1 * rng.normal(size=(size, 20)),
                name=name,
            )
            for name, size in (("en", 100), ("de", 90), ("pl", 80))
        )
    )


def test_translations_come_best_first(space: Space) -> None:
    found = space.translate("s7", k=5)
    assert found[0].word == "t7"
    scores = [translation.score for translation in found]
    assert scores == sorted(scores, reverse=True)
    assert len(found) == 5


def test_translation_works_in_the_opposite_direction(space: Space) -> None:
    assert space.translate("t7", k=1, source="es")[0].word == "s7"
    assert space.translate("t7", k=1, target="en")[0].word == "s7"
    assert space.translate("t7", k=1, source="es", target="en")[0].word == "s7"


@pytest.mark.parametrize("method", list(RetrievalMethod))
def test_every_retrieval_translates(space: Space, method: str) -> None:
    space = with_spelling(space)
    assert space.translate("s7", k=1, retrieval=method)[0].word == "t7"
    assert space.translate_all([], retrieval=method) == {}


def test_spelling_needs_evidence(space: Space) -> None:
    with pytest.raises(UsageError, match=r"--spelling on"):
        space.translate("s7", retrieval="spelling")


def test_spelling_that_says_too_little_changes_nothing(space: Space) -> None:
    pair = replace(space.about(*space.names), spelling=SpellingFacts(0.01))
    told = replace(space, pairs={space.names: pair})
    words = space[space.names[0]].words[:20]
    found = told.translate_all(words, k=12, retrieval="spelling")
    assert found == space.translate_all(words, k=12, retrieval="csls")


def test_a_word_spelled_alike_wins_over_a_slightly_nearer_one() -> None:
    vectors = np.array([[1, 0, 0], [0.995, 0.1, 0], [0.98, 0, 0.2]], dtype=np.float32)
    en = Embeddings(["nation", "house", "people"], vectors[[0, 1, 2]], name="en")
    es = Embeddings(["pueblo", "casa", "naci\u00f3n"], vectors[[0, 1, 2]], name="es")
    space = with_spelling(Space.from_vectors(en, es))
    assert space.translate("nation", k=1)[0].word == "pueblo"
    assert space.translate("nation", k=1, retrieval="spelling")[0].word == "naci\u00f3n"


def test_unknown_words_are_refused_or_left_out(space: Space) -> None:
    with pytest.raises(UsageError, match=r"'q' .*en .*300 words"):
        space.translate("q")
    with pytest.raises(UsageError, match=r"'t7' .*it is a word of es"):
        space.translate("t7")
    assert list(space.translate_all(["q", "s1", "s1"])) == ["s1"]
    with pytest.raises(UsageError, match="translate_all"):
        space.translate(["s1", "s2"])  # type: ignore[arg-type]


def test_several_words_are_translated_like_each_of_them(space: Space) -> None:
    words = ["s5", "s1", "s9"]
    found = space.translate_all(words, k=3)
    assert list(found) == words
    for word in words:
        alone = space.translate(word, k=3)
        assert [one.word for one in found[word]] == [one.word for one in alone]


def test_a_lexicon_in_the_opposite_direction(space: Space) -> None:
    entries = list(space.lexicon("es", "en"))
    assert len(entries) == 300
    assert np.mean([e.source == f"t{e.target[1:]}" for e in entries]) > 0.95


def test_a_lexicon_agrees_with_translate(space: Space) -> None:
    entries = list(space.lexicon(k=2))
    assert isinstance(entries[0], LexiconEntry)
    for number in (0, 77, 299):
        own = entries[2 * number : 2 * number + 2]
        found = space.translate(f"s{number}", k=2)
        assert [entry.target for entry in own] == [one.word for one in found]
        np.testing.assert_allclose(
            [entry.score for entry in own], [one.score for one in found], atol=1e-5
        )


def test_fewer_than_one_translation_is_refused(space: Space) -> None:
    for ask in (lambda: space.translate("s1", k=0), lambda: space.lexicon(k=0)):
        with pytest.raises(UsageError, match="at least 1, not 0"):
            ask()


def test_a_printed_space_shows_its_languages_and_verdict(space: Space) -> None:
    assert repr(space) == "Space(en (300 words), es (300 words); supervised, succeeded)"
    assert repr(space.lexicon(k=2)).startswith("Lexicon(600 pairs, ")
    assert repr(replace(space, pairs={})).endswith("; supervised)")


def test_several_languages_are_shown_with_a_verdict_on_each(three: Space) -> None:
    good, bad = (Verdict.of(Evidence(share, 0, 0.7, 0.6, 80)) for share in (0.9, 0))
    pairs = {("en", "de"): Pair(good), ("en", "pl"): Pair(bad), ("de", "pl"): Pair(bad)}
    space = replace(three, pairs=pairs)
    assert repr(space) == (
        "Space(en (100 words, succeeded), de (90 words, succeeded), pl (80 words, failed); "
        "mapped elsewhere; pairs: 1 succeeded, 2 failed)"
    )
    page = space._repr_html_()
    assert "<td>pl</td><td>80</td><td>20</td><td>failed</td>" in page
    assert "<b>Verdicts on pairs: 1 succeeded, 2 failed.</b>" in page
    assert repr(three).endswith("pl (80 words); mapped elsewhere)")
    assert "verdict" not in three._repr_html_().lower()


def test_a_notebook_shows_the_languages_and_the_verdict_escaped(space: Space) -> None:
    verdict = Verdict.of(Evidence(0.9, 0.1, 0.7, 0.6, 300))
    languages = tuple(replace(language, name=f"<b>{language.name}") for language in space)
    pairs = {("<b>en", "<b>es"): Pair(verdict)}
    page = replace(space, languages=languages, pairs=pairs)._repr_html_()
    assert "<td>&lt;b&gt;en</td><td>300</td><td>12</td>" in page
    assert "<b>en" not in page
    assert "<b>Succeeded.</b>" in page
    assert verdict.reason in page
    assert "Succeeded" not in replace(space, pairs={})._repr_html_()


def test_languages_are_found_by_name_and_in_order(three: Space) -> None:
    assert three.names == ("en", "de", "pl")
    assert [language.name for language in three] == ["en", "de", "pl"]
    assert three["pl"] is three.languages[2]
    assert len(three) == 3


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        (None, None, ("en", "de")),
        ("de", None, ("de", "en")),
        ("pl", None, ("pl", "en")),
        ("en", None, ("en", "de")),
        (None, "en", ("de", "en")),
        (None, "de", ("en", "de")),
        (None, "pl", ("en", "pl")),
        ("pl", "de", ("pl", "de")),
    ],
)
def test_missing_names_are_completed_in_order(
    three: Space, source: str | None, target: str | None, expected: tuple[str, str]
) -> None:
    assert tuple(one.name for one in three.pair(source, target)) == expected


def test_a_language_is_not_translated_into_itself(three: Space) -> None:
    with pytest.raises(UsageError, match="both 'de'"):
        three.translate("de1", source="de", target="de")


def test_an_unknown_language_is_refused_with_a_hint(three: Space) -> None:
    with pytest.raises(UsageError, match=r"'xx'.* en, de, pl"):
        three["xx"]
    with pytest.raises(UsageError, match=r"'enn'.* did you mean 'en'"):
        three.direction("enn", "de")
    with pytest.raises(UsageError, match="'xx'"):
        three.lexicon("en", "xx")


@pytest.mark.parametrize("source", ["en", "de", "pl"])
@pytest.mark.parametrize("target", ["en", "de", "pl"])
def test_any_two_languages_are_translated(three: Space, source: str, target: str) -> None:
    if source == target:
        return
    assert three.translate(f"{source}7", 1, source=source, target=target)[0].word == f"{target}7"
    lexicon = three.lexicon(source, target)
    assert len(lexicon) == len(three[source])
    right = [entry.source[2:] == entry.target[2:] for entry in lexicon if entry.mutual]
    assert np.mean(right) > 0.95
    direction = three.direction(source, target)
    assert direction.x is three[source].vectors
    assert direction.z is three[target].vectors


def test_the_hint_names_every_other_language_of_a_word() -> None:
    names = {"en": ["a"], "de": ["b", "no"], "pl": ["c", "no"]}
    made = Space.from_vectors(
        *(Embeddings(words, np.eye(len(words), 2), name=name) for name, words in names.items())
    )
    with pytest.raises(UsageError, match="a word of de and of pl"):
        made.translate("no")


def test_statistics_are_kept_for_each_pair_of_languages(three: Space) -> None:
    three.lexicon("en", "pl")
    assert set(three.statistics) == {("en", "pl"), ("pl", "en")}
    assert len(three.statistics["pl", "en"].means[10]) == 80
    means = three.statistics["en", "pl"].means[10]
    assert three.direction("pl", "en").theirs.means[10] is means
    expected = np.sort(three["en"].vectors @ three["pl"].vectors.T, axis=1)[:, -10:].mean(axis=1)
    np.testing.assert_allclose(means, expected, atol=1e-5)


def test_vectors_mapped_elsewhere_become_unit_vectors_of_a_space(three: Space) -> None:
    assert three.settings["system"] == "mapped elsewhere"
    for language in three:
        np.testing.assert_allclose(np.linalg.norm(language.vectors, axis=1), 1, atol=1e-6)
    assert three.verdict is None


@pytest.mark.parametrize(
    ("given", "facts"),
    [
        ([("en", 3)], "two or more"),
        ([("en", 3), ("en", 3)], "different names"),
        ([("en", 3), ("de", 4), ("pl", 3)], "not 3 and 4"),
    ],
)
def test_vectors_that_make_no_space_are_refused(given: list[tuple[str, int]], facts: str) -> None:
    with pytest.raises(UsageError, match=facts):
        Space.from_vectors(*(Embeddings(["a"], np.ones((1, n)), name=name) for name, n in given))


def test_a_method_by_name_has_the_parameters_of_the_system(three: Space) -> None:
    settings = dict(three.settings) | {
        "retrieval": {"method": "csls", "neighbours": 3, "temperature": 0.5, "pivots": 9}
    }
    own = replace(three, settings=settings)
    assert own.choose(None) == own.retrieval == Retrieval(RetrievalMethod.CSLS, 3, 0.5, 9)
    assert own.choose("gc") == Retrieval(RetrievalMethod.GC, 3, 0.5, 9)
    other = Retrieval(RetrievalMethod.NN)
    assert own.choose(other) is other
    with pytest.raises(UsageError, match="cosine"):
        own.choose("cosine")


def test_a_fitted_temperature_is_the_one_that_is_used(three: Space) -> None:
    assert three.retrieval.temperature == 1 / 30
    assert replace(three, temperature=0.2).choose("invsoftmax").temperature == 0.2


class Sum:
    """A model that composes a+b from the vectors of a and b."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def compose(self, words: Iterable[str]) -> dict[str, np.ndarray]:
        rows = {word: [self.language.row(part) for part in word.split("+")] for word in words}
        vectors = self.language.vectors
        return {word: vectors[row].sum(axis=0) for word, row in rows.items() if None not in row}


@pytest.mark.parametrize("method", list(RetrievalMethod))
def test_words_out_of_vocabulary_are_composed(three: Space, method: str) -> None:
    en, *others = three.languages
    able = replace(with_spelling(three), languages=(replace(en, subwords=Sum(en)), *others))
    words = ["en3+en4", "en5", "no+no", "en6+en7"]
    found = able.translate_all(words, k=2, retrieval=method)
    assert list(found) == ["en3+en4", "en5", "en6+en7"]
    assert {one.word for one in found["en3+en4"]} == {"de3", "de4"}
    assert found["en5"][0].word == "de5"


def test_translations_are_words_with_scores(three: Space) -> None:
    (found,) = three.translate("en3", k=1, retrieval="nn")
    assert isinstance(found, Translation)
    cosines = unit(three["de"].vectors) @ three["en"].vectors[3]
    assert found == (f"de{cosines.argmax()}", pytest.approx(float(cosines.max()), abs=1e-6))
