"""Files that do not contain word vectors are refused in one line that says what they are."""

from __future__ import annotations

import gzip
import struct

import numpy as np
import pytest

from isolex.errors import InputError
from isolex.io import read

NOISE = np.random.default_rng(0).integers(0, 256, 100_000).astype(np.uint8).tobytes()
PNG = b"\x89PNG\r\n\x1a\n" + NOISE


def refusal(path):
    with pytest.raises(InputError) as caught:
        read(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    assert ";" in text  # before what to do
    return text


@pytest.mark.parametrize("name", ["a.vec", "a.bin", "a.glove", "a.safetensors", "a"])
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is empty"),
        (b"\n \r\n", "only blank lines"),
        (b"5 300\n", "no word vectors after the header"),
        (b"5 300", "no word vectors after the header"),
        (gzip.compress(b"", mtime=0), "is empty"),
    ],
)
def test_files_without_content_are_refused(put, name, data, reason):
    assert reason in refusal(put(data, name))


@pytest.mark.parametrize("name", ["a.vec", "a.bin", "a.txt", "a.safetensors", "a.vec.gz", "a"])
@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "PNG image"),
        (NOISE, "not word vectors"),
        (b"<!DOCTYPE html>\n<html><body>\n<h1>404</h1>\n</body></html>\n", "web page"),
        (b"PK\x03\x04" + NOISE, "zip archive"),
        (struct.pack("<i", 793712314) + NOISE, "fastText model"),
        ("dog 1 2\ncat 3 4\n".encode("utf-16"), "UTF-16"),
        (b"It was the best of times,\nit was the worst of times.\n", "not word vectors"),
        (b"\x80\x04\x95" + NOISE, "pickle"),
    ],
    ids=["png", "noise", "html", "zip", "fasttext", "utf16", "prose", "pickle"],
)
def test_other_kinds_of_files_are_refused(put, name, data, kind):
    text = refusal(put(data, name))
    assert kind in text or (name == "a.safetensors" and "not embeddings saved by isolex" in text)
