"""An impact in the words of one language: its texts, its figures as text, and answers as short text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final

from belot_conformance.text.brief import brief
from belot_spec.catalogue import text_of
from belot_spec.languages import Language, decimal_number, grouped_number
from belot_spec.words import Words
from belot_workshop.impact.comparison import MOST_DEALS, Sums
from belot_workshop.impact.estimate import Mean, Share
from belot_workshop.impact.impact import Impact, differing_fields

# Of a longer result little is left to see beside a refusal.
_LONGEST: Final = 120

_WORDS: Final = Words(__name__, "impact")


def figure(number: float, language: Language, digits: int = 2, sign: bool = False) -> str:
    """Return a number with so many digits after the point (the comma in Dutch)."""
    text = f"{number + 0.0:{'+' if sign else ''}.{digits}f}"
    if not text.strip("+-0."):
        text = text.lstrip("+-")
    return decimal_number(text.replace("-", "−"), language)


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
    """Tells an impact in one language; figures only where something was simulated."""

    def __init__(self, found: Impact, language: Language) -> None:
        self.found = found
        self.language: Language = language
        self.sums = Sums() if found.simulated is None else found.simulated.sums
        self._shares, self._means = self.sums.shares(), self.sums.means()

    def word(self, name: str, **values: object) -> str:
        """Return a text with its values filled in."""
        return _WORDS.say(name, self.language, **values)

    def figure(self, number: float, digits: int = 2, sign: bool = False) -> str:
        """Return a number with so many digits after the point."""
        return figure(number, self.language, digits, sign)

    def percent(self, share: float) -> str:
        """Return a share in per cent: ``0.42 %``."""
        return f"{self.figure(100 * share)} %"

    def whole(self, number: int) -> str:
        """Return a whole number with its thousands apart."""
        return grouped_number(number, self.language)

    def share_rows(self) -> list[FigureRow]:
        """Return a row for each share that is known."""
        return [self._share_row(name, share) for name, share in self._shares.items() if share is not None]

    def _share_row(self, name: str, share: Share) -> FigureRow:
        limits = f"{self.figure(100 * share.low)} {self.word('to')} {self.percent(share.high)}"
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
        low, value, high = (self.figure(one, sign=True) for one in (mean.low, mean.value, mean.high))
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
        return text_of(entry["sentence"]).in_language(self.language) if entry["matters"] else self.word("absent")

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
