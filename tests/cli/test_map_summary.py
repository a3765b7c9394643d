"""What `isolex map` says about several languages, from the facts in run.json."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
import typer

from isolex.cli.map_summary import conclude, joined_with, summarise
from isolex.systems import get
from tests.wording import Wording


def facts(
    tree: list[str], names: str = "abcd", recovered: str = "", **verdicts: str
) -> dict[str, Any]:
    """Facts about one-letter languages; pairs have succeeded unless given, such as ab="failed"."""
    pairs = {
        f"{one}-{other}": {
            "languages": [one, other],
            "verdict": verdicts.get(f"{one}{other}", "succeeded"),
            "recovered": recovered == f"{one}{other}",
            "validation": 12.345 if (one, other) == ("a", "b") else None,
        }
        for one, other in combinations(names, 2)
    }
    order = ["succeeded", "doubtful", "failed"]

    def of(name: str) -> list[str]:
        return [about["verdict"] for about in pairs.values() if name in about["languages"]]

    given = {"path": "x", "pairs": 1051, "used": 50}
    return {
        "languages": list(names),
        "settings": {"system": "robust"},
        "attempts": [],
        "inputs": {"vectors": {}, "lexicon": {"a-b": given, "d-a": given}},
        "objective": 0.5,
        "validation": None,
        "verdict": max((about["verdict"] for about in pairs.values()), key=order.index),
        "pairs": pairs,
        "language_verdicts": {name: min(of(name), key=order.index) for name in names},
        "tree": [list(edge) for edge in tree],
        "lexicons": {f"{names[0]}-{name}": {"mutual": 1000 + ord(name)} for name in names[1:]},
        "timings": {"learn": 1.5},
    }


def alone(name: str, names: str = "abcd") -> dict[str, str]:
    """All pairs of a language have failed."""
    return {"".join(pair): "failed" for pair in combinations(names, 2) if name in pair}


def rows(given: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """The table on standard output."""
    summarise(given, "out")
    lines = capsys.readouterr().out.splitlines()
    return dict(line.split("\t") for line in lines)


def warnings(
    given: dict[str, Any], capsys: pytest.CaptureFixture[str], system: str = "robust"
) -> tuple[int, list[str]]:
    """The exit code, and the lines on standard error."""
    code = 0
    try:
        conclude(given, get(system), 1000)
    except typer.Exit as ended:
        code = ended.exit_code
    captured = capsys.readouterr()
    assert captured.out == ""
    return code, captured.err.splitlines()


def test_each_language_is_joined_with_its_neighbour_towards_the_first() -> None:
    assert joined_with(facts(["cd", "ac", "bd"])) == {"a": None, "b": "d", "c": "a", "d": "c"}
    assert joined_with(facts(["bd", "ab"], **alone("c"))) == {
        "a": None,
        "b": "a",
        "c": None,
        "d": "b",
    }
    assert joined_with(facts([])) == dict.fromkeys("abcd")
    assert joined_with(facts(["bc"])) == {"a": None, "b": None, "c": "b", "d": None}


def test_the_summary_has_a_line_for_every_language(capsys: pytest.CaptureFixture[str]) -> None:
    given = facts(["ac", "bc"], recovered="ab", ab="doubtful", **alone("d"))
    assert rows(given, capsys) == {
        "system": "robust",
        "lexicon pairs a-b": "50 of 1,051 in the vocabularies",
        "lexicon pairs d-a": "50 of 1,051 in the vocabularies",
        "a": "succeeded",
        "b": "succeeded, joined with c",
        "c": "succeeded, joined with a",
        "d": "failed: not connected",
        "pairs of languages": "2 succeeded, 1 doubtful, 3 failed",
        "recovered through others": "a-b",
        "validation a-b (precision@1)": "12.35 %",
        "mutual best pairs per lexicon": "1,098 to 1,100",
        "objective": "0.5000",
        "time": "1.5 s",
        "written to": "out",
    }


def test_the_first_language_may_be_the_one_that_is_not_connected(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = rows(facts(["bc", "cd"], **alone("a")), capsys)
    assert [found[name] for name in "abcd"] == [
        "failed: not connected",
        "succeeded",
        "succeeded, joined with b",
        "succeeded, joined with c",
    ]
    assert "recovered through others" not in found


def test_success_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    assert warnings(facts(["ab", "ac", "ad"]), capsys) == (0, [])


@pytest.mark.parametrize(
    ("name", "tree", "option"),
    [("d", ["ab", "ac"], "--lexicon a-d=FILE"), ("a", ["bc", "cd"], "--lexicon b-a=FILE")],
)
def test_a_language_that_is_not_connected_is_named_with_what_to_do(
    capsys: pytest.CaptureFixture[str], name: str, tree: list[str], option: str, wording: Wording
) -> None:
    code, [line] = warnings(facts(tree, **alone(name)), capsys)
    assert code == 1
    assert line.startswith(f"isolex: {name}: nothing connects it")
    assert option in line
    assert "--budget" in line
    wording(line)
    _, [line] = warnings(facts(tree, **alone(name)), capsys, "supervised")
    assert "--budget" not in line, "it does not restart"


def test_if_nothing_is_connected_every_language_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, lines = warnings(facts([], "abc", ab="failed", ac="failed", bc="failed"), capsys)
    assert code == 1
    assert [line.split(": ")[1] for line in lines] == ["a", "b", "c"]
    assert ["b-a=" in lines[0], "a-b=" in lines[1], "a-c=" in lines[2]] == [True] * 3


def test_doubtful_pairs_of_connected_languages_are_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, [line] = warnings(facts(["ab", "ac", "bd"], bc="doubtful", cd="doubtful"), capsys)
    assert code == 0
    assert "2 of 6 pairs are doubtful: b-c, c-d. " in line


def test_groups_that_nothing_connects_are_named_and_their_pairs_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    apart = dict.fromkeys(("ac", "ad", "bc", "bd"), "failed")
    code, [first, second] = warnings(facts(["ab", "cd"], **apart), capsys)
    assert code == 1
    assert "c and d: connected with each other, but not with the other languages" in first
    assert "--lexicon a-c=FILE" in first
    assert "4 of 6 pairs failed: a-c, a-d, b-c, b-d. " in second
