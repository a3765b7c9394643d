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


def test_a_verdict_as_plain_values_can_be_written_as_json() -> None:
    verdict = Verdict.of(Evidence(0.912345, 0.1, 0.7, 0.6, 2000))
    plain = verdict.as_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["verdict"] == "succeeded"
    assert plain["reason"] == verdict.reason
    assert plain["evidence"] == {
        "score": 0.9026,
        "lift": 0.25,
        "recovered": 0.9123,
        "null_recovered": 0.1,
        "objective": 0.7,
        "null_objective": 0.6,
        "words": 2000,
    }
