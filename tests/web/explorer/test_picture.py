"""Labels of the picture keep out of each other's way, and on the paper."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from isolex.web.explorer.neighbourhood import SHEETS
from isolex.web.explorer.picture import Label, Spot, _labels, _placed, draw, flat


def spots(count: int) -> list[Spot]:
    return [Spot(f"word{i}", f"/?w={i}", "ab"[i % 2], f"word {i}", i == 0) for i in range(count)]


def overlap(one: Label, other: Label) -> float:
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    return max(0.0, across) * max(0.0, down)


@pytest.mark.parametrize(("_", "width", "height"), SHEETS)
@pytest.mark.parametrize("seed", range(5))
def test_labels_do_not_overlap(_: str, width: int, height: int, seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(22, 2)).astype(np.float32)
    labels = _labels(spots(22), _placed(points, width, height), width, height)
    for place, label in enumerate(labels):
        assert min(label.left, label.top) >= 0
        assert label.right <= width
        assert label.bottom <= height
        assert sum(overlap(label, other) for other in labels[:place]) < 30


def test_no_label_lies_on_the_line_to_the_best_translation() -> None:
    asked = spots(3)
    asked[1] = replace(asked[1], joined=True)
    places = [(100.0, 200.0), (300.0, 200.0), (200.0, 400.0)]
    for label in _labels(asked, places, 680, 460)[:2]:
        assert label.top > 200 or label.bottom < 200 or label.left > 300 or label.right < 100


def test_words_in_one_place_are_still_drawn() -> None:
    same = np.ones((6, 4), dtype=np.float32)
    picture = draw(spots(6), flat(same), 340, 460, "all the same")
    assert "nan" not in picture
    assert picture.count("<a href=") == 6


def test_a_word_alone_is_drawn() -> None:
    one = np.ones((1, 4), dtype=np.float32)
    assert draw(spots(1), flat(one), 340, 460, "alone").count("<a href=") == 1


def test_what_is_drawn_is_escaped_and_cut() -> None:
    odd = [Spot("<b>&" + "x" * 40, '/?w="&', "a", "<i>", centre=True)]
    picture = draw(odd, np.zeros((1, 2), dtype=np.float32), 340, 460, '">')
    assert set(re.findall(r"<([a-z]+)", picture)) == {"svg", "a", "title", "circle", "text"}
    assert "x" * 40 not in picture
