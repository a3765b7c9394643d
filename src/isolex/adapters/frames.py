"""pandas: a frame with words as its index, or in a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolex.adapters import extras
from isolex.errors import UsageError

WORD, VECTOR = "word", "vector"


def take(frame: Any) -> tuple[list[Any], Any]:
    """Words and vectors of a frame, in its order.

    The words are its column ``word``, or its index where there is no such column. The vectors are
    its column ``vector``, a list or array in each row, or else all other columns.
    """
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise UsageError(f"from_frame takes a pandas DataFrame, not {type(frame).__name__}")
    words = frame[WORD] if WORD in frame.columns else frame.index
    if VECTOR in frame.columns:
        return words.tolist(), list(frame[VECTOR])
    numbers = frame.drop(columns=[WORD], errors="ignore")
    strange = [str(name) for name, kind in numbers.dtypes.items() if not _is_number(kind)]
    if strange:
        raise UsageError(
            f"from_frame: the column {strange[0]!r} holds no numbers; leave the words (as column "
            f"{WORD!r} or as index) and one column for each dimension, or a column {VECTOR!r}"
        )
    return words.tolist(), numbers.to_numpy(dtype=np.float32, na_value=np.nan)


def _is_number(kind: Any) -> bool:
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    return is_numeric_dtype(kind) and not is_bool_dtype(kind)


def give(words: Sequence[str], vectors: NDArray[np.float32]) -> Any:
    """A frame: the index ``word``, a column for each dimension."""
    texts = column(words)
    import pandas as pd

    return pd.DataFrame(vectors.copy(), index=pd.Index(texts, name=WORD))


def give_pairs(columns: dict[str, Any]) -> Any:
    """A frame of a lexicon's columns."""
    import pandas as pd

    return pd.DataFrame(columns)


def column(words: Sequence[str]) -> Any:
    """Words as pandas holds text; as plain objects where some are not UTF-8."""
    extras.require(["arrow"], "a data frame")
    import pandas as pd

    try:
        return pd.Series(list(words), dtype="str")
    except UnicodeEncodeError:
        return pd.Series(list(words), dtype=object)
