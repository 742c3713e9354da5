"""The numbers of card perft, and the way down to the first position that a program gets wrong."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from belot_conformance.perft.deals import PerftDeal, Published
from belot_conformance.perft.dividing import Divided, Found
from belot_conformance.programs.protocol import Hello
from belot_conformance.reports.words import tell_verdict
from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_spec.words import English

_WORDS: Final = English(__name__, "perft")
_COUNTED_BY: Final = {"kernel": "by_kernel", "engine": "by_engine"}


@dataclass(frozen=True, slots=True)
class Counted:
    """A deal with its counts to some depth; ``moves`` are those of each first card, where they are wanted.

    They were counted ``by`` the kernel or the engine; by nobody, "", where they are those that are published.
    """

    deal: PerftDeal
    counts: Sequence[int]
    moves: Sequence[tuple[str, int]] = ()
    by: str = ""


def print_counts(page: Page, found: Published, counted: Sequence[Counted]) -> None:
    """Print the numbers of a profile's deals."""
    words = _WORDS
    for one in counted:
        deal = one.deal
        page.line(deal.name, style="bold")
        page.labelled(words["trump"], brief(deal.trump), indent=2)
        page.labelled(words["leads"], str(deal.leader), indent=2)
        for seat, held in enumerate(deal.hands or deal.piles):
            page.labelled(words["seat"].format(n=seat), brief(held), indent=2)
        if deal.played:
            page.labelled(words["played"], brief(list(deal.played)), indent=2)
        rows = [(str(depth), f"{number:,}") for depth, number in enumerate(one.counts, start=1)]
        rows += [(words["last"].format(n=last.tricks), f"{last.count:,}") for last in deal.lasts]
        page.table([words["cards"], words["sequences"]], rows, indent=2)
        if one.moves:
            rows = [(brief(card), f"{number:,}") for card, number in one.moves]
            page.table([words["card"], words["sequences"]], rows, indent=2)
        page.blank()
    _print_lacking(page, (one.deal for one in counted))
    for by in sorted({one.by for one in counted if one.by}):
        page.line(words[_COUNTED_BY[by]], hang=2)
    for bids in found.bidding:
        shown = " ".join(f"{number:,}" for number in bids.counts)
        page.line(words["bids"].format(counts=shown, turned=brief(bids.turn_up or "-")), hang=2)


def _print_lacking(page: Page, deals: Iterable[PerftDeal]) -> None:
    """Say that no endings are published, where cards lie open and covered."""
    if any(deal.piles for deal in deals):
        page.line(_WORDS.say("no_endings"), hang=2)


def print_divided(page: Page, hello: Hello, divided: Sequence[Divided], deals: Iterable[PerftDeal]) -> None:
    """Print what came of each deal, and the way down to the first position that differs."""
    words = _WORDS
    found = next((one.found for one in divided if one.found is not None), None)
    rows = [
        (one.deal, str(one.depth), f"{one.sequences:,}", f"{one.positions:,}", "✗" if one.found else "✓")
        for one in divided
    ]
    page.table([words[name] for name in ("deal", "cards", "sequences", "positions", "same")], rows)
    _print_lacking(page, deals)
    if found is not None:
        _print_found(page, found, words)
    sequences = f"{sum(one.sequences for one in divided):,}"
    told = {"name": hello.name, "sequences": sequences, "deals": len(divided)}
    tell_verdict(page, _WORDS, "failed" if found else "passed", found is None, **told)


def _print_found(page: Page, found: Found, words: Mapping[str, str]) -> None:
    came = "?" if found.came_count is None else f"{found.came_count:,}"
    told = {"deal": found.deal, "depth": found.depth, "right": f"{found.right_count:,}", "came": came}
    page.blank()
    page.line(words["differs"].format(**told), style="bold")
    for step in found.steps:
        page.line(words["after"].format(cards=brief(list(step.played)) if step.played else "-"), indent=2)
        rows = [
            (brief(move.card), _number(move.right), _number(move.came), "✓" if move.right == move.came else "✗")
            for move in step.moves
        ]
        page.table([words[name] for name in ("card", "right", "came", "same")], rows, indent=4)
    page.line(words["first"], style="bold")
    page.labelled(words["position"], brief(found.question), indent=2)
    page.labelled(words["right"], brief(list(found.right)), indent=2)
    page.labelled(words["came"], brief(found.came.message()), indent=2)


def _number(number: int | None) -> str:
    return "·" if number is None else f"{number:,}"


def counts_json(found: Published, counted: Sequence[Counted]) -> dict[str, Any]:
    """Return the numbers of a profile's deals as JSON values."""
    deals = [
        {
            "name": one.deal.name,
            "counts": list(one.counts),
            "counted_by": one.by or "published",
            "first_cards": dict(one.moves),
        }
        for one in counted
    ]
    return {"profile": found.profile, "deals": deals, "bidding": [asdict(one) for one in found.bidding]}


def divided_json(hello: Hello, divided: Sequence[Divided]) -> dict[str, Any]:
    """Return what came of each deal as JSON values."""
    names = ("deal", "depth", "sequences", "positions")
    return {
        "program": {"name": hello.name, "version": hello.version},
        "passed": all(one.found is None for one in divided),
        "deals": [
            {**{name: getattr(one, name) for name in names}, "found": one.found and _found_json(one.found)}
            for one in divided
        ],
    }


def _found_json(found: Found) -> dict[str, Any]:
    return {
        "depth": found.depth,
        "right_count": found.right_count,
        "came_count": found.came_count,
        "played": list(found.steps[-1].played),
        "input": dict(found.question),
        "right": list(found.right),
        "came": found.came.message(),
    }
