"""pandas data frames of vectors and of lexicons."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import Embeddings, Lexicon
from isolex.adapters import extras
from isolex.errors import UsageError
from tests.adapters.conftest import same

pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")


def test_a_data_frame_round_trip_preserves_everything(embeddings: Embeddings) -> None:
    frame = embeddings.to_frame()
    assert frame.shape == (30, 5)
    assert frame.index.name == "word"
    assert (frame.dtypes == np.float32).all()
    np.testing.assert_array_equal(frame.loc["wört3"], embeddings["wört3"])
    assert same(Embeddings.from_frame(frame), embeddings)


def test_a_data_frame_is_a_copy(embeddings: Embeddings) -> None:
    frame = embeddings.to_frame()
    frame.iloc[:] = 0
    assert embeddings.vectors.any()


def test_words_that_are_not_utf8_survive_a_data_frame(not_utf8: Embeddings) -> None:
    assert same(Embeddings.from_frame(not_utf8.to_frame()), not_utf8)


def test_an_arrow_table_converted_by_pandas_is_read(embeddings: Embeddings) -> None:
    assert same(Embeddings.from_frame(embeddings.to_arrow().to_pandas()), embeddings)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"word": ["a", "b"], "vector": [[1, 2], np.array([3, 4])]}),
        pd.DataFrame({"vector": [[1, 2], (3, 4)]}, index=["a", "b"]),
        pd.DataFrame({"x": [1, 3], "word": ["a", "b"], "y": [2.0, 4.0]}),
        pd.DataFrame({"x": pd.array([1, 3], "Int64"), "y": [2, 4]}, index=["a", "b"]),
    ],
    ids=["word and vector", "index and vector", "a column per dimension", "nullable integers"],
)
def test_every_documented_form_of_data_frame_is_read(frame) -> None:
    found = Embeddings.from_frame(frame)
    assert found.words == ("a", "b")
    assert found.vectors.tolist() == [[1, 2], [3, 4]]


def test_rows_with_missing_numbers_are_dropped() -> None:
    frame = pd.DataFrame({"x": pd.array([1, None], "Int64")}, index=["a", "b"])
    assert Embeddings.from_frame(frame).words == ("a",)


@pytest.mark.parametrize(
    ("frame", "facts"),
    [
        ([1], "from_frame .*DataFrame.* not list"),
        (pd.DataFrame({"x": [1.0]}), r"data frame: .*text, not 0 \(int\)"),
        (pd.DataFrame({"x": ["y"]}, index=["a"]), "from_frame: .*'x'.*'word'.*'vector'"),
        (pd.DataFrame({"word": ["a", "b"], "vector": [[1], [1, 2]]}), "data frame: .*vectors"),
    ],
    ids=["not a frame", "words are not text", "not numeric", "different lengths"],
)
def test_other_data_frames_are_refused(frame, facts, wording) -> None:
    with pytest.raises(UsageError, match=facts) as error:
        Embeddings.from_frame(frame)
    if "from_frame" in facts:
        wording(error.value)


def test_a_lexicon_becomes_a_data_frame(lexicon: Lexicon) -> None:
    assert lexicon.to_frame().to_dict("list") == {
        "source": ["dog", "caf\udce9"],
        "target": ["perro", "gato"],
        "score": [0.5, 0.25],
        "mutual": [True, False],
    }


def test_without_pandas_the_error_names_the_pip_command(embeddings, lexicon, monkeypatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    for call in (embeddings.to_frame, lexicon.to_frame):
        with pytest.raises(UsageError, match=r"to_frame .*pip install 'isolex\[arrow\]'"):
            call()
