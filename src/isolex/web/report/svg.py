"""Charts as SVG: lines, areas and pairs of points, coloured by the page that they stand in."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import NamedTuple

Points = Sequence[tuple[float, float]]

WIDTH = 640
LEFT, RIGHT, TOP, BOTTOM = 60, 12, 34, 30
"""The margins hold text of either size."""

SMALL, LARGE = 12.0, 22.0
"""The size of text on a desk and on a phone, where the whole picture is small: see style.css."""

LONGEST = 18
"""How many letters of a word are shown in a picture."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""

Mark = tuple[str, float, float]
"""The colour and the place of a point."""


class Spot(NamedTuple):
    """Where a word stands: its beginning or end, so many times its size further down."""

    x: float
    y: float
    down: float
    anchor: str


@dataclass(frozen=True)
class Line:
    """A line of a chart.

    Attributes:
        label: What it is.
        points: Of which it is made, from left to right.
        colour: One of the page's colours: ``a``, ``b`` or ``c``.
        filled: Whether the area below it is shaded.
    """

    label: str
    points: Points
    colour: str = "a"
    filled: bool = False


@dataclass(frozen=True)
class Frame:
    """Where the values of a chart lie on the paper."""

    low: tuple[float, float]
    high: tuple[float, float]
    height: int

    @classmethod
    def around(cls, points: Sequence[tuple[float, float]], height: int, *, zero: bool) -> Frame:
        """A frame that holds all points; with ``zero``, from zero up."""
        xs, ys = zip(*points, strict=True)
        low, high = min(0.0, *ys) if zero else min(ys), max(ys)
        room = (high - low or abs(high) or 1.0) * 0.05
        right = max(xs) if max(xs) > min(xs) else min(xs) + 1
        return cls((min(xs), low if zero else low - room), (right, high + room), height)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a value is drawn."""
        across = (x - self.low[0]) / (self.high[0] - self.low[0])
        up = (y - self.low[1]) / (self.high[1] - self.low[1])
        return (
            LEFT + across * (WIDTH - LEFT - RIGHT),
            self.height - BOTTOM - up * (self.height - TOP - BOTTOM),
        )

    def path(self, points: Points) -> str:
        """The points joined by a line."""
        return "M" + "L".join("{:.1f} {:.1f}".format(*self.place(*point)) for point in points)


def chart(
    lines: Sequence[Line], across: str, up: str, height: int = 220, *, zero: bool = False
) -> str:
    """Lines over a common axis, named above it.

    Args:
        lines: The lines; where there are several, a `legend` tells them.
        across: What the horizontal axis shows.
        up: What the vertical axis shows.
        height: Of the picture.
        zero: Whether the vertical axis begins at zero.
    """
    frame = Frame.around([point for line in lines for point in line.points], height, zero=zero)
    parts = [*_axes(frame, across, up)]
    for line in lines:
        path = frame.path(line.points)
        if line.filled:
            ends = [(line.points[-1][0], frame.low[1]), (line.points[0][0], frame.low[1])]
            area = path + "L" + frame.path(ends)[1:] + "Z"
            parts.append(f'<path class="area {line.colour}" d="{area}"/>')
        parts.append(f'<path class="line {line.colour}" d="{path}"/>')
    title = ", ".join(line.label for line in lines)
    return _picture(parts, height, f"{up} against {across}: {title}")


def stairs(points: Points) -> Points:
    """The corners of a line that stays where it is until the next point."""
    corners = [(x, y) for (_, y), (x, _) in pairwise(points)]
    return [one for both in zip(points, corners, strict=False) for one in both] + [points[-1]]


def legend(marks: Sequence[tuple[str, str]]) -> str:
    """What the marks of a picture stand for, as HTML beside it: marks of `key` with their names."""
    entries = (f"<span>{mark} {escape(name)}</span>" for mark, name in marks)
    return f'<p class="legend">{" ".join(entries)}</p>'


def key(drawn: str) -> str:
    """A mark of 24 by 12 for a legend."""
    return f'<svg class="key" viewBox="0 0 24 12" aria-hidden="true">{drawn}</svg>'


def dash(colour: str) -> str:
    """A piece of a line."""
    return f'<path class="line {colour}" d="M1 6H23"/>'


def shape(colour: str, x: float, y: float, size: float = 3.5) -> str:
    """A word's mark: a circle for the one language, a square for the other."""
    if colour == "a":
        return f'<circle class="a" cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}"/>'
    half = size * 0.9
    return (
        f'<rect class="b" x="{x - half:.1f}" y="{y - half:.1f}" '
        f'width="{2 * half:.1f}" height="{2 * half:.1f}"/>'
    )


def pairs(
    couples: Sequence[tuple[tuple[float, float], tuple[float, float]]],
    labels: Sequence[tuple[str, str]],
    title: str,
    height: int = 420,
) -> str:
    """Pairs of points, each joined by a line; the first few with labels where there is room."""
    frame = Frame.around([point for couple in couples for point in couple], height, zero=False)
    joins = [f'<path class="join" d="{frame.path(couple)}"/>' for couple in couples]
    marks = [
        (colour, *frame.place(*point))
        for couple in couples
        for colour, point in zip("ab", couple, strict=True)
    ]
    words = [short(word) for both in labels for word in both]
    texts = _labels(words, marks, height)
    return _picture([*joins, *texts, *(shape(*mark) for mark in marks)], height, title)


def _labels(words: Sequence[str], marks: Sequence[Mark], height: int) -> Iterator[str]:
    """The words beside their marks, the first first; one that would cover another is left out.

    What has room as large text is seen everywhere, what has room as small text on a desk only.
    """
    placed: dict[int, Spot] = {}
    for size, kind in ((LARGE, "label"), (SMALL, "label fine")):
        taken = [_box(words[number], size, spot) for number, spot in placed.items()]
        for number in sorted(set(range(len(words))) - placed.keys()):
            word = words[number]
            spot = _free(word, size, number, marks, taken, height)
            if spot is None:
                continue
            placed[number] = spot
            taken.append(_box(word, size, spot))
            yield (
                f'<text class="{kind} {marks[number][0]}" x="{spot.x:.1f}" y="{spot.y:.1f}" '
                f'dy="{spot.down:g}em" text-anchor="{spot.anchor}">{escape(word)}</text>'
            )


def _free(
    word: str, size: float, number: int, marks: Sequence[Mark], taken: Sequence[Box], height: int
) -> Spot | None:
    """A spot beside a mark where the word covers nothing that is ``taken``, and fewest marks."""
    spots = [
        spot
        for spot in _beside(*marks[number][1:])
        if _within(box := _box(word, size, spot), height)
        and not any(_meet(box, other) for other in taken)
    ]
    points = [(x - 4, y - 4, x + 4, y + 4) for _, x, y in marks]

    def covered(spot: Spot) -> int:
        box = _box(word, size, spot)
        return sum(_meet(box, point) for point in points)

    return min(spots, key=covered, default=None)


def _beside(x: float, y: float) -> Iterator[Spot]:
    """Where the word of a mark may stand: above, below and level, on both sides."""
    for up, down in ((-5, 0.0), (5, 0.75), (0, 0.35)):
        yield Spot(x + 6, y + up, down, "start")
        yield Spot(x - 6, y + up, down, "end")


def _box(word: str, size: float, spot: Spot) -> Box:
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in word)
    length = size * (0.62 * len(word) + 0.43 * wide)
    left = spot.x if spot.anchor == "start" else spot.x - length
    base = spot.y + spot.down * size
    return left, base - 0.85 * size, left + length, base + 0.25 * size


def _within(box: Box, height: int) -> bool:
    return box[0] >= 0 and box[1] >= 0 and box[2] <= WIDTH and box[3] <= height


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def short(word: str) -> str:
    """A word as it is shown in a picture, its end left out where it is long."""
    return word if len(word) <= LONGEST else word[: LONGEST - 1] + "\u2026"


def _picture(parts: Sequence[str], height: int, title: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        + "".join(parts)
        + "</svg>"
    )


def _axes(frame: Frame, across: str, up: str) -> Iterator[str]:
    bottom = frame.height - BOTTOM
    for value in _ticks(frame.low[1], frame.high[1], 4 if frame.height > 160 else 2):
        _, y = frame.place(frame.low[0], value)
        yield f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        yield _tick(LEFT - 6, y, "end", ".35em", value)
    for value in _ticks(frame.low[0], frame.high[0], 6):
        x, _ = frame.place(value, frame.low[1])
        yield _tick(x, bottom + 5, "middle", ".9em", value)
    yield f'<text class="axis" x="0" y="2" dy=".9em">{escape(up)}, by {escape(across)}</text>'


def _tick(x: float, y: float, anchor: str, down: str, value: float) -> str:
    text = f"{value / 1000:g}k" if abs(value) >= 1000 else f"{value:g}"
    return (
        f'<text class="tick" x="{x:.1f}" y="{y:.1f}" dy="{down}" text-anchor="{anchor}">'
        f"{text}</text>"
    )


def _ticks(low: float, high: float, count: int) -> Iterator[float]:
    """Round values within an interval, about so many."""
    rough = (high - low) / count
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    value = math.ceil(low / step) * step
    while value <= high + step * 1e-9:
        yield round(value, 10) + 0.0
        value += step
