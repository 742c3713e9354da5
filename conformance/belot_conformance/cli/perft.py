"""The command ``belot perft``: the numbers of published deals, and where a program's number goes wrong."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import click

from belot_conformance.cli.common import (
    EXIT_FAILED,
    TargetCommand,
    asking_options,
    named_target,
    number_option,
    opened_target,
    tell_page,
)
from belot_conformance.house_suite.planning import name_in
from belot_conformance.perft import (
    OPERATION,
    Counting,
    Divided,
    Dividing,
    Found,
    PerftDeal,
    Published,
    deal_named,
    published,
    told_deal,
    why_no_kernel,
)
from belot_conformance.programs.progress import waiting
from belot_conformance.programs.protocol import Hello
from belot_conformance.programs.reference import Reference
from belot_conformance.suite.shapes import knows_all
from belot_conformance.text.page import Page
from belot_conformance.text.template import tell
from belot_reference.compile import Ruleset
from belot_reference.errors import NotationError
from belot_reference.notation import Deal
from belot_spec.card_names import CARD_NAMES
from belot_spec.errors import BelotError

_DEPTH: Final = 6
_DEEPEST: Final = 24


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


@click.command(cls=TargetCommand)
@click.option("--profile", default="belotten", show_default=True, help="Whose deals (bela-4, belote+no-undertrump).")
@click.option("--deal", "name", help="Only this deal.")
@click.option("--position", metavar="TEXT", help="A deal or position in the notation, in place of published deals.")
@number_option("--depth", "So many cards; 12 to count, 6 to divide.", most=_DEEPEST)
@click.option("--divide", is_flag=True, help="Also count what follows each first card.")
@asking_options
def perft(context: click.Context, /, target: str | None, form: str, **given: Any) -> None:
    """Count sequences of legal cards, to compare with a program's.

    They are those of published deals, or of a position that you name. Without a TARGET the numbers are printed, to
    compare with those that any program counts by itself. With one, as for belot check, the program is asked with
    legal-cards through all positions of the deals, and the first one is shown in which it allows other cards than the
    rules do. Exit code: 0 all is the same, 1 something differs, 2 wrong usage, 3 the program could not be started or
    reached, or shook hands wrongly.
    """
    found = published(given["profile"]) if given["position"] is None else _told(given)
    deals = list(found.deals) if given["name"] is None else [deal_named(found, given["name"])]
    if target is None and "command" not in context.meta:
        rules = Reference().ruleset(found.profile)
        kernel = why_no_kernel(rules) is None
        counted = [_counted(rules, deal, given["depth"], divide=given["divide"], kernel=kernel) for deal in deals]
        tell_page(form, lambda page: print_counts(page, found, counted), lambda: counts_json(found, counted))
        return
    hello, divided = _divided(context, target, found, deals, given)
    tell_page(form, lambda page: print_divided(page, hello, divided, deals), lambda: divided_json(hello, divided))
    sys.exit(EXIT_FAILED if any(one.found for one in divided) else 0)


def _told(given: dict[str, Any]) -> Published:
    """Return the position that was named as if it were published; it is counted to its end, or six cards deep."""
    if given["name"] is not None:
        raise click.UsageError("--deal names a published deal, and --position tells one of your own")
    try:
        told = Deal.parse(given["position"], given["profile"])
    except NotationError as error:
        raise BelotError(error.placed("en")) from None
    told = told if told.profile is not None else replace(told, profile=given["profile"])
    assert told.profile is not None
    deal = told_deal(told)
    left = sum(map(len, deal.hands or deal.piles)) - len(deal.played)
    given["depth"] = given["depth"] or min(_DEPTH, left)
    return Published(told.profile, [deal], (), 0, ())


def _counted(rules: Ruleset, deal: PerftDeal, depth: int | None, *, divide: bool, kernel: bool) -> Counted:
    counting = Counting(rules, deal, kernel=kernel and not deal.played)
    counts = list(deal.counts) if depth is None else counting.counts(depth)
    moves = counting.first_cards(counts) if divide else []
    by = "" if depth is None else "kernel" if counting.walked else "engine"
    return Counted(deal, counts, [(CARD_NAMES[card], number) for card, number in moves], by)


def _divided(
    context: click.Context, target: str | None, found: Published, deals: list[PerftDeal], given: dict[str, Any]
) -> tuple[Hello, list[Divided]]:
    reference, depth, divided = Reference(), given["depth"] or _DEPTH, list[Divided]()
    rules = reference.ruleset(found.profile)
    with opened_target(named_target(context, target), given["limits"], reference) as opened:
        if OPERATION not in opened.hello.operations:
            raise click.UsageError(f"{opened.hello.name} does not declare {OPERATION}, by which it would be asked")
        dividing = Dividing(opened, rules, name_in(opened.hello, rules.profile))
        with waiting("asking through the positions of the published deals"):
            for deal in deals:
                if not knows_all(opened.hello.shape.knows, rules, {"trump": deal.trump}):
                    continue
                divided.append(dividing.divide(deal, depth))
                if divided[-1].found is None:
                    divided += dividing.divide_last(deal, depth)
                if any(one.found for one in divided):
                    break
        return opened.hello, divided
