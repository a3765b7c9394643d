"""What is prepared beside the answers."""

from __future__ import annotations

import shutil
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from isolex.core.choices import Method
from isolex.core.embeddings import Vectors
from isolex.web.explorer import preparing
from isolex.web.explorer.kept import Kept
from isolex.web.explorer.preparing import Preparation, missing
from tests.web.explorer.conftest import client, open_atlas


def test_before_it_some_methods_wait_and_say_so(folder: Path) -> None:
    atlas = open_atlas(folder)
    assert [method for method in Method if atlas.forward.ready(method)] == ["nn", "csls"]
    get = client(atlas)
    page = get("/en-es/?word=mother")
    assert page.status_code == 200
    assert page.text.count("being prepared") == 3
    assert "madre" in page.text
    answer = get("/api/translate?word=mother&retrieval=invsoftmax")
    assert answer.status_code == 503
    assert answer.headers["retry-after"]
    assert "being prepared" in answer.json()["error"]


def test_what_was_prepared_is_kept_and_belongs_to_its_mapping(folder: Path, tmp_path: Path) -> None:
    others = shutil.ignore_patterns("explorer.safetensors")  # what other tests prepared
    own = shutil.copytree(folder, tmp_path / "own", ignore=others)
    steps: list[str] = []
    notes: list[str] = []

    def prepare() -> None:
        atlas = open_atlas(own)
        before = missing(atlas)
        preparation = Preparation([(atlas, Kept.of(atlas))], note=notes.append)
        preparation.start()
        preparation.wait()
        assert preparation.done
        assert not missing(atlas)
        assert all(atlas.direction(reverse=r).ready(m) for m in Method for r in (False, True))
        steps[:] = [step.name for step in before]

    prepare()
    assert steps == ["frequent words", "survey of all pairs"]
    assert len(notes) == 1
    assert notes[0].startswith("all methods are ready")
    prepare()
    assert len(notes) == 1, "the second time nothing was left to do"
    again = open_atlas(folder)
    file = own / "cache" / "explorer.safetensors"
    Kept(file, "another mapping").load(again)
    assert missing(again), "what is of another mapping is not taken"
    file.write_bytes(b"damaged")
    Kept(file, "any").load(again)
    assert missing(again)


def test_what_cannot_be_prepared_is_told_and_the_next_mapping_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = open_atlas(folder), replace(open_atlas(folder), slug="other")
    real = preparing.survey

    def survey(src: Vectors, *rest: Any) -> Any:
        if src is first.source.nearest.vectors:
            raise MemoryError("no room for 80 GiB")
        return real(src, *rest)

    monkeypatch.setattr(preparing, "survey", survey)
    notes: list[str] = []
    preparation = Preparation([(first, None), (second, None)], note=notes.append)
    preparation.start()
    preparation.wait()
    assert "no room for 80 GiB" in notes[0]
    assert notes[1].startswith("all methods are ready")
    get = client(first, preparation=preparation)
    answer = get("/api/translate?word=mother&retrieval=invsoftmax")
    assert answer.status_code == 500
    assert answer.json()["error"] == "invsoftmax could not be prepared: no room for 80 GiB"
    assert "could not be prepared: no room" in get("/en-es/?word=mother").text
    assert second.forward.ready(Method.INVSOFTMAX)


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(folder: Path) -> None:
    Kept(Path("/dev/null/cache/explorer.safetensors"), "mark").save(open_atlas(folder))


def test_another_mapping_in_the_same_folder_has_another_mark(folder: Path, tmp_path: Path) -> None:
    own = shutil.copytree(folder, tmp_path / "own")
    atlas = open_atlas(own)
    before = Kept.of(atlas).mark
    assert Kept.of(open_atlas(own)).mark == before
    mapping = own / "mapping.safetensors"
    mapping.write_bytes(mapping.read_bytes() + b" ")
    assert Kept.of(atlas).mark != before


def test_it_can_be_stopped_at_any_time(folder: Path) -> None:
    atlas = open_atlas(folder)
    preparation = Preparation([(atlas, None)])
    preparation.start()
    preparation.stop()
    preparation.wait()
    assert "preparation" not in {thread.name for thread in threading.enumerate()}
    never_begun = Preparation([(atlas, None)])
    never_begun.stop()
    assert not never_begun.done
