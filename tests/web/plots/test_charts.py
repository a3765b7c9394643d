"""Charts are well-formed SVG, and their points are where they belong."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from markupsafe import Markup

from isolex.web.plots.charts import (
    LEFT,
    RIGHT,
    SMALL,
    WIDTH,
    Frame,
    LabelPosition,
    Line,
    _box,
    _overlap,
    _ticks,
    dash,
    key,
    line_chart,
    pair_plot,
    shape,
    step_points,
)

POINTS = [(1.0, 0.2), (2.0, 0.5), (3.0, 0.4)]


def test_a_chart_is_well_formed_and_labelled() -> None:
    lines = [Line("one & two", POINTS, "a", filled=True), Line("<b>", POINTS[::-1], "b")]
    root = ET.fromstring(line_chart(lines, "iteration", "objective"))
    assert "objective, by iteration" in [element.text for element in root.iter("text")]
    assert [e.get("class") for e in root.iter("path")].count("area a") == 1
    assert root.get("aria-label") == "objective against iteration: one & two, <b>"


def test_a_line_goes_from_edge_to_edge() -> None:
    path = next(
        e.get("d")
        for e in ET.fromstring(line_chart([Line("l", POINTS)], "x", "y")).iter("path")
        if e.get("class") == "line a"
    )
    xs = [float(x) for x in re.findall(r"[ML]([\d.]+) ", path or "")]
    assert (xs[0], xs[-1]) == (LEFT, WIDTH - RIGHT)


@pytest.mark.parametrize("values", [[0.5, 0.5], [0.0, 0.0], [-1.0, -1.0], [1e-9, 2e-9]])
def test_a_flat_line_is_drawn(values: list[float]) -> None:
    points = list(zip([1.0, 1.0], values, strict=True))
    for zero in (False, True):
        drawn = line_chart([Line("flat", points)], "x", "y", zero=zero)
        assert "nan" not in drawn
        assert "inf" not in drawn
        assert len(list(ET.fromstring(drawn).iter("path"))) > 1


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (0.61, 0.68), (3.0, 20_000.0), (-2.0, 1.0)])
def test_ticks_are_few_round_and_inside(low: float, high: float) -> None:
    found = list(_ticks(low, high, 4))
    assert 2 <= len(found) <= 6
    assert all(low <= value <= high + 1e-9 for value in found)
    assert all(len(f"{value:g}") <= 6 for value in found)


def test_a_key_contains_its_mark() -> None:
    root = ET.fromstring(key(shape("a", 6, 6)))
    assert [element.tag for element in root.iter()] == ["svg", "circle"]


def test_a_template_does_not_escape_a_plot() -> None:
    plots = line_chart([Line("l", POINTS)], "x", "y"), pair_plot([((0, 0), (1, 1))], [], "After")
    for made in (*plots, shape("a", 0, 0), shape("b", 0, 0), key(dash("a"))):
        assert isinstance(made, Markup)


def test_pairs_are_joined_and_the_first_are_labelled() -> None:
    points = [((0.0, 0.0), (1.0, 1.0)), ((2.0, 0.0), (2.0, 1.0))]
    root = ET.fromstring(pair_plot(points, [("<i>", "y")], "After"))
    assert len(list(root.iter("path"))) == 2
    assert len(list(root.iter("circle"))) == len(list(root.iter("rect"))) == 2
    assert [text.text for text in root.iter("text")] == ["<i>", "y"]


def test_no_label_covers_another() -> None:
    rng = np.random.default_rng(0)
    points = [((a, b), (c, d)) for a, b, c, d in rng.normal(size=(60, 4)).tolist()]
    points[:8] = [((0.0, 0.0), (0.01, 0.01))] * 8
    labels = [(f"source{n}", f"target{n}") for n in range(30)]
    texts = list(ET.fromstring(pair_plot(points, labels, "After")).iter("text"))
    assert 20 < len(texts) < 60
    boxes = [
        _box(
            text.text or "",
            SMALL,
            LabelPosition(
                *(float(text.get(name, "")) for name in "xy"),
                float(text.get("dy", "").removesuffix("em")),
                text.get("text-anchor", ""),
            ),
        )
        for text in texts
    ]
    assert not any(_overlap(one, other) for one, other in combinations(boxes, 2))
    assert {"label a", "label fine a"} <= {text.get("class") for text in texts}


def test_long_words_are_cut() -> None:
    drawn = pair_plot([((0.0, 0.0), (1.0, 1.0))], [("x" * 40, "y")], "After")
    assert "x" * 17 + "\u2026" in drawn
    assert "x" * 18 not in drawn


def test_a_step_line_keeps_its_value_until_the_next_point() -> None:
    assert step_points([(1, 4), (2, 4), (3, 9)]) == [(1, 4), (2, 4), (2, 4), (3, 4), (3, 9)]
    assert step_points([(1, 4)]) == [(1, 4)]


def test_a_frame_contains_its_points() -> None:
    frame = Frame.around(POINTS, 200, zero=True)
    for point in POINTS:
        x, y = frame.place(*point)
        assert LEFT <= x <= WIDTH
        assert 0 <= y <= 200
