"""What the report says about the verdicts on several languages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from isolex.core.choices import Outcome
from isolex.core.pair import Pair
from isolex.web.report.verdicts import groups, language_verdicts, run_verdict, unconnected
from isolex.web.wording import NO_TWO, SEVERAL
from tests.web.explorer.several import four, space_of, verdict
from tests.web.report.several import connected, with_pair

DOUBTFUL = Pair(verdict(Outcome.DOUBTFUL))
FIVE = ("en", "es", "de", "pl", "cs")


def test_a_run_of_which_every_pair_succeeded_has_succeeded() -> None:
    found = run_verdict(space_of(FIVE, {}))
    assert found is not None
    assert (found.title, found.meaning) == ("Succeeded", SEVERAL[Outcome.SUCCEEDED])
    assert found.counts == {Outcome.SUCCEEDED: 10, Outcome.DOUBTFUL: 0, Outcome.FAILED: 0}
    assert found.parted is None


def test_the_title_counts_the_doubtful_pairs() -> None:
    space = with_pair(space_of(FIVE, {}), "en", "pl", DOUBTFUL)
    found = run_verdict(space)
    assert found is not None
    assert (found.outcome, found.title) == (Outcome.DOUBTFUL, "Doubtful for 1 of 10 pairs")
    assert found.meaning == SEVERAL[Outcome.DOUBTFUL]
    everything = run_verdict(replace(space, pairs=dict.fromkeys(space.pairs, DOUBTFUL)))
    assert everything is not None
    assert everything.title == "Doubtful"


def test_a_language_that_is_not_connected_is_named_and_the_others_are_not_blamed() -> None:
    found = run_verdict(four())
    assert found is not None
    assert (found.outcome, found.title) == (Outcome.FAILED, "Failed: xx is not connected")
    assert found.meaning.startswith("Nothing connects xx with the other languages")
    others = "The other 3 languages are not affected: of their pairs, 2 succeeded and 1 is doubtful"
    assert others in found.meaning
    assert found.parted == ("en", "xx")


@pytest.mark.parametrize(
    ("together", "title"),
    [
        (("en", "es", "de"), "Failed: pl and cs are not connected"),
        (("de", "cs"), "Failed: en, es and pl are not connected"),
    ],
)
def test_several_languages_that_are_not_connected(together: tuple[str, ...], title: str) -> None:
    space = connected(FIVE, together)
    found = run_verdict(space)
    assert found is not None
    assert found.title == title
    assert f"The other {len(together)} languages are not affected" in found.meaning
    assert set(unconnected(space)) == set(FIVE) - set(together)
    assert found.parted is not None
    assert found.parted[0] in together
    assert found.parted[1] not in together


def test_groups_that_nothing_connects_are_listed() -> None:
    space = connected(FIVE, ("en", "de"), ("es", "cs"))
    assert groups(space) == [["en", "de"], ["es", "cs"], ["pl"]]
    found = run_verdict(space)
    assert found is not None
    assert found.title == "Failed: the languages form 3 groups that nothing connects"
    assert "The groups are: en and de; es and cs; pl." in found.meaning
    assert found.parted == ("en", "es")


def test_two_languages_are_in_one_group_if_others_connect_them() -> None:
    space = connected(FIVE, ("en", "de"), ("de", "cs"))
    assert groups(space) == [["en", "de", "cs"], ["es"], ["pl"]]


def test_if_nothing_is_connected_the_run_has_simply_failed() -> None:
    found = run_verdict(connected(FIVE))
    assert found is not None
    assert (found.title, found.meaning) == ("Failed", NO_TWO)


def test_without_verdicts_there_is_none() -> None:
    assert run_verdict(replace(four(), pairs={})) is None


def test_each_language_is_described_by_its_pairs() -> None:
    found = {one.name: (one.outcome, one.meaning) for one in language_verdicts(four())}
    assert found == {
        "en": (Outcome.SUCCEEDED, "Aligned with es; doubtful with pl"),
        "es": (Outcome.SUCCEEDED, "Aligned with all connected languages"),
        "pl": (Outcome.SUCCEEDED, "Aligned with es; doubtful with en"),
        "xx": (Outcome.FAILED, "Not connected with any other language"),
    }


def test_many_languages_are_counted_rather_than_named() -> None:
    space = space_of([f"l{number}" for number in range(9)], {}, words=20)
    assert language_verdicts(space)[0].meaning == "Aligned with all others"
    for other in ("l1", "l2", "l3", "l4"):
        space = with_pair(space, "l0", other, DOUBTFUL)
    assert language_verdicts(space)[0].meaning == "Aligned with 4 others; doubtful with 4 others"


def test_a_language_of_another_group_is_named() -> None:
    found = language_verdicts(connected(FIVE, ("en", "de"), ("es", "cs")))[0]
    assert found.meaning == "Aligned with de; not connected with es and cs"
