"""Pipes."""

from __future__ import annotations

import gzip
import os
import threading

import pytest

from isolex.errors import InputError
from isolex.io import read

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")


@pytest.fixture
def pipe(tmp_path):
    """Create a named pipe, and return a function that starts a writer and returns the path."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writers = []

    def write(data):
        writers.append(threading.Thread(target=path.write_bytes, args=(data,)))
        writers[-1].start()
        return path

    yield write
    for writer in writers:
        writer.join()


def test_a_pipe_can_be_read(pipe):
    path = pipe(b"".join(b"word%d 0.%d 2 3\n" % (row, row) for row in range(60_000)))
    assert len(read(path)[0]) == 60_000


def test_a_compressed_pipe_is_refused(pipe):
    with pytest.raises(InputError, match="pipe: a compressed pipe; decompress it"):
        read(pipe(gzip.compress(b"a 1 2\n")))
