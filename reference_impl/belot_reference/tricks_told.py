"""Deals that are told by their tricks alone: who led, the cards in the order played, and who won."""

from collections.abc import Sequence
from typing import Any

from belot_reference.cards import ONLY, CardSet, names_of
from belot_reference.compile import Ruleset
from belot_reference.counting import cards_won
from belot_reference.errors import BadQuestionError
from belot_reference.mode import Mode
from belot_reference.play import CompletedTrick, table_of, winning_seat
from belot_reference.questions import Json, cards_named, contract_named, set_named
from belot_reference.scoring import Settlement, Tally, settle
from belot_reference.sentences import say
from belot_spec.card_names import CARD_NAMES


def settle_tricks(rules: Ruleset, question: Json) -> tuple[list[int], list[CompletedTrick], list[Tally], Settlement]:
    """Return the points of each trick, the tricks, what each side brings in, and the settlement of a deal.

    Whether the cards were legal is not looked at. Raises ``BadQuestionError`` for tricks that no deal can have.
    """
    contract = contract_named(rules, question)
    discarded = set_named(question.get("discarded", ()))
    tricks = _tricks_named(rules, contract.mode, question["tricks"])
    _check_whole_deal(rules, tricks, discarded)
    sides = question.get("sides", ({},) * rules.side_count)
    points, cards, won = cards_won(rules, contract, tricks, discarded)
    tallies = [Tally(cards[side], won[side], **told) for side, told in enumerate(sides)]
    return points, tricks, tallies, settle(rules, contract, tallies)


def deal_of_tricks(question: Json, players: int) -> dict[str, Any]:
    """Return a question of ``replay`` that is told by its tricks as one with hands: what each seat played it held.

    Whoever is told so announces by itself. The cards laid away come first.
    """
    discarded = question.get("discarded", [])
    hands: list[list[str]] = [list(discarded) if seat == question["taker"] else [] for seat in range(players)]
    actions: list[Json] = [{"seat": question["taker"], "discard": discarded}] if discarded else []
    for trick in question["tricks"]:
        for step, card in enumerate(trick["cards"]):
            seat = (trick["leader"] + step) % players
            hands[seat].append(card)
            actions.append({"seat": seat, "play": card})
    rest = {key: value for key, value in question.items() if key not in ("tricks", "discarded")}
    return {**rest, "hands": hands, "actions": actions, "announcing": "automatic"}


def _tricks_named(rules: Ruleset, mode: Mode, told: Sequence[Json]) -> list[CompletedTrick]:
    tricks: list[CompletedTrick] = []
    for index, trick in enumerate(told):
        cards, leader = cards_named(trick["cards"]), trick["leader"]
        rules.check_seat(f"tricks.{index}.leader", leader)
        if len(cards) != rules.players:
            of = f"tricks.{index}.cards"
            raise BadQuestionError(
                say("whole-trick", of=of, profile=rules.profile.id, n=rules.players, told=len(cards))
            )
        if tricks and leader != tricks[-1].winner:
            raise BadQuestionError(say("leads-next", of=f"tricks.{index}.leader", n=tricks[-1].winner))
        winner = winning_seat(rules, table_of(rules, mode, leader, cards))
        assert winner is not None
        tricks.append(CompletedTrick(leader, tuple(cards), winner))
    return tricks


def _check_whole_deal(rules: Ruleset, tricks: Sequence[CompletedTrick], discarded: CardSet) -> None:
    """Refuse tricks that are not those of a whole deal: so many, with each card once, and those laid away."""
    known = discarded
    for index, trick in enumerate(tricks):
        for card in trick.cards:
            if known >> card & 1:
                raise BadQuestionError(say("played-twice", of=f"tricks.{index}.cards", card=CARD_NAMES[card]))
            known |= ONLY[card]
    if strangers := names_of(known & ~rules.deck):
        raise BadQuestionError(say("played-without", profile=rules.profile.id, cards=", ".join(strangers)))
    if len(tricks) != rules.hand_size:
        values = {"n": rules.hand_size, "told": len(tricks)}
        raise BadQuestionError(say("all-tricks", of="tricks", profile=rules.profile.id, **values))
    wanted = rules.value_or("deal.taker-discards", 0)
    if discarded.bit_count() != wanted:
        raise BadQuestionError(say("lays-away", of="discarded", profile=rules.profile.id, n=wanted))
