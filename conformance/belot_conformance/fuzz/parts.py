"""What a long question is made of: small questions about its cards, declarations, tricks and points.

What is answered wrongly of a deal or a match is often answered wrongly of a part of it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from belot_conformance.recording.random_questions import settling_of
from belot_conformance.suite.positions import asked_in, following
from belot_reference.cards import names_of
from belot_reference.compile import Ruleset
from belot_reference.deal_state import DealState
from belot_reference.declarations import possible_sets
from belot_reference.opening import open_deal
from belot_reference.operations import answer
from belot_reference.perft import opened
from belot_reference.play import PlayState, force_card, start_play
from belot_reference.questions import action_of, hands_named
from belot_reference.replay import apply_all
from belot_spec.card_names import SUITS
from belot_spec.errors import BelotError

Json = Mapping[str, Any]
Part = tuple[str, Json]

_KINDS: Final = ("declarations", "outranked", "belote")


def parts_of(rules: Ruleset, operation: str, question: Json) -> Iterator[Part]:
    """Yield the small questions that a question of an operation is made of, each with its operation."""
    if operation in _PARTS:
        yield from _PARTS[operation](rules, question)


def _of_deal(rules: Ruleset, question: Json) -> Iterator[Part]:
    try:
        state = apply_all(rules, open_deal(rules, question), [action_of(action) for action in question["actions"]])
    except (BelotError, KeyError):
        return
    yield from (("declarations", {"hand": names_of(hand)}) for hand in state.hands if hand)
    if state.play is not None:
        yield from _of_play(rules, state, state.play)


def _of_play(rules: Ruleset, state: DealState, play: PlayState) -> Iterator[Part]:
    leader = play.tricks[0].leader if play.tricks else play.leader
    if any(state.announced):
        taker = {} if state.bidding.taker is None else {"taker": state.bidding.taker}
        announced = [[names_of(one.cards) for one in told] for told in state.announced]
        yield "compare-declarations", {"trump": SUITS[play.trump], "leader": leader, "announced": announced, **taker}
    if not rules.open_piles:
        yield from _positions(rules, state, play, leader)
    if state.ended == "played":
        settling = settling_of(rules, state)
        yield "settle-tricks", settling
        yield from _of_tricks(rules, settling)


def _positions(rules: Ruleset, state: DealState, play: PlayState, leader: int) -> Iterator[Part]:
    now = start_play(rules, play.trump, [hand & ~state.discarded for hand in state.hands], leader)
    for card in (*(card for trick in play.tricks for card in trick.cards), *play.cards):
        yield "legal-cards", asked_in(now)
        now = force_card(rules, now, card)


def _of_tricks(rules: Ruleset, question: Json) -> Iterator[Part]:
    tricks = question["tricks"]
    for trick in tricks:
        yield "trick-winner", {"trump": question["trump"], "leader": trick["leader"], "cards": trick["cards"]}
        yield "card-points", {"trump": question["trump"], "cards": trick["cards"], "last_trick": trick is tricks[-1]}
    settled = answer("settle-tricks", rules, question).result
    if settled is not None:
        won = Counter(rules.side_of[trick["winner"]] for trick in settled["tricks"])
        extras = question.get("sides", [{} for _ in settled["cards"]])
        sides = [
            {"cards": cards, "tricks": won[side], **extra}
            for side, (cards, extra) in enumerate(zip(settled["cards"], extras, strict=True))
        ]
        yield "score-deal", {"taker": question["taker"], "sides": sides}


def _of_count(rules: Ruleset, question: Json) -> Iterator[Part]:
    plays, start = opened(rules, question)
    level: Iterable[PlayState] = (start,)
    asked = set()
    for _ in range(question["depth"]):
        level = [state for state in level if state.hands[state.turn]]
        for state in level:
            # What the others hold makes no difference here.
            if (seen := (state.hands[state.turn], state.cards)) not in asked:
                asked.add(seen)
                yield "legal-cards", asked_in(state)
        level = following(plays, level)


def _of_match(_: Ruleset, question: Json) -> Iterator[Part]:
    yield from (("score-deal", deal["scored"]) for deal in question["deals"] if "scored" in deal)


def _of_hands(rules: Ruleset, question: Json) -> Iterator[Part]:
    announced = []
    for hand in hands_named(rules, question["hands"]):
        yield "declarations", {"hand": names_of(hand)}
        announced.append([names_of(one.cards) for one in next(iter(possible_sets(rules, hand)), ())])
    rest = {key: value for key, value in question.items() if key != "hands"}
    yield "compare-declarations", {**rest, "announced": announced}


_PARTS: Final[Mapping[str, Callable[[Ruleset, Json], Iterator[Part]]]] = {
    "replay": _of_deal,
    "match": _of_match,
    "settle-tricks": _of_tricks,
    "compare-hands": _of_hands,
    "perft": _of_count,
}
