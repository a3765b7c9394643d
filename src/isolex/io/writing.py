"""Write embeddings in the format that the file name asks for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, nullcontext
from itertools import chain
from typing import BinaryIO

from isolex.adapters import extras
from isolex.core.embeddings import Embeddings
from isolex.core.file_errors import StrPath, quoted, shown
from isolex.core.files import atomic
from isolex.core.tensors import is_safetensors
from isolex.errors import InputError, UsageError
from isolex.io.binary import binary_blocks, fits_binary
from isolex.io.compression import COMPRESSION_SUFFIXES, compressor, detect_compression
from isolex.io.fasttext import is_fasttext
from isolex.io.parquet import write_parquet
from isolex.io.sniff import FileLayout, examine
from isolex.io.streams import Tick
from isolex.io.tensors import write_tensors
from isolex.io.text_writer import fits_text, text_blocks

FORMATS = ("word2vec", "glove", "bin", "parquet", "safetensors")
_NEVER_COMPRESSED = ("parquet", "safetensors")
_SUFFIXES = {
    ".vec": "word2vec",
    ".glove.txt": "glove",  # before .txt, which also matches
    ".txt": "word2vec",
    ".w2v": "word2vec",
    ".glove": "glove",
    ".bin": "bin",
    ".parquet": "parquet",
    ".safetensors": "safetensors",
}
_SAMPLE_BYTES = 1 << 18
_FITS: dict[str, Callable[[bytes], bool]] = {
    "word2vec": fits_text,
    "glove": fits_text,
    "bin": fits_binary,
    "parquet": bool,
    "safetensors": lambda _: True,
}

Blocks = Iterator[tuple[int, bytes]]


def format_of_name(path: StrPath) -> tuple[str, str]:
    """Return the format and the compression suffix that a file name implies, or "" for either."""
    name = os.fspath(path).lower()
    compression = next((suffix for suffix in COMPRESSION_SUFFIXES if name.endswith(suffix)), "")
    name = name.removesuffix(compression)
    kind = next((kind for suffix, kind in _SUFFIXES.items() if name.endswith(suffix)), "")
    return kind, compression


def save(
    embeddings: Embeddings,
    path: StrPath,
    *,
    format: str | None = None,  # noqa: A002
    tick: Tick | None = None,
) -> None:
    """Write embeddings atomically.

    Args:
        embeddings: What to write.
        path: ``.vec``, ``.txt``, ``.w2v`` (word2vec text), ``.glove`` (no header), ``.bin``
            (word2vec binary), ``.parquet`` or ``.safetensors``. All but the last two may be
            compressed: append ``.gz``, ``.bz2``, ``.xz`` or ``.zst``.
        format: One of ``FORMATS``; overrides the suffix.
        tick: Called with the fraction that has been written, in [0, 1].

    Raises:
        UsageError: If the format is unknown or cannot store one of the words.
        InputError: If the file cannot be written.
    """
    kind, compression = _choose_format(path, format)
    words = [_encode(word, kind) for word in embeddings.words]
    tick = tick or (lambda _: None)
    if kind == "safetensors":
        with atomic(path) as file:
            write_tensors(file, embeddings, words)
    elif kind == "parquet":
        with atomic(path) as file:
            write_parquet(file, embeddings)
    else:
        blocks = _verified(_blocks(kind, embeddings, words), path, kind, embeddings)
        with atomic(path) as file:
            _write(file, compression, blocks, len(embeddings), tick)
    tick(1.0)


def check(path: StrPath, words: Iterable[str] = (), *, format: str | None = None) -> None:  # noqa: A002
    """Check, before any work, that `save` could write these words to this file name."""
    kind, _ = _choose_format(path, format)
    for word in words:
        _encode(word, kind)


def _choose_format(path: StrPath, requested: str | None) -> tuple[str, str]:
    kind, compression = format_of_name(path)
    if requested is not None and requested not in FORMATS:
        raise UsageError(f"unknown format {requested!r}; use one of {', '.join(FORMATS)}")
    kind = requested or kind
    if not kind:
        raise UsageError(
            f"{shown(path)}: unknown suffix; use one of {', '.join(_SUFFIXES)}"
            f" (all but the last two also with {', '.join(COMPRESSION_SUFFIXES)})"
        )
    if kind in _NEVER_COMPRESSED and compression:
        raise UsageError(f"{shown(path)}: {kind} is not compressed; leave out {compression}")
    if kind == "parquet":
        extras.require(["arrow"], f"{shown(path)}: Parquet")
    return kind, compression


def _encode(word: str, kind: str) -> bytes:
    try:
        encoded = word.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise UsageError(f"the word {word!a} cannot be written as UTF-8; remove it") from error
    if not _FITS[kind](encoded):
        raise UsageError(
            f"the word {quoted(encoded)} cannot be written in the format {kind}; choose another"
        )
    return encoded


def _blocks(kind: str, embeddings: Embeddings, words: list[bytes]) -> Blocks:
    if kind == "bin":
        return binary_blocks(embeddings, words)
    return text_blocks(embeddings, words, header=kind == "word2vec")


def _write(file: BinaryIO, compression: str, blocks: Blocks, total: int, tick: Tick) -> None:
    with closing(compressor(file, compression)) if compression else nullcontext(file) as out:
        for done, block in blocks:
            out.write(block)
            tick(done / total)


def _verified(blocks: Blocks, path: StrPath, kind: str, embeddings: Embeddings) -> Blocks:
    """Return the same blocks, after checking that a reader would detect their format."""
    first: list[tuple[int, bytes]] = []
    head = b""
    for item in blocks:
        first.append(item)
        head += item[1]
        if len(head) >= _SAMPLE_BYTES:
            break
    rows, dims = embeddings.vectors.shape
    header = None if kind == "glove" else (rows, dims)
    start = 0 if header is None else head.index(b"\n") + 1
    expected = FileLayout(kind == "bin", dims, start, int(header is not None), header)
    try:
        layout = examine(path, lambda count: head[:count], format_of_name(path)[0] == "bin")
    except InputError:
        layout = None
    other = detect_compression(head) or is_safetensors(head) or is_fasttext(head)
    if other or layout != expected:
        instead = ".vec or .safetensors" if kind == "glove" else ".safetensors"
        raise UsageError(
            f"{shown(path)}: these words would read back differently in this format; use {instead}"
        )
    return chain(first, blocks)
