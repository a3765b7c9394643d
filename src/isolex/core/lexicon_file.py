"""Lexicon files: TSV, CSV, JSON Lines and Parquet, chosen by suffix."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from io import StringIO
from pathlib import PurePath
from typing import TYPE_CHECKING

from isolex.adapters import extras
from isolex.core.file_errors import StrPath, shown
from isolex.core.files import atomic
from isolex.errors import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

Row = tuple[str, str, float, bool]
HEADER = ("source", "target", "score", "mutual")


def check(path: StrPath) -> str:
    """The suffix of a lexicon file; refuse one that cannot be written."""
    suffix = PurePath(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise UsageError(
            f"{shown(path)}: a lexicon is written as {', '.join(SUFFIXES)}; use one of these "
            "suffixes"
        )
    if suffix == ".parquet":
        extras.require(["arrow"], f"{shown(path)}: Parquet")
    return suffix


def save_table(table: pa.Table, path: StrPath) -> None:
    """Write an Arrow table as Parquet."""
    from isolex.adapters import arrow

    with atomic(path) as file:
        arrow.write(table, file)


def save_text(rows: Iterable[Row], path: StrPath) -> None:
    """Write rows in the text format that the suffix of the file names."""
    header, line = _TEXTS[check(path)]
    with atomic(path) as file:
        file.write(header.encode())
        for row in rows:
            file.write(line(row).encode("utf-8", "surrogateescape"))


def as_tsv(rows: Iterable[Row]) -> str:
    """Rows as tab-separated text, with a header."""
    return _TSV_HEADER + "".join(map(_tsv, rows))


def _tsv(row: Row) -> str:
    source, target, score, mutual = row
    return f"{_cell(source)}\t{_cell(target)}\t{score:.6f}\t{mutual:d}\n"


def _csv(row: Row) -> str:
    source, target, score, mutual = row
    line = StringIO()
    csv.writer(line, lineterminator="\n").writerow((source, target, f"{score:.6f}", int(mutual)))
    return line.getvalue()


def _jsonl(row: Row) -> str:
    source, target, score, mutual = row
    values = {"source": source, "target": target, "score": round(score, 6), "mutual": mutual}
    return json.dumps(values, ensure_ascii=_has_surrogate(source + target)) + "\n"


def _has_surrogate(text: str) -> bool:
    """Whether a text contains a byte that is not UTF-8; JSON must escape it."""
    return any("\udc80" <= char <= "\udcff" for char in text)


def _cell(word: str) -> str:
    return word.replace("\t", "\\t").replace("\n", "\\n")


_TSV_HEADER = "\t".join(HEADER) + "\n"
_TEXTS: Mapping[str, tuple[str, Callable[[Row], str]]] = {
    ".tsv": (_TSV_HEADER, _tsv),
    ".csv": (",".join(HEADER) + "\n", _csv),
    ".jsonl": ("", _jsonl),
}
SUFFIXES = (*_TEXTS, ".parquet")
