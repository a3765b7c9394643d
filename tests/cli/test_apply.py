"""isolex apply: further vectors are mapped as `isolex map` mapped them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import isolex
from isolex import Embeddings, io
from tests.cli.conftest import Run
from tests.wording import Wording


@pytest.mark.parametrize(("language", "file"), [("s", "s.vec"), ("t", "t.vec.gz")])
def test_vectors_are_mapped_as_the_run_mapped_them(
    run: Run, home: Path, language: str, file: str
) -> None:
    done = run("apply", "out", file, "--language", language, "--out", f"mapped-{language}.bin")
    assert done.returncode == 0, done.stderr
    again = io.load(home / f"mapped-{language}.bin")
    mapped = io.load(home / "out" / f"{language}.vec")
    assert again.words == mapped.words
    np.testing.assert_allclose(again.vectors, mapped.vectors, atol=1e-5)


def test_only_the_words_of_a_list_are_mapped(run: Run, home: Path) -> None:
    (home / "list.txt").write_text("s3\ns1\n")
    options = ("--words", "list.txt", "--language", "s", "--out", "some.vec")
    assert run("apply", "out", "s.vec", *options).returncode == 0
    mapped = io.load(home / "some.vec")
    assert mapped.words == ("s3", "s1")
    expected = io.load(home / "out" / "s.vec")
    np.testing.assert_allclose(mapped["s3"], expected["s3"], atol=1e-5)


def test_words_without_a_vector_are_counted_and_some_are_named(
    run: Run, home: Path, wording: Wording
) -> None:
    (home / "list.txt").write_text("nowhere\nt-new\n" + "".join(f"x{i}\n" for i in range(9)))
    io.save(Embeddings(["t-new"], np.ones((1, 10))), home / "new.vec")
    options = ("--words", "list.txt", "--language", "t", "--out", "new-mapped.vec")
    done = run("apply", "out", "new.vec", *options)
    assert done.returncode == 0, done.stderr
    line = done.stderr.splitlines()[0]
    assert "new.vec: no vector for 10 of 11 words" in line
    assert "'nowhere'" in line
    wording(line)


def test_a_space_that_was_saved_from_python_is_not_overwritten(run: Run, home: Path) -> None:
    isolex.open(home / "out").save(home / "saved")  # a folder without run.json
    space = home / "saved" / "space.safetensors"
    before = space.read_bytes()
    target = "saved/space.safetensors"
    applied = run("apply", "saved", "s.vec", "--language", "s", "--out", target)
    for done in (applied, run("convert", "s.vec", target)):
        assert done.returncode == 2
        assert f"{target}: would overwrite" in done.stderr
    assert space.read_bytes() == before
