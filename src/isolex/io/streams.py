"""Read a file as a stream of decompressed bytes, with look-ahead."""

from __future__ import annotations

import lzma
import os
import zlib
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Self

from isolex.core.file_errors import StrPath, refuse, refuse_os
from isolex.io.compression import MAGIC_BYTES, Readable, decompressor, detect_compression
from isolex.kernels.types import Tick as Tick


class Stream:
    """The decompressed bytes of a file; every failure to read is an ``InputError``.

    Attributes:
        path: The file.
        size: Its size on disk in bytes; 0 if unknown, as for a pipe.
        packing: The suffix of its compression, or "".
    """

    def __init__(self, path: StrPath) -> None:
        self.path = path
        try:
            self._file: BinaryIO = Path(path).open("rb")  # noqa: SIM115
            self.size = os.fstat(self._file.fileno()).st_size
        except (OSError, ValueError) as error:
            raise refuse_os(path, error) from error
        self.packing = ""
        self._source: Readable = self._file
        self._ahead = b""
        try:
            self._decompress()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @property
    def done(self) -> float:
        """The fraction of the file on disk that has been read, in [0, 1]; 0 if unknown."""
        with suppress(OSError):
            return min(1.0, self._file.tell() / self.size) if self.size else 0.0
        return 0.0

    def peek(self, count: int) -> bytes:
        """Return the next ``count`` bytes without consuming them, fewer only at the end."""
        pieces, size = [self._ahead], len(self._ahead)
        while size < count and (piece := self._fetch(count - size)):
            pieces.append(piece)
            size += len(piece)
        self._ahead = b"".join(pieces)
        return self._ahead[:count]

    def read(self, count: int) -> bytes:
        """Return about ``count`` more bytes, ``b""`` only at the end."""
        if not self._ahead:
            return self._fetch(count)
        out, self._ahead = self._ahead[:count], self._ahead[count:]
        return out

    def skip(self, count: int) -> None:
        """Discard ``count`` bytes that ``peek`` has returned."""
        self._ahead = self._ahead[count:]

    def _decompress(self) -> None:
        """Decompress from here on if the file is compressed."""
        self.packing = detect_compression(self.peek(MAGIC_BYTES))
        if not self.packing:
            return
        if not self.size:  # cannot go back to the start
            raise refuse(self.path, "a compressed pipe; decompress it before the pipe")
        self._file.seek(0)
        self._ahead = b""
        self._source = decompressor(self._file, self.packing)

    def _fetch(self, count: int) -> bytes:
        try:
            return self._source.read(count)
        except EOFError as error:
            what = "the compressed data is truncated; download or copy the file again"
            raise refuse(self.path, what) from error
        except (OSError, zlib.error, lzma.LZMAError, ValueError) as error:
            if self.packing and not getattr(error, "errno", None):
                what = "the compressed data is corrupt; download or copy the file again"
                raise refuse(self.path, what) from error
            raise refuse_os(self.path, error) from error
