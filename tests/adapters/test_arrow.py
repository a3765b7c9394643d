"""Arrow tables of vectors and of lexicons."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import Embeddings, Lexicon, io
from isolex.adapters import extras
from isolex.errors import UsageError
from tests.adapters.conftest import same

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")


def test_a_table_round_trip_preserves_everything(embeddings: Embeddings) -> None:
    table = embeddings.to_arrow()
    assert table.column_names == ["word", "vector"]
    assert same(Embeddings.from_arrow(table), embeddings)
    assert same(Embeddings.from_arrow(table.to_batches()[0]), embeddings)


def test_a_table_shares_the_memory_of_the_vectors(embeddings: Embeddings) -> None:
    values = embeddings.to_arrow()["vector"].chunk(0).flatten().to_numpy()
    assert np.shares_memory(values, embeddings.vectors)


def test_words_that_are_not_utf8_survive_a_table(not_utf8: Embeddings) -> None:
    assert same(Embeddings.from_arrow(not_utf8.to_arrow()), not_utf8)


def test_a_pandas_data_frame_converted_by_arrow_is_read(embeddings: Embeddings) -> None:
    frame = embeddings.to_frame().rename(columns=str)
    assert same(Embeddings.from_arrow(pa.Table.from_pandas(frame)), embeddings)


def test_chunked_and_sliced_tables_are_read(embeddings: Embeddings) -> None:
    table = pa.concat_tables([embeddings.to_arrow().slice(0, 7), embeddings.to_arrow().slice(7)])
    assert same(Embeddings.from_arrow(table), embeddings)
    assert Embeddings.from_arrow(table.slice(5, 4)).words == embeddings.words[5:9]


@pytest.mark.parametrize(
    ("columns", "facts"),
    [
        ({"a": ["x"], "b": ["y"], "n": [1.0]}, "Arrow table: .*column.*'word'"),
        ({"word": ["x"]}, "Arrow table: .*'vector'"),
        ({"word": ["x", "y"], "vector": [[1.0], [1.0, 2.0]]}, "row 1 has 2 numbers, the first 1"),
        ({"word": ["x"], "vector": [["y"]]}, "Arrow table: .*object, not numbers"),
    ],
    ids=["no word column", "no vectors", "different lengths", "not numbers"],
)
def test_other_tables_are_refused(columns, facts, wording) -> None:
    with pytest.raises(UsageError, match=facts) as error:
        Embeddings.from_arrow(pa.table(columns))
    wording(error.value)


def test_anything_but_a_table_is_refused(wording) -> None:
    with pytest.raises(UsageError, match=r"from_arrow .*Table.* not dict") as error:
        Embeddings.from_arrow({})
    wording(error.value)


def test_a_lexicon_becomes_a_table(lexicon: Lexicon) -> None:
    table = lexicon.to_arrow()
    assert table.column_names == ["source", "target", "score", "mutual"]
    assert table["target"].to_pylist() == ["perro", "gato"]
    assert table["source"].to_pylist() == [b"dog", b"caf\xe9"]


def test_a_lexicon_saved_as_parquet_is_read_back_as_pairs(lexicon: Lexicon, tmp_path) -> None:
    lexicon.save(tmp_path / "a.parquet")
    assert pd.read_parquet(tmp_path / "a.parquet")["score"].tolist() == [0.5, 0.25]
    assert io.read_pairs(tmp_path / "a.parquet") == [("dog", "perro"), ("caf\udce9", "gato")]


def test_without_pyarrow_the_error_names_the_pip_command(
    embeddings, lexicon, tmp_path, monkeypatch
) -> None:
    table = embeddings.to_arrow()
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    calls = {
        "to_arrow": [embeddings.to_arrow, lexicon.to_arrow],
        "from_arrow": [lambda: Embeddings.from_arrow(table)],
        r"a\.parquet": [lambda: lexicon.save(tmp_path / "a.parquet")],
    }
    for name, functions in calls.items():
        for function in functions:
            with pytest.raises(UsageError, match=rf"{name}.*pip install 'isolex\[arrow\]'"):
                function()
