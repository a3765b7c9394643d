"""Whether a file that came is what it was called."""

from __future__ import annotations

from pathlib import Path

from isolex import io
from isolex.core.files import refuse
from isolex.fetching.catalogue import Kind
from isolex.io.sniff import examine
from isolex.io.streams import Stream

_MODEL_MAGIC = (793_712_314).to_bytes(4, "little")  # of fastText's own format
_CHUNK = 1 << 22


def check(path: Path, kind: Kind) -> None:
    """Refuse a file that does not hold ``kind``, or compressed data that are not whole.

    Raises:
        InputError: The text says why.
    """
    if kind == Kind.PAIRS:
        io.read_pairs(path)
        return
    with Stream(path) as stream:
        if kind == Kind.MODEL:
            if stream.peek(len(_MODEL_MAGIC)) != _MODEL_MAGIC:
                raise refuse(path, "not a fastText model")
        elif examine(path, stream.peek, False).header is None:
            raise refuse(path, "no header of fastText vectors in its first line")
        while stream.packing and stream.read(_CHUNK):
            pass  # the checksum of gzip stands at its end
