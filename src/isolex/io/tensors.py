"""The native format of embeddings: a safetensors file that is mapped into memory.

Tensors: ``vectors`` float32 ``(n, dims)``, ``words`` uint8 (the bytes of all words), ``offsets``
int64 ``(n + 1,)`` (where each word begins).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from isolex.core import tensors
from isolex.core.embeddings import Embeddings
from isolex.core.file_errors import StrPath, refuse
from isolex.core.repairs import Repairs
from isolex.core.tensors import TensorFile
from isolex.errors import UsageError
from isolex.io.vector_table import VectorTable

METADATA = {"format": "isolex-embeddings", "version": "1"}


def read_tensors(path: StrPath, max_words: int | None) -> tuple[Embeddings, Repairs]:
    """Map the embeddings at ``path`` into memory; the vectors are a read-only view of the file."""
    try:
        file = TensorFile(path)
        if file.metadata.get("format") != METADATA["format"]:
            raise ValueError("not embeddings")
        vectors = file.array("vectors", "F32", 2)
        data, offsets = file.array("words", "U8", 1), file.array("offsets", "I64", 1)
        words = _words(data, offsets, max_words)
        if len(words) != len(vectors[:max_words]):
            raise ValueError("words and vectors differ in number")
    except (ValueError, TypeError, OverflowError) as error:
        what = "not embeddings saved by isolex, or damaged; save or download the file again"
        raise refuse(path, what) from error
    try:
        return Embeddings(map(_decode, words), vectors[:max_words]), Repairs()
    except UsageError:  # written by another program: repair it like any other format
        table = VectorTable(vectors.shape[1] or 1, max_words)
        if vectors.size:
            table.add(_words(data, offsets, None), vectors)
        return table.finish(path)


def write_tensors(file: BinaryIO, embeddings: Embeddings, words: list[bytes]) -> None:
    """Write embeddings; equal embeddings give equal bytes."""
    offsets = np.concatenate([[0], np.cumsum([len(word) for word in words])]).astype(np.int64)
    arrays: dict[str, NDArray[Any]] = {
        "offsets": offsets,
        "vectors": embeddings.vectors,
        "words": np.frombuffer(b"".join(words), dtype=np.uint8),
    }
    tensors.write_tensors(file, arrays, METADATA)


def _words(data: NDArray[Any], offsets: NDArray[Any], count: int | None) -> list[bytes]:
    if (
        len(offsets) == 0
        or offsets[0] != 0
        or offsets[-1] != len(data)
        or (np.diff(offsets) < 0).any()
    ):
        raise ValueError("the offsets do not divide the words")
    cuts = offsets[: None if count is None else count + 1].tolist()
    text = data[: cuts[-1]].tobytes()
    return [text[first:last] for first, last in pairwise(cuts)]


def _decode(word: bytes) -> str:
    return word.decode("utf-8", "surrogateescape")
