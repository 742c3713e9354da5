"""Plots as inline SVG, drawn by this project itself: intervals as dots with whiskers, and changes as bars.

They are narrow enough for a telephone, take their colours from the page (so that a dark page has dark plots), and every
figure in them also stands in a table beside them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10
from typing import Final

WIDTH: Final = 420
_LEFT: Final = 14
_RIGHT: Final = 14
_ROW: Final = 52
_TOP: Final = 6
_AXIS: Final = 30
_BARS: Final = 190
_MOST_BARS: Final = 41
_TICKS: Final = 6

Label = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Interval:
    """One row of a plot of intervals: its name, the estimate as text, and the numbers."""

    name: str
    text: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers from ``low`` to ``high`` laid out from left to right."""

    low: float
    high: float

    def at(self, number: float) -> float:
        """Return how far from the left a number lies."""
        room = WIDTH - _LEFT - _RIGHT
        return _LEFT + room * (number - self.low) / (self.high - self.low)


def ticks(low: float, high: float, most: int = _TICKS) -> list[float]:
    """Return round numbers between two limits, about as many as fit."""
    span = high - low
    rough = span / most
    power = 10.0 ** floor(log10(rough))
    step = next(unit * power for unit in (1, 2, 5, 10) if unit * power >= rough)
    first = floor(low / step + 1e-9)
    found = [round(number * step, 10) for number in range(first, first + 2 * most + 3)]
    return [number for number in found if low - 1e-9 * span <= number <= high + 1e-9 * span]


def interval_plot(rows: Sequence[Interval], label: Label, title: str) -> str:
    """Return rows of estimates with their intervals on one axis, with nought on it."""
    scale = _scale(rows)
    height = _TOP + _ROW * len(rows) + _AXIS
    bottom = height - _AXIS
    parts = [*_grid(scale, _TOP, bottom, label), *_zero(scale, _TOP, bottom)]
    for place, row in enumerate(rows):
        parts += _interval(row, scale, _TOP + _ROW * place)
    return _svg(parts, height, title)


def _scale(rows: Sequence[Interval]) -> Scale:
    """Return a scale that holds every interval and nought, a little wider than they are."""
    low, high = min(0.0, *(row.low for row in rows)), max(0.0, *(row.high for row in rows))
    if low == high:
        return Scale(-1.0, 1.0)
    room = 0.04 * (high - low)
    return Scale(low - room if low < 0 else low, high + room if high > 0 else high)


def _interval(row: Interval, scale: Scale, top: float) -> Iterator[str]:
    middle = top + 36
    low, high, at = (scale.at(number) for number in (row.low, row.high, row.value))
    yield f'<text class="name" x="{_LEFT}" y="{top + 18}">{escape(row.name)}</text>'
    yield f'<text class="figure" x="{WIDTH - _RIGHT}" y="{top + 18}">{escape(row.text)}</text>'
    ends = f"M{low:.1f} {middle - 6}v12M{high:.1f} {middle - 6}v12"
    yield f'<path class="whisker" d="M{low:.1f} {middle}H{high:.1f}{ends}"/>'
    yield f'<circle class="dot" cx="{at:.1f}" cy="{middle}" r="5"/>'


def _grid(scale: Scale, top: float, bottom: float, label: Label) -> Iterator[str]:
    for number in ticks(scale.low, scale.high):
        at = scale.at(number)
        yield f'<path class="grid" d="M{at:.1f} {top}V{bottom + 4}"/>'
        yield f'<text class="tick" x="{at:.1f}" y="{bottom + 20}"{_anchor(at)}>{escape(label(number))}</text>'


def _anchor(at: float) -> str:
    """Keep a label at either end inside the plot."""
    if at < _LEFT + 12:
        return ' text-anchor="start"'
    return ' text-anchor="end"' if at > WIDTH - _RIGHT - 12 else ""


def _zero(scale: Scale, top: float, bottom: float) -> Iterator[str]:
    if scale.low < 0 < scale.high:
        yield f'<path class="zero" d="M{scale.at(0):.1f} {top}V{bottom + 4}"/>'


def change_plot(changes: Mapping[int, int], label: Label, count_label: Callable[[int], str], title: str) -> str:
    """Return how often each change other than nought happened, as bars; near changes share one where there are many."""
    bars = grouped({change: times for change, times in changes.items() if change})
    if not bars:
        return ""
    step = _step(changes)
    reach = max(abs(change) for change in bars) + step
    scale = Scale(-reach, reach)
    bottom, top = _BARS - _AXIS, 22
    most = max(bars.values())
    width = max(2.0, (scale.at(step) - scale.at(0)) * 0.8)
    parts = [*_grid(scale, top, bottom, label), *_zero(scale, top, bottom)]
    for change, times in sorted(bars.items()):
        height = max(1.5, (bottom - top) * times / most)
        left, side = scale.at(change) - width / 2, "less" if change < 0 else "more"
        parts.append(
            f'<rect class="bar {side}" x="{left:.1f}" y="{bottom - height:.1f}" width="{width:.1f}" '
            f'height="{height:.1f}"><title>{escape(label(change))}: {escape(count_label(times))}</title></rect>'
        )
    highest = max(bars, key=lambda change: bars[change])
    at = min(max(scale.at(highest), _LEFT + 40), WIDTH - _RIGHT - 40)
    parts.append(f'<text class="tick" x="{at:.1f}" y="{top - 7}">{escape(count_label(most))}</text>')
    parts.append(f'<path class="zero" d="M{_LEFT} {bottom}H{WIDTH - _RIGHT}"/>')
    return _svg(parts, _BARS, title)


def _step(changes: Mapping[int, int]) -> int:
    """Return how many changes next to each other share a bar, so that there are not too many bars."""
    reach = max(abs(change) for change in changes)
    return next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**6) if 2 * reach <= _MOST_BARS * step)


def grouped(changes: Mapping[int, int]) -> dict[int, int]:
    """Return changes other than nought, each put with the multiple of a step that it is nearest to, but for nought."""
    if not changes:
        return {}
    step = _step(changes)
    found: dict[int, int] = {}
    for change, times in changes.items():
        sign = 1 if change > 0 else -1
        near = sign * step * max(1, round(abs(change) / step))
        found[near] = found.get(near, 0) + times
    return found


def _svg(parts: Sequence[str], height: float, title: str) -> str:
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{escape(title)}">'
        f"{''.join(parts)}</svg>"
    )
