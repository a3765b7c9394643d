"""Files of word pairs: A-B=FILE for some of several languages, or FILE for two."""

from __future__ import annotations

from pathlib import Path

import pytest

from isolex import Embeddings
from isolex.errors import InputError, UsageError
from isolex.run.inputs import (
    LanguageFile,
    PairsInput,
    VectorInput,
    describe,
    fingerprint,
    pair_files,
)
from tests.wording import Wording

NAMES = ("en", "es", "pt-br")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with gold.txt and other.txt."""
    (tmp_path / "gold.txt").write_text("dog perro\ncat gato\n")
    (tmp_path / "other.txt").write_text("dog gato\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("given", "languages"),
    [
        ("en-es=gold.txt", ("en", "es")),
        ("es-en=gold.txt", ("es", "en")),
        ("en-pt-br=gold.txt", ("en", "pt-br")),
        ("pt-br-es=gold.txt", ("pt-br", "es")),
    ],
)
@pytest.mark.usefixtures("home")
def test_a_label_names_the_languages_in_the_order_of_the_columns(
    given: str, languages: tuple[str, str]
) -> None:
    found = PairsInput.parse(given, NAMES)
    assert found.languages == languages
    assert found.label == given.partition("=")[0]
    assert found.pairs == [("dog", "perro"), ("cat", "gato")]
    assert found.path == Path("gold.txt").absolute()


def test_with_two_languages_a_label_is_not_needed(home: Path) -> None:
    for given, languages in (("gold.txt", ("a", "b")), ("b-a=gold.txt", ("b", "a"))):
        found = PairsInput.parse(given, ["a", "b"])
        assert (found.languages, found.path) == (languages, home / "gold.txt")
    (home / "a=b.txt").write_text("dog perro\n")
    assert PairsInput.parse("a=b.txt", ["a", "b"]).path == home / "a=b.txt"


@pytest.mark.usefixtures("home")
def test_names_may_contain_equals_signs() -> None:
    assert PairsInput.parse("x=a-b=gold.txt", ["x=a", "b", "c"]).languages == ("x=a", "b")


@pytest.mark.parametrize(
    ("given", "facts"),
    [
        ("gold.txt", "gold.txt: .*such as en-pt-br=gold.txt"),
        ("en-xx=gold.txt", "en-xx=gold.txt: .*such as en-pt-br=gold.txt"),
        ("en-en=gold.txt", "en-en=gold.txt: .*such as en-pt-br=gold.txt"),
        ("en=gold.txt", "en=gold.txt: .*such as en-pt-br=gold.txt"),
        ("en-es=", "en-es=: .*such as en-pt-br=FILE"),
    ],
)
@pytest.mark.usefixtures("home")
def test_files_without_two_known_languages_are_refused(
    given: str, facts: str, wording: Wording
) -> None:
    with pytest.raises(UsageError, match=facts) as caught:
        PairsInput.parse(given, NAMES)
    wording(caught.value)


@pytest.mark.usefixtures("home")
def test_a_missing_file_is_named() -> None:
    with pytest.raises(InputError, match=r"absent\.txt: no such file"):
        PairsInput.parse("en-es=absent.txt", NAMES)


@pytest.mark.usefixtures("home")
def test_several_files_belong_to_different_pairs_of_languages() -> None:
    found = PairsInput.parse_all(["en-es=gold.txt", "pt-br-en=other.txt"], NAMES)
    assert [one.label for one in found] == ["en-es", "pt-br-en"]


@pytest.mark.parametrize(
    ("names", "given"),
    [
        (NAMES, ["en-es=gold.txt", "en-es=other.txt"]),
        (NAMES, ["en-es=gold.txt", "es-en=other.txt"]),
        (NAMES[:2], ["gold.txt", "other.txt"]),
    ],
)
@pytest.mark.usefixtures("home")
def test_a_second_file_for_the_same_languages_is_refused(
    names: tuple[str, ...], given: list[str], wording: Wording
) -> None:
    with pytest.raises(UsageError, match=r"other\.txt: a second file for e. and e.") as caught:
        PairsInput.parse_all(given, names)
    wording(caught.value)


def vectors(count: int) -> list[VectorInput]:
    words = {"en": ["dog", "cat"], "es": ["perro", "gato"], "pt-br": ["cão", "gato"]}
    return [
        VectorInput(Path(name), Embeddings(words[name], [[1, 2], [3, 4]], name=name))
        for name in NAMES[:count]
    ]


@pytest.mark.usefixtures("home")
def test_files_are_described_by_their_languages_if_there_are_several() -> None:
    files = {"lexicon": PairsInput.parse_all(["es-en=gold.txt", "en-pt-br=other.txt"], NAMES)}
    described = describe(vectors(3), files)
    assert list(described["lexicon"]) == ["es-en", "en-pt-br"]
    assert (described["lexicon"]["es-en"]["pairs"], described["lexicon"]["es-en"]["used"]) == (2, 0)
    assert described["lexicon"]["en-pt-br"]["used"] == 1
    listed = [(role, label, about["pairs"]) for role, label, about in pair_files(described)]
    assert listed == [("lexicon", "es-en", 2), ("lexicon", "en-pt-br", 1)]
    two = {"lexicon": [PairsInput.parse("gold.txt", NAMES[:2])]}
    described = describe(vectors(2), two)
    assert described["lexicon"]["used"] == 2
    assert [(role, label) for role, label, _ in pair_files(described)] == [("lexicon", "")]


@pytest.mark.usefixtures("home")
def test_the_fingerprint_depends_on_which_languages_a_file_belongs_to() -> None:
    def identity(*given: str) -> object:
        files = {"lexicon": PairsInput.parse_all(given, NAMES)}
        return fingerprint({}, describe(vectors(3), files))

    different = [
        identity("en-es=gold.txt"),
        identity("es-en=gold.txt"),
        identity("en-pt-br=gold.txt"),
        identity("en-es=other.txt"),
        identity("en-es=gold.txt", "en-pt-br=gold.txt"),
    ]
    assert all(different.count(one) == 1 for one in different)
    assert identity("en-es=gold.txt") == different[0]


def test_names_whose_labels_could_be_two_pairs_are_refused(wording: Wording) -> None:
    with pytest.raises(UsageError, match=r"a-b-c could be two pairs .*NAME=FILE") as caught:
        LanguageFile.parse_all(["a=x", "b-c=x", "a-b=x", "c=x"])
    wording(caught.value)
    assert len(LanguageFile.parse_all(["a-b.vec", "a.vec", "b.vec"])) == 3, "all labels differ"
