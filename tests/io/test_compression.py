"""Compressed files: complete ones are read, damaged ones are refused."""

from __future__ import annotations

import bz2
import gzip
import lzma

import pytest
import zstandard

from isolex.errors import InputError
from isolex.io import read

pytestmark = pytest.mark.slow


def zstd(data):
    return zstandard.ZstdCompressor().compress(data)


COMPRESS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstd}
BODY = b"".join(b"word%d 0.%d 2 3\n" % (row, row) for row in range(60_000))

every_compression = pytest.mark.parametrize("suffix", COMPRESS)


def refusal(path):
    with pytest.raises(InputError) as caught:
        read(path)
    text = str(caught.value)
    assert text.startswith(f"{path}")
    assert "\n" not in text
    return text


@every_compression
def test_a_truncated_file_is_refused(put, suffix):
    data = COMPRESS[suffix](BODY)
    for end in (len(data) // 2, len(data) - 3):
        assert "compressed data is truncated" in refusal(put(data[:end], f"a.vec{suffix}"))


@every_compression
def test_the_first_words_of_a_truncated_file_can_be_read(put, suffix):
    data = COMPRESS[suffix](BODY)[:-3]
    assert len(read(put(data, f"a.vec{suffix}"), max_words=5)[0]) == 5


@every_compression
def test_a_file_of_a_few_bytes_is_refused(put, suffix):
    assert "compressed data is" in refusal(put(COMPRESS[suffix](BODY)[:12], f"a.vec{suffix}"))


@every_compression
def test_a_corrupt_file_is_refused(put, suffix):
    data = bytearray(COMPRESS[suffix](BODY))
    middle = len(data) // 2
    data[middle : middle + 64] = bytes(64)
    text = refusal(put(bytes(data), f"a.vec{suffix}"))
    assert "compressed data is" in text or ", line " in text  # some damage only changes the text


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
@pytest.mark.parametrize("padding", [0, 512, 1 << 18])
def test_consecutive_frames_with_padding_are_read(put, suffix, padding):
    half = BODY.index(b"word30000 ")
    data = COMPRESS[suffix](BODY[:half]) + COMPRESS[suffix](BODY[half:]) + bytes(padding)
    assert len(read(put(data, f"a.vec{suffix}"))[0]) == 60_000


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_other_data_after_the_last_frame_is_refused(put, suffix):
    data = COMPRESS[suffix](BODY) + b"something else"
    assert "corrupt" in refusal(put(data, f"a.vec{suffix}"))
