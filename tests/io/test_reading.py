"""Reading: what is repaired is logged, and what cannot be read is refused in one line."""

from __future__ import annotations

import logging
import os

import pytest

from isolex.errors import InputError, UsageError
from isolex.io import load, read, read_pairs


def refusal(path, reader=read):
    with pytest.raises(InputError) as caught:
        reader(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    assert ";" in text  # before what to do
    return text


@pytest.mark.parametrize("reader", [load, read, read_pairs])
def test_missing_files_and_folders_are_refused(tmp_path, reader):
    assert "no such file" in refusal(tmp_path / "none.vec", reader)
    assert "is a folder" in refusal(tmp_path, reader)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_files_without_read_permission_are_refused(put):
    path = put(b"a 1\n")
    path.chmod(0)
    assert "permission denied" in refusal(path)


def test_permission_errors_become_input_errors(put, monkeypatch):
    def deny(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    path = put(b"a 1\n")
    monkeypatch.setattr("pathlib.Path.open", deny)
    assert "permission denied" in refusal(path)


def test_invalid_file_names_are_refused():
    with pytest.raises(InputError, match="not a valid file name"):
        load("a\0b.vec")


def test_unprintable_file_names_are_shown_on_one_line(tmp_path):
    with pytest.raises(InputError) as caught:
        load(tmp_path / "a\nb\udcff.vec")
    assert "\n" not in str(caught.value)
    str(caught.value).encode("utf-8")


def test_a_file_without_usable_rows_is_refused(put, wording):
    text = refusal(put(b"2 2\n 1 2\na nan 1\n"))
    assert "(1 empty word dropped, 1 row with NaN" in text
    wording(text)


def test_too_little_memory_is_an_input_error(put, monkeypatch):
    def exhaust(*args, **kwargs):
        raise MemoryError

    monkeypatch.setattr("isolex.io.text_reader.VectorTable", exhaust)
    assert "max_words" in refusal(put(b"a 1 2\n"))


@pytest.mark.parametrize("count", [0, -1])
def test_max_words_must_be_positive(put, count):
    with pytest.raises(UsageError, match=f"max_words must be at least 1, not {count}"):
        read(put(b"a 1\n"), max_words=count)


def test_load_logs_repairs_in_one_warning_and_read_does_not(put, caplog):
    path = put(b"3 1\na 1\na 2\nb 3\n")
    read(path)
    assert caplog.records == []
    load(path)
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("isolex", logging.WARNING)
    assert record.getMessage() == f"{path}: 1 duplicate word (first kept)"


def test_load_logs_nothing_if_nothing_was_repaired(put, caplog):
    load(put(b"2 1\na 1\nb 3\n"))
    assert caplog.records == []
