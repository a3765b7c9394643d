"""A file is there whole or not at all."""

from __future__ import annotations

import os

import pytest

from isolex.core.files import atomic, write_bytes, write_text
from isolex.errors import InputError


def test_the_file_takes_its_place_at_the_end(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with atomic(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_text() == "old"
        assert len(list(tmp_path.iterdir())) == 2
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_nothing_is_left_after_a_failure(tmp_path, error):
    def write():
        with atomic(tmp_path / "a.txt") as file:
            file.write(b"half")
            raise error

    with pytest.raises(error):
        write()
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="No space left"), atomic(tmp_path / "a.txt"):
        raise OSError(28, "No space left on device")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "said"),
    [("none/a.txt", "no such file"), (".", "is a folder"), ("a\0b", "not a possible file name")],
)
def test_impossible_places_are_refused(tmp_path, name, said):
    with pytest.raises(InputError, match=said):
        write_bytes(tmp_path / name, b"")


def test_text_keeps_bytes_that_were_not_utf8(tmp_path):
    write_text(tmp_path / "a.txt", "caf\udce9\n日本\r\n")
    assert (tmp_path / "a.txt").read_bytes() == b"caf\xe9\n" + "日本\r\n".encode()


def test_a_link_is_followed(tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_text(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


@pytest.mark.skipif(os.name != "posix", reason="devices and modes are of POSIX")
def test_devices_and_modes(tmp_path):
    write_text(os.devnull, "gone")
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "a.txt").chmod(0o640)
    write_text(tmp_path / "a.txt", "new")
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o640
