"""Reading embeddings, whatever the format: by content first, then by suffix."""

from __future__ import annotations

import logging

from isolex.core.embeddings import Embeddings
from isolex.core.files import StrPath, refuse
from isolex.core.repairs import Repairs
from isolex.errors import UsageError
from isolex.io.binary import read_binary
from isolex.io.fasttext import is_fasttext, read_fasttext
from isolex.io.parquet import is_parquet, read_parquet
from isolex.io.sniff import examine
from isolex.io.streams import Stream, Tick
from isolex.io.tensors import is_safetensors, read_tensors
from isolex.io.text import read_text
from isolex.io.writing import named

_log = logging.getLogger("isolex")


def load(path: StrPath, *, max_words: int | None = None, tick: Tick | None = None) -> Embeddings:
    """Read word vectors; what had to be repaired is logged in one line.

    Args:
        path: word2vec text or binary, GloVe, fastText ``.vec``, each also under ``.gz``, ``.bz2``,
            ``.xz`` or ``.zst``; a fastText model (``.bin``), ``.parquet``, or ``.safetensors`` as
            written by ``isolex convert``.
        max_words: Read only that many words, the first usable ones.
        tick: Told now and then the share of the file that is done, in [0, 1].

    Raises:
        InputError: If the file cannot be read as word vectors.
    """
    embeddings, repairs = read(path, max_words=max_words, tick=tick)
    if notes := repairs.describe(path):
        _log.warning("%s", notes)
    return embeddings


def read(
    path: StrPath, *, max_words: int | None = None, tick: Tick | None = None
) -> tuple[Embeddings, Repairs]:
    """Read word vectors as ``load`` does, and return what was repaired instead of logging it."""
    if max_words is not None and max_words < 1:
        raise UsageError(f"max_words must be at least 1, not {max_words}")
    tick = tick or (lambda _: None)
    try:
        result = _read(path, max_words, tick)
    except MemoryError as error:
        raise refuse(path, "not enough memory for it; read fewer words with max_words") from error
    tick(1.0)
    return result


def _read(path: StrPath, max_words: int | None, tick: Tick) -> tuple[Embeddings, Repairs]:
    with Stream(path) as stream:
        head = stream.peek(9)
        plain = not stream.packing and bool(stream.size)
        if is_safetensors(head):
            _plain_only(path, plain, "safetensors")
            return read_tensors(path, max_words)
        if is_fasttext(head):
            _plain_only(path, plain, "fastText model")
            return read_fasttext(path, max_words, tick)
        if is_parquet(path):
            return read_parquet(path, max_words, tick)
        if named(path)[0] == "safetensors" and not stream.packing and b"\0" in stream.peek(1 << 10):
            return read_tensors(path, max_words)
        shape = examine(path, stream.peek, named(path)[0] == "bin")
        reader = read_binary if shape.binary else read_text
        return reader(stream, shape, max_words, tick)


def _plain_only(path: StrPath, plain: bool, what: str) -> None:
    """Refuse what must be reached at any place, if the file cannot be."""
    if not plain:
        raise refuse(path, f"compressed or piped {what}; make it a plain file first")
