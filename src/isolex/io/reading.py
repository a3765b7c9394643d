"""Read embeddings in any format, detected by content first and by suffix second."""

from __future__ import annotations

import logging

from isolex.core.embeddings import Embeddings, language_name
from isolex.core.file_errors import StrPath, refuse
from isolex.core.repairs import Repairs
from isolex.core.tensors import is_safetensors
from isolex.errors import UsageError
from isolex.io.binary import read_binary
from isolex.io.fasttext import is_fasttext, read_fasttext
from isolex.io.parquet import is_parquet, read_parquet
from isolex.io.sniff import examine
from isolex.io.streams import Stream, Tick
from isolex.io.tensors import read_tensors
from isolex.io.text_reader import read_text
from isolex.io.writing import format_of_name

_log = logging.getLogger("isolex")


def load(path: StrPath, *, max_words: int | None = None, tick: Tick | None = None) -> Embeddings:
    """Read word vectors; repairs are logged in one line.

    Args:
        path: word2vec text or binary, GloVe or fastText ``.vec``, each optionally compressed
            (``.gz``, ``.bz2``, ``.xz`` or ``.zst``); a fastText model (``.bin``), ``.parquet``, or
            ``.safetensors`` as written by ``isolex convert``.
        max_words: Read only the first ``max_words`` usable words.
        tick: Called with the fraction of the file that has been read, in [0, 1].

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
    """Read word vectors as ``load`` does, but return the repairs instead of logging them."""
    if max_words is not None and max_words < 1:
        raise UsageError(f"max_words must be at least 1, not {max_words}")
    tick = tick or (lambda _: None)
    try:
        embeddings, repairs = _read(path, max_words, tick)
    except MemoryError as error:
        raise refuse(path, "not enough memory; read fewer words with max_words") from error
    tick(1.0)
    return embeddings.named(language_name(path)), repairs


def _read(path: StrPath, max_words: int | None, tick: Tick) -> tuple[Embeddings, Repairs]:
    with Stream(path) as stream:
        head = stream.peek(9)
        named_format = format_of_name(path)[0]
        if is_safetensors(head):
            _require_plain_file(stream, "safetensors file")
            return read_tensors(path, max_words)
        if is_fasttext(head):
            _require_plain_file(stream, "fastText model")
            return read_fasttext(path, max_words, tick)
        if is_parquet(path):
            return read_parquet(path, max_words, tick)
        if named_format == "safetensors" and not stream.packing and b"\0" in stream.peek(1 << 10):
            return read_tensors(path, max_words)
        layout = examine(path, stream.peek, named_format == "bin")
        reader = read_binary if layout.binary else read_text
        return reader(stream, layout, max_words, tick)


def _require_plain_file(stream: Stream, what: str) -> None:
    """Refuse a file that cannot be memory-mapped."""
    if stream.packing or not stream.size:
        raise refuse(stream.path, f"a compressed or piped {what}; make it a plain file first")
