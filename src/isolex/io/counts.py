"""Files of co-occurrence counts: NumPy's .npz, compressed."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

import numpy as np
from numpy.lib.npyio import NpzFile

from isolex.core.counts import Counts
from isolex.core.file_errors import StrPath, refuse, refuse_os
from isolex.core.files import atomic
from isolex.core.words import SEPARATOR, encode_words
from isolex.errors import UsageError

PARTS = ("words", "rows", "columns", "counts")
"""The arrays of a file: the bytes of all words, each followed by a newline, and the pairs."""


def read_counts(path: StrPath) -> Counts:
    """Read co-occurrence counts that `isolex train --counts` wrote.

    Raises:
        InputError: If the file cannot be read, or is something else.
    """
    try:
        with Path(path).open("rb") as file, NpzFile(file, allow_pickle=False) as stored:
            words, rows, columns, values = (stored[part] for part in PARTS)
        decoded = words.tobytes().decode("utf-8", "surrogateescape")
        return Counts(decoded.split(SEPARATOR.decode())[:-1], rows, columns, values)
    except OSError as error:
        raise refuse_os(path, error) from error
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise refuse(path, _what("it is damaged, or something else")) from error
    except UsageError as error:
        raise refuse(path, _what(str(error))) from error


def save_counts(counts: Counts, path: StrPath) -> None:
    """Write co-occurrence counts, whole or not at all."""
    words = np.frombuffer(encode_words(counts.words), dtype=np.uint8)
    with atomic(path) as file:
        np.savez_compressed(
            file, words=words, rows=counts.rows, columns=counts.columns, counts=counts.values
        )


def _what(problem: str) -> str:
    return f"not a file of counts ({problem}); make it with isolex train --counts"
