"""Many pairs of languages are scored like each of them alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from isolex import Embeddings, Space
from isolex.core.choices import Outcome
from isolex.core.pair import Pair
from isolex.core.verdict import Evidence, Verdict
from isolex.errors import UsageError
from isolex.evaluate import evaluate_lexicon, evaluate_lexicons

GOLD = {
    (source, target): [(f"{source}{row}", f"{target}{row}") for row in range(30)]
    for source, target in (("pl", "en"), ("en", "de"))
}


@pytest.fixture(scope="module")
def space() -> Space:
    """Noisy copies of the same vectors: en0, en1, ... and de0, ... and pl0, ..."""
    rng = np.random.default_rng(0)
    common = rng.normal(size=(40, 8))
    made = Space.from_vectors(
        *(
            Embeddings([f"{name}{row}" for row in range(40)], common + noise, name=name)
            for name in ("en", "de", "pl")
            for noise in [0.5 * rng.normal(size=common.shape)]
        )
    )
    doubtful = Verdict.of(Evidence(0.3, 0.0, 0.7, 0.6, 40))
    return replace(made, pairs={("en", "pl"): Pair(doubtful)})


@pytest.mark.parametrize("retrieval", [None, "nn"])
def test_each_pair_has_the_result_it_has_alone(space: Space, retrieval: str | None) -> None:
    matrix = evaluate_lexicons(space, GOLD, retrieval)
    assert matrix.languages == ("en", "de", "pl")
    assert matrix.results == {
        (source, target): evaluate_lexicon(space, gold, retrieval, source=source, target=target)
        for (source, target), gold in GOLD.items()
    }
    assert 0 < matrix.results["pl", "en"].precision[1] < 100


def test_the_verdict_is_beside_each_result_in_either_direction(space: Space) -> None:
    matrix = evaluate_lexicons(space, GOLD)
    assert matrix.verdicts == {("pl", "en"): Outcome.DOUBTFUL, ("en", "de"): None}
    plain = matrix.as_dict()
    assert plain["languages"] == ["en", "de", "pl"]
    assert list(plain["pairs"]) == ["en-de", "pl-en"], "in the order of the space"
    assert plain["pairs"]["pl-en"] == {
        "languages": ["pl", "en"],
        **matrix.results["pl", "en"].as_dict(),
        "verdict": "doubtful",
    }


def test_progress_runs_to_the_end_over_all_pairs(space: Space) -> None:
    seen: list[float] = []
    evaluate_lexicons(space, GOLD, tick=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert any(0.4 < share < 0.6 for share in seen)


def test_an_error_names_the_pair(space: Space) -> None:
    swapped = [(target, source) for source, target in GOLD["en", "de"]]
    with pytest.raises(UsageError, match=r"^en-de: 0 pairs .* 30 if .* swapped"):
        evaluate_lexicons(space, {("en", "de"): swapped})
    with pytest.raises(UsageError, match="'fr'"):
        evaluate_lexicons(space, {("en", "fr"): []})
