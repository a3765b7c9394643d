"""Training settings follow from the size of the corpus unless they are given."""

from __future__ import annotations

import pytest

from isolex.corpora import Settings
from isolex.errors import UsageError
from tests.wording import Wording


def test_defaults_depend_on_the_size_of_the_corpus() -> None:
    assert Settings.for_corpus(10**6, 10**5).epochs == 20
    assert Settings.for_corpus(10**9, 10**5).epochs == 5
    assert Settings.for_corpus(10**7, 10**5).dims == 300
    assert Settings.for_corpus(10**5, 900).dims == 100


def test_given_settings_replace_the_defaults() -> None:
    given = Settings.for_corpus(10**9, 900, epochs=2, dims=50, window=None)
    assert (given.epochs, given.dims, given.window) == (2, 50, 5)


def test_an_unknown_method_is_refused_with_the_known_ones(wording: Wording) -> None:
    with pytest.raises(UsageError, match=r"'glove'.* word2vec, fasttext") as error:
        Settings(method="glove")
    wording(error.value)
