"""Bytes of a file, decompressed on the way, with a look ahead."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Protocol, Self

from isolex.core.files import StrPath, refuse, refuse_os
from isolex.kernels.types import Tick as Tick

PACKINGS = (".gz", ".bz2", ".xz", ".zst")

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
_MAGIC_BYTES = 16
_GZIP_HEADER = 31  # what zlib calls a gzip header before the widest window
_GZ_PIECE = 1 << 16  # which unpacks to some 64 MB at most
_PADDING = b"\0"  # that tape archives leave behind the last frame
_ZST_PIECE = 1 << 13  # small, so that one piece cannot unpack to more than some 256 MB


class _Readable(Protocol):
    def read(self, count: int, /) -> bytes: ...


class Writable(Protocol):
    """What a compressed file has in common with a plain one."""

    def write(self, data: bytes, /) -> int:
        """Write all of ``data``."""
        ...

    def close(self) -> None:
        """Finish the file."""
        ...


def packing(head: bytes) -> str:
    """The suffix of the compression that a file begins with, or ""."""
    return next((suffix for suffix, magic in _MAGIC.items() if head.startswith(magic)), "")


class Stream:
    """A file's bytes, decompressed; every failure to read is an ``InputError``.

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
        self._source: _Readable = self._file
        self._ahead = b""
        try:
            self._unpack()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    @property
    def done(self) -> float:
        """The share of the file on disk that has been read, in [0, 1]."""
        with suppress(OSError):
            return min(1.0, self._file.tell() / self.size) if self.size else 0.0
        return 0.0

    def peek(self, count: int) -> bytes:
        """The next ``count`` bytes, fewer only at the end; they will be read again."""
        pieces, size = [self._ahead], len(self._ahead)
        while size < count and (piece := self._fetch(count - size)):
            pieces.append(piece)
            size += len(piece)
        self._ahead = b"".join(pieces)
        return self._ahead[:count]

    def read(self, count: int) -> bytes:
        """About ``count`` more bytes; ``b""`` only at the end."""
        if not self._ahead:
            return self._fetch(count)
        out, self._ahead = self._ahead[:count], self._ahead[count:]
        return out

    def skip(self, count: int) -> None:
        """Pass over ``count`` bytes that have been seen by ``peek``."""
        self._ahead = self._ahead[count:]

    def _unpack(self) -> None:
        head = self.peek(_MAGIC_BYTES)
        self.packing = packing(head)
        if not self.packing:
            return
        if not self.size:  # it cannot go back to its start
            raise refuse(self.path, "a compressed pipe; decompress it on the way in")
        self._file.seek(0)
        self._ahead = b""
        self._source = unpacked(self._file, self.packing)

    def _fetch(self, count: int) -> bytes:
        try:
            return self._source.read(count)
        except EOFError as error:
            what = "the compressed data end too early; get the file again"
            raise refuse(self.path, what) from error
        except (OSError, zlib.error, lzma.LZMAError, ValueError) as error:
            if self.packing and not getattr(error, "errno", None):
                raise refuse(
                    self.path, "the compressed data are corrupt; get the file again"
                ) from error
            raise refuse_os(self.path, error) from error


def unpacked(file: BinaryIO, suffix: str) -> _Readable:
    """A reader of what is compressed in ``file``."""
    match suffix:
        case ".gz":
            return _gz(file)
        case ".bz2":
            return bz2.BZ2File(file)
        case ".xz":
            return lzma.LZMAFile(file)
        case _:
            return _zst(file)


def packed(file: BinaryIO, suffix: str) -> Writable:
    """A writer that compresses into ``file``; close it to finish. The same bytes every time."""
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
    """One frame of compressed data, as zlib and zstandard unpack it."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


class _Frames:
    """Reads compressed frames one after the other, and notices when the last is cut off.

    Args:
        file: The compressed file.
        start: Begins a frame.
        piece: How many compressed bytes are unpacked at a time.
        error: What the library raises for corrupt data.
    """

    def __init__(
        self, file: BinaryIO, start: Callable[[], _Frame], piece: int, error: type[Exception]
    ) -> None:
        self._file, self._start, self._piece, self._error = file, start, piece, error
        self._frame = start()
        self._rest = b""
        self._inside = False

    def read(self, count: int) -> bytes:
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
            self._frame = self._start()
        return out


def _gz(file: BinaryIO) -> _Frames:
    return _Frames(file, lambda: zlib.decompressobj(_GZIP_HEADER), _GZ_PIECE, zlib.error)


def _zst(file: BinaryIO) -> _Frames:
    import zstandard

    frames = zstandard.ZstdDecompressor(max_window_size=1 << 31)
    return _Frames(file, lambda: frames.decompressobj(), _ZST_PIECE, zstandard.ZstdError)
