"""The neighbourhood of a word as an SVG: words are links, labels keep out of each other's way."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import product
from math import cos, hypot, pi, sin
from typing import NamedTuple

import numpy as np

from isolex.embeddings import Vectors

LETTER, WIDE_LETTER, LINE = 7.4, 13.5, 15.0
"""The size of a letter at 13 px, a little more than most are."""
LONGEST = 18
MARGIN = 14.0


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


class Box(NamedTuple):
    """A rectangle on the paper."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: Box) -> float:
        """The area that two of them share."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across * down if across > 0 and down > 0 else 0.0


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


def shape(colour: str, x: float, y: float, size: float = 4.5) -> str:
    """A word's mark: a circle for the one language, a square for the other."""
    if colour == "a":
        return f'<circle class="a" cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}"/>'
    half = size * 0.9
    return (
        f'<rect class="b" x="{x - half:.1f}" y="{y - half:.1f}" '
        f'width="{2 * half:.1f}" height="{2 * half:.1f}"/>'
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


def _link(spot: Spot, place: tuple[float, float], label: Box) -> str:
    x, y = place
    centre = " centre" if spot.centre else ""
    text = spot.word if len(spot.word) <= LONGEST else spot.word[: LONGEST - 1] + "\u2026"
    middle = (label.left + label.right) / 2
    below = label.top + 0.78 * LINE
    near = (min(max(x, label.left), label.right), min(max(y, label.top), label.bottom))
    leader = ""
    if hypot(near[0] - x, near[1] - y) > 10:
        leader = f'<path class="leader" d="M{x:.1f} {y:.1f}L{near[0]:.1f} {near[1]:.1f}"/>'
    return (
        f'<a href="{escape(spot.address)}" class="spot{centre}">'
        f"<title>{escape(spot.about)}</title>{leader}"
        f"{shape(spot.colour, x, y, 6.5 if spot.centre else 4.5)}"
        f'<text class="{spot.colour}" x="{middle:.1f}" y="{below:.1f}" text-anchor="middle">'
        f"{escape(text)}</text></a>"
    )


def _labels(
    spots: Sequence[Spot], places: Sequence[tuple[float, float]], width: int, height: int
) -> list[Box]:
    """Where the labels go: each, in turn, to where it covers least, as near as can be."""
    taken = [Box(x - 6, y - 6, x + 6, y + 6) for x, y in places]
    labels: list[Box] = []
    for spot, place in zip(spots, places, strict=True):
        best = min(
            _around(_length(spot.word, spot.centre), place),
            key=lambda choice: choice[0] + _cost(choice[1], taken, width, height),
        )[1]
        labels.append(best)
        taken.append(best)
    return labels


def _cost(box: Box, taken: Sequence[Box], width: int, height: int) -> float:
    outside = max(0, 2 - box.left) + max(0, box.right - width + 2)
    outside += max(0, 2 - box.top) + max(0, box.bottom - height + 2)
    covered = sum(box.overlap(other) for other in taken)
    return 20 * outside + (5 + covered if covered else 0)


def _around(length: float, place: tuple[float, float]) -> Iterator[tuple[float, Box]]:
    """Places for a label, and what is to be said against each: its distance."""
    x, y = place
    for ring, step in product(range(6), range(12)):
        angle = 2 * pi * step / 12
        away = 9 + 12 * ring
        # From the middle of the box so far out that its edge keeps the distance.
        across = (away + length / 2) * cos(angle)
        down = (away + LINE / 2) * sin(angle)
        left, top = x + across - length / 2, y + down - LINE / 2
        yield 0.4 * ring * ring + 0.05 * step, Box(left, top, left + length, top + LINE)


def _length(word: str, centre: bool) -> float:
    letters = min(len(word), LONGEST)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in word[:LONGEST])
    return (LETTER * (letters - wide) + WIDE_LETTER * wide) * (1.15 if centre else 1)
