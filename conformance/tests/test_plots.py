"""Plots as SVG: round numbers on the axis, everything inside the frame, texts escaped."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_workshop.impact.plots import WIDTH, Interval, change_plot, grouped, interval_plot, ticks

numbers = st.floats(-1e6, 1e6).map(lambda number: round(number, 3))


def elements(svg: str, kind: str) -> list[ElementTree.Element]:
    return [one for one in ElementTree.fromstring(svg).iter() if one.tag == kind]


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [
        (0, 40, [0, 10, 20, 30, 40]),
        (-0.22, 0.23, [-0.2, -0.1, 0, 0.1, 0.2]),
        (0, 0.006, [0, 0.001, 0.002, 0.003, 0.004, 0.005, 0.006]),
        (-15, 15, [-15, -10, -5, 0, 5, 10, 15]),
    ],
)
def test_an_axis_has_round_numbers(low: float, high: float, found: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(found)


@given(numbers, st.floats(0.001, 1e6))
def test_ticks_lie_between_the_limits_and_are_few(low: float, span: float) -> None:
    found = ticks(low, low + span)
    assert len(found) <= 8
    assert all(low - 1e-6 * span <= tick <= low + span + 1e-6 * span + 1e-9 * abs(low) for tick in found)


@given(st.lists(st.tuples(numbers, numbers, numbers).map(sorted), min_size=1, max_size=5))
def test_every_interval_lies_inside_the_plot_with_its_estimate_on_it(rows: list[list[float]]) -> None:
    drawn = [Interval(f"row {place}", "1 %", value, low, high) for place, (low, value, high) in enumerate(rows)]
    svg = interval_plot(drawn, str, "a title")
    dots = elements(svg, "circle")
    whiskers = [one for one in elements(svg, "path") if one.get("class") == "whisker"]
    assert len(dots) == len(whiskers) == len(rows)
    for dot, whisker in zip(dots, whiskers, strict=True):
        start, end = (float(number) for number in re.findall(r"M([\d.-]+) \d+H([\d.-]+)", whisker.get("d", ""))[0])
        assert 0 <= start <= end <= WIDTH
        assert start - 0.11 <= float(dot.get("cx", "")) <= end + 0.11


def test_nought_is_on_every_axis_and_marked_where_it_is_inside() -> None:
    inside = interval_plot([Interval("a", "", 0.1, -1, 2)], str, "t")
    outside = interval_plot([Interval("a", "", 6, 5, 7)], str, "t")
    assert inside.count('class="zero"') == 1
    assert outside.count('class="zero"') == 0
    assert ">0.0<" in outside


def test_names_are_escaped_and_the_plot_has_a_name_of_its_own() -> None:
    svg = interval_plot([Interval("<b>&", '"', 1, 0, 2)], str, 'of "all"')
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == 'of "all"'
    assert "<b>&" in [text.text for text in elements(svg, "text")]


@given(st.dictionaries(st.integers(-2000, 2000), st.integers(1, 99), min_size=1, max_size=50))
def test_bars_hold_every_deal_that_changes_on_its_own_side_of_nought(changes: dict[int, int]) -> None:
    found = grouped({change: times for change, times in changes.items() if change})
    assert 0 not in found
    for sign in (1, -1):
        side = sum(times for change, times in changes.items() if change * sign > 0)
        assert sum(times for change, times in found.items() if change * sign > 0) == side
    assert len(found) <= 42


def test_the_highest_bar_is_that_of_the_commonest_change() -> None:
    svg = change_plot({0: 900, -2: 40, 3: 20, 10: 1}, lambda number: f"{number:g}", lambda times: f"{times} deals", "t")
    heights = {
        (one.find("title").text or "").split(":")[0]: float(one.get("height", ""))  # type: ignore[union-attr]
        for one in elements(svg, "rect")
    }
    assert list(heights) == ["-2", "3", "10"]
    assert heights["-2"] == pytest.approx(2 * heights["3"], abs=0.2)
    assert "40 deals" in svg


def test_no_change_is_no_plot() -> None:
    assert change_plot({0: 12}, str, str, "t") == ""
    assert change_plot({}, str, str, "t") == ""
