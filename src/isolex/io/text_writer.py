"""Write word2vec text and GloVe, with the shortest numbers that read back as the same float32."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from isolex.core.embeddings import Embeddings, Vectors
from isolex.io.ordered_map import map_in_order

_MIN_COMPILED = 1 << 16  # values; for fewer, loading the compiled kernel costs more than it saves
_BLOCK_VALUES = 1 << 18
_MAX_NUMBER_BYTES = 24  # with the space before it

Format = Callable[[list[bytes], Vectors], bytes]


def fits_text(word: bytes) -> bool:
    """Whether a line of text can store a word."""
    return bool(word) and b"\n" not in word and word == word.strip(b" \t")


def text_blocks(
    embeddings: Embeddings, words: list[bytes], header: bool
) -> Iterator[tuple[int, bytes]]:
    """Yield the pieces of a text file, each with the number of rows up to its end.

    Args:
        embeddings: What to write.
        words: Its words in UTF-8.
        header: Whether to start with the number of words and dimensions.
    """
    vectors = embeddings.vectors
    form: Format = format_slowly if vectors.size < _MIN_COMPILED else format_compiled
    if header:
        yield 0, b"%d %d\n" % vectors.shape
    step = max(1, _BLOCK_VALUES // embeddings.dims)
    cuts = [slice(first, first + step) for first in range(0, len(words), step)]
    texts = map_in_order(lambda cut: form(words[cut], vectors[cut]), cuts)
    for cut, text in zip(cuts, texts, strict=True):
        yield min(cut.stop, len(words)), text


def format_slowly(words: list[bytes], rows: Vectors) -> bytes:
    """Format rows as lines, with NumPy formatting each number."""
    return b"".join(
        b"%b %b\n" % (word, b" ".join([_format_number(value) for value in row]))
        for word, row in zip(words, rows, strict=True)
    )


def format_compiled(words: list[bytes], rows: Vectors) -> bytes:
    """Format the same lines with the compiled kernel, which leaves some numbers to NumPy."""
    from isolex.kernels.text_format import format_rows

    text = np.frombuffer(b"".join(words), dtype=np.uint8)
    ends = np.cumsum([len(word) for word in words], dtype=np.int64)
    out = np.empty(len(text) + len(words) + _MAX_NUMBER_BYTES * rows.size, dtype=np.uint8)
    row, column, position = format_rows(rows, text, ends, out, 0, -1, 0)
    while row < len(rows):
        token = np.frombuffer(b" " + _format_number(rows[row, column]), dtype=np.uint8)
        out[position : position + len(token)] = token
        row, column, position = format_rows(
            rows, text, ends, out, row, column + 1, position + len(token)
        )
    return out[:position].tobytes()


def _format_number(value: np.float32) -> bytes:
    # str(value) would switch to scientific notation at a point that depends on NumPy's version.
    if value == 0 or 1e-4 <= abs(float(value)) < 1e16:
        return np.format_float_positional(value, unique=True, trim="0").encode()
    return np.format_float_scientific(value, unique=True, trim="-", exp_digits=2).encode()
