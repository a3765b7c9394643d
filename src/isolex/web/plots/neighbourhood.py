"""The neighbourhood of a word as SVG. Words are links, and their labels avoid one another."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, pi
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from isolex.core.embeddings import Vectors
from isolex.kernels.types import Doubles
from isolex.web.plots.charts import shape, short

LETTER, WIDE_LETTER, LINE = 7.4, 13.5, 15.0
"""Width of a letter and height of a line at 13 px, a little more than most fonts need."""

MARGIN = 14.0

ANGLES = np.tile(np.arange(12) * (2 * pi / 12), 6)
RINGS = np.repeat(8 + 12 * np.arange(6), 12)
"""Directions and distances from a word at which its label may stand."""

PENALTIES = np.repeat(0.4 * np.arange(6) ** 2, 12) + 0.05 * np.tile(np.arange(12), 6)
"""The cost of each such position: far ones are worse."""


@dataclass(frozen=True)
class Spot:
    """A word in the plot.

    Attributes:
        word: The word as it is shown.
        address: Where a click leads.
        colour: The colour of its language, ``a`` or ``b``; it also decides the shape.
        about: The tooltip.
        centre: Whether it is the word that was looked up.
        joined: Whether a line joins it to that word.
    """

    word: str
    address: str
    colour: str
    about: str
    centre: bool = False
    joined: bool = False


class Label(NamedTuple):
    """The rectangle of a label, and the anchor of its text."""

    left: float
    top: float
    right: float
    bottom: float
    anchor: str


def flat(vectors: Vectors) -> Vectors:
    """Project ``(n, d)`` vectors to their two leading principal components: ``(n, 2)``."""
    centred = vectors - vectors.mean(axis=0)
    left, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    points = (left * sizes)[:, :2]
    points = np.pad(points, ((0, 0), (0, 2 - points.shape[1])))
    # The signs of components are arbitrary: put the first word to the left and below.
    return points * np.where(points[0] > 0, -1, 1).astype(np.float32)


def draw(spots: Sequence[Spot], points: Vectors, width: int, height: int, title: str) -> Markup:
    """Draw words at ``points`` ``(n, 2)``; the first is the word that was looked up."""
    places = _places(points, width, height)
    labels = _labels(spots, places, width, height)
    join = Markup('<path class="join" d="M{:.1f} {:.1f}L{:.1f} {:.1f}"/>')
    parts = [
        join.format(*places[0], *place)
        for spot, place in zip(spots, places, strict=True)
        if spot.joined
    ]
    # In reverse, so that the word that was looked up is drawn on top.
    for spot, place, label in reversed(list(zip(spots, places, labels, strict=True))):
        parts.append(_link(spot, place, label))
    svg = Markup('<svg viewBox="0 0 {} {}" role="group" aria-label="{}">{}</svg>')
    return svg.format(width, height, title, Markup("").join(parts))


def _places(points: Vectors, width: int, height: int) -> list[tuple[float, float]]:
    """Where the points are drawn."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle = (low + high) / 2
    room = np.array([width - 6 * MARGIN, height - 4 * MARGIN])
    # One scale for both axes would waste space, and distances in a projection are not exact anyway.
    scale = room / np.maximum(high - low, 1e-9)
    scale = np.minimum(scale, 3 * scale.min())
    places = (points - middle) * scale * [1, -1] + [width / 2, height / 2]
    return [(float(x), float(y)) for x, y in places]


def _link(spot: Spot, place: tuple[float, float], label: Label) -> Markup:
    x, y = place
    start = {"start": label.left, "middle": (label.left + label.right) / 2, "end": label.right}
    baseline = label.top + 0.78 * LINE
    near_x = min(max(x, label.left), label.right)
    near_y = min(max(y, label.top), label.bottom)
    leader = Markup("")
    if hypot(near_x - x, near_y - y) > 12:
        path = Markup('<path class="leader" d="M{:.1f} {:.1f}L{:.1f} {:.1f}"/>')
        leader = path.format(x, y, near_x, near_y)
    text = Markup('<text class="{}" x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>').format(
        spot.colour, start[label.anchor], baseline, label.anchor, short(spot.word)
    )
    return Markup('<a href="{}" class="spot{}"><title>{}</title>{}{}{}</a>').format(
        spot.address,
        " centre" if spot.centre else "",
        spot.about,
        leader,
        shape(spot.colour, x, y, 6.5 if spot.centre else 4.5),
        text,
    )


def _labels(
    spots: Sequence[Spot], places: Sequence[tuple[float, float]], width: int, height: int
) -> list[Label]:
    """Place the labels one after the other, each where it covers least and is close to its word."""
    points = np.array(places)
    joins = [_line_boxes(points[0], points[i]) for i, spot in enumerate(spots) if spot.joined]
    taken = np.vstack([np.hstack([points - 6, points + 6]), *joins])
    labels: list[Label] = []
    for spot, point in zip(spots, points, strict=True):
        boxes = _label_boxes(spot, point)
        paper = np.array([2, 2, width - 2, height - 2])
        outside = np.maximum(0, (paper - boxes) * [1, 1, -1, -1]).sum(axis=1)
        choice = int(np.argmin(PENALTIES + 20 * outside + _cover_costs(boxes, taken)))
        across = cos(ANGLES[choice])
        anchor = "start" if across > 0.8 else "end" if across < -0.8 else "middle"
        left, top, right, bottom = boxes[choice].tolist()
        labels.append(Label(left, top, right, bottom, anchor))
        taken = np.vstack([taken, boxes[choice]])
    return labels


def _line_boxes(start: Doubles, end: Doubles) -> Doubles:
    """Small boxes ``(n, 4)`` along the line between two points."""
    steps = np.arange(0, 1, 4 / max(4, hypot(*(end - start))))[:, None]
    points = start + steps * (end - start)
    return np.hstack([points - 2, points + 2])


def _cover_costs(boxes: Doubles, taken: Doubles) -> Doubles:
    """The cost ``(b,)`` of covering the areas ``taken`` ``(t, 4)`` with each of ``(b, 4)`` boxes.

    Touching something at all is worse than covering a little more of it.
    """
    low = np.maximum(boxes[:, None, :2], taken[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], taken[None, :, 2:])
    areas = np.maximum(0, high - low).prod(axis=2).sum(axis=1)
    cost: Doubles = np.where(areas > 0, 5 + areas, 0)
    return cost


def _label_boxes(spot: Spot, point: Doubles) -> Doubles:
    """Possible boxes ``(r, 4)`` for the label of a word, as left, top, right and bottom."""
    half = np.array([_length(spot.word, spot.centre), LINE]) / 2
    # The distance is counted from the edge of the box, not from its middle.
    away = RINGS[:, None] + half + (3 if spot.centre else 0)
    middles = point + away * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
    return np.hstack([middles - half, middles + half])


def _length(word: str, centre: bool) -> float:
    shown = short(word)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in shown)
    return (LETTER * (len(shown) - wide) + WIDE_LETTER * wide) * (1.2 if centre else 1)
