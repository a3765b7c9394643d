"""pandas data frames, with the words as index or in a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from isolex.adapters import extras
from isolex.adapters.arrow import VECTOR, WORD
from isolex.errors import UsageError
from isolex.kernels.types import Floats


def take(frame: Any) -> tuple[list[Any], Any]:
    """Return the words and vectors of a data frame, in its order.

    Words are in the column ``word``, or else in the index. Vectors are in the column ``vector``,
    as a list or array in each row; otherwise every other column is a dimension.
    """
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise UsageError(f"from_frame takes a pandas DataFrame, not {type(frame).__name__}")
    words = frame[WORD] if WORD in frame.columns else frame.index
    if VECTOR in frame.columns:
        return words.tolist(), list(frame[VECTOR])
    numbers = frame.drop(columns=[WORD], errors="ignore")
    others = [str(name) for name, dtype in numbers.dtypes.items() if not _is_number(dtype)]
    if others:
        raise UsageError(
            f"from_frame: column {others[0]!r} is not numeric; keep the words (column {WORD!r} or "
            f"index) and either one column per dimension or a column {VECTOR!r}"
        )
    return words.tolist(), numbers.to_numpy(dtype=np.float32, na_value=np.nan)


def _is_number(dtype: Any) -> bool:
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    return is_numeric_dtype(dtype) and not is_bool_dtype(dtype)


def give(words: Sequence[str], vectors: Floats) -> Any:
    """Return a data frame with the index ``word`` and one column per dimension."""
    texts = column(words)
    import pandas as pd

    return pd.DataFrame(vectors.copy(), index=pd.Index(texts, name=WORD))


def give_pairs(columns: dict[str, Any]) -> Any:
    """Return a lexicon's columns as a data frame."""
    import pandas as pd

    return pd.DataFrame(columns)


def column(words: Sequence[str]) -> Any:
    """Return a series of strings, or of plain objects if any word is not UTF-8."""
    extras.require(["arrow"], "to_frame")
    import pandas as pd

    try:
        return pd.Series(list(words), dtype="str")
    except UnicodeEncodeError:
        return pd.Series(list(words), dtype=object)
