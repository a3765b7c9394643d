"""Numbers are written in their shortest form, the same by both formatters."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from isolex.core.embeddings import Embeddings
from isolex.io import save
from isolex.io.text_writer import format_compiled, format_slowly

values = st.floats(width=32, allow_nan=False, allow_infinity=False)


def test_numbers_are_written_in_their_shortest_form(tmp_path):
    save(Embeddings(["a", "b c"], [[0.1234, 5], [-1e-5, 123456790000]]), tmp_path / "a.vec")
    assert (tmp_path / "a.vec").read_bytes() == b"2 2\na 0.1234 5.0\nb c -1e-05 123456790000.0\n"


@given(rows=hnp.arrays(np.float32, hnp.array_shapes(min_dims=2, max_dims=2), elements=values))
@settings(max_examples=200, deadline=None)
def test_both_formatters_agree(rows):
    words = [b"w%d" % row for row in range(len(rows))]
    assert format_compiled(words, rows) == format_slowly(words, rows)
