"""The native format: safetensors, mapped into memory and not copied.

Tensors: ``vectors`` float32 ``(n, dims)``, ``words`` uint8 (all words' bytes), ``offsets`` int64
``(n + 1,)`` (where each word begins in them).
"""

from __future__ import annotations

import json
import mmap
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from isolex.core.embeddings import Embeddings
from isolex.core.files import StrPath, refuse, refuse_os
from isolex.core.repairs import Repairs
from isolex.errors import UsageError
from isolex.io.table import Table

METADATA = {"format": "isolex-embeddings", "version": "1"}
_TYPES = {"vectors": ("F32", "<f4", 2), "words": ("U8", "|u1", 1), "offsets": ("I64", "<i8", 1)}
_LONGEST_HEADER = 100_000_000  # as in the safetensors specification
_ALIGNMENT = 8


def is_safetensors(head: bytes) -> bool:
    """Whether a file begins like safetensors: a length, then JSON."""
    return head[8:9] == b"{" and int.from_bytes(head[:8], "little") <= _LONGEST_HEADER


def read_tensors(path: StrPath, max_words: int | None) -> tuple[Embeddings, Repairs]:
    """Map the embeddings at ``path`` into memory; the vectors are a read-only view on the file."""
    try:
        with Path(path).open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise refuse_os(path, error) from error
    try:
        tensors = _tensors(data)
        words = _words(tensors["words"], tensors["offsets"], max_words)
        vectors = tensors["vectors"][:max_words]
        if len(words) != len(vectors):
            raise ValueError("words and vectors differ in number")
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        what = "not embeddings saved by isolex, or damaged; save or get the file again"
        raise refuse(path, what) from error
    return _embeddings(path, words, vectors, tensors, max_words)


def _embeddings(
    path: StrPath,
    words: list[bytes],
    vectors: NDArray[Any],
    tensors: dict[str, NDArray[Any]],
    max_words: int | None,
) -> tuple[Embeddings, Repairs]:
    texts = [word.decode("utf-8", "surrogateescape") for word in words]
    try:
        return Embeddings(texts, vectors), Repairs()
    except UsageError:  # written by another program: repair as with any other format
        table = Table(vectors.shape[1] or 1, max_words)
        if vectors.size:
            every = _words(tensors["words"], tensors["offsets"], None)
            table.add(every, tensors["vectors"])
        return table.finish(path)


def _tensors(data: mmap.mmap) -> dict[str, NDArray[Any]]:
    """Views on the mapped file, after every number in its header has been checked."""
    length = int.from_bytes(data[:8], "little")
    if not is_safetensors(data[:9]) or 8 + length > len(data):
        raise ValueError("no safetensors header")
    header = json.loads(data[8 : 8 + length])
    if header["__metadata__"]["format"] != METADATA["format"]:
        raise ValueError("not ours")
    return {name: _view(data, 8 + length, name, header[name]) for name in _TYPES}


def _view(data: mmap.mmap, base: int, name: str, entry: dict[str, Any]) -> NDArray[Any]:
    code, dtype, ndim = _TYPES[name]
    shape, (begin, end) = entry["shape"], entry["data_offsets"]
    if not all(type(number) is int and number >= 0 for number in (*shape, begin, end)):
        raise ValueError("not sizes")
    size = prod(shape) * np.dtype(dtype).itemsize
    if (
        entry["dtype"] != code
        or len(shape) != ndim
        or end - begin != size
        or base + end > len(data)
    ):
        raise ValueError(f"{name} has the wrong type, shape or place")
    view = np.frombuffer(data, dtype, prod(shape), base + begin).reshape(shape)
    return view if view.flags.aligned else view.copy()


def _words(data: NDArray[Any], offsets: NDArray[Any], count: int | None) -> list[bytes]:
    if (
        len(offsets) == 0
        or offsets[0] != 0
        or offsets[-1] != len(data)
        or (np.diff(offsets) < 0).any()
    ):
        raise ValueError("offsets do not cut the words")
    cuts = offsets[: None if count is None else count + 1].tolist()
    text = data[: cuts[-1]].tobytes()
    return [text[first:last] for first, last in pairwise(cuts)]


def write_tensors(file: BinaryIO, embeddings: Embeddings, words: list[bytes]) -> None:
    """Write the native format; equal embeddings give equal bytes."""
    offsets = np.concatenate([[0], np.cumsum([len(word) for word in words])]).astype("<i8")
    # Larger types first, so that each tensor is aligned.
    arrays: dict[str, NDArray[Any]] = {
        "offsets": offsets,
        "vectors": embeddings.vectors.astype("<f4", copy=False),
        "words": np.frombuffer(b"".join(words), dtype=np.uint8),
    }
    header: dict[str, Any] = {"__metadata__": METADATA}
    end = 0
    for name, array in arrays.items():
        begin, end = end, end + array.nbytes
        header[name] = {
            "dtype": _TYPES[name][0],
            "shape": list(array.shape),
            "data_offsets": [begin, end],
        }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _ALIGNMENT)
    file.write(len(text).to_bytes(8, "little") + text)
    for array in arrays.values():
        file.write(array.data)
