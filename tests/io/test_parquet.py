"""Parquet, as isolex, pandas and Arrow write it."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from isolex.adapters import extras
from isolex.core.embeddings import Embeddings
from isolex.errors import InputError, UsageError
from isolex.io import Repairs, load, parquet, read, read_pairs, save

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
pd = pytest.importorskip("pandas")

WORDS = ["dog", "new york", "a\nb", "日本"]
VECTORS = np.arange(12, dtype=np.float32).reshape(4, 3) + 1
SOME = Embeddings(WORDS, VECTORS)


@pytest.fixture
def path(tmp_path):
    save(SOME, tmp_path / "a.parquet")
    return tmp_path / "a.parquet"


def same(found, words=WORDS, vectors=VECTORS):
    return list(found.words) == words and found.vectors.tobytes() == vectors.tobytes()


def test_any_word_round_trips(path):
    embeddings, repairs = read(path)
    assert same(embeddings)
    assert repairs == Repairs()


def test_words_that_are_not_utf8_are_stored_as_bytes(tmp_path):
    odd = Embeddings(["dog", "caf\udce9"], VECTORS[:2])
    save(odd, tmp_path / "a.parquet")
    assert pq.read_schema(tmp_path / "a.parquet").field("word").type == pa.binary()
    embeddings, repairs = read(tmp_path / "a.parquet")
    assert same(embeddings, ["dog", "caf\udce9"], VECTORS[:2])
    assert repairs == Repairs(invalid_utf8=1)


def test_arrow_and_pandas_read_what_isolex_writes(path):
    table = pq.read_table(path)
    assert table.schema.field("word").type == pa.string()
    assert table.schema.field("vector").type == pa.list_(pa.float32(), 3)
    frame = pd.read_parquet(path)
    assert frame["word"].tolist() == WORDS
    assert np.stack(frame["vector"]).tolist() == VECTORS.tolist()


def test_equal_embeddings_give_equal_bytes(path, tmp_path):
    save(read(path)[0], tmp_path / "b.parquet")
    assert path.read_bytes() == (tmp_path / "b.parquet").read_bytes()


@pytest.mark.parametrize(
    "frame",
    [
        SOME.to_frame().rename(columns=str),
        SOME.to_frame().rename(columns=str).reset_index(),
        SOME.to_frame().rename(columns=str).rename_axis("token"),
        SOME.to_frame().rename(columns=str).rename_axis(None),
        pd.DataFrame({"word": WORDS, "vector": list(VECTORS.astype(np.float64))}),
        pd.DataFrame({"id": range(4), "term": WORDS, "embedding": VECTORS.tolist()}),
        pd.DataFrame({"term": pd.Categorical(WORDS), "embedding": VECTORS.tolist()}, range(5, 9)),
    ],
    ids=["index", "column", "named", "nameless", "doubles", "other names", "categories"],
)
def test_isolex_reads_what_pandas_writes(tmp_path, frame):
    frame.to_parquet(tmp_path / "a.parquet")
    assert same(load(tmp_path / "a.parquet"))


def test_rows_of_other_tools_are_repaired(tmp_path):
    words = ["a", "b", "b", None, "c", "d", "e"]
    vectors = [[1, 2], [3, 4], [5, 6], [7, 8], None, [1, None], [0, 0]]
    table = pa.table({"word": words, "vector": pa.array(vectors, pa.list_(pa.float64()))})
    pq.write_table(table, tmp_path / "a.parquet")
    embeddings, repairs = read(tmp_path / "a.parquet")
    assert same(embeddings, ["a", "b", "e"], np.array([[1, 2], [3, 4], [0, 0]], np.float32))
    assert repairs == Repairs(duplicates=1, empty=1, not_finite=2, zero=1)


def test_max_words_limits_what_is_read(path, monkeypatch):
    monkeypatch.setattr(parquet, "_ROWS_PER_BATCH", 2)
    ticks: list[float] = []
    assert same(read(path, max_words=3, tick=ticks.append)[0], WORDS[:3], VECTORS[:3])
    assert same(read(path)[0])
    assert ticks == sorted(ticks)
    assert ticks[-1] == 1.0


def test_a_bad_row_is_named_by_its_number_in_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "_ROWS_PER_BATCH", 2)
    table = pa.table({"word": list("abcd"), "vector": [[1.0], [2.0], [3.0], [4.0, 5.0]]})
    pq.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"a\.parquet: .*row 3 has 2 numbers"):
        read(tmp_path / "a.parquet")


def test_content_counts_more_than_the_file_name(path, tmp_path):
    assert same(load(path.rename(tmp_path / "a.vec")))
    (tmp_path / "b.parquet").write_text("PAR1 1 2\nother 3 4\n")  # text that begins alike
    assert load(tmp_path / "b.parquet").words == ("PAR1", "other")


@pytest.mark.parametrize(
    ("columns", "facts"),
    [
        ({"a": ["x"], "b": ["y"], "n": [1.0]}, "column.*words.*'word'"),
        ({"n": [1.0]}, "column.*words.*'word'"),
        ({"word": ["x"]}, "no vectors.*'vector'"),
        ({"word": ["x", "y"], "vector": [[1.0], [1.0, 2.0]]}, "row 1 has 2 numbers"),
        ({"word": ["x"], "vector": [["y"]]}, "not numbers"),
        ({"word": ["x"], "vector": pa.array([None], pa.list_(pa.float32()))}, "no usable word"),
        ({"word": ["x"], "vector": [[]]}, "no usable word|holds? null|not numbers"),
        ({"word": pa.array([], pa.string()), "n": pa.array([], pa.float32())}, "no usable word"),
    ],
)
def test_other_tables_are_refused(tmp_path, columns, facts):
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=facts) as caught:
        read(tmp_path / "a.parquet")
    assert str(caught.value).startswith(f"{tmp_path}/a.parquet: ")
    assert "\n" not in str(caught.value)


def test_damaged_files_are_refused(path, tmp_path):
    data = path.read_bytes()
    (tmp_path / "cut.parquet").write_bytes(data[:-4])
    (tmp_path / "packed.parquet").write_bytes(gzip.compress(data))
    for name in ("cut.parquet", "packed.parquet"):
        with pytest.raises(InputError, match="compressed or piped Parquet"):
            read(tmp_path / name)
    (tmp_path / "torn.parquet").write_bytes(data[:20] + data[-20:])
    with pytest.raises(InputError, match="damaged Parquet"):
        read(tmp_path / "torn.parquet")


def test_a_compressed_table_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"a\.parquet\.gz: .*not compressed.*\.gz"):
        save(SOME, tmp_path / "a.parquet.gz")


def test_without_pyarrow_the_error_names_the_pip_command(path, tmp_path, monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"a\.parquet: .*pip install 'isolex\[arrow\]'"):
        read(path)
    with pytest.raises(UsageError, match=r"pip install 'isolex\[arrow\]'"):
        save(SOME, tmp_path / "b.parquet")


def test_pairs_are_the_columns_source_and_target_or_the_first_two_of_text(tmp_path):
    scored = pa.table({"score": [0.5], "target": ["t"], "source": ["s"]})
    plain = pa.table({"en": ["a", None], "es": ["b", "c"]})
    for table, pairs in ((scored, [("s", "t")]), (plain, [("a", "b")])):
        pq.write_table(table, tmp_path / "p.parquet")
        assert read_pairs(tmp_path / "p.parquet") == pairs
    pq.write_table(pa.table({"en": ["a"]}), tmp_path / "p.parquet")
    with pytest.raises(InputError, match="source and target"):
        read_pairs(tmp_path / "p.parquet")
