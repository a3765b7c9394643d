"""pandas frames and Arrow tables, of vectors and of lexicons."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import Embeddings, Lexicon, io
from isolex.adapters import extras
from isolex.errors import UsageError
from tests.adapters.conftest import same

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")

ODD = Embeddings(["dog", "caf\udce9"], [[1, 2], [3, 4]])


def test_a_frame_there_and_back(some: Embeddings) -> None:
    frame = some.to_frame()
    assert frame.shape == (30, 5)
    assert frame.index.name == "word"
    assert (frame.dtypes == np.float32).all()
    np.testing.assert_array_equal(frame.loc["wört3"], some["wört3"])
    assert same(Embeddings.from_frame(frame), some)
    frame.iloc[:] = 0  # a copy, to do with as one likes
    assert some.vectors.any()


def test_a_table_there_and_back_without_a_copy(some: Embeddings) -> None:
    table = some.to_arrow()
    assert table.column_names == ["word", "vector"]
    values = table["vector"].chunk(0).flatten().to_numpy()
    assert np.shares_memory(values, some.vectors)
    assert same(Embeddings.from_arrow(table), some)
    assert same(Embeddings.from_arrow(table.to_batches()[0]), some)


def test_words_that_are_not_utf8_come_back() -> None:
    assert same(Embeddings.from_frame(ODD.to_frame()), ODD)
    assert same(Embeddings.from_arrow(ODD.to_arrow()), ODD)


def test_pandas_and_arrow_understand_each_other(some: Embeddings) -> None:
    assert same(Embeddings.from_frame(some.to_arrow().to_pandas()), some)
    wide = some.to_frame().rename(columns=str)
    assert same(Embeddings.from_arrow(pa.Table.from_pandas(wide)), some)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"word": ["a", "b"], "vector": [[1, 2], np.array([3, 4])]}),
        pd.DataFrame({"vector": [[1, 2], (3, 4)]}, index=["a", "b"]),
        pd.DataFrame({"x": [1, 3], "word": ["a", "b"], "y": [2.0, 4.0]}),
        pd.DataFrame({"x": pd.array([1, 3], "Int64"), "y": [2, 4]}, index=["a", "b"]),
    ],
    ids=["two columns", "vectors by index", "a column a dimension", "nullable"],
)
def test_frames_of_others(frame) -> None:
    made = Embeddings.from_frame(frame)
    assert made.words == ("a", "b")
    assert made.vectors.tolist() == [[1, 2], [3, 4]]


def test_missing_numbers_are_left_out() -> None:
    frame = pd.DataFrame({"x": pd.array([1, None], "Int64")}, index=["a", "b"])
    assert Embeddings.from_frame(frame).words == ("a",)


def test_chunks_and_slices_of_a_table_are_put_together(some: Embeddings) -> None:
    table = pa.concat_tables([some.to_arrow().slice(0, 7), some.to_arrow().slice(7)])
    assert same(Embeddings.from_arrow(table), some)
    assert Embeddings.from_arrow(table.slice(5, 4)).words == some.words[5:9]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Embeddings.from_frame([1]), "takes a pandas DataFrame, not list"),
        (lambda: Embeddings.from_frame(pd.DataFrame({"x": [1.0]})), r"text, not 0 \(int\)"),
        (
            lambda: Embeddings.from_frame(pd.DataFrame({"x": ["y"]}, index=["a"])),
            "column 'x' holds no numbers",
        ),
        (
            lambda: Embeddings.from_frame(
                pd.DataFrame({"word": ["a", "b"], "vector": [[1], [1, 2]]})
            ),
            "not rows of as many numbers",
        ),
        (lambda: Embeddings.from_arrow({}), "takes a pyarrow Table, not dict"),
    ],
)
def test_what_is_no_table_of_vectors_is_refused(call, message) -> None:
    with pytest.raises(UsageError, match=message):
        call()


@pytest.fixture
def lexicon() -> Lexicon:
    return Lexicon(
        np.array([0, 1], np.int32),
        np.array([1, 0], np.int32),
        np.array([0.5, 0.25], np.float32),
        np.array([True, False]),
        (["dog", "caf\udce9"], ["gato", "perro"]),
    )


def test_a_lexicon_as_a_frame_and_a_table(lexicon: Lexicon) -> None:
    frame, table = lexicon.to_frame(), lexicon.to_arrow()
    assert frame.to_dict("list") == {
        "source": ["dog", "caf\udce9"],
        "target": ["perro", "gato"],
        "score": [0.5, 0.25],
        "mutual": [True, False],
    }
    assert table["target"].to_pylist() == ["perro", "gato"]
    assert table["source"].to_pylist() == [b"dog", b"caf\xe9"]


def test_a_lexicon_is_saved_as_parquet_and_read_as_pairs(lexicon: Lexicon, tmp_path) -> None:
    lexicon.save(tmp_path / "a.parquet")
    assert pd.read_parquet(tmp_path / "a.parquet")["score"].tolist() == [0.5, 0.25]
    assert io.read_pairs(tmp_path / "a.parquet") == [("dog", "perro"), ("caf\udce9", "gato")]


def test_without_the_library_the_pip_line_is_said(some, lexicon, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    calls = [some.to_frame, some.to_arrow, lexicon.to_frame, lexicon.to_arrow]
    for call in (*calls, lambda: lexicon.save(tmp_path / "a.parquet")):
        with pytest.raises(UsageError, match=r"pip install 'isolex\[arrow\]'"):
            call()
