"""SVG charts: lines, areas and pairs of points. The style sheet of the page sets the colours."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup

Point = tuple[float, float]
Points = Sequence[Point]

WIDTH = 640
LEFT, RIGHT, TOP, BOTTOM = 60, 12, 34, 30
"""Margins, wide enough for text of either size."""

SMALL, LARGE = 12.0, 22.0
"""Font size on a wide screen and on a phone, where the plot is scaled down; see report.css."""

MAX_LETTERS = 18
"""Longest word that a plot shows in full."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""

Mark = tuple[str, float, float]
"""Colour, x and y of a point."""


class LabelPosition(NamedTuple):
    """Where a label starts or ends, depending on ``anchor``; ``down`` is in units of font size."""

    x: float
    y: float
    down: float
    anchor: str


@dataclass(frozen=True)
class Line:
    """A line of a chart.

    Attributes:
        label: Its name.
        points: Its points, from left to right.
        colour: One of the colours of the page: ``a``, ``b`` or ``c``.
        filled: Whether the area below it is shaded.
    """

    label: str
    points: Points
    colour: str = "a"
    filled: bool = False


@dataclass(frozen=True)
class Frame:
    """The range of values of a chart, and where they are drawn."""

    low: Point
    high: Point
    height: int

    @classmethod
    def around(cls, points: Points, height: int, *, zero: bool) -> Frame:
        """A frame that contains all points; with ``zero`` the vertical axis starts at zero."""
        xs, ys = zip(*points, strict=True)
        low, high = min(0.0, *ys) if zero else min(ys), max(ys)
        room = (high - low or abs(high) or 1.0) * 0.05
        right = max(xs) if max(xs) > min(xs) else min(xs) + 1
        return cls((min(xs), low if zero else low - room), (right, high + room), height)

    def place(self, x: float, y: float) -> Point:
        """The position of a value in the drawing."""
        across = (x - self.low[0]) / (self.high[0] - self.low[0])
        up = (y - self.low[1]) / (self.high[1] - self.low[1])
        return (
            LEFT + across * (WIDTH - LEFT - RIGHT),
            self.height - BOTTOM - up * (self.height - TOP - BOTTOM),
        )

    def path(self, points: Points) -> str:
        """SVG path data of a line through the points."""
        return "M" + "L".join("{:.1f} {:.1f}".format(*self.place(*point)) for point in points)


def line_chart(
    lines: Sequence[Line], x_name: str, y_name: str, height: int = 220, *, zero: bool = False
) -> Markup:
    """Draw lines over a common horizontal axis.

    Args:
        lines: The lines. A chart has no legend of its own; `dash` draws the marks for one.
        x_name: What the horizontal axis shows.
        y_name: What the vertical axis shows.
        height: Height of the chart.
        zero: Whether the vertical axis starts at zero.
    """
    frame = Frame.around([point for line in lines for point in line.points], height, zero=zero)
    parts = [*_axes(frame, x_name, y_name)]
    for line in lines:
        path = frame.path(line.points)
        if line.filled:
            ends = [(line.points[-1][0], frame.low[1]), (line.points[0][0], frame.low[1])]
            area = path + "L" + frame.path(ends)[1:] + "Z"
            parts.append(Markup('<path class="area {}" d="{}"/>').format(line.colour, area))
        parts.append(Markup('<path class="line {}" d="{}"/>').format(line.colour, path))
    labels = ", ".join(line.label for line in lines)
    return _svg(parts, height, f"{y_name} against {x_name}: {labels}")


def step_points(points: Points) -> Points:
    """The corners of a line that keeps its value until the next point."""
    corners = [(x, y) for (_, y), (x, _) in pairwise(points)]
    return [one for both in zip(points, corners, strict=False) for one in both] + [points[-1]]


def key(mark: Markup) -> Markup:
    """A legend key of 24 by 12 that shows a mark, such as a `dash` or a `shape`."""
    return Markup('<svg class="key" viewBox="0 0 24 12" aria-hidden="true">{}</svg>').format(mark)


def dash(colour: str) -> Markup:
    """A short line for a legend key."""
    return Markup('<path class="line {}" d="M1 6H23"/>').format(colour)


def shape(colour: str, x: float, y: float, size: float = 3.5) -> Markup:
    """The mark of a word: a circle for colour ``a``, a square for colour ``b``."""
    if colour == "a":
        circle = Markup('<circle class="a" cx="{:.1f}" cy="{:.1f}" r="{:.1f}"/>')
        return circle.format(x, y, size)
    half = size * 0.9
    square = Markup('<rect class="b" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>')
    return square.format(x - half, y - half, 2 * half, 2 * half)


def pair_plot(
    pairs: Sequence[tuple[Point, Point]],
    labels: Sequence[tuple[str, str]],
    title: str,
    height: int = 420,
) -> Markup:
    """Draw pairs of points, each joined by a line.

    Args:
        pairs: The points of each pair.
        labels: Words for the first few pairs. A word without room is left out.
        title: Text for screen readers.
        height: Height of the plot.
    """
    frame = Frame.around([point for pair in pairs for point in pair], height, zero=False)
    joins = [Markup('<path class="join" d="{}"/>').format(frame.path(pair)) for pair in pairs]
    marks = [
        (colour, *frame.place(*point))
        for pair in pairs
        for colour, point in zip("ab", pair, strict=True)
    ]
    words = [short(word) for pair in labels for word in pair]
    texts = _labels(words, marks, height)
    return _svg([*joins, *texts, *(shape(*mark) for mark in marks)], height, title)


def short(word: str) -> str:
    """A word as a plot shows it; the end of a long one is cut off."""
    return word if len(word) <= MAX_LETTERS else word[: MAX_LETTERS - 1] + "\u2026"


def _labels(words: Sequence[str], marks: Sequence[Mark], height: int) -> Iterator[Markup]:
    """Words beside their marks, in order of priority; a word that would cover another is dropped.

    A word with room for large text is shown everywhere; one with room only for small text is shown
    on wide screens only.
    """
    text = Markup(
        '<text class="{} {}" x="{:.1f}" y="{:.1f}" dy="{:g}em" text-anchor="{}">{}</text>'
    )
    placed: dict[int, LabelPosition] = {}
    for size, kind in ((LARGE, "label"), (SMALL, "label fine")):
        taken = [_box(words[number], size, position) for number, position in placed.items()]
        for number in sorted(set(range(len(words))) - placed.keys()):
            word = words[number]
            position = _free_position(word, size, number, marks, taken, height)
            if position is None:
                continue
            placed[number] = position
            taken.append(_box(word, size, position))
            yield text.format(kind, marks[number][0], *position, word)


def _free_position(
    word: str, size: float, number: int, marks: Sequence[Mark], taken: Sequence[Box], height: int
) -> LabelPosition | None:
    """The position beside a mark that overlaps nothing in ``taken``, and the fewest marks."""
    positions = [
        position
        for position in _positions(*marks[number][1:])
        if _is_inside(box := _box(word, size, position), height)
        and not any(_overlap(box, other) for other in taken)
    ]
    points = [(x - 4, y - 4, x + 4, y + 4) for _, x, y in marks]

    def covered_marks(position: LabelPosition) -> int:
        box = _box(word, size, position)
        return sum(_overlap(box, point) for point in points)

    return min(positions, key=covered_marks, default=None)


def _positions(x: float, y: float) -> Iterator[LabelPosition]:
    """Possible label positions: above, below and level with the mark, to its right and left."""
    for up, down in ((-5, 0.0), (5, 0.75), (0, 0.35)):
        yield LabelPosition(x + 6, y + up, down, "start")
        yield LabelPosition(x - 6, y + up, down, "end")


def _box(word: str, size: float, position: LabelPosition) -> Box:
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in word)
    length = size * (0.62 * len(word) + 0.43 * wide)
    left = position.x if position.anchor == "start" else position.x - length
    base = position.y + position.down * size
    return left, base - 0.85 * size, left + length, base + 0.25 * size


def _is_inside(box: Box, height: int) -> bool:
    return box[0] >= 0 and box[1] >= 0 and box[2] <= WIDTH and box[3] <= height


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _svg(parts: Sequence[Markup], height: int, title: str) -> Markup:
    svg = Markup('<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>')
    return svg.format(WIDTH, height, title, Markup("").join(parts))


def _axes(frame: Frame, x_name: str, y_name: str) -> Iterator[Markup]:
    bottom = frame.height - BOTTOM
    for value in _ticks(frame.low[1], frame.high[1], 4 if frame.height > 160 else 2):
        _, y = frame.place(frame.low[0], value)
        yield Markup('<path class="grid" d="M{} {:.1f}H{}"/>').format(LEFT, y, WIDTH - RIGHT)
        yield _tick(LEFT - 6, y, "end", ".35em", value)
    for value in _ticks(frame.low[0], frame.high[0], 6):
        x, _ = frame.place(value, frame.low[1])
        yield _tick(x, bottom + 5, "middle", ".9em", value)
    names = Markup('<text class="axis" x="0" y="2" dy=".9em">{}, by {}</text>')
    yield names.format(y_name, x_name)


def _tick(x: float, y: float, anchor: str, down: str, value: float) -> Markup:
    number = f"{value / 1000:g}k" if abs(value) >= 1000 else f"{value:g}"
    text = Markup('<text class="tick" x="{:.1f}" y="{:.1f}" dy="{}" text-anchor="{}">{}</text>')
    return text.format(x, y, down, anchor, number)


def _ticks(low: float, high: float, count: int) -> Iterator[float]:
    """About ``count`` round values in an interval."""
    rough = (high - low) / count
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    value = math.ceil(low / step) * step
    while value <= high + step * 1e-9:
        yield round(value, 10) + 0.0
        value += step
