"""The numbers of card perft, and the way down to the first position that a program gets wrong."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from belot_conformance.perft.deals import PerftDeal, Published
from belot_conformance.perft.dividing import Divided, Found
from belot_conformance.programs.protocol import Hello
from belot_conformance.text.page import Page
from belot_conformance.text.template import tell


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
    lacks = any(one.deal.piles for one in counted)
    tell(page, "perft.j2", counted=counted, bidding=found.bidding, lacks_endings=lacks)


def print_divided(page: Page, hello: Hello, divided: Sequence[Divided], deals: Iterable[PerftDeal]) -> None:
    """Print what came of each deal, and the way down to the first position that differs."""
    found = next((one.found for one in divided if one.found is not None), None)
    lacks = any(deal.piles for deal in deals)
    tell(page, "divided.j2", name=hello.name, divided=divided, found=found, lacks_endings=lacks)


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
