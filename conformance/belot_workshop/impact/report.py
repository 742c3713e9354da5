"""An impact in words: its texts, its figures as text, and answers as short text."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import floor, log10
from typing import Any, Final

from markupsafe import Markup, escape

from belot_conformance.changes.diff_page import worth_sentence
from belot_conformance.contrast.probe import Contrast
from belot_conformance.programs.protocol import suite_version
from belot_conformance.text.brief import brief
from belot_conformance.text.drawn import asset, draw_answer, draw_choice, draw_fields, environment, policy_hash
from belot_conformance.text.page import Page
from belot_conformance.text.printable import document
from belot_conformance.text.template import tell
from belot_reference.card_svg import card_symbols
from belot_spec.catalogue import text_of
from belot_spec.words import English
from belot_workshop.impact.comparison import MOST_DEALS, Mean, Share, Sums
from belot_workshop.impact.impact import Impact, differing_fields

# Of a longer result little is left to see beside a refusal.
_LONGEST: Final = 120

_WORDS: Final = English(__name__, "impact")


def figure(number: float, digits: int = 2, sign: bool = False) -> str:
    """Return a number with so many digits after the point."""
    text = f"{number + 0.0:{'+' if sign else ''}.{digits}f}"
    if not text.strip("+-0."):
        text = text.lstrip("+-")
    return text.replace("-", "−")


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A row of figures: its name, the estimate, its interval and how many it rests on; the estimate as numbers too."""

    name: str
    estimate: str
    interval: str
    number: str
    of: Share | Mean

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """The row of a table."""
        return self.name, self.estimate, self.interval, self.number


class Telling:
    """Tells an impact; figures only where something was simulated."""

    def __init__(self, found: Impact) -> None:
        self.found = found
        self.sums = Sums() if found.simulated is None else found.simulated.sums
        self._shares, self._means = self.sums.shares(), self.sums.means()

    def word(self, name: str, **values: object) -> str:
        """Return a text with its values filled in."""
        return _WORDS.say(name, **values)

    def percent(self, share: float) -> str:
        """Return a share in per cent: ``0.42 %``."""
        return f"{figure(100 * share)} %"

    def whole(self, number: int) -> str:
        """Return a whole number with its thousands apart."""
        return f"{number:,}"

    def share_rows(self) -> list[FigureRow]:
        """Return a row for each share that is known."""
        return [self._share_row(name, share) for name, share in self._shares.items() if share is not None]

    def _share_row(self, name: str, share: Share) -> FigureRow:
        limits = f"{figure(100 * share.low)} {self.word('to')} {self.percent(share.high)}"
        number = self.word("of", n=self.whole(share.part), all=self.whole(share.whole))
        return FigureRow(self.word(name), self.percent(share.value), limits, number, share)

    def mean_rows(self) -> list[FigureRow]:
        """Return a row for the change of each side's points, and for how much longer a match lasts."""
        length = self._means["length"]
        return [*self.point_rows(), *([] if length is None else [self._mean_row("length", length)])]

    def point_rows(self) -> list[FigureRow]:
        """Return a row for the change of each side's points, and of those held where any ever are."""
        return [
            self._mean_row(name, mean)
            for name, mean in self._means.items()
            if mean is not None and name != "length" and not (name == "held" and mean.low == mean.high == 0)
        ]

    def _mean_row(self, name: str, mean: Mean) -> FigureRow:
        low, value, high = (figure(one, sign=True) for one in (mean.low, mean.value, mean.high))
        estimate = value + ("*" if mean.rough else "")
        return FigureRow(self.word(name), estimate, f"{low} {self.word('to')} {high}", self.whole(mean.number), mean)

    def points_title(self) -> str:
        """Return the heading of the means: in which points they are."""
        return self.word("card_points" if self.found.in_card_points else "points")

    def players(self) -> str:
        """Return how much was simulated, and who played."""
        matches = self.sums.matches + self.sums.undecided
        return self.word(
            "players", deals=self._counted(self.sums.deals, "one_deal", "some_deals"),
            matches=self._counted(matches, "one_match", "some_matches"),
            player=self.word(self.found.player), seed=self.found.seed,
        )  # fmt: skip

    def _counted(self, number: int, one: str, some: str) -> str:
        return self.word(one if number == 1 else some, n=self.whole(number))

    def title(self) -> str:
        """Return the heading."""
        return self.word("title", old=self.found.old.profile.id, new=self.found.new.profile.id)

    def answers(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, str]:
        """Return an answer before and after as short text: of two results the fields that differ.

        Of a long result beside a refusal only that it is allowed.
        """
        texts = [self._answer(said) for said in differing_fields(before, after)]
        kinds = ["result" in said for said in (before, after)]
        if kinds[0] != kinds[1]:
            cut = (kind and len(text) > _LONGEST for kind, text in zip(kinds, texts, strict=True))
            texts = [self.word("allowed") if long else text for long, text in zip(cut, texts, strict=True)]
        return _from_the_difference(texts[0], texts[1])

    def _answer(self, said: Mapping[str, Any]) -> str:
        """Return an answer as short text: the fields of a result, or why it is refused or cannot be asked any more."""
        if "error" in said:
            return self.word("cannot") + str(said["error"])
        if "rejected" in said:
            return f"{self.word('refused')} ({brief(said['rejected'])})"
        return brief(said["result"])

    def value(self, entry: Mapping[str, Any]) -> str:
        """Return the sentence of a rule's value, or that it does not matter in this profile."""
        return text_of(entry["sentence"]).en if entry["matters"] else self.word("absent")

    def unshown(self, tried: int) -> str:
        """Return that no position shows a change, among how many questions."""
        return self.word("nothing", n=tried) if tried else self.word("nowhere")

    def cases_of(self, rule: str) -> list[str]:
        """Return how many cases a rule changes the answer to, if it changes any."""
        count = sum(rule in one.rules for one in self.found.cases or ())
        return [self.word("one_case_of_rule" if count == 1 else "cases_of_rule", n=count)] if count else []

    def notes(self) -> Iterator[str]:
        """Yield what must be said of the figures."""
        if any(isinstance(row.of, Mean) and row.of.rough for row in self.mean_rows()):
            yield self.word("rough")
        if undecided := self.sums.undecided:
            yield self.word("one_undecided" if undecided == 1 else "undecided", n=undecided, most=MOST_DEALS)
        if self.found.in_card_points:
            yield self.word("units")
        yield self.word("defined")


def _from_the_difference(before: str, after: str) -> tuple[str, str]:
    """Return two texts without a long beginning that both have, so that what differs is not cut away further on."""
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    start = before.rfind(" (", 0, common) + 1 if common > _LONGEST else 0
    return (f"… {before[start:]}", f"… {after[start:]}") if start else (before, after)


_SHOWN: Final = 10
# Where they are folded away.
_SHOWN_FOLDED: Final = 100


def print_impact(page: Page, found: Impact) -> None:
    """Print the rules that differ with their smallest positions, the cases, and what was simulated."""
    told = Telling(found)
    worth = {rule.id: [*map(worth_sentence, found.worth.get(rule.id, ()))] for rule in found.rules}
    most = _SHOWN_FOLDED if page.folds else _SHOWN
    tell(page, "impact.j2", 10, "belot_workshop", told=told, found=found, w=told.word, worth=worth, most=most)


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


_MOST_CASES: Final = 400
_PACKAGE: Final = "belot_workshop"
_FOLDER: Final = "impact/templates"


def as_html(found: Impact) -> str:
    """Return an impact as the text of one HTML page."""
    told = Telling(found)
    style = asset("belot_conformance", "reports/templates", "page.css") + asset(_PACKAGE, _FOLDER, "impact.css")
    names = (f"{one.profile.id} ({one.profile.name.en})" for one in (found.old, found.new))
    page = environment(_PACKAGE, _FOLDER).get_template("page.html").render(
        told=told, found=found, word=told.word,
        names=" → ".join(names),
        suite=suite_version(),
        plots=[] if found.simulated is None else list(_plots(told)),
        drawn_answers=lambda position: _drawn_answers(position, told), draw_fields=draw_fields,
        most=_MOST_CASES, nbsp=Markup("&nbsp;%"),
        symbols=Markup(card_symbols(languages=("en",))),
        style=Markup(style),
        style_hash=policy_hash(style),
    )  # fmt: skip
    return document(page) + "\n"


def _plots(told: Telling) -> Iterator[dict[str, Any]]:
    """Yield the plots, each with its heading and a note below the heading."""
    shares = [_plotted(row, 100.0) for row in told.share_rows()]
    means = [_plotted(row, 1.0) for row in told.point_rows()]

    def short(number: float) -> str:
        """Return a number on an axis with as few digits as it needs."""
        digits = next((count for count in range(4) if abs(round(number, count) - number) < 1e-9), 4)
        return figure(number, digits)

    interval = told.word("interval")
    if shares:
        how_often = told.word("how_often")
        svg = interval_plot(shares, lambda number: f"{short(number)} %", how_often)
        yield {"title": how_often, "svg": Markup(svg), "note": f"{told.word('otherwise')}, {interval}"}
    if means:
        heading = told.points_title()
        yield {"title": heading, "svg": Markup(interval_plot(means, short, heading)), "note": interval}
    heading, changes = told.word("histogram"), told.sums.changes
    bars = change_plot(changes, short, lambda times: f"{told.whole(times)} {told.word('changed_deals')}", heading)
    if bars:
        unchanged, counted = told.whole(changes.get(0, 0)), told.whole(sum(changes.values()))
        yield {"title": heading, "svg": Markup(bars), "note": told.word("unchanged", n=unchanged, all=counted)}


def _plotted(row: FigureRow, factor: float) -> Interval:
    value, low, high = (factor * number for number in (row.of.value, row.of.low, row.of.high))
    return Interval(row.name, row.estimate, value, low, high)


def _drawn_answers(position: Contrast, told: Telling) -> tuple[Markup, Markup]:
    """Return the two answers drawn: a hand with its legal cards marked, results field by field, refusals in words."""
    said = (position.before, position.after)
    if all("result" in one for one in said):
        hand = position.input.get("hand")
        if position.operation == "legal-cards" and hand:
            before, after = (draw_choice(hand, one["result"]["cards"]) for one in said)
        else:
            before, after = (draw_answer("result", one["result"]) for one in differing_fields(*said))
        return before, after
    early, late = told.answers(*said)
    return Markup("<p>{}</p>").format(early), Markup("<p>{}</p>").format(late)
