"""What can be at the table: a question about what no deal and no match by some rules can bring is refused.

The engine refuses by it, and whoever draws questions, or makes them smaller, asks only what it lets pass.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from belot_reference.cards import ALL_CARDS, CARD_BY_NAME, NO_CARDS, ONLY, CardSet, names_of, union
from belot_reference.compile import Ruleset
from belot_reference.declarations import check_announcement, count_in
from belot_reference.errors import ImpossibleError, Refusal
from belot_reference.match import won_before
from belot_reference.mode import Mode
from belot_reference.questions import mode_named, set_named
from belot_reference.sentences import say
from belot_reference.sums import any_declared, belote_in, check_deal_sums, check_extras

Json = Mapping[str, Any]


def why_impossible(rules: Ruleset, operation: str, question: Json) -> ImpossibleError | None:
    """Return why a question that the engine can make sense of is about nothing that can be at the table, if it is."""
    try:
        if rules.deck != ALL_CARDS:
            _check_deck(rules, question)
        if (check := _CHECKS.get(operation)) is not None:
            check(rules, question)
    except ImpossibleError as error:
        return error
    return None


def largest_hand(rules: Ruleset) -> int:
    """Return how many cards a player holds and sees before the first trick: of piles only what lies open."""
    return rules.hand_size // (1 + rules.open_piles)


def _check_deck(rules: Ruleset, question: Json) -> None:
    if strangers := names_of(_cards_in(question) & ~rules.deck):
        raise ImpossibleError(say("played-without", profile=rules.profile.id, cards=", ".join(strangers)))


def _cards_in(value: Any) -> CardSet:
    """Return all cards that a question names."""
    if isinstance(value, str):
        return ONLY[CARD_BY_NAME[value]] if value in CARD_BY_NAME else NO_CARDS
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return union(map(_cards_in, inside))


def _check_number(rules: Ruleset, field: str, cards: int, least: int, most: int) -> None:
    if not least <= cards <= most:
        wanted = f"{least}" if least == most else f"{least} to {most}"
        raise ImpossibleError(f"{field}: {cards} cards, and there are {wanted} in {rules.profile.id}")


def _check_hand(rules: Ruleset, question: Json) -> None:
    _check_number(rules, "hand", len(question["hand"]), 1, largest_hand(rules))


def _check_whole_hand(rules: Ruleset, question: Json) -> None:
    _check_number(rules, "hand", len(question["hand"]), largest_hand(rules), largest_hand(rules))


def _check_dealt(rules: Ruleset, question: Json) -> None:
    """Refuse a hand that is not whole; of piles all that a player has may be told, or what lies open."""
    if len(question["hand"]) != rules.hand_size:
        _check_whole_hand(rules, question)


def _check_hands(rules: Ruleset, question: Json) -> None:
    """Refuse hands of two sizes, or larger ones than are dealt; they may be smaller, as for the last tricks."""
    for field, most in (("hands", rules.hand_size), ("piles", largest_hand(rules))):
        first, *others = map(len, question.get(field, ((0,),)))
        _check_number(rules, f"{field}.0", first, 1, most)
        for seat, size in enumerate(others, start=1):
            _check_number(rules, f"{field}.{seat}", size, first, first)


def _check_seen(rules: Ruleset, question: Json) -> None:
    """Refuse what ``_check_hands`` does, and hands of more cards than are seen before the first trick."""
    _check_hands(rules, question)
    _check_number(rules, "hands.0", len(question["hands"][0]), 1, largest_hand(rules))


def _check_card_points(rules: Ruleset, question: Json) -> None:
    least = rules.players if question.get("last_trick") else 0
    _check_number(rules, "cards", len(question["cards"]), least, rules.deck.bit_count())


def _check_announced(rules: Ruleset, question: Json) -> None:
    """Refuse what players cannot hold and announce: a card in two hands, more than a hand, a run told twice."""
    taken = NO_CARDS
    for seat, told in enumerate(question["announced"]):
        declarations = [set_named(cards) for cards in told]
        hand = union(declarations)
        try:
            check_announcement(rules, hand, declarations, None)
        except Refusal as refusal:
            raise ImpossibleError(f"announced.{seat}: {refusal}") from None
        if twice := names_of(hand & taken):
            raise ImpossibleError(say("in-two-hands", of="announced", cards=", ".join(twice)))
        _check_number(rules, f"announced.{seat}", hand.bit_count(), 0, largest_hand(rules))
        taken |= hand


def _check_cut(rules: Ruleset, question: Json) -> None:
    _check_number(rules, "cut", question.get("cut", 0), 0, rules.deck.bit_count())


def _check_declared(rules: Ruleset, told: Json) -> None:
    """Refuse what cannot be the points of all that was declared in a deal, with belote."""
    if not (declared := told.get("declared", 0)):
        return
    modes = [mode_named(rules, told["trump"])] if "trump" in told else rules.playable_modes
    if not any(declared in _declared_in(rules, mode) for mode in modes):
        raise ImpossibleError(f"declared: {declared} is no sum of declarations and belote in {rules.profile.id}")


def _declared_in(rules: Ruleset, mode: Mode) -> set[int]:
    sums = any_declared(rules) if count_in(rules, mode) else (0,)
    belote = rules.value("declarations.belote.points")
    return {points + times * belote for times in range(belote_in(rules, mode) + 1) for points in sums}


def _check_penalty(rules: Ruleset, question: Json) -> None:
    _check_hands(rules, question)
    _check_declared(rules, question)


def _check_match(rules: Ruleset, question: Json) -> None:
    for deal in question["deals"]:
        if "scored" in deal:
            check_deal_sums(rules, deal["scored"])
        elif "accusation" in deal:
            _check_declared(rules, deal["accusation"])


def _check_deal(rules: Ruleset, question: Json) -> None:
    """Refuse a recorded deal that begins after the match, or with more cards in a hand than are dealt."""
    extra = rules.value_or("deal.taker-discards", 0)
    for seat, hand in enumerate(question.get("hands", ())):
        _check_number(rules, f"hands.{seat}", len(hand), 1, rules.hand_size + extra)
    for seat, piles in enumerate(question.get("piles", ())):
        _check_number(rules, f"piles.{seat}", len(piles), 1, largest_hand(rules))
    if "totals" in question and won_before(rules, tuple(question["totals"]), 0) is not None:
        raise ImpossibleError("totals: with these the match is over")


_CHECKS: Final[Mapping[str, Callable[[Ruleset, Json], None]]] = {
    "card-points": _check_card_points,
    "legal-cards": _check_hand,
    "declarations": _check_whole_hand,
    "compare-declarations": _check_announced,
    "compare-hands": _check_seen,
    "belote": _check_dealt,
    "deal": _check_cut,
    "score-deal": check_deal_sums,
    "settle-tricks": check_extras,
    "match": _check_match,
    "penalty": _check_penalty,
    "replay": _check_deal,
    "perft": _check_hands,
}
