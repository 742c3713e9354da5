"""The words of an impact in English and Dutch, its figures as text, and answers as short text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final

from belot_conformance.text.brief import brief
from belot_spec.catalogue import Language
from belot_spec.words import Words
from belot_workshop.impact.estimate import Mean, Share
from belot_workshop.impact.impact import Figures, Impact, differing_fields

# Of a longer result little is left to see beside a refusal.
_LONGEST: Final = 120

WORDS: Final = Words(__name__, "impact")


def word(name: str, language: Language, **values: object) -> str:
    """Return a text of an impact in a language, with its values filled in."""
    return WORDS.say(name, language, **values)


def figure(number: float, language: Language, digits: int = 2, sign: bool = False) -> str:
    """Return a number with so many digits after the point (the comma in Dutch)."""
    text = f"{number + 0.0:{'+' if sign else ''}.{digits}f}"
    if not text.strip("+-0."):
        text = text.lstrip("+-")
    return text.replace("-", "−").replace(".", "," if language == "nl" else ".")


def percent(share: float, language: Language) -> str:
    """Return a share in per cent: ``0.42 %``."""
    return f"{figure(100 * share, language)} %"


def whole(number: int, language: Language) -> str:
    """Return a whole number with its thousands apart."""
    return f"{number:,}".replace(",", "." if language == "nl" else ",")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of figures: its name, the estimate, its interval and how many it rests on; the estimate as numbers too."""

    name: str
    estimate: str
    interval: str
    number: str
    of: Share | Mean
    rough: bool = False


def share_rows(known: Figures, language: Language) -> list[Row]:
    """Return a row for each share that is known."""
    shares = {"decisions": known.decisions, "deals": known.deals, "matches": known.matches}
    return [_share_row(name, share, language) for name, share in shares.items() if share is not None]


def _share_row(name: str, share: Share, language: Language) -> Row:
    limits = f"{figure(100 * share.low, language)} {word('to', language)} {percent(share.high, language)}"
    number = word("of", language, n=whole(share.part, language), all=whole(share.whole, language))
    return Row(word(name, language), percent(share.value, language), limits, number, share)


def mean_rows(known: Figures, language: Language) -> list[Row]:
    """Return a row for the change of each side's points, and for how much longer a match lasts."""
    length = [] if known.length is None else [_mean_row("length", known.length, language)]
    return [*point_rows(known, language), *length]


def point_rows(known: Figures, language: Language) -> list[Row]:
    """Return a row for the change of each side's points, and of those held where any ever are."""
    return [
        _mean_row(name, mean, language)
        for name, mean in known.points.items()
        if mean is not None and not (name == "held" and mean.low == mean.high == 0)
    ]


def _mean_row(name: str, mean: Mean, language: Language) -> Row:
    low, high = (figure(limit, language, sign=True) for limit in (mean.low, mean.high))
    mark = "*" if mean.rough else ""
    return Row(
        word(name, language),
        figure(mean.value, language, sign=True) + mark,
        f"{low} {word('to', language)} {high}",
        whole(mean.number, language),
        mean,
        mean.rough,
    )


def points_title(found: Impact, language: Language) -> str:
    """Return the heading of the means: in which points they are."""
    return word("card_points" if found.in_card_points else "points", language)


def players_line(found: Impact, language: Language) -> str:
    """Return how much was simulated, and who played."""
    assert found.simulated is not None
    sums = found.simulated.sums
    return word(
        "players", language, deals=_counted(sums.deals, "one_deal", "some_deals", language),
        matches=_counted(sums.matches + sums.undecided, "one_match", "some_matches", language),
        player=word(found.player, language), seed=found.seed,
    )  # fmt: skip


def _counted(number: int, one: str, some: str, language: Language) -> str:
    return word(one if number == 1 else some, language, n=whole(number, language))


def title(found: Impact, language: Language) -> str:
    """Return the heading of an impact."""
    return word("title", language, old=found.old.profile.id, new=found.new.profile.id)


def answers_words(before: Mapping[str, Any], after: Mapping[str, Any], language: Language) -> tuple[str, str]:
    """Return an answer before and after as short text: of two results the fields that differ.

    Of a long result beside a refusal only that it is allowed.
    """
    texts = [_answer_words(said, language) for said in differing_fields(before, after)]
    kinds = ["result" in said for said in (before, after)]
    if kinds[0] != kinds[1]:
        allowed = word("allowed", language)
        texts = [allowed if kind and len(text) > _LONGEST else text for kind, text in zip(kinds, texts, strict=True)]
    return _from_the_difference(texts[0], texts[1])


def _from_the_difference(before: str, after: str) -> tuple[str, str]:
    """Return two texts without a long beginning that both have, so that what differs is not cut away further on."""
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    start = before.rfind(" (", 0, common) + 1 if common > _LONGEST else 0
    return (f"… {before[start:]}", f"… {after[start:]}") if start else (before, after)


def _answer_words(said: Mapping[str, Any], language: Language) -> str:
    """Return an answer as short text: the fields of a result, the reason of a refusal, or why it cannot be asked."""
    if "error" in said:
        return word("cannot", language) + str(said["error"])
    if "rejected" in said:
        return f"{word('refused', language)} ({brief(said['rejected'])})"
    return brief(said["result"])


def value_sentence(entry: Mapping[str, Any], language: Language) -> str:
    """Return the sentence of a rule's value, or that it does not matter in this profile."""
    return str(entry["sentence"][language]) if entry["matters"] else word("absent", language)


def unshown_line(tried: int, language: Language) -> str:
    """Return that no position shows a change, among how many questions."""
    return word("nothing", language, n=tried) if tried else word("nowhere", language)


def cases_line(count: int, language: Language) -> str:
    """Return how many cases a rule changes."""
    return word("one_case_of_rule", language) if count == 1 else word("cases_of_rule", language, n=count)


def cases_of(found: Impact, rule: str) -> int:
    """Return how many cases a rule changes the answer to."""
    return sum(rule in one.rules for one in found.cases or ())


def notes(found: Impact, known: Figures, language: Language, most: int) -> Iterator[str]:
    """Yield what must be said of the figures."""
    if any(row.rough for row in mean_rows(known, language)):
        yield word("rough", language)
    if found.simulated is not None and (undecided := found.simulated.sums.undecided):
        yield word("one_undecided" if undecided == 1 else "undecided", language, n=undecided, most=most)
    if found.in_card_points:
        yield word("units", language)


def columns(rows: Sequence[Row]) -> list[tuple[str, str, str, str]]:
    """Return the cells of rows."""
    return [(row.name, row.estimate, row.interval, row.number) for row in rows]
