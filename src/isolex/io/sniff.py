"""What a file of vectors looks like, judged by its first bytes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from isolex.core.files import StrPath, refuse
from isolex.io.rows import BLANK, count_numbers, split

LONGEST_LINE = 1 << 26
_SAMPLE_BYTES = 1 << 18
_SAMPLE_LINES = 100
_BOM = b"\xef\xbb\xbf"
_BLANK_LINES = re.compile(rb"(?:[ \t\r]*\n)*")
_HEADER = re.compile(rb"[ \t]*([0-9]{1,40})[ \t]+([0-9]{1,40})[ \t\r]*(?:\n|$)")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_KNOWN = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "a zip archive, or a file of PyTorch's; save the vectors in it as word2vec text",
    b"\x80\x02": "a Python pickle; save it again as word2vec text",
    b"\x80\x03": "a Python pickle; save it again as word2vec text",
    b"\x80\x04": "a Python pickle; save it again as word2vec text",
    b"\x80\x05": "a Python pickle; save it again as word2vec text",
    b"\x93NUMPY": "a NumPy array without words",
    b"PAR1": "a Parquet file that is cut off, compressed or piped; make it a plain file first",
    b"\xff\xfe": "UTF-16 text; convert it to UTF-8",
    b"\xfe\xff": "UTF-16 text; convert it to UTF-8",
}


@dataclass(frozen=True)
class Shape:
    """How to read a file.

    Attributes:
        binary: Whether vectors are raw float32 (word2vec binary) or text.
        dims: Numbers per row.
        skip: Bytes before the first row: byte order mark, blank lines, header.
        lines: Lines in those bytes.
        header: The header's number of words and of dimensions, if there is one.
    """

    binary: bool
    dims: int
    skip: int = 0
    lines: int = 0
    header: tuple[int, int] | None = None


def examine(path: StrPath, peek: Callable[[int], bytes], binary_name: bool) -> Shape:
    """The shape of what ``peek(count)`` shows the first bytes of.

    Args:
        path: For messages.
        peek: Gives that many first bytes, fewer only if there are no more.
        binary_name: Whether the name promises word2vec binary; decides only what bytes do not.

    Raises:
        InputError: If these are not word vectors.
    """
    sample = _sample(peek)
    start = len(_BOM) if sample.startswith(_BOM) else 0
    match = _BLANK_LINES.match(sample, start)
    start = match.end() if match else start
    if not sample[start:].strip(BLANK):
        what = "holds only blank lines" if sample else "is empty"
        raise refuse(path, f"{what}; check that it is the right file")
    found = _HEADER.match(sample, start)
    if found is None:
        return _without_header(path, sample, start)
    header = (int(found[1]), int(found[2]))
    return _with_header(path, sample, start, found.end(), header, binary_name)


def _sample(peek: Callable[[int], bytes]) -> bytes:
    """The first bytes, with one row at least however long it is."""
    count = _SAMPLE_BYTES
    while True:
        sample = peek(count)
        whole = sample.count(b"\n", 0, -1) >= 2
        if whole or len(sample) < count or count >= LONGEST_LINE or b"\0" in sample:
            return sample
        count *= 4


def _lines(body: bytes) -> list[bytes]:
    """The first lines that are not blank; one cut off at the end counts only if it is alone."""
    *whole, last = body.split(b"\n", _SAMPLE_LINES)
    lines = [line for line in whole if line.strip(BLANK)]
    return lines or [last]


def _without_header(path: StrPath, sample: bytes, start: int) -> Shape:
    counts = [count_numbers(split(line)) for line in _lines(sample[start:])]
    if sum(count > 0 for count in counts) * 2 < len(counts):
        raise refuse(path, _not_vectors(sample))
    return Shape(False, _commonest(counts), start, sample.count(b"\n", 0, start))


def _with_header(
    path: StrPath, sample: bytes, start: int, end: int, header: tuple[int, int], binary_name: bool
) -> Shape:
    body = sample[end:]
    if not body.strip(b" \t\r\n"):
        raise refuse(path, "no word vectors after the header; check that it is the right file")
    rows = [split(line) for line in _lines(body)]
    counts = [count_numbers(fields) for fields in rows]
    lines = sample.count(b"\n", 0, end)
    looks_text = sum(count > 0 for count in counts) * 2 >= len(counts)
    if not looks_text and (binary_name or not _is_readable(body)):
        return Shape(True, header[1], end, lines, header)
    if header[1] != 1 and set(counts) == {1} and all(len(fields) == 2 for fields in rows):
        # "2017 5" above rows of one number: the first row, not a header.
        return Shape(False, 1, start, sample.count(b"\n", 0, start))
    dims = _dims(rows, counts, header[1], whole=b"\n" in body)
    return Shape(False, dims, end, lines, header)


def _dims(rows: list[list[bytes]], counts: list[int], said: int, whole: bool) -> int:
    """The header's dimensions, unless no row agrees with them."""
    if whole and any(counts) and max(counts) < said:
        return _commonest(counts)
    if said == 0 or all(
        _has_fraction(fields, count, said) for fields, count in zip(rows, counts, strict=True)
    ):
        return _commonest(counts)
    return said


def _has_fraction(fields: list[bytes], count: int, said: int) -> bool:
    """Whether more numbers than the header said end the row: words do not end in a fraction."""
    return any(b"." in field for field in fields[len(fields) - count : len(fields) - said])


def _commonest(counts: list[int]) -> int:
    """The most frequent number of numbers; the smaller of two."""
    tally = Counter(count for count in counts if count)
    return min(tally, key=lambda count: (-tally[count], count), default=0)


def _is_readable(body: bytes) -> bool:
    """Whether the bytes look like text: no control characters, UTF-8 but for a cut-off end."""
    if _CONTROL.search(body):
        return False
    try:
        body[:-4].decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(body) - 8
    return True


def _not_vectors(sample: bytes) -> str:
    head = sample.lstrip()[:256].lower()
    if head.startswith((b"<!doctype", b"<html", b"<?xml")):
        return "a web page, not word vectors; download the file itself"
    for magic, kind in _KNOWN.items():
        if sample.startswith(magic):
            return f"{kind}" if ";" in kind else f"{kind}, not word vectors; check the path"
    return "not word vectors: no lines of a word and its numbers; check that it is the right file"
