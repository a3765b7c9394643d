"""Text files as other tools write them; every test runs with the slow and the compiled parser."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.errors import InputError
from isolex.io import Repairs, read, text_reader
from isolex.io.streams import Stream

pytestmark = pytest.mark.usefixtures("parser")


def rows(path, **options):
    embeddings, repairs = read(path, **options)
    return list(embeddings.words), embeddings.vectors.tolist(), repairs


def refusal(path, **options):
    with pytest.raises(InputError) as caught:
        read(path, **options)
    assert str(caught.value).startswith(f"{path}, line ")
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(f"{path}, ")


def test_word2vec_text_is_read(put):
    path = put(b"2 3\ndog 1 2 3\ncat 4 5 6\n")
    assert rows(path) == (["dog", "cat"], [[1, 2, 3], [4, 5, 6]], Repairs())


def test_text_without_a_header_is_read(put):
    path = put(b"dog 1 2 3\ncat 4 5 6\n", "some.glove")
    assert rows(path) == (["dog", "cat"], [[1, 2, 3], [4, 5, 6]], Repairs())


def test_fasttext_lines_end_in_a_space(put):
    assert rows(put(b"2 2\ndog 1 2 \ncat 4 5 \n"))[:2] == (["dog", "cat"], [[1, 2], [4, 5]])


def test_the_last_newline_may_be_missing(put):
    assert rows(put(b"2 2\ndog 1 2\ncat 4 5"))[0] == ["dog", "cat"]


@pytest.mark.parametrize(
    "body",
    [b"dog 1 2\r\ncat 4 5\r\n", b"dog\t1\t2\ncat\t4\t5\n", b"dog  1   2 \t\r\ncat \t 4 \t5\n"],
    ids=["crlf", "tabs", "runs"],
)
@pytest.mark.parametrize("header", [b"", b"2 2\n", b"2 2\r\n", b"2 2 \n"])
def test_any_line_ends_and_separators_are_read(put, header, body):
    assert rows(put(header + body)) == (["dog", "cat"], [[1, 2], [4, 5]], Repairs())


def test_words_with_spaces_are_parsed_from_the_right(put):
    data = b"new york 1 2\n. . . 3 4\na  b 5 6\nx 7 8\ny 9 1\nz 2 3\nw 4 5\n"
    words, vectors, repairs = rows(put(data))
    assert words == ["new york", ". . .", "a  b", "x", "y", "z", "w"]
    assert vectors[1] == [3, 4]
    assert repairs == Repairs()


def test_a_correct_header_tells_words_with_spaces_from_numbers(put):
    data = b"3 2\nnew york 1 2\nthe dog 3 4\nroute 66 5 6\n"
    assert rows(put(data)) == (
        ["new york", "the dog", "route 66"],
        [[1, 2], [3, 4], [5, 6]],
        Repairs(),
    )


def test_a_correct_header_tells_words_ending_in_integers_from_numbers(put):
    assert rows(put(b"2 1\nroute 66 .5\narea 51 .5\n"))[0] == ["route 66", "area 51"]


def test_unicode_spaces_and_line_ends_are_part_of_words(put):
    words = ["a\u00a0b", "c\u0085d", "e\u2028f", "g\x0bh", "i\x0cj", "\u3000", "k\x1cl", "m\rn"]
    data = "".join(f"{word} 1 2\n" for word in words).encode()
    assert rows(put(data))[0] == words


def test_without_a_header_the_most_common_count_decides(put):
    assert rows(put(b"a b c 1 2\nd 3 4\ne 5 6\n"))[0] == ["a b c", "d", "e"]


def test_the_smaller_of_two_equally_common_counts_decides(put):
    assert rows(put(b"a 1 2 3\nb 1 2\n"))[0] == ["a 1", "b"]


@pytest.mark.parametrize("declared", [300, 1, 0])
def test_rows_overrule_the_dimensions_in_the_header(put, declared):
    words, vectors, repairs = rows(put(b"2 %d\ndog 1.5 2.5\ncat 3.5 4.5\n" % declared))
    assert (words, vectors) == (["dog", "cat"], [[1.5, 2.5], [3.5, 4.5]])
    assert repairs.header == f"header said {declared} dimensions, rows have 2"


@pytest.mark.parametrize("declared", [3, 9, 99_999_999_999, 10**30])
def test_a_wrong_word_count_in_the_header_is_noted_and_all_rows_are_read(put, declared):
    words, _, repairs = rows(put(b"%d 2\na 1 2\nb 3 4\nc 5 6\nd 7 8\n" % declared))
    assert words == ["a", "b", "c", "d"]
    assert repairs == Repairs(header=f"header said {declared:,} words, file has 4")


def test_the_first_of_duplicate_words_is_kept(put):
    words, vectors, repairs = rows(put(b"3 2\na 1 2\nb 3 4\na 5 6\n"))
    assert (words, vectors) == (["a", "b"], [[1, 2], [3, 4]])
    assert repairs == Repairs(duplicates=1)


def test_empty_words_are_dropped(put):
    assert rows(put(b"3 2\n 1 2\nb 3 4\n\t5 6\n"))[::2] == (["b"], Repairs(empty=2))


@pytest.mark.parametrize(
    "token", [b"nan", b"NaN", b"-inf", b"Infinity", b"+INF", b"1e39", b"1e999"]
)
def test_rows_that_are_not_finite_are_dropped(put, token):
    data = b"2 2\na 1 %b\nb 3 4\n" % token
    assert rows(put(data))[::2] == (["b"], Repairs(not_finite=1))


def test_zero_vectors_are_kept_and_counted(put):
    assert rows(put(b"2 2\na 0 -0.0\nb 3 4\n"))[::2] == (["a", "b"], Repairs(zero=1))


def test_blank_lines_are_skipped(put):
    data = b"\n2 2\n\na 1 2\n \t\r\nb 3 4\n\n"
    assert rows(put(data))[::2] == (["a", "b"], Repairs(blank=4))


def test_words_that_are_not_utf8_are_kept_byte_for_byte(put):
    words, _, repairs = rows(put(b"2 2\ncaf\xe9 1 2\n\xed\xa0\x80 3 4\n"))
    assert [word.encode("utf-8", "surrogateescape") for word in words] == [
        b"caf\xe9",
        b"\xed\xa0\x80",
    ]
    assert repairs == Repairs(invalid_utf8=2)


def test_a_byte_order_mark_is_dropped(put):
    assert rows(put(b"\xef\xbb\xbf2 2\na 1 2\nb 3 4\n"))[::2] == (["a", "b"], Repairs())
    assert rows(put(b"\xef\xbb\xbfa 1 2\nb 3 4\n"))[::2] == (["a", "b"], Repairs())


@pytest.mark.parametrize("tail", [b"b 3", b"b", b"b 3 -", b"b 3 4e-", b"b 3 x"])
def test_a_truncated_last_line_is_dropped(put, tail):
    words, _, repairs = rows(put(b"2 2\na 1 2\n" + tail))
    assert words == ["a"]
    assert repairs == Repairs(truncated=1, header="header said 2 words, file has 1")
    assert rows(put(b"a 1 2\nc 5 6\n" + tail))[::2] == (["a", "c"], Repairs(truncated=1))


@pytest.mark.parametrize("end", [b"\n", b"\nc 5 6\n"])
def test_a_bad_line_is_refused_with_its_number(put, end):
    path = put(b"3 3\na 1 2 3\n\nb 3 4" + end + b"c 1 2 3\n")
    assert refusal(path).startswith("line 4: expected a word and 3 numbers, found 2;")
    path = put(b"3 2\na 1 2\nb 3 abc" + end)
    assert refusal(path).startswith("line 3: 'abc' is not a number;")


@pytest.mark.parametrize(
    "token", ["1_000", "0x10", "1,5", "--1", "1e", "\u0661", ".", "1.2.3", "e5"]
)
def test_a_token_that_is_not_a_number_is_refused(put, token):
    path = put(f"2 2\na {token} 2\nb 3 4\n".encode())
    assert refusal(path).startswith(f"line 2: {token!r} is not a number;")


def test_a_long_invalid_token_is_shortened_in_the_message(put):
    assert len(refusal(put(b"2 2\na 1 2\nb 3 " + b"\xff" * 1000 + b"\n"))) < 300


def test_vectors_may_have_one_dimension(put):
    assert rows(put(b"a 1\nb 2\n"))[:2] == (["a", "b"], [[1], [2]])
    assert rows(put(b"2 1\na 1\nb 2\n"))[::2] == (["a", "b"], Repairs())


def test_a_first_row_that_looks_like_a_header_is_a_row(put):
    assert rows(put(b"2017 5\n2018 3\n")) == (["2017", "2018"], [[5], [3]], Repairs())


def test_numbers_may_be_words(put):
    assert rows(put(b"2017 .1 2\n3 4 5\n1e5 6 7\n"))[0] == ["2017", "3", "1e5"]
    assert rows(put(b"2 2\n2017 .1 2\n3 4 5\n"))[0] == ["2017", "3"]


TOKENS = [
    "1e-05",
    "-.5",
    "+1",
    "5.",
    "1E+3",
    "0",
    "-0",
    "00.10",
    "3.4028235e38",
    "1e-45",
    "1.1754942e-38",
    "-1.5e-42",
    "7e-46",
    "1e-400",
    "0.12345678901234567890",
    "12345678901234567890",
    "123456789012345678901234567890e-29",
    "0.000000000000000000000000000000000000000012345",
    "1.00000005960464477540",
    "16777217",
    "1.0000000596046447753906250000000001",
    "3.4028235677973366e38",
    "9007199254740993",
    "0.1e+0001",
]


def test_numbers_are_rounded_like_a_float_to_float32(put):
    path = put("".join(f"w{row} {token} 1\n" for row, token in enumerate(TOKENS)).encode())
    vectors = read(path)[0].vectors[:, 0]
    with np.errstate(over="ignore"):
        expected = np.array([np.float32(float(token)) for token in TOKENS])
    finite = np.isfinite(expected)
    assert vectors.tobytes() == expected[finite].tobytes()


def test_max_words_counts_usable_words(put):
    data = b"9 2\na 1 2\na 3 4\n 5 6\nb nan 1\nc 7 8\nd 9 1\n"
    words, _, repairs = rows(put(data), max_words=2)
    assert words == ["a", "c"]
    assert repairs == Repairs(duplicates=1, empty=1, not_finite=1)


def test_lines_after_max_words_are_not_parsed(put):
    assert rows(put(b"9 2\na 1 2\nb 3 4\nno vector here\n"), max_words=2)[::2] == (
        ["a", "b"],
        Repairs(),
    )
    assert "line 4" in refusal(put(b"9 2\na 1 2\nb 3 4\nno vector here\n"), max_words=3)


def test_max_words_reads_few_bytes(put, monkeypatch):
    line = b" ".join([b"0.25"] * 100)
    path = put(b"".join(b"w%d %b\n" % (row, line) for row in range(20_000)))
    seen = []
    fetch = Stream._fetch

    def counting(stream, count):
        seen.append(count)
        return fetch(stream, count)

    monkeypatch.setattr(Stream, "_fetch", counting)
    assert len(read(path, max_words=10)[0]) == 10
    assert sum(seen) < path.stat().st_size / 2


def test_large_files_are_read_in_order(put):
    rng = np.random.default_rng(3)
    vectors = rng.standard_normal((30_000, 20)).astype(np.float32)
    lines = [f"w{row} " + " ".join(map(repr, vectors[row].tolist())) for row in range(len(vectors))]
    lines[12_345] = lines[12_345].replace("w12345", "w 12345")
    path = put("\n".join(lines).encode())
    ticks: list[float] = []
    embeddings, repairs = read(path, tick=ticks.append)
    assert embeddings.vectors.tobytes() == vectors.tobytes()
    assert embeddings.words[12_344:12_347] == ("w12344", "w 12345", "w12346")
    assert repairs == Repairs()
    assert ticks == sorted(ticks)
    assert len(ticks) > 2
    assert ticks[-1] == 1.0


def test_a_bad_line_deep_in_a_large_file_has_the_right_number(put):
    lines = [f"w{row} 1 2 3" for row in range(400_000)]
    lines[300_000] = "bad 1 2"
    assert refusal(put("\n".join(lines).encode())).startswith("line 300001: expected")


def test_words_that_end_in_a_decimal_number_are_counted(put):
    words, _, repairs = rows(put(b"3 2\nplain 1 2\nwindows 95 1 2\nragged 0.25 1 2\n"))
    assert words == ["plain", "windows 95", "ragged 0.25"]
    assert repairs == Repairs(numeric_ends=1)


def test_a_line_that_is_too_long_is_refused(put, monkeypatch):
    monkeypatch.setattr(text_reader, "MAX_LINE_BYTES", 1 << 20)
    with pytest.raises(InputError, match=r"some\.vec: .*more than 1,048,576 bytes"):
        read(put(b"a 1 2\nb 3 4\n" + b"x" * (1 << 22)))
