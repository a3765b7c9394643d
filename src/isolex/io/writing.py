"""Writing embeddings in the format that the file's name asks for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, nullcontext
from itertools import chain
from typing import BinaryIO

from isolex.adapters import extras
from isolex.core.embeddings import Embeddings
from isolex.core.files import StrPath, atomic, quoted, shown
from isolex.errors import InputError, UsageError
from isolex.io import binary, text_writer
from isolex.io.binary import binary_blocks
from isolex.io.fasttext import is_fasttext
from isolex.io.parquet import write_parquet
from isolex.io.sniff import Shape, examine
from isolex.io.streams import PACKINGS, Tick, packed, packing
from isolex.io.tensors import is_safetensors, write_tensors
from isolex.io.text_writer import text_blocks

FORMATS = ("word2vec", "glove", "bin", "parquet", "safetensors")
_UNPACKED = ("parquet", "safetensors")  # never compressed as a whole
_SUFFIXES = {
    ".vec": "word2vec",
    ".glove.txt": "glove",  # before .txt, its own ending
    ".txt": "word2vec",
    ".w2v": "word2vec",
    ".glove": "glove",
    ".bin": "bin",
    ".parquet": "parquet",
    ".safetensors": "safetensors",
}
_HEAD = 1 << 18
_CARRIES: dict[str, Callable[[bytes], bool]] = {
    "word2vec": text_writer.carries,
    "glove": text_writer.carries,
    "bin": binary.carries,
    "parquet": bool,
    "safetensors": lambda _: True,
}

Blocks = Iterator[tuple[int, bytes]]


def named(path: StrPath) -> tuple[str, str]:
    """The format and the suffix of the compression that a name promises; "" where it does not."""
    name = os.fspath(path).lower()
    pack = next((suffix for suffix in PACKINGS if name.endswith(suffix)), "")
    name = name.removesuffix(pack)
    kind = next((kind for suffix, kind in _SUFFIXES.items() if name.endswith(suffix)), "")
    return kind, pack


def save(
    embeddings: Embeddings,
    path: StrPath,
    *,
    format: str | None = None,  # noqa: A002
    tick: Tick | None = None,
) -> None:
    """Write embeddings, whole or not at all.

    Args:
        embeddings: What to write.
        path: ``.vec``, ``.txt``, ``.w2v`` (word2vec text), ``.glove`` (no header), ``.bin``
            (word2vec binary), ``.parquet`` or ``.safetensors``; all but the last two may end in
            ``.gz``, ``.bz2``, ``.xz`` or ``.zst``.
        format: One of ``FORMATS``, whatever the suffix says.
        tick: Told the share that is done, in [0, 1].

    Raises:
        UsageError: If the format is unknown or cannot carry a word.
        InputError: If the file cannot be written.
    """
    kind, pack = _choose(path, format)
    words = [_encode(word, kind) for word in embeddings.words]
    tick = tick or (lambda _: None)
    if kind == "safetensors":
        with atomic(path) as file:
            write_tensors(file, embeddings, words)
    elif kind == "parquet":
        with atomic(path) as file:
            write_parquet(file, embeddings)
    else:
        blocks = _checked(_blocks(kind, embeddings, words), path, kind, embeddings)
        with atomic(path) as file:
            _write(file, pack, blocks, len(embeddings), tick)
    tick(1.0)


def check(path: StrPath, words: Iterable[str] = (), *, format: str | None = None) -> None:  # noqa: A002
    """Refuse a name or words that `save` could not write, before any work is done for them."""
    kind, _ = _choose(path, format)
    for word in words:
        _encode(word, kind)


def _choose(path: StrPath, wanted: str | None) -> tuple[str, str]:
    kind, pack = named(path)
    if wanted is not None and wanted not in FORMATS:
        raise UsageError(f"unknown format {wanted!r}; use one of {', '.join(FORMATS)}")
    kind = wanted or kind
    if not kind:
        raise UsageError(
            f"{shown(path)}: its suffix names no known format; use one of {', '.join(_SUFFIXES)}"
            f" (all but the last two also with {', '.join(PACKINGS)})"
        )
    if kind in _UNPACKED and pack:
        raise UsageError(f"{shown(path)}: {kind} is not compressed; leave out {pack}")
    if kind == "parquet":
        extras.require(["arrow"], f"{shown(path)}: Parquet")
    return kind, pack


def _encode(word: str, kind: str) -> bytes:
    try:
        encoded = word.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise UsageError(f"the word {word!a} cannot be written as UTF-8; remove it") from error
    if not _CARRIES[kind](encoded):
        raise UsageError(
            f"the word {quoted(encoded)} cannot be written in the format {kind}; choose another"
        )
    return encoded


def _blocks(kind: str, embeddings: Embeddings, words: list[bytes]) -> Blocks:
    if kind == "bin":
        return binary_blocks(embeddings, words)
    return text_blocks(embeddings, words, header=kind == "word2vec")


def _write(file: BinaryIO, pack: str, blocks: Blocks, total: int, tick: Tick) -> None:
    with closing(packed(file, pack)) if pack else nullcontext(file) as out:
        for done, block in blocks:
            out.write(block)
            tick(done / total)


def _checked(blocks: Blocks, path: StrPath, kind: str, embeddings: Embeddings) -> Blocks:
    """The same blocks, once their head has been seen to be read back as what it is."""
    first: list[tuple[int, bytes]] = []
    head = b""
    for item in blocks:
        first.append(item)
        head += item[1]
        if len(head) >= _HEAD:
            break
    rows, dims = embeddings.vectors.shape
    header = None if kind == "glove" else (rows, dims)
    start = 0 if header is None else head.index(b"\n") + 1
    expected = Shape(kind == "bin", dims, start, int(header is not None), header)
    try:
        shape = examine(path, lambda count: head[:count], named(path)[0] == "bin")
    except InputError:
        shape = None
    other = packing(head) or is_safetensors(head) or is_fasttext(head)
    if other or shape != expected:
        instead = ".vec or .safetensors" if kind == "glove" else ".safetensors"
        raise UsageError(
            f"{shown(path)}: these words would not be read back as they are; use {instead}"
        )
    return chain(first, blocks)
