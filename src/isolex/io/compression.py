"""Compressed files: gzip, bzip2, xz and Zstandard."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from typing import BinaryIO, Protocol

COMPRESSION_SUFFIXES = (".gz", ".bz2", ".xz", ".zst")
MAGIC_BYTES = 16  # at least as many as the longest magic number

_BZ2 = tuple(
    b"BZh%d" % level + block
    for level in range(1, 10)
    for block in (b"1AY&SY", b"\x17rE8P\x90")  # a block, or the end of an empty stream
)
_MAGIC = {
    ".gz": (b"\x1f\x8b\x08",),
    ".bz2": _BZ2,
    ".xz": (b"\xfd7zXZ\0",),
    ".zst": (b"(\xb5/\xfd",),
}
_GZIP_WBITS = 31  # zlib's code for a gzip header and the largest window
_GZIP_PIECE = 1 << 16  # decompresses to about 64 MB at most
_ZSTD_PIECE = 1 << 13  # decompresses to about 256 MB at most
_PADDING = b"\0"  # which tape archives append to the last frame


class Readable(Protocol):
    """A file that is read sequentially."""

    def read(self, count: int, /) -> bytes:
        """Return about ``count`` more bytes, ``b""`` only at the end."""
        ...


class Writable(Protocol):
    """A file that is written sequentially."""

    def write(self, data: bytes, /) -> int:
        """Write all of ``data``."""
        ...

    def close(self) -> None:
        """Finish the file."""
        ...


def detect_compression(head: bytes) -> str:
    """Return the suffix of the compression that a file starts with, or ""."""
    return next((suffix for suffix, magic in _MAGIC.items() if head.startswith(magic)), "")


def decompressor(file: BinaryIO, suffix: str) -> Readable:
    """Open a reader that decompresses ``file``."""
    match suffix:
        case ".gz":
            return _Frames(file, lambda: zlib.decompressobj(_GZIP_WBITS), _GZIP_PIECE, zlib.error)
        case ".bz2":
            return bz2.BZ2File(file)
        case ".xz":
            return lzma.LZMAFile(file)
        case _:
            import zstandard

            context = zstandard.ZstdDecompressor(max_window_size=1 << 31)
            return _Frames(file, context.decompressobj, _ZSTD_PIECE, zstandard.ZstdError)


def compressor(file: BinaryIO, suffix: str) -> Writable:
    """Open a writer that compresses into ``file``; equal data give equal bytes."""
    match suffix:
        case ".gz":
            return gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0, compresslevel=6)
        case ".bz2":
            return bz2.BZ2File(file, "wb")
        case ".xz":
            return lzma.LZMAFile(file, "wb")
        case _:
            import zstandard

            return zstandard.ZstdCompressor().stream_writer(file, closefd=False)


class _Frame(Protocol):
    """The decompressor of one frame, as in zlib and zstandard."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


class _Frames:
    """Reads consecutive compressed frames, and detects a truncated last one.

    Args:
        file: The compressed file.
        new_frame: Creates the decompressor of a frame.
        piece: Number of compressed bytes to decompress at a time.
        error: The exception that the library raises for corrupt data.
    """

    def __init__(
        self, file: BinaryIO, new_frame: Callable[[], _Frame], piece: int, error: type[Exception]
    ) -> None:
        self._file, self._new_frame, self._piece, self._error = file, new_frame, piece, error
        self._frame = new_frame()
        self._rest = b""
        self._inside = False

    def read(self, count: int) -> bytes:
        """Return at least ``count`` more bytes, fewer only at the end."""
        pieces, size = [], 0
        while size < count and (packed := self._rest or self._file.read(self._piece)):
            pieces.append(self._decompress(packed))
            size += len(pieces[-1])
        if not size and self._inside:
            raise EOFError
        return b"".join(pieces)

    def _decompress(self, packed: bytes) -> bytes:
        if not self._inside and not (packed := packed.lstrip(_PADDING)):
            self._rest = b""
            return b""
        try:
            out = self._frame.decompress(packed)
        except self._error as error:
            raise ValueError from error
        self._inside = not self._frame.eof
        self._rest = b"" if self._inside else self._frame.unused_data
        if not self._inside:
            self._frame = self._new_frame()
        return out
