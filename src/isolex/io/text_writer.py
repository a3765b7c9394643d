"""Writing word2vec text and GloVe: the shortest numbers that give back the same float32."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from isolex.core.embeddings import Embeddings, Vectors
from isolex.io.ahead import in_order

_COMPILED_FROM = 1 << 16  # values; below this the compiled kernels cost more to load than they save
_BLOCK_VALUES = 1 << 18
_LONGEST_NUMBER = 24  # bytes, with the space before it

Format = Callable[[list[bytes], Vectors], bytes]


def carries(word: bytes) -> bool:
    """Whether a line of text can hold a word."""
    return bool(word) and b"\n" not in word and word == word.strip(b" \t")


def text_blocks(
    embeddings: Embeddings, words: list[bytes], header: bool, form: Format | None = None
) -> Iterator[tuple[int, bytes]]:
    """Pieces of a text file, each with the number of rows up to its end.

    Args:
        embeddings: What to write.
        words: Its words in UTF-8.
        header: Whether the number of words and of dimensions come first.
        form: How to write many rows; by default compiled for all but small matrices.
    """
    vectors = embeddings.vectors
    if form is None:
        form = format_slowly if vectors.size < _COMPILED_FROM else format_compiled
    if header:
        yield 0, b"%d %d\n" % vectors.shape
    step = max(1, _BLOCK_VALUES // embeddings.dims)
    cuts = [slice(first, first + step) for first in range(0, len(words), step)]
    texts = in_order(lambda cut: form(words[cut], vectors[cut]), cuts)
    for cut, text in zip(cuts, texts, strict=True):
        yield min(cut.stop, len(words)), text


def format_slowly(words: list[bytes], rows: Vectors) -> bytes:
    """Lines of text, each number in its shortest form."""
    return b"".join(
        b"%b %b\n" % (word, b" ".join([_token(value) for value in row]))
        for word, row in zip(words, rows, strict=True)
    )


def format_compiled(words: list[bytes], rows: Vectors) -> bytes:
    """The same lines, by the compiled kernel; it stops where a number needs NumPy's care."""
    from isolex.kernels.text_format import format_rows

    text = np.frombuffer(b"".join(words), dtype=np.uint8)
    ends = np.cumsum([len(word) for word in words], dtype=np.int64)
    out = np.empty(len(text) + len(words) + _LONGEST_NUMBER * rows.size, dtype=np.uint8)
    row, column, position = format_rows(rows, text, ends, out, 0, -1, 0)
    while row < len(rows):
        token = np.frombuffer(b" " + _token(rows[row, column]), dtype=np.uint8)
        out[position : position + len(token)] = token
        row, column, position = format_rows(
            rows, text, ends, out, row, column + 1, position + len(token)
        )
    return out[:position].tobytes()


def _token(value: np.float32) -> bytes:
    # Not str(value): where it goes over to scientific notation depends on NumPy's version.
    if value == 0 or 1e-4 <= abs(float(value)) < 1e16:
        return np.format_float_positional(value, unique=True, trim="0").encode()
    return np.format_float_scientific(value, unique=True, trim="-", exp_digits=2).encode()
