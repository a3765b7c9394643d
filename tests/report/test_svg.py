"""Charts are well-formed, and their points lie where they should."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from isolex.report.svg import LEFT, RIGHT, WIDTH, Frame, Line, _ticks, chart, pairs, stairs

POINTS = [(1.0, 0.2), (2.0, 0.5), (3.0, 0.4)]


def test_a_chart_is_well_formed_and_labelled() -> None:
    lines = [Line("one & two", POINTS, "a", filled=True), Line("<b>", POINTS[::-1], "b")]
    root = ET.fromstring(chart(lines, "iteration", "objective"))
    texts = [element.text for element in root.iter("text")]
    assert {"iteration", "objective", "one & two", "<b>"} <= set(texts)
    assert [e.get("class") for e in root.iter("path")].count("area a") == 1
    assert root.get("aria-label") == "objective against iteration: one & two, <b>"


def test_a_line_goes_from_edge_to_edge() -> None:
    path = next(
        e.get("d")
        for e in ET.fromstring(chart([Line("l", POINTS)], "x", "y")).iter("path")
        if e.get("class") == "line a"
    )
    xs = [float(x) for x in re.findall(r"[ML]([\d.]+) ", path or "")]
    assert (xs[0], xs[-1]) == (LEFT, WIDTH - RIGHT)


@pytest.mark.parametrize("values", [[0.5, 0.5], [0.0, 0.0], [-1.0, -1.0], [1e-9, 2e-9]])
def test_a_flat_line_is_drawn_too(values: list[float]) -> None:
    points = list(zip([1.0, 1.0], values, strict=True))
    for zero in (False, True):
        drawn = chart([Line("flat", points)], "x", "y", zero=zero)
        assert "nan" not in drawn
        assert "inf" not in drawn
        assert len(list(ET.fromstring(drawn).iter("path"))) > 1


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (0.61, 0.68), (3.0, 20_000.0), (-2.0, 1.0)])
def test_ticks_are_few_round_and_within(low: float, high: float) -> None:
    found = list(_ticks(low, high, 4))
    assert 2 <= len(found) <= 6
    assert all(low <= value <= high + 1e-9 for value in found)
    assert all(len(f"{value:g}") <= 6 for value in found)


def test_pairs_are_joined_and_the_first_are_named() -> None:
    couples = [((0.0, 0.0), (1.0, 1.0)), ((2.0, 0.0), (2.0, 1.0))]
    root = ET.fromstring(pairs(couples, [("<i>", "y")], "After"))
    assert len(list(root.iter("circle"))) == 4
    assert [text.text for text in root.iter("text")] == ["<i>", "y"]


def test_stairs_stay_until_the_next_point() -> None:
    assert stairs([(1, 4), (2, 4), (3, 9)]) == [(1, 4), (2, 4), (2, 4), (3, 4), (3, 9)]
    assert stairs([(1, 4)]) == [(1, 4)]


def test_a_frame_holds_what_it_is_around() -> None:
    frame = Frame.around(POINTS, 200, zero=True)
    for point in POINTS:
        x, y = frame.place(*point)
        assert LEFT <= x <= WIDTH
        assert 0 <= y <= 200
