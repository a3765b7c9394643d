"""Preparation in the background, and the cache."""

from __future__ import annotations

import shutil
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from isolex.core import statistics
from isolex.core.choices import RetrievalMethod
from isolex.core.embeddings import Vectors
from isolex.core.space import Space
from isolex.core.statistics import is_ready
from isolex.run.folder import CACHE, RunFolder
from isolex.web.explorer import preparation as module
from isolex.web.explorer.cache import fingerprint, load_statistics, save_statistics
from isolex.web.explorer.preparation import Preparation, unprepared
from isolex.web.explorer.served_space import ServedSpace
from tests.web.explorer.conftest import client, open_folder, prepare


@pytest.fixture
def own(folder: Path, tmp_path: Path) -> Path:
    """A copy of the folder without a cache."""
    return shutil.copytree(folder, tmp_path / "en-es", ignore=shutil.ignore_patterns(CACHE))


def ready(space: Space) -> list[str]:
    direction = space.direction("en", "es")
    return [
        method
        for method in RetrievalMethod
        if is_ready(direction.own, direction.theirs, space.retrieval.by(method))
    ]


def test_methods_that_are_not_ready_say_so(folder: Path) -> None:
    served = open_folder(folder)
    assert ready(served.space) == ["nn", "csls", "spelling"]
    get = client(served)
    page = get("/en-es/?word=mother")
    assert page.status_code == 200
    assert page.text.count("is being prepared (0%)") == 3
    assert "madre" in page.text
    answer = get("/api/translate?word=mother&retrieval=invsoftmax")
    assert answer.status_code == 503
    assert answer.headers["retry-after"]
    assert "is being prepared" in answer.json()["error"]


def test_the_progress_of_a_pair_of_languages_is_shown(three: ServedSpace) -> None:
    preparation = Preparation([three])
    preparation._tick(("three", frozenset(("es", "en"))), None, 0.25)
    assert "(25%)" in preparation.status(three, "en", "es")
    assert "(25%)" in preparation.status(three, "es", "en")
    assert "(0%)" in preparation.status(three, "en", "x<y")


def test_results_are_cached(own: Path) -> None:
    notes: list[str] = []
    first = open_folder(own)
    assert unprepared(first.space) == [("en", "es")]
    assert prepare(first, note=notes.append).done
    assert not unprepared(first.space)
    assert ready(first.space) == list(RetrievalMethod)
    assert len(notes) == 1
    assert notes[0].startswith("all methods are ready")
    second = open_folder(own)
    assert prepare(second, note=notes.append).done
    assert len(notes) == 1, "the second time there is nothing to do"
    for pair in (("en", "es"), ("es", "en")):
        computed, cached = first.space.statistics[pair], second.space.statistics[pair]
        np.testing.assert_array_equal(computed.highest, cached.highest)
        for name in ("means", "sums", "to_pivots"):
            ours, theirs = getattr(computed, name), getattr(cached, name)
            assert ours.keys() == theirs.keys()
            for key, array in ours.items():
                np.testing.assert_array_equal(array, theirs[key])


@pytest.mark.parametrize("damage", ["empty", "other bytes", "cut short", "no tensors"])
def test_a_damaged_cache_is_ignored_and_replaced(
    own: Path, served: ServedSpace, damage: str
) -> None:
    path = RunFolder(own).cache
    save_statistics(served.space, path)
    whole = path.read_bytes()
    if damage == "no tensors":
        save_statistics(RunFolder(own).open(), path)
    else:
        parts = {"empty": b"", "other bytes": b"damaged", "cut short": whole[:5000]}
        path.write_bytes(parts[damage])
    opened = open_folder(own)
    load_statistics(opened.space, path)
    assert unprepared(opened.space)
    assert prepare(opened).done
    assert len(path.read_bytes()) == len(whole)


def test_a_cache_of_another_space_is_ignored(own: Path, served: ServedSpace) -> None:
    path = RunFolder(own).cache
    save_statistics(served.space, path)
    english, spanish = served.space.languages
    turned = replace(english.map, matrix=np.ascontiguousarray(english.map.matrix[:, ::-1]))
    others = [
        replace(served.space, languages=(replace(english, map=turned), spanish), statistics={}),
        replace(served.space, languages=(replace(english, name="xx"), spanish), statistics={}),
        replace(served.space, languages=(spanish, english), statistics={}),
        replace(served.space, temperature=0.5, statistics={}),
    ]
    for other in others:
        assert fingerprint(other) != fingerprint(served.space)
        load_statistics(other, path)
        assert unprepared(other)
    same = RunFolder(own).open()
    assert fingerprint(same) == fingerprint(served.space)
    load_statistics(same, path)
    assert not unprepared(same)


def test_a_folder_that_cannot_be_written_is_no_error(own: Path, served: ServedSpace) -> None:
    save_statistics(served.space, Path("/dev/null/cache.safetensors"))
    opened = open_folder(own)
    shutil.rmtree(own)
    assert prepare(opened).done
    assert not own.exists()
    get = client(opened)
    assert get("/api/translate?word=mother&retrieval=invnn").status_code == 200


def test_vectors_without_a_folder_have_no_cache(three: ServedSpace) -> None:
    opened = ServedSpace("three", Space(three.space.languages, three.space.settings))
    assert unprepared(opened.space) == [("en", "es"), ("en", "x<y"), ("es", "x<y")]
    assert prepare(opened).done


def test_after_a_failure_the_next_space_is_prepared(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = open_folder(own)
    second = open_folder(shutil.copytree(own, tmp_path / "other"), "other")
    real = statistics.prepare

    def prepare_second(x: Vectors, *rest: Any) -> None:
        if x is first.space["en"].vectors:
            raise MemoryError("no room for 80 GiB")
        real(x, *rest)

    monkeypatch.setattr(module, "prepare", prepare_second)
    notes: list[str] = []
    preparation = prepare(first, second, note=notes.append)
    assert "no room for 80 GiB" in notes[0]
    assert "are ready" in notes[1]
    assert not preparation.done
    get = client(first, preparation=preparation)
    answer = get("/api/translate?word=mother&retrieval=invsoftmax")
    assert answer.status_code == 500
    assert answer.json()["error"] == "invsoftmax could not be prepared: no room for 80 GiB"
    assert "could not be prepared: no room" in get("/en-es/?word=mother").text
    assert not first.folder.cache.exists()  # type: ignore[union-attr]
    assert ready(second.space) == list(RetrievalMethod)


def test_it_can_be_stopped_at_any_time(own: Path) -> None:
    served = open_folder(own)
    preparation = Preparation([served])
    preparation.start()
    preparation.stop()
    preparation.wait()
    assert "preparation" not in {thread.name for thread in threading.enumerate()}
    never_started = Preparation([open_folder(own)])
    never_started.stop()
    assert not never_started.done


def test_what_pairs_with_their_own_maps_need_is_cached(many_folder: Path, tmp_path: Path) -> None:
    own = shutil.copytree(many_folder, tmp_path / "many", ignore=shutil.ignore_patterns(CACHE))
    first = open_folder(own, "many")
    preparation = Preparation([first])
    preparation.start()
    preparation.wait()
    assert len(unprepared(first.space)) == 6, "no page needed a slow method"
    preparation.want(first, "es", "pl")
    preparation.wait()
    second = open_folder(own, "many").space
    load_statistics(second, RunFolder(own).cache)
    assert ("es", "pl") not in unprepared(second)
    assert len(unprepared(second)) == 5
    for pair in (("en", "es"), ("pl", "es")):
        lengths = first.space.statistics[pair].lengths
        assert lengths is not None
        np.testing.assert_array_equal(second.statistics[pair].lengths, lengths)
    assert second.statistics["en", "xx"].lengths is None, "this pair has no maps"
    first_map, other_map = second.about("en", "es").maps or ()
    turned = replace(second.about("en", "es"), maps=(other_map, first_map))
    other = replace(second, pairs={**second.pairs, ("en", "es"): turned}, statistics={})
    load_statistics(other, RunFolder(own).cache)
    assert other.statistics == {}, "the maps of a pair are others"


def test_a_pair_that_cannot_be_prepared_is_not_tried_again(
    many_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []

    def fail(*_: Any) -> None:
        tried.append(1)
        raise MemoryError("no room")

    monkeypatch.setattr(module, "prepare", fail)
    served = ServedSpace("many", open_folder(many_folder).space)
    preparation = prepare(served)
    assert len(tried) == 6
    get = client(served, preparation=preparation)
    for _ in range(2):
        assert get("/api/translate?word=en7&retrieval=gc&to=*").status_code == 500
        preparation.wait()
    assert len(tried) == 6
