"""Charts as SVG: lines, areas and pairs of points, coloured by the page that they stand in."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

Points = Sequence[tuple[float, float]]

WIDTH = 640
LEFT, RIGHT, TOP, BOTTOM = 56, 12, 10, 34


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
    """Lines over a common axis, with a legend where there are several.

    Args:
        lines: The lines.
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
    if len(lines) > 1:
        parts += _legend(lines)
    title = ", ".join(line.label for line in lines)
    return _picture(parts, height, f"{up} against {across}: {title}")


def stairs(points: Points) -> Points:
    """The corners of a line that stays where it is until the next point."""
    corners = [(x, y) for (_, y), (x, _) in pairwise(points)]
    return [one for both in zip(points, corners, strict=False) for one in both] + [points[-1]]


def pairs(
    couples: Sequence[tuple[tuple[float, float], tuple[float, float]]],
    labels: Sequence[tuple[str, str]],
    title: str,
    height: int = 420,
) -> str:
    """Pairs of points, each joined by a line; the first few with labels."""
    frame = Frame.around([point for couple in couples for point in couple], height, zero=False)
    parts = []
    for one, other in couples:
        parts.append(f'<path class="join" d="{frame.path([one, other])}"/>')
    for place, couple in enumerate(couples):
        for colour, point, side in zip("ab", couple, (0, 1), strict=True):
            x, y = frame.place(*point)
            parts.append(f'<circle class="{colour}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>')
            if place < len(labels):
                anchor = ' text-anchor="end"' if x > WIDTH * 0.8 else ""
                dx = -6 if anchor else 6
                text = escape(labels[place][side])
                parts.append(
                    f'<text class="{colour}" x="{x + dx:.1f}" y="{y - 5:.1f}"{anchor}>{text}</text>'
                )
    return _picture(parts, height, title)


def _picture(parts: Sequence[str], height: int, title: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        + "".join(parts)
        + "</svg>"
    )


def _axes(frame: Frame, across: str, up: str) -> Iterator[str]:
    bottom = frame.height - BOTTOM
    for value in _ticks(frame.low[1], frame.high[1], 4):
        _, y = frame.place(frame.low[0], value)
        yield f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        yield _tick(LEFT - 6, y + 4, "end", value)
    for value in _ticks(frame.low[0], frame.high[0], 6):
        x, _ = frame.place(value, frame.low[1])
        yield _tick(x, bottom + 16, "middle", value)
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield (
        f'<text class="axis" x="{middle:.1f}" y="{frame.height - 4}" text-anchor="middle">'
        f"{escape(across)}</text>"
    )
    yield (
        f'<text class="axis" transform="translate(12 {(TOP + bottom) / 2:.1f}) rotate(-90)" '
        f'text-anchor="middle">{escape(up)}</text>'
    )


def _tick(x: float, y: float, anchor: str, value: float) -> str:
    text = f"{value / 1000:g}k" if abs(value) >= 1000 else f"{value:g}"
    return f'<text class="tick" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'


def _legend(lines: Sequence[Line]) -> Iterator[str]:
    for place, line in enumerate(lines):
        y = TOP + 12 + 17 * place
        yield f'<circle class="{line.colour}" cx="{WIDTH - RIGHT - 8}" cy="{y - 4}" r="4"/>'
        yield (
            f'<text class="{line.colour}" x="{WIDTH - RIGHT - 18}" y="{y}" text-anchor="end">'
            f"{escape(line.label)}</text>"
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
