"""Plots as SVG: round numbers on the axis, everything inside the frame, texts escaped."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_workshop.impact.report import WIDTH, Interval, change_plot, interval_plot

numbers = st.floats(-1e6, 1e6).map(lambda number: round(number, 3))


def elements(svg: str, kind: str) -> list[ElementTree.Element]:
    return [one for one in ElementTree.fromstring(svg).iter() if one.tag == kind]


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


def test_names_are_escaped_and_the_plot_has_a_name_of_its_own() -> None:
    svg = interval_plot([Interval("<b>&", '"', 1, 0, 2)], str, 'of "all"')
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == 'of "all"'
    assert "<b>&" in [text.text for text in elements(svg, "text")]


def test_the_highest_bar_is_that_of_the_commonest_change() -> None:
    svg = change_plot({0: 900, -2: 40, 3: 20, 10: 1}, lambda number: f"{number:g}", lambda times: f"{times} deals", "t")
    heights = {
        (one.find("title").text or "").split(":")[0]: float(one.get("height", ""))  # type: ignore[union-attr]
        for one in elements(svg, "rect")
    }
    assert change_plot({0: 12}, str, str, "t") == change_plot({}, str, str, "t") == ""
    assert list(heights) == ["-2", "3", "10"]
    assert heights["-2"] == pytest.approx(2 * heights["3"], abs=0.2)
    assert "40 deals" in svg
