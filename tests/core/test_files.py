"""Files are written atomically, and messages about them fit on one line."""

from __future__ import annotations

import os

import pytest

from isolex.core.file_errors import quoted, refuse_os, shown
from isolex.core.files import atomic, check_target, stamp, tidied, write_bytes, write_text
from isolex.errors import InputError, UsageError


def test_the_file_is_replaced_only_at_the_end(tmp_path):
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
def test_a_failure_leaves_no_file(tmp_path, error):
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
    ("name", "reason"),
    [("none/a.txt", "no such file"), (".", "is a folder"), ("a\0b", "not a valid file name")],
)
def test_paths_that_cannot_be_written_are_refused(tmp_path, name, reason):
    with pytest.raises(InputError, match=reason):
        write_bytes(tmp_path / name, b"")


def test_text_keeps_bytes_that_were_not_utf8(tmp_path):
    write_text(tmp_path / "a.txt", "caf\udce9\n日本\r\n")
    assert (tmp_path / "a.txt").read_bytes() == b"caf\xe9\n" + "日本\r\n".encode()


def test_symbolic_links_are_followed(tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_text(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX devices and file modes")
def test_devices_are_written_directly_and_file_modes_are_kept(tmp_path):
    write_text(os.devnull, "gone")
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "a.txt").chmod(0o640)
    write_text(tmp_path / "a.txt", "new")
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o640


def test_paths_and_tokens_are_shown_on_one_line():
    assert shown("a\nb\udcff.vec") == "a\\nb\\udcff.vec"
    assert quoted(b"caf\xe9") == r"'caf\\xe9'"
    assert quoted(b"x" * 100) == repr("x" * 40 + "...")


@pytest.mark.parametrize(
    "error",
    [
        FileNotFoundError(),
        IsADirectoryError(),
        PermissionError(),
        OSError(5, "Input/output error"),
        ValueError(),
    ],
    ids=["missing", "folder", "permission", "disk", "name"],
)
def test_errors_of_the_operating_system_are_worded_in_one_line(error, wording):
    message = str(refuse_os("en.vec", error))
    assert message.startswith("en.vec: ")
    wording(message)


def test_targets_that_cannot_be_written_are_refused(tmp_path):
    (tmp_path / "in.vec").write_text("")
    check_target(tmp_path / "out.vec", tmp_path / "in.vec")
    with pytest.raises(UsageError, match=r"in\.vec: would overwrite an input"):
        check_target(tmp_path / "in.vec", tmp_path / "x.vec", tmp_path / "." / "in.vec")
    with pytest.raises(UsageError, match="empty"):
        check_target("")
    with pytest.raises(InputError, match="is a folder"):
        check_target(tmp_path)
    with pytest.raises(InputError, match="none: no such folder"):
        check_target(tmp_path / "none" / "out.vec")


def test_new_empty_folders_are_removed_on_failure(tmp_path):
    def fail(folder, name=None):
        with tidied(folder):
            folder.mkdir(parents=True, exist_ok=True)
            if name:
                (folder / name).write_text("kept")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail(tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(KeyboardInterrupt):
        fail(tmp_path / "a" / "b", "file")
    assert (tmp_path / "a" / "b" / "file").exists()
    with pytest.raises(KeyboardInterrupt):
        fail(tmp_path)
    assert tmp_path.exists()


def test_only_regular_files_have_a_stamp(tmp_path):
    (tmp_path / "a").write_text("abc")
    os.utime(tmp_path / "a", ns=(5, 7))
    assert stamp(tmp_path / "a") == {"size": 3, "time": 7}
    assert stamp(tmp_path) is None
    assert stamp(tmp_path / "none") is None
