"""A saved space opens with the same bits, anywhere; a damaged file is refused by name."""

from __future__ import annotations

import json
import mmap
import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from isolex import Embeddings, Space, align
from isolex.core.space import SPACE
from isolex.core.space_file import read_space
from isolex.errors import InputError
from isolex.systems import get
from tests.planted import planted

Tensors = dict[str, np.ndarray]
Facts = dict[str, Any]


@pytest.fixture(scope="module")
def space() -> Space:
    """An alignment of two languages, with the means of one lexicon."""
    made = planted(words=150, dims=8)
    en, es = made.source.named("en"), made.target.named("es")
    system = replace(get("smith2017"), normalise=("unit", "center", "unit"))
    space = align(en, es, system=system, lexicon=made.pairs[:60])
    space.lexicon(retrieval="csls")
    return space


@pytest.fixture
def folder(space: Space, tmp_path: Path) -> Path:
    space.save(tmp_path / "en-es")
    return tmp_path / "en-es"


def change(folder: Path, edit: Callable[[Tensors, Facts], object]) -> Path:
    """Rewrite the file of a space with other tensors or facts."""
    path = folder / SPACE
    with safe_open(path, "numpy") as file:
        facts = json.loads(file.metadata()["isolex"])
    tensors = load_file(path)
    edit(tensors, facts)
    save_file(tensors, path, {"isolex": json.dumps(facts)})
    return path


def refusal(path: Path) -> str:
    """The message about a file that is refused; it names the file."""
    with pytest.raises(InputError) as error:
        read_space(path)
    message = str(error.value)
    assert SPACE in message
    assert "\n" not in message
    return message


def test_an_opened_space_has_the_same_bits(space: Space, folder: Path) -> None:
    opened = read_space(folder)
    assert opened.names == space.names
    for one, other in zip(space, opened, strict=True):
        assert list(other.words) == list(one.words)
        assert other.vectors.tobytes() == one.vectors.tobytes()
        assert other.map.matrix.tobytes() == one.map.matrix.tobytes()
        assert other.normaliser.steps == one.normaliser.steps
        for fitted, again in zip(one.normaliser.fitted, other.normaliser.fitted, strict=True):
            assert again.tobytes() == fitted.tobytes()
        assert other.checksums == one.checksums
    assert (opened.objective, opened.temperature) == (space.objective, space.temperature)
    assert opened.settings == space.settings
    assert opened.verdict == space.verdict
    assert opened.retrieval == space.retrieval


def test_an_opened_space_translates_alike(space: Space, folder: Path) -> None:
    opened = read_space(folder)
    for retrieval in (None, "csls", "nn", "gc"):
        assert opened.translate("s9", 3, retrieval) == space.translate("s9", 3, retrieval)
        assert opened.translate("t9", source="es") == space.translate("t9", source="es")
    assert list(opened.lexicon()) == list(space.lexicon())


def test_the_means_of_both_languages_are_kept(space: Space, folder: Path) -> None:
    opened = read_space(folder)
    for names in (("en", "es"), ("es", "en")):
        means = opened.statistics[names].means[10]
        assert means.tobytes() == space.statistics[names].means[10].tobytes()


def test_vectors_are_mapped_into_memory_and_read_only(folder: Path) -> None:
    for language in read_space(folder):
        owner: Any = language.vectors
        while isinstance(owner, np.ndarray):
            owner = owner.base
        assert isinstance(getattr(owner, "obj", owner), mmap.mmap)
        assert not language.vectors.flags.writeable


def test_later_vectors_are_mapped_alike(space: Space, folder: Path) -> None:
    later = np.random.default_rng(3).normal(size=(5, 8)).astype(np.float32)
    opened = read_space(folder)
    np.testing.assert_array_equal(opened["es"].transform(later), space["es"].transform(later))


def test_equal_spaces_give_equal_bytes(space: Space, folder: Path, tmp_path: Path) -> None:
    space.save(tmp_path / "again")
    read_space(folder).save(tmp_path / "copy")
    content = (folder / SPACE).read_bytes()
    assert (tmp_path / "again" / SPACE).read_bytes() == content
    assert (tmp_path / "copy" / SPACE).read_bytes() == content


def test_a_space_can_be_saved_over_the_file_it_is_open_from(folder: Path) -> None:
    opened = read_space(folder)
    before = (folder / SPACE).read_bytes()
    opened.save(folder)
    assert (folder / SPACE).read_bytes() == before
    assert opened.translate("s3", 1)[0].word == "t3"


def test_a_moved_folder_opens(folder: Path, tmp_path: Path) -> None:
    moved = tmp_path / "far" / "away"
    moved.parent.mkdir()
    shutil.move(folder, moved)
    for path in (moved, moved / SPACE):
        assert read_space(path).translate("s3", 1)[0].word == "t3"


def test_three_languages_and_awkward_words_are_kept(tmp_path: Path) -> None:
    words = ["a\nb", "a", "b", "a\tb", "caf\udce9", " ", "日本"]
    rng = np.random.default_rng(0)
    space = Space.from_vectors(
        *(
            Embeddings(words[:size], rng.normal(size=(size, 4)), name=name)
            for name, size in (("en", 7), ("pt-br", 6), ("日本語", 5))
        )
    )
    space.lexicon("日本語", "en")
    space.save(tmp_path)
    opened = read_space(tmp_path)
    assert opened.names == ("en", "pt-br", "日本語")
    assert set(opened.statistics) == set(permutations(opened.names, 2))
    for one, other in zip(space, opened, strict=True):
        assert list(other.words) == list(one.words)
        assert other.vectors.tobytes() == one.vectors.tobytes()
    for source, target in (("en", "pt-br"), ("日本語", "pt-br"), ("pt-br", "日本語")):
        assert list(opened.lexicon(source, target)) == list(space.lexicon(source, target))
    assert opened.translate("a\nb", source="日本語") == space.translate("a\nb", source="日本語")
    assert (opened.verdict, opened.objective, opened.temperature) == (None, None, None)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    message = refusal(tmp_path)
    assert "no such file" in message
    assert "isolex map" in message
    with pytest.raises(InputError, match="absent: no such file"):
        read_space(tmp_path / "absent")


def test_a_truncated_file_is_refused(folder: Path) -> None:
    path = folder / SPACE
    whole = path.read_bytes()
    header = 8 + int.from_bytes(whole[:8], "little")
    cuts = [0, 5, 8, 100, header - 1, header, *range(header, len(whole), 2000), len(whole) - 1]
    for cut in cuts:
        path.write_bytes(whole[:cut])
        assert "isolex map" in refusal(path)


def test_a_damaged_header_is_refused_or_harmless(folder: Path) -> None:
    path, rng = folder / SPACE, np.random.default_rng(1)
    whole = path.read_bytes()
    header = 8 + int.from_bytes(whole[:8], "little")
    refused = 0
    for _ in range(200):
        content = bytearray(whole)
        for place in rng.integers(header, size=3):
            content[place] = rng.integers(256)
        path.write_bytes(content)
        try:
            read_space(path)
        except InputError:
            refused += 1
    assert refused > 150


@pytest.mark.parametrize("content", [b"hello\n", b"2 3\ndog 1 2 3\ncat 1 2 3\n"])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / SPACE).write_bytes(content)
    assert "not a space" in refusal(tmp_path)


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        {"isolex": "{}"},
        {"isolex": "[]"},
        {"isolex": "no JSON"},
        {"isolex": "[" * 100_000},
        {"isolex": json.dumps({"format": "isolex-alignment", "version": 1})},
        {"isolex": json.dumps({"format": "isolex-space"})},
        {"isolex": json.dumps({"format": "isolex-space", "version": 1})},
    ],
    ids=["none", "empty", "list", "text", "deep", "other format", "no version", "no languages"],
)
def test_tensors_that_are_no_space_are_refused(
    tmp_path: Path, metadata: dict[str, str] | None
) -> None:
    save_file({"x": np.ones(1, dtype=np.float32)}, tmp_path / SPACE, metadata)
    assert "not a space" in refusal(tmp_path)


def test_a_file_of_another_version_is_refused_with_its_number(folder: Path) -> None:
    path = change(folder, lambda _, facts: facts.update(version=99))
    message = refusal(path)
    assert "another version" in message
    assert "99" in message


MISFITS: dict[str, Callable[[Tensors, Facts], object]] = {
    "fewer vectors than words": lambda t, _: t.update({"en/vectors": t["en/vectors"][1:]}),
    "narrow vectors": lambda t, _: t.update({"en/vectors": t["en/vectors"][:, 1:].copy()}),
    "flat vectors": lambda t, _: t.update({"en/vectors": t["en/vectors"].reshape(-1)}),
    "vectors of another type": lambda t, _: t.update({"en/vectors": t["en/vectors"].view("i4")}),
    "narrow map": lambda t, _: t.update({"en/map": t["en/map"][:, 1:].copy()}),
    "short means": lambda t, _: t.update({"en/means/es": t["en/means/es"][1:]}),
    "short words": lambda t, _: t.update({"en/words": t["en/words"][1:]}),
    "fewer offsets": lambda t, _: t.update({"en/offsets": t["en/offsets"][1:]}),
    "short normalisation": lambda t, _: t.update({"en/normalise/1": t["en/normalise/1"][:1]}),
    "needless normalisation": lambda t, _: t.update({"en/normalise/0": t["en/normalise/1"]}),
    "no vectors": lambda t, _: t.pop("en/vectors"),
    "no map": lambda t, _: t.pop("es/map"),
    "no words": lambda t, _: t.pop("es/words"),
    "no normalisation": lambda t, _: t.pop("es/normalise/1"),
    "one language": lambda _, facts: facts["languages"].pop(),
    "a language twice": lambda _, facts: facts["languages"].append(facts["languages"][0]),
    "an unknown language": lambda _, facts: facts["languages"].append({"name": "xx"}),
    "languages as text": lambda _, facts: facts.update(languages="en"),
    "unknown step": lambda _, facts: facts["languages"][0].update(normalise=["unit", "x", "unit"]),
    "other checksums": lambda _, facts: facts["languages"][0].update(checksums={"x": "y"}),
    "no settings": lambda _, facts: facts.pop("settings"),
    "unknown retrieval": lambda _, facts: facts["settings"]["retrieval"].update(method="x"),
    "unknown parameter": lambda _, facts: facts["settings"]["retrieval"].update(x=1),
    "other evidence": lambda _, facts: facts.update(verdict={"x": 1}),
    "evidence as text": lambda _, facts: facts["verdict"].update(recovered="all"),
}


@pytest.mark.parametrize("edit", MISFITS.values(), ids=MISFITS)
def test_parts_that_do_not_fit_together_are_refused(
    folder: Path, edit: Callable[[Tensors, Facts], object]
) -> None:
    assert "isolex map" in refusal(change(folder, edit))


def test_languages_of_different_dimensions_are_refused(folder: Path) -> None:
    def narrow(tensors: Tensors, _: Facts) -> None:
        for name in ("es/vectors", "es/map"):
            tensors[name] = tensors[name][:, 1:].copy()

    assert "isolex map" in refusal(change(folder, narrow))


def test_an_unchanged_copy_of_the_parts_opens(folder: Path) -> None:
    """The edits above fail because of what they change, not because they rewrite the file."""
    assert read_space(change(folder, lambda *_: None)).translate("s3", 1)[0].word == "t3"


def test_a_space_is_not_saved_where_a_file_is(space: Space, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file"):
        space.save(tmp_path / "file")
    with pytest.raises(InputError, match="file"):
        space.save(tmp_path / "file" / "below")


def test_folders_are_made_on_the_way(space: Space, tmp_path: Path) -> None:
    space.save(tmp_path / "a" / "b")
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == [SPACE]


def test_a_file_of_another_program_is_not_replaced(space: Space, tmp_path: Path) -> None:
    (tmp_path / SPACE).write_text("precious")
    with pytest.raises(InputError, match="isolex did not write"):
        space.save(tmp_path)
    assert (tmp_path / SPACE).read_text() == "precious"
