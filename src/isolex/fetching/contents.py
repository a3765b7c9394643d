"""Check that a downloaded file has the expected contents."""

from __future__ import annotations

from pathlib import Path

from isolex import io
from isolex.core.file_errors import refuse
from isolex.fetching.catalogue import Kind
from isolex.io.sniff import examine
from isolex.io.streams import Stream

_MODEL_MAGIC = (793_712_314).to_bytes(4, "little")  # first bytes of a binary fastText model
_CHUNK = 1 << 22


def check_contents(path: Path, kind: Kind) -> None:
    """Check that a file is of the given kind and, if it is compressed, complete.

    Raises:
        InputError: If it is not.
    """
    if kind == Kind.PAIRS:
        io.read_pairs(path)
        return
    with Stream(path) as stream:
        if kind == Kind.MODEL:
            if stream.peek(len(_MODEL_MAGIC)) != _MODEL_MAGIC:
                raise refuse(path, "not a fastText model")
        elif examine(path, stream.peek, False).header is None:
            raise refuse(path, "the first line is not a header of fastText vectors")
        while stream.packing and stream.read(_CHUNK):
            pass  # gzip verifies its checksum at the end
