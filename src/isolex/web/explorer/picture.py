"""The neighbourhood of a word as an SVG: words are links, labels keep out of each other's way."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import cos, hypot, pi
from typing import NamedTuple

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.kernels.types import Doubles
from isolex.web.report.svg import shape, short

LETTER, WIDE_LETTER, LINE = 7.4, 13.5, 15.0
"""The size of a letter at 13 px, a little more than most are."""
MARGIN = 14.0

ANGLES = np.tile(np.arange(12) * (2 * pi / 12), 6)
RINGS = np.repeat(8 + 12 * np.arange(6), 12)
"""Around a word: directions and distances at which its label may stand."""
DISTANCES = np.repeat(0.4 * np.arange(6) ** 2, 12) + 0.05 * np.tile(np.arange(12), 6)
"""What is to be said against each."""


@dataclass(frozen=True)
class Spot:
    """A word of the picture.

    Attributes:
        word: As it is shown.
        address: Where a click on it leads.
        colour: That of its language, ``a`` or ``b``; it also tells the shape.
        about: What is said of it when it is pointed at.
        centre: Whether it is the one that was asked.
        joined: Whether a line joins it to that one.
    """

    word: str
    address: str
    colour: str
    about: str
    centre: bool = False
    joined: bool = False


class Label(NamedTuple):
    """The rectangle of a label on the paper, and where in it the text begins."""

    left: float
    top: float
    right: float
    bottom: float
    anchor: str


def flat(vectors: Vectors) -> Vectors:
    """Vectors ``(n, d)`` by their two leading principal components: ``(n, 2)``."""
    centred = vectors - vectors.mean(axis=0)
    left, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    points = (left * sizes)[:, :2]
    points = np.pad(points, ((0, 0), (0, 2 - points.shape[1])))
    # The signs of components mean nothing: the first word is to the left and below.
    return points * np.where(points[0] > 0, -1, 1).astype(np.float32)


def draw(spots: Sequence[Spot], points: Vectors, width: int, height: int, title: str) -> str:
    """The picture of words that lie at ``points`` ``(n, 2)``, the one that was asked first."""
    places = _placed(points, width, height)
    labels = _labels(spots, places, width, height)
    parts = []
    for spot, (x, y) in zip(spots, places, strict=True):
        if spot.joined:
            x0, y0 = places[0]
            parts.append(f'<path class="join" d="M{x0:.1f} {y0:.1f}L{x:.1f} {y:.1f}"/>')
    for spot, place, label in reversed(list(zip(spots, places, labels, strict=True))):
        parts.append(_link(spot, place, label))
    return (
        f'<svg viewBox="0 0 {width} {height}" role="group" aria-label="{escape(title)}">'
        + "".join(parts)
        + "</svg>"
    )


def _placed(points: Vectors, width: int, height: int) -> list[tuple[float, float]]:
    low, high = points.min(axis=0), points.max(axis=0)
    middle = (low + high) / 2
    room = np.array([width - 6 * MARGIN, height - 4 * MARGIN])
    # One scale for both axes would waste paper, and distances of a projection are no distances.
    scale = room / np.maximum(high - low, 1e-9)
    scale = np.minimum(scale, 3 * scale.min())
    places = (points - middle) * scale * [1, -1] + [width / 2, height / 2]
    return [(float(x), float(y)) for x, y in places]


def _link(spot: Spot, place: tuple[float, float], label: Label) -> str:
    x, y = place
    centre = " centre" if spot.centre else ""
    text = short(spot.word)
    start = {"start": label.left, "middle": (label.left + label.right) / 2, "end": label.right}
    below = label.top + 0.78 * LINE
    near = (min(max(x, label.left), label.right), min(max(y, label.top), label.bottom))
    leader = ""
    if hypot(near[0] - x, near[1] - y) > 12:
        leader = f'<path class="leader" d="M{x:.1f} {y:.1f}L{near[0]:.1f} {near[1]:.1f}"/>'
    return (
        f'<a href="{escape(spot.address)}" class="spot{centre}">'
        f"<title>{escape(spot.about)}</title>{leader}"
        f"{shape(spot.colour, x, y, 6.5 if spot.centre else 4.5)}"
        f'<text class="{spot.colour}" x="{start[label.anchor]:.1f}" y="{below:.1f}" '
        f'text-anchor="{label.anchor}">'
        f"{escape(text)}</text></a>"
    )


def _labels(
    spots: Sequence[Spot], places: Sequence[tuple[float, float]], width: int, height: int
) -> list[Label]:
    """Where the labels go: each, in turn, to where it covers least, as near as can be."""
    points = np.array(places)
    joins = [_along(points[0], points[i]) for i, spot in enumerate(spots) if spot.joined]
    taken = np.vstack([np.hstack([points - 6, points + 6]), *joins])
    labels: list[Label] = []
    for spot, point in zip(spots, points, strict=True):
        boxes = _around(spot, point)
        paper = np.array([2, 2, width - 2, height - 2])
        outside = np.maximum(0, (paper - boxes) * [1, 1, -1, -1]).sum(axis=1)
        choice = int(np.argmin(DISTANCES + 20 * outside + _covered(boxes, taken)))
        across = cos(ANGLES[choice])
        anchor = "start" if across > 0.8 else "end" if across < -0.8 else "middle"
        left, top, right, bottom = boxes[choice].tolist()
        labels.append(Label(left, top, right, bottom, anchor))
        taken = np.vstack([taken, boxes[choice]])
    return labels


def _along(start: Doubles, end: Doubles) -> Doubles:
    """The line between two points as small boxes ``(n, 4)``."""
    steps = np.arange(0, 1, 4 / max(4, hypot(*(end - start))))[:, None]
    points = start + steps * (end - start)
    return np.hstack([points - 2, points + 2])


def _covered(boxes: Doubles, taken: Doubles) -> Doubles:
    """How much of what is ``taken`` ``(t, 4)`` each of the boxes ``(b, 4)`` would cover: ``(b,)``.

    To touch something at all is worse than to cover a little more of it.
    """
    low = np.maximum(boxes[:, None, :2], taken[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], taken[None, :, 2:])
    areas = np.maximum(0, high - low).prod(axis=2).sum(axis=1)
    cost: Doubles = np.where(areas > 0, 5 + areas, 0)
    return cost


def _around(spot: Spot, point: Doubles) -> Doubles:
    """Places ``(r, 4)`` for the label of a word, as left, top, right and bottom."""
    half = np.array([_length(spot.word, spot.centre), LINE]) / 2
    # From the middle of the box so far out that its edge keeps the distance.
    away = RINGS[:, None] + half + (3 if spot.centre else 0)
    middles = point + away * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
    return np.hstack([middles - half, middles + half])


def _length(word: str, centre: bool) -> float:
    shown = short(word)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in shown)
    return (LETTER * (len(shown) - wide) + WIDE_LETTER * wide) * (1.2 if centre else 1)
