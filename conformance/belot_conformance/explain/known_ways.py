"""Ways of playing that statements tell and that are no value of a rule yet, and where each of them would differ.

Here stand those of which features say so: whatever has them all would be answered otherwise. Not said is where rounding
decides (CO-171, CO-172, BG-104, BG-129..136), who leads (CO-051) or how a match ends (CO-182, CO-185, BG-145..149), and
what cannot be asked yet (CO-060).
"""

from collections.abc import Sequence
from typing import Final

from belot_conformance.explain.common import FEWEST, MOSTLY, SHARE
from belot_conformance.situations.features import Situation, literals_of
from belot_conformance.situations.views import Put, look
from belot_spec.spec import Spec

_DEALS: Final = ("score-deal", "settle-tricks", "replay")

# Of a statement the operations, and the features of the questions that it would answer otherwise.
WAYS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "CO-018": (("card-points", *_DEALS), ("all suits are trumps",)),
    "CO-046": (("bidding",), ("capot stands", "the bidding goes on")),
    "CO-049": (("bidding",), ("the next to speak may say a capot",)),
    "CO-056": (("bidding", "replay"), ("three passes stand last", "somebody has taken", "what stands is not doubled")),
    "CO-068": (("bidding", "replay"), ("three passes stand last", "somebody has taken")),
    "CO-087": (
        ("legal-cards",),
        (
            "the partner's ruff is winning",
            "the hand holds nothing but trumps",
            "the hand could go over the ruff that lies",
            "the hand holds trumps below the ruff that lies",
        ),
    ),
    "CO-103": (_DEALS, ("the other side has belote",)),
    "CO-134": (
        _DEALS,
        (
            "the sides are level",
            "the taker's side has what it bid and not more than the others",
            "any side has no belote",
        ),
    ),
    "CO-135": (_DEALS, ("the sides are level", "the taker's side has what it bid and not more than the others")),
    "CO-184": (("match",), ("the totals are level", "a side is at the target at the end")),
    "BG-028": (("bidding",), ("what stands is redoubled", "the bidding goes on")),
    "BG-120": (_DEALS, ("the deal is doubled or redoubled", "one side wins every trick")),
}


def situation_of(statement: str, operation: str) -> Situation:
    """Return what is so of questions of an operation that a statement would have answered otherwise."""
    known = literals_of(operation)
    return Situation(tuple(known[phrase][0] for phrase in WAYS[statement][1]))


def known_ways(wrong: Sequence[Put], right: Sequence[Put], spec: Spec) -> tuple[str, ...]:
    """Return the statements about the game asked for that would answer nearly all of these wrong answers otherwise.

    Mostly where they would, the answers to the operation must be wrong.
    """
    if len(wrong) < FEWEST:
        return ()
    asked = wrong[0]
    ways = {
        statement: situation_of(statement, asked.operation)
        for statement, (operations, _) in WAYS.items()
        if asked.operation in operations
        and asked.rules.profile.base.variant in spec.sources[statement[:2]].parts[statement]
    }
    # Each answer is looked at once for all statements, and the right ones only where some statement is likely.
    facts = [look(one) for one in wrong] if ways else []
    sharing = {statement: sum(map(way.holds, facts)) for statement, way in ways.items()}
    likely = [statement for statement, number in sharing.items() if number >= SHARE * len(wrong)]
    others = [look(one) for one in right] if likely else []
    return tuple(one for one in likely if sharing[one] >= MOSTLY * (sharing[one] + sum(map(ways[one].holds, others))))


def sentence_of(statements: Sequence[str]) -> str:
    """Return what is said of some statements."""
    ways = "a way that would differ here" if len(statements) == 1 else "ways that would differ here"
    none = "it has" if len(statements) == 1 else "they have"
    return f"our sources know {ways} ({', '.join(statements)}); {none} no value here yet"
