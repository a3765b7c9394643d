"""Retrievals are checked when they are made."""

from __future__ import annotations

from typing import Any

import pytest

from isolex.core.choices import Retrieval, RetrievalMethod
from isolex.errors import UsageError


@pytest.mark.parametrize(
    "options", [{"neighbours": 0}, {"temperature": 0.0}, {"pivots": 0}, {"temperature": -1.0}]
)
def test_impossible_parameters_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="positive"):
        Retrieval(**options)


def test_an_unknown_method_is_refused_with_the_known_ones() -> None:
    for ask in (Retrieval.of, Retrieval().by):
        with pytest.raises(UsageError, match=r"'cosine'.* nn, csls, invsoftmax, invnn, gc"):
            ask("cosine")


def test_a_method_is_given_by_name_and_keeps_the_other_parameters() -> None:
    own = Retrieval(RetrievalMethod.CSLS, neighbours=3, temperature=0.1, pivots=7)
    assert own.by("gc") == Retrieval(RetrievalMethod.GC, 3, 0.1, 7)
    assert Retrieval.of("nn") == Retrieval(RetrievalMethod.NN)
    assert Retrieval.of(own) is own
    assert isinstance(Retrieval.of("nn").method, RetrievalMethod)


def test_two_methods_rank_the_query_instead_of_scoring_the_candidate() -> None:
    assert [method for method in RetrievalMethod if Retrieval(method).ranks] == ["invnn", "gc"]
