"""What cannot be read is refused in one line that names the file and what to do."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import struct
import threading

import numpy as np
import pytest
import zstandard

from isolex.errors import InputError
from isolex.io import load, read, read_pairs

NOISE = np.random.default_rng(0).integers(0, 256, 100_000).astype(np.uint8).tobytes()
PNG = b"\x89PNG\r\n\x1a\n" + NOISE


def refusal(path, reader=read):
    with pytest.raises(InputError) as caught:
        reader(path)
    text = str(caught.value)
    assert text.startswith(str(path))
    assert "\n" not in text
    assert ";" in text  # what was wrong; what to do
    return text


@pytest.mark.parametrize("reader", [load, read, read_pairs])
def test_missing_files_and_folders(tmp_path, reader):
    assert "no such file" in refusal(tmp_path / "none.vec", reader)
    assert "is a folder" in refusal(tmp_path, reader)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_unreadable_files(put):
    path = put(b"a 1\n")
    path.chmod(0)
    assert "permission denied" in refusal(path)


def test_permission_errors_are_said_plainly(put, monkeypatch):
    def deny(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    path = put(b"a 1\n")
    monkeypatch.setattr("pathlib.Path.open", deny)
    assert "permission denied" in refusal(path)


def test_impossible_names():
    with pytest.raises(InputError, match="not a possible file name"):
        load("a\0b.vec")


@pytest.mark.parametrize("name", ["a.vec", "a.bin", "a.glove", "a.safetensors", "a"])
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"\n \r\n", "holds only blank lines"),
        (b"5 300\n", "no word vectors after the header"),
        (b"5 300", "no word vectors after the header"),
        (gzip.compress(b"", mtime=0), "is empty"),
    ],
)
def test_files_with_nothing_in_them(put, name, data, said):
    assert said in refusal(put(data, name))


def test_a_file_of_which_nothing_is_left(put):
    assert "no usable word vectors in it (1 empty word dropped, 1 row with NaN" in refusal(
        put(b"2 2\n 1 2\na nan 1\n")
    )


@pytest.mark.parametrize("name", ["a.vec", "a.bin", "a.txt", "a.safetensors", "a.vec.gz", "a"])
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (PNG, "a PNG image"),
        (NOISE, "not word vectors"),
        (b"<!DOCTYPE html>\n<html><body>\n<h1>404</h1>\n</body></html>\n", "a web page"),
        (b"PK\x03\x04" + NOISE, "zip archive"),
        (struct.pack("<i", 793712314) + NOISE, "fastText model"),
        ("dog 1 2\ncat 3 4\n".encode("utf-16"), "UTF-16"),
        (b"It was the best of times,\nit was the worst of times.\n", "not word vectors"),
        (b"\x80\x04\x95" + NOISE, "pickle"),
    ],
    ids=["png", "noise", "html", "zip", "fasttext", "utf16", "prose", "pickle"],
)
def test_what_is_not_vectors(put, name, data, said):
    text = refusal(put(data, name))
    assert said in text or (name == "a.safetensors" and "not embeddings saved by isolex" in text)


def _zst(data):
    return zstandard.ZstdCompressor().compress(data)


PACK = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": _zst}
BODY = b"".join(b"word%d 0.%d 2 3\n" % (row, row) for row in range(60_000))


@pytest.mark.parametrize("suffix", PACK)
def test_a_compressed_stream_that_ends_too_early(put, suffix):
    data = PACK[suffix](BODY)
    for end in (len(data) // 2, len(data) - 3):
        assert "end too early" in refusal(put(data[:end], f"a.vec{suffix}"))
    assert len(read(put(data, f"a.vec{suffix}"), max_words=5)[0]) == 5


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
@pytest.mark.parametrize("padding", [0, 512, 1 << 18])
def test_compressed_streams_one_after_the_other_with_padding(put, suffix, padding):
    half = BODY.index(b"word30000 ")
    data = PACK[suffix](BODY[:half]) + PACK[suffix](BODY[half:]) + bytes(padding)
    assert len(read(put(data, f"a.vec{suffix}"))[0]) == 60_000


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_something_else_behind_a_compressed_stream(put, suffix):
    data = PACK[suffix](BODY) + b"something else"
    assert "corrupt" in refusal(put(data, f"a.vec{suffix}"))


@pytest.mark.parametrize("suffix", PACK)
def test_a_compressed_stream_that_is_corrupt(put, suffix):
    data = bytearray(PACK[suffix](BODY))
    middle = len(data) // 2
    data[middle : middle + 64] = bytes(64)
    text = refusal(put(bytes(data), f"a.vec{suffix}"))
    assert "the compressed data" in text or "line" in text  # some damage only changes the text


@pytest.mark.parametrize("suffix", PACK)
def test_a_head_of_a_compressed_file_alone(put, suffix):
    said = refusal(put(PACK[suffix](BODY)[:12], f"a.vec{suffix}"))
    assert said.endswith("; get the file again")


def test_odd_names_are_shown_on_one_line(tmp_path):
    with pytest.raises(InputError) as caught:
        load(tmp_path / "a\nb\udcff.vec")
    assert "\n" not in str(caught.value)
    str(caught.value).encode("utf-8")


def test_too_little_memory_is_said_plainly(put, monkeypatch):
    def refuse_memory(*args, **kwargs):
        raise MemoryError

    monkeypatch.setattr("isolex.io.text.Table", refuse_memory)
    assert "not enough memory" in refusal(put(b"a 1 2\n"))


def test_a_line_without_an_end_is_refused(put, monkeypatch):
    monkeypatch.setattr("isolex.io.text.LONGEST_LINE", 1 << 20)
    assert "a line has no end" in refusal(put(b"a 1 2\nb 3 4\n" + b"x" * (1 << 22)))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_can_be_read(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(BODY,))
    writer.start()
    assert len(read(path)[0]) == 60_000
    writer.join()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_compressed_pipe_is_refused(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(gzip.compress(b"a 1 2\n"),))
    writer.start()
    assert "decompress it on the way in" in refusal(path)
    writer.join()
