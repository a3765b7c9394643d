"""Detect how a file stores word vectors, from its first bytes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from isolex.core.file_errors import StrPath, refuse
from isolex.io.line_parser import BLANK, count_numbers, split

BOM = b"\xef\xbb\xbf"
MAX_LINE_BYTES = 1 << 26
_SAMPLE_BYTES = 1 << 18
_SAMPLE_LINES = 100
_BLANK_LINES = re.compile(rb"(?:[ \t\r]*\n)*")
_HEADER = re.compile(rb"[ \t]*([0-9]{1,40})[ \t]+([0-9]{1,40})[ \t\r]*(?:\n|$)")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_PICKLE = "a Python pickle; export its vectors as word2vec text"
_UTF16 = "UTF-16 text; convert it to UTF-8"
_OTHER_FORMATS = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "a zip archive or a PyTorch file; export its vectors as word2vec text",
    b"\x80\x02": _PICKLE,
    b"\x80\x03": _PICKLE,
    b"\x80\x04": _PICKLE,
    b"\x80\x05": _PICKLE,
    b"\x93NUMPY": "a NumPy array without words",
    b"PAR1": "a truncated, compressed or piped Parquet file; use a complete, uncompressed file",
    b"\xff\xfe": _UTF16,
    b"\xfe\xff": _UTF16,
}


@dataclass(frozen=True)
class FileLayout:
    """How to read a file of word vectors.

    Attributes:
        binary: Whether vectors are raw float32 (word2vec binary) or text.
        dims: Numbers per row.
        skip: Bytes before the first row: byte order mark, blank lines, header.
        lines: Lines in those bytes.
        header: Number of words and of dimensions in the header, if there is one.
    """

    binary: bool
    dims: int
    skip: int = 0
    lines: int = 0
    header: tuple[int, int] | None = None


def examine(path: StrPath, peek: Callable[[int], bytes], binary_name: bool) -> FileLayout:
    """Detect the layout of a file from its first bytes.

    Args:
        path: The file, for messages.
        peek: Returns the first ``count`` bytes, or all if there are fewer.
        binary_name: Whether the file name suggests word2vec binary; decides only if the content
            does not.

    Raises:
        InputError: If the file does not contain word vectors.
    """
    sample = _sample(peek)
    start = len(BOM) if sample.startswith(BOM) else 0
    match = _BLANK_LINES.match(sample, start)
    start = match.end() if match else start
    if not sample[start:].strip(BLANK):
        what = "contains only blank lines" if sample else "is empty"
        raise refuse(path, f"{what}; is this the right file?")
    found = _HEADER.match(sample, start)
    if found is None:
        return _without_header(path, sample, start)
    header = (int(found[1]), int(found[2]))
    return _with_header(path, sample, start, found.end(), header, binary_name)


def _sample(peek: Callable[[int], bytes]) -> bytes:
    """Read enough of the first bytes to contain a complete row, however long it is."""
    count = _SAMPLE_BYTES
    while True:
        sample = peek(count)
        complete = sample.count(b"\n", 0, -1) >= 2
        if complete or len(sample) < count or count >= MAX_LINE_BYTES or b"\0" in sample:
            return sample
        count *= 4


def _first_lines(body: bytes) -> list[bytes]:
    """Return the first lines that are not blank; an incomplete line only if there is no other."""
    *complete, last = body.split(b"\n", _SAMPLE_LINES)
    lines = [line for line in complete if line.strip(BLANK)]
    return lines or [last]


def _without_header(path: StrPath, sample: bytes, start: int) -> FileLayout:
    counts = [count_numbers(split(line)) for line in _first_lines(sample[start:])]
    if not _most_have_numbers(counts):
        raise refuse(path, _why_not_vectors(sample))
    return FileLayout(False, _most_common(counts), start, sample.count(b"\n", 0, start))


def _with_header(
    path: StrPath, sample: bytes, start: int, end: int, header: tuple[int, int], binary_name: bool
) -> FileLayout:
    body = sample[end:]
    if not body.strip(b" \t\r\n"):
        raise refuse(path, "no word vectors after the header; is this the right file?")
    rows = [split(line) for line in _first_lines(body)]
    counts = [count_numbers(fields) for fields in rows]
    lines = sample.count(b"\n", 0, end)
    if not _most_have_numbers(counts) and (binary_name or not _is_readable(body)):
        return FileLayout(True, header[1], end, lines, header)
    if header[1] != 1 and set(counts) == {1} and all(len(fields) == 2 for fields in rows):
        # "2017 5" above rows of one number is the first row, not a header.
        return FileLayout(False, 1, start, sample.count(b"\n", 0, start))
    dims = _dims(rows, counts, header[1], complete=b"\n" in body)
    if dims == 0:  # declared, and no row has a number
        raise refuse(path, _why_not_vectors(sample))
    return FileLayout(False, dims, end, lines, header)


def _most_have_numbers(counts: list[int]) -> bool:
    return sum(count > 0 for count in counts) * 2 >= len(counts)


def _dims(rows: list[list[bytes]], counts: list[int], declared: int, complete: bool) -> int:
    """Return the dimensions that the header declares, unless all rows contradict it."""
    if complete and any(counts) and max(counts) < declared:
        return _most_common(counts)
    if declared == 0 or all(
        _has_extra_decimals(fields, count, declared)
        for fields, count in zip(rows, counts, strict=True)
    ):
        return _most_common(counts)
    return declared


def _has_extra_decimals(fields: list[bytes], count: int, declared: int) -> bool:
    """Whether decimal numbers precede the declared ones; words rarely end in a decimal number."""
    return any(b"." in field for field in fields[len(fields) - count : len(fields) - declared])


def _most_common(counts: list[int]) -> int:
    """Return the most common positive count, the smallest if several are; 0 if there is none."""
    tally = Counter(count for count in counts if count)
    return min(tally, key=lambda count: (-tally[count], count), default=0)


def _is_readable(body: bytes) -> bool:
    """Whether bytes look like text: UTF-8 (its end may be cut) without control characters."""
    if _CONTROL.search(body):
        return False
    try:
        body[:-4].decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(body) - 8
    return True


def _why_not_vectors(sample: bytes) -> str:
    head = sample.lstrip()[:256].lower()
    if head.startswith((b"<!doctype", b"<html", b"<?xml")):
        return "a web page, not word vectors; download the file itself"
    for magic, kind in _OTHER_FORMATS.items():
        if sample.startswith(magic):
            return kind if ";" in kind else f"{kind}, not word vectors; check the path"
    return "not word vectors: lines are not a word and its numbers; is this the right file?"
