"""What was repaired is said in one line, or returned."""

from __future__ import annotations

import logging

from isolex.io import Repairs, load, read


def test_nothing_to_say():
    assert Repairs().describe("en.vec") == ""


def test_everything_in_one_line():
    repairs = Repairs(duplicates=3, not_finite=1, header="header said 10 words, file has 9")
    assert repairs.describe("en.vec") == (
        "en.vec: 3 duplicate words (first kept), 1 row with NaN or infinite values dropped,"
        " header said 10 words, file has 9"
    )
    repairs = Repairs(empty=1, zero=2, blank=1000, truncated=1, invalid_utf8=1)
    assert repairs.describe("en.vec") == (
        "en.vec: 1 empty word dropped, 2 zero vectors kept, 1,000 blank lines skipped,"
        " 1 cut-off last entry dropped, 1 word not in UTF-8 kept byte for byte"
    )


def test_load_logs_one_warning_and_read_none(put, caplog):
    path = put(b"3 1\na 1\na 2\nb 3\n")
    read(path)
    assert caplog.records == []
    load(path)
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("isolex", logging.WARNING)
    assert record.getMessage() == f"{path}: 1 duplicate word (first kept)"


def test_load_is_silent_when_all_is_well(put, caplog):
    load(put(b"2 1\na 1\nb 3\n"))
    assert caplog.records == []
