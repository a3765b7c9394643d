"""Files of co-occurrence counts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from isolex.core.counts import Counts
from isolex.errors import InputError
from isolex.io import read_counts, save_counts
from tests.wording import Wording

COUNTS = Counts(["über", "日本", "a\udcffb", " "], [0, 1, 1], [1, 1, 3], [1, 70_000, 4_000_000_000])


def test_counts_come_back_as_they_were(tmp_path: Path) -> None:
    save_counts(COUNTS, tmp_path / "any.name")
    found = read_counts(tmp_path / "any.name")
    assert found.words == COUNTS.words
    assert found.checksum == COUNTS.checksum


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_counts(COUNTS, tmp_path / "a.npz")
    before = (tmp_path / "a.npz").read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(np, "savez_compressed", fail)
    with pytest.raises(RuntimeError):
        save_counts(COUNTS, tmp_path / "a.npz")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.npz": before}


def broken_files(folder: Path) -> dict[str, Path]:
    """Files that are no counts."""
    save_counts(COUNTS, folder / "good.npz")
    data = (folder / "good.npz").read_bytes()
    (folder / "cut.npz").write_bytes(data[: len(data) // 2])
    (folder / "flipped.npz").write_bytes(data[:60] + bytes(20) + data[80:])
    (folder / "empty.npz").write_bytes(b"")
    (folder / "text.npz").write_text("the of and\n")
    np.savez(folder / "other.npz", words=np.arange(3))
    np.save(folder / "array", np.arange(3))
    np.savez(folder / "objects.npz", words=np.array([{}]), rows=0, columns=0, counts=0)
    words = np.frombuffer(b"a\nb\n", dtype=np.uint8)
    two = np.arange(2)
    np.savez(folder / "outside.npz", words=words, rows=two, columns=two + 1, counts=two + 1)
    np.savez(folder / "flat.npz", words=words, rows=0, columns=0, counts=1)
    return {path.name: path for path in folder.iterdir() if path.name != "good.npz"}


def test_other_files_are_refused_in_one_line(tmp_path: Path, wording: Wording) -> None:
    files = broken_files(tmp_path) | {"missing": tmp_path / "missing", "folder": tmp_path}
    assert len(files) == 11
    for name in sorted(files):
        with pytest.raises(InputError) as error:
            read_counts(files[name])
        assert "\n" not in str(error.value)
        wording(error.value)
