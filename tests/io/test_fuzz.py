"""Any bytes are read or refused in one line, and both parsers of text agree."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from isolex.errors import InputError
from isolex.io import read, read_pairs, text_reader

pieces = st.one_of(
    st.sampled_from([b" ", b" ", b" ", b"\n", b"\n", b"\t", b"\r\n", b"  ", b"\r", b"\0"]),
    st.sampled_from(
        [b"dog", b"cat", b"a", b"\xff", b"\xc2\xa0", b"2 2\n", b"3 1\n", b"\xef\xbb\xbf"]
    ),
    st.sampled_from(
        [b"1", b"0.5", b"-1e-5", b"nan", b"inf", b"1e40", b"1_0", b"0", b"12345678901234567890"]
    ),
    st.binary(max_size=3),
)
rows = st.lists(
    st.tuples(
        st.sampled_from([b"a", b"b c", b"", b"7", b"\xe9"]), st.lists(pieces, max_size=4)
    ).map(lambda row: row[0] + b" 0.5 " + b" ".join(row[1]) + b"\n"),
    max_size=6,
).map(b"".join)
soup = st.one_of(st.lists(pieces, max_size=30).map(b"".join), rows, st.binary(max_size=200))
fuzz = settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

pytestmark = pytest.mark.slow


def outcome(path, max_words):
    try:
        embeddings, repairs = read(path, max_words=max_words)
    except InputError as error:
        return one_line(error)
    return embeddings.words, embeddings.vectors.tobytes(), repairs


def one_line(error):
    text = str(error)
    assert "\n" not in text
    return text


@pytest.mark.parametrize("name", ["a.vec", "a.bin", "a.safetensors"])
@example(data=b"1 0\ndog", max_words=None)  # no dimensions, and no number in the only row
@given(data=soup, max_words=st.one_of(st.none(), st.integers(1, 3)))
@fuzz
def test_both_parsers_read_or_refuse_any_bytes_alike(tmp_path, name, data, max_words):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        slow = outcome(path, max_words)
        patch.setattr(text_reader, "_MIN_COMPILED", 0)
        assert outcome(path, max_words) == slow


@example(data=b"\0\0\0\0\0\0\x81\x7f", head=b"1 2\na ")  # a signalling NaN
@given(data=st.binary(max_size=60), head=st.sampled_from([b"2 1\n", b"1 2\na ", b"9 3\n"]))
@fuzz
def test_any_binary_is_read_or_refused(tmp_path, data, head):
    (tmp_path / "a.bin").write_bytes(head + data)
    assert outcome(tmp_path / "a.bin", None) == outcome(tmp_path / "a.bin", None)


@given(data=soup)
@fuzz
def test_any_dictionary_is_read_or_refused(tmp_path, data):
    (tmp_path / "a.txt").write_bytes(data)
    try:
        pairs = read_pairs(tmp_path / "a.txt")
    except InputError as error:
        one_line(error)
    else:
        assert all(source and target for source, target in pairs)
