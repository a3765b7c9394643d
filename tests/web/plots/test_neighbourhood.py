"""Labels of the neighbourhood plot do not overlap and stay inside the plot."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from markupsafe import Markup

from isolex.web.plots.neighbourhood import Label, Spot, _labels, _places, draw, flat


def make_spots(count: int) -> list[Spot]:
    return [Spot(f"word{i}", f"/?w={i}", "ab"[i % 2], f"word {i}", i == 0) for i in range(count)]


def overlap(one: Label, other: Label) -> float:
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    return max(0.0, across) * max(0.0, down)


@pytest.mark.parametrize(("width", "height"), [(860, 470), (340, 460)])
@pytest.mark.parametrize("seed", range(5))
def test_labels_do_not_overlap(width: int, height: int, seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(22, 2)).astype(np.float32)
    labels = _labels(make_spots(22), _places(points, width, height), width, height)
    for place, label in enumerate(labels):
        assert min(label.left, label.top) >= 0
        assert label.right <= width
        assert label.bottom <= height
        assert sum(overlap(label, other) for other in labels[:place]) < 30


def test_no_label_covers_the_line_to_the_best_translation() -> None:
    spots = make_spots(3)
    spots[1] = replace(spots[1], joined=True)
    places = [(100.0, 200.0), (300.0, 200.0), (200.0, 400.0)]
    for label in _labels(spots, places, 680, 460)[:2]:
        assert label.top > 200 or label.bottom < 200 or label.left > 300 or label.right < 100


def test_words_with_the_same_vector_are_drawn() -> None:
    same = np.ones((6, 4), dtype=np.float32)
    plot = draw(make_spots(6), flat(same), 340, 460, "all the same")
    assert "nan" not in plot
    assert plot.count("<a href=") == 6


def test_a_single_word_is_drawn() -> None:
    one = np.ones((1, 4), dtype=np.float32)
    assert draw(make_spots(1), flat(one), 340, 460, "alone").count("<a href=") == 1


def test_text_is_escaped_and_cut() -> None:
    odd = [Spot("<b>&" + "x" * 40, '/?w="&', "a", "<i>", centre=True)]
    plot = draw(odd, np.zeros((1, 2), dtype=np.float32), 340, 460, '">')
    assert set(re.findall(r"<([a-z]+)", plot)) == {"svg", "a", "title", "circle", "text"}
    assert "x" * 40 not in plot


def test_a_template_does_not_escape_the_plot() -> None:
    plot = draw(make_spots(2), np.eye(2, dtype=np.float32), 340, 460, "two")
    assert isinstance(plot, Markup)
