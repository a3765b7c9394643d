"""The first words of a vector file, from no more of its bytes than they need."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

from isolex.core.files import refuse
from isolex.io.streams import Stream

_HEADER = re.compile(rb"([0-9]+) ([0-9]+)[ \r]*")
_FIRST_LINE = 1 << 10
_CHUNK = 1 << 20
_GZIP = 31


class Lines:
    """Sees the bytes of a file go by, compressed or not, and knows when so many lines are there.

    Args:
        count: How many.
        packed: Whether the bytes are gzip.
    """

    def __init__(self, count: int, *, packed: bool) -> None:
        self._missing = count
        self._packed = packed
        self._frame = zlib.decompressobj(_GZIP)

    def __call__(self, piece: bytes) -> bool:
        """Look at the next bytes; whether there are lines enough."""
        self._missing -= self._unpacked(piece).count(b"\n")
        return self._missing <= 0

    def _unpacked(self, piece: bytes) -> bytes:
        if not self._packed:
            return piece
        out = b""
        try:
            while piece:
                out += self._frame.decompress(piece)
                piece = self._frame.unused_data
                if self._frame.eof:
                    self._frame = zlib.decompressobj(_GZIP)
        except zlib.error:  # corrupt: it is said when the whole is read
            return b""
        return out


def write_head(path: Path, out: Path, words: int) -> None:
    """Write the first ``words`` rows of a vector file, or all if there are fewer, with a header.

    Args:
        path: fastText ``.vec``, compressed or not; it may be cut off behind those rows.
        out: Plain text.
        words: How many rows.

    Raises:
        InputError: If there is no header, or there are fewer rows than it promises.
    """
    with Stream(path) as stream:
        first = stream.peek(_FIRST_LINE).partition(b"\n")[0]
        header = _HEADER.fullmatch(first)
        if header is None:
            raise refuse(path, "no header of fastText vectors in its first line")
        stream.skip(len(first) + 1)
        missing = count = min(words, int(header[1]))
        out.unlink(missing_ok=True)  # a temporary file would pass its rights on
        with out.open("xb") as file:
            file.write(b"%d %s\n" % (count, header[2]))
            while missing and (piece := stream.read(_CHUNK)):
                rows = _first_lines(piece, missing)
                file.write(rows)
                missing -= rows.count(b"\n")
    if missing:
        raise refuse(path, f"ends after {count - missing:,} of {count:,} rows")


def _first_lines(piece: bytes, count: int) -> bytes:
    """The bytes up to the end of line ``count``, or all if there are not so many lines."""
    lines = piece.split(b"\n", count)
    return piece if len(lines) <= count else piece[: len(piece) - len(lines[-1])]
