"""Each pair of languages finds its gold file, and more than one is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from isolex.errors import InputError, UsageError
from isolex.run.gold_folder import GoldFile, find_gold
from tests.wording import Wording

LANGUAGES = ("en", "es", "de")


def make(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).write_text(f"{name} Word\n")
    return folder


def test_files_are_found_by_the_names_of_the_languages(tmp_path: Path) -> None:
    (tmp_path / "de-es.txt").mkdir()
    make(tmp_path, "en-es.txt", "es-en.tsv.gz", "en-de.dict", "en-est.txt", "README")
    assert find_gold(tmp_path, LANGUAGES) == {
        ("en", "es"): GoldFile(tmp_path / "en-es.txt"),
        ("es", "en"): GoldFile(tmp_path / "es-en.tsv.gz"),
        ("en", "de"): GoldFile(tmp_path / "en-de.dict"),
        ("de", "en"): GoldFile(tmp_path / "en-de.dict", swapped=True),
    }


def test_the_file_of_a_pair_is_preferred_to_parts_of_it(tmp_path: Path) -> None:
    make(tmp_path, "en-es.0-5000.txt", "en-es.5000-6500.txt", "en-es.txt", "de-en.test.tsv")
    found = find_gold(tmp_path, LANGUAGES)
    assert found["en", "es"].path.name == "en-es.txt"
    assert found["de", "en"].path.name == "de-en.test.tsv"


@pytest.mark.parametrize("pattern", ["{from}-{to}.test.*", "{from}-{to}.????.tsv"])
def test_a_pattern_chooses_among_files(tmp_path: Path, pattern: str) -> None:
    make(tmp_path, "en-es.train.tsv", "en-es.test.tsv", "en-es.tsv")
    assert find_gold(tmp_path, LANGUAGES, pattern)["en", "es"].path.name == "en-es.test.tsv"


def test_a_pattern_may_name_the_languages_in_any_order_and_place(tmp_path: Path) -> None:
    make(tmp_path, "gold_es_from_en", "gold_en_from_es")
    found = find_gold(tmp_path, LANGUAGES, "gold_{to}_from_{from}")
    assert found["en", "es"] == GoldFile(tmp_path / "gold_es_from_en")
    assert found["es", "en"] == GoldFile(tmp_path / "gold_en_from_es")


def test_languages_may_have_other_names_in_files(tmp_path: Path) -> None:
    make(tmp_path, "en-es.txt", "eng-de.txt")
    found = find_gold(tmp_path, ("eng", "eng[2]", "es"), codes={"eng": "en", "eng[2]": "en"})
    assert [names for names, gold in found.items() if not gold.swapped] == [
        ("eng", "es"),
        ("eng[2]", "es"),
    ]


def test_names_are_not_patterns(tmp_path: Path) -> None:
    make(tmp_path, "a*-b.txt", "ax-b.txt")
    assert find_gold(tmp_path, ("a*", "b"))["a*", "b"].path.name == "a*-b.txt"


def test_pairs_are_read_source_word_first(tmp_path: Path) -> None:
    (tmp_path / "en-es.txt").write_text("Dog perro\nCat gato\n")
    found = find_gold(tmp_path, LANGUAGES)
    assert list(found["en", "es"].read()) == [("Dog", "perro"), ("Cat", "gato")]
    assert list(found["es", "en"].read(lowercase=True)) == [("perro", "dog"), ("gato", "cat")]


@pytest.mark.parametrize(
    ("files", "pattern", "facts"),
    [
        (["en-es.train.tsv", "en-es.test.tsv"], None, ["en-es", "'{from}-{to}.test.tsv'"]),
        (["en-es.txt", "en-es.tsv"], None, ["en-es.tsv, en-es.txt", "--gold-pattern"]),
        (["en-es.txt", "en-es.a.txt"], "{from}-{to}*", ["en-es.txt", "--gold-pattern"]),
        (["other.txt"], None, ["{from}-{to}.*", "en, es, de", "--as en="]),
    ],
)
def test_a_folder_that_does_not_decide_is_refused(
    tmp_path: Path, files: list[str], pattern: str | None, facts: list[str], wording: Wording
) -> None:
    with pytest.raises(InputError) as caught:
        find_gold(make(tmp_path, *files), LANGUAGES, pattern)
    assert all(fact in str(caught.value) for fact in (str(tmp_path), *facts))
    wording(caught.value)


@pytest.mark.parametrize("pattern", ["{from}.txt", "test", "{to}"])
def test_a_pattern_without_both_languages_is_refused(tmp_path: Path, pattern: str) -> None:
    with pytest.raises(UsageError, match=r"\{from\} and \{to\}"):
        find_gold(tmp_path, LANGUAGES, pattern)


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    make(tmp_path, "file")
    with pytest.raises(InputError, match="file: is a file"):
        find_gold(tmp_path / "file", LANGUAGES)
    with pytest.raises(InputError, match="absent: no such folder"):
        find_gold(tmp_path / "absent", LANGUAGES)


@pytest.mark.data
def test_published_dictionaries_are_found_under_their_own_names(data: Path) -> None:
    found = find_gold(data / "muse", ("eng", "spa"), codes={"eng": "en", "spa": "es"})
    assert {names: gold.path.name for names, gold in found.items()} == {
        ("eng", "spa"): "en-es.txt",
        ("spa", "eng"): "es-en.txt",
    }
    found = find_gold(data / "xling", ("en", "fi", "fr", "ru"), "{from}-{to}.test.tsv")
    assert len(found) == 12
    assert [names for names, gold in found.items() if not gold.swapped][-1] == ("ru", "fr")
