"""isolex demo: the bundled sample from start to finish."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Run


@pytest.mark.slow
def test_the_demo_aligns_the_sample_and_translates_words(run: Run) -> None:
    done = run("demo", "--json", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    facts = json.loads(done.stdout)
    assert facts["verdict"] == "succeeded"
    assert facts["precision"]["10"] > facts["precision"]["1"] > 20
    assert facts["coverage"] > 90
    assert facts["translations"]["mother"][0]["word"] == "madre"
