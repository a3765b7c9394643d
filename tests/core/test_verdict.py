"""The verdict follows from the evidence."""

from __future__ import annotations

import json

import pytest

from isolex.core.choices import Outcome
from isolex.core.verdict import Evidence, Verdict


@pytest.mark.parametrize(
    ("recovered", "objective", "outcome"),
    [
        (0.9, 0.7, Outcome.SUCCEEDED),
        (0.9, 0.5, Outcome.DOUBTFUL),
        (0.54, 0.7, Outcome.DOUBTFUL),
        (0.9, 0.62, Outcome.DOUBTFUL),
        (0.22, 0.7, Outcome.DOUBTFUL),
        (0.2, 0.7, Outcome.FAILED),
        (0.0, 0.5, Outcome.FAILED),
    ],
)
def test_recovery_and_lift_decide(recovered: float, objective: float, outcome: Outcome) -> None:
    evidence = Evidence(recovered, 0.1, objective, 0.6, 2000)
    assert Verdict.of(evidence).outcome == outcome


@pytest.mark.parametrize(
    ("recovered", "null", "score"), [(0.1, 0.1, 0), (1, 0.1, 1), (0.55, 0.1, 0.5), (1, 1, 0)]
)
def test_the_score_is_the_recovery_above_chance(
    recovered: float, null: float, score: float
) -> None:
    assert Evidence(recovered, null, 0.5, 0.5, 100).score == pytest.approx(score)


def test_a_verdict_is_explained(wording) -> None:
    verdict = Verdict.of(Evidence(0.784, 0.014, 0.7, 0.6, 2000))
    assert "78%" in verdict.reason
    assert "1%" in verdict.reason
    wording(verdict.reason)
    wording(verdict.meaning)


def test_after_a_success_the_lift_says_what_to_expect(wording) -> None:
    shares = []
    for objective in (0.64, 0.68, 0.8):
        verdict = Verdict.of(Evidence(0.9, 0.1, objective, 0.6, 2000))
        assert verdict.expected is not None
        shares.append(verdict.expected)
    assert shares == sorted(shares)
    assert 0.4 < shares[0] < 0.55
    assert 0.8 < shares[2] < 1
    assert verdict.expectation is not None
    assert f"precision@1 of about {shares[2]:.0%}" in verdict.expectation
    assert "2,000 most frequent words" in verdict.expectation
    wording(verdict.expectation)


@pytest.mark.parametrize(("recovered", "words"), [(0.4, 2000), (0.1, 2000), (0.9, 900)])
def test_without_a_success_or_with_few_words_nothing_is_estimated(
    recovered: float, words: int
) -> None:
    verdict = Verdict.of(Evidence(recovered, 0.1, 0.7, 0.6, words))
    assert verdict.expected is verdict.expectation is None


def test_a_verdict_as_plain_values_can_be_written_as_json() -> None:
    verdict = Verdict.of(Evidence(0.912345, 0.1, 0.7, 0.6, 2000))
    plain = verdict.as_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["verdict"] == "succeeded"
    assert plain["reason"] == verdict.reason
    assert plain["expected"] == round(verdict.expected or 0, 2)
    assert plain["expectation"] == verdict.expectation
    assert plain["evidence"] == {
        "score": 0.9026,
        "lift": 0.25,
        "recovered": 0.9123,
        "null_recovered": 0.1,
        "objective": 0.7,
        "null_objective": 0.6,
        "words": 2000,
    }
