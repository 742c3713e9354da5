"""A deal played by random legal choices, step by step with the rules that forced a choice."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from belot_conformance.programs.reference import put
from belot_reference.action import Action, action_of
from belot_reference.bids import Bid as SaidBid
from belot_reference.bids import bid_name, bid_named, in_short
from belot_reference.cards import CARD_BY_NAME, Card, CardSet, cards_in, names_of, suit_of
from belot_reference.compile import Reading, Ruleset, compile_profile
from belot_reference.contract import DealContract
from belot_reference.counting import Count, comparison_of, count_deal, last_trick_points
from belot_reference.deal import DealState, Dealt, cutter, deal_before_bidding, open_deal, shuffled_and_cut
from belot_reference.declarations import Declaration
from belot_reference.errors import Refusal
from belot_reference.game import engine_of, game_of
from belot_reference.play import legal_noted, refusing_rule
from belot_reference.replay import opening, record_deal
from belot_reference.scoring import settle
from belot_reference.sheet import ReckoningRow, reckoning
from belot_reference.turn import apply_action
from belot_spec.card_names import CARD_NAMES
from belot_spec.errors import BelotError, UnplayableError
from belot_spec.spec import Profile

MOST_SHUFFLES: Final = 1000


@dataclass(frozen=True, slots=True)
class Bid:
    """What a player said; ``forced_by`` is the rule that did not let him pass."""

    seat: int
    round: int
    said: SaidBid
    forced_by: str | None


@dataclass(frozen=True, slots=True)
class Announcement:
    """What a player announced before the first lead."""

    seat: int
    declarations: tuple[Declaration, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """A card played from a hand, which cards were legal and by which rules, and what was said with it."""

    seat: int
    card: Card
    hand: CardSet
    legal: CardSet
    forced_by: tuple[str, ...]
    announced: tuple[Declaration, ...]
    belote: int
    shown: tuple[Declaration, ...]
    turned: Card | None
    made: tuple[str, ...]
    made_points: int


@dataclass(frozen=True, slots=True)
class PlayedTrick:
    """A trick with its plays, its winner, the card points in it, and those that its cards earn together."""

    leader: int
    plays: tuple[Play, ...]
    winner: int
    points: int
    roem: int


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A whole deal; ``question`` is the input of the operation ``replay``, ``hands`` are held at the first card."""

    rules: Ruleset
    seed: int
    question: Mapping[str, Any]
    shuffles: int
    cutter: int
    dealt: Dealt
    bids: tuple[Bid, ...]
    contract: DealContract
    discarded: CardSet
    exchanged_by: int | None
    announcements: tuple[Announcement, ...]
    hands: tuple[CardSet, ...]
    tricks: tuple[PlayedTrick, ...]
    best_declaration: int | None
    count: Count


def play_random_deal(rules: Ruleset, seed: int) -> PlayedDeal:
    """Shuffle, cut and play a deal by random legal choices; shuffle again where it is not played to its last trick.

    The dealer sits last, so that eldest is player 0. The same seed gives the same deal.
    """
    random = Random(seed)
    deck = list(cards_in(rules.deck))
    smallest = rules.value("deal.cut-minimum")
    for shuffles in range(1, MOST_SHUFFLES + 1):
        random.shuffle(deck)
        cut = random.randint(smallest, len(deck) - smallest)
        question, state = record_deal(rules, opening(rules.players - 1, deck, cut), random.choice)
        if state.ended == "played":
            return tell(rules, seed, question, shuffles)
    raise UnplayableError(f"{rules.profile.id}: none of {MOST_SHUFFLES} deals was played to its last trick")


def tell(rules: Ruleset, seed: int, question: Mapping[str, Any], shuffles: int = 1) -> PlayedDeal:
    """Play a recorded deal again and note what happens at each step."""
    game = game_of(rules, {**question, "actions": []})
    _, state = engine_of(game)
    steps: list[tuple[DealState, Action, DealState]] = []
    for action in map(action_of, question["actions"]):
        before, game = state, game.apply(action)
        _, state = engine_of(game)
        steps.append((before, action, state))
    play = state.play
    assert play is not None
    dealt = deal_before_bidding(rules, question["dealer"], shuffled_and_cut(rules, question))
    count = count_deal(rules, state)
    plays = [_play(rules, before, one, after) for before, one, after in steps if one.play is not None]
    roem = count.trick_roem or (0,) * len(play.tricks)
    tricks = tuple(
        PlayedTrick(trick.leader, tuple(plays[at * rules.players : (at + 1) * rules.players]), trick.winner, *earned)
        for at, (trick, *earned) in enumerate(zip(play.tricks, count.trick_points, roem, strict=True))
    )
    return PlayedDeal(
        rules=rules,
        seed=seed,
        question=question,
        shuffles=shuffles,
        cutter=cutter(rules, dealt.dealer),
        dealt=dealt,
        bids=tuple(_bid(rules, before, one) for before, one, _ in steps if one.bid is not None),
        contract=state.contract,
        discarded=state.discarded,
        exchanged_by=next((one.seat for _, one, _ in steps if one.exchange), None),
        announcements=tuple(
            Announcement(one.seat, after.announced[one.seat])
            for _, one, after in steps
            if one.announce and one.play is None
        ),
        hands=next((before.play.hands for before, one, _ in steps if before.play and one.play is not None), ()),
        tricks=tricks,
        best_declaration=comparison_of(rules, state, play).winner,
        count=count,
    )


def _bid(rules: Ruleset, before: DealState, action: Action) -> Bid:
    forced = None if None in before.bidding.node.choices else "bidding.must-name"
    return Bid(action.seat, before.bidding.node.round, bid_named(str(action.bid)), forced)


def _play(rules: Ruleset, before: DealState, action: Action, after: DealState) -> Play:
    seat, play, card = action.seat, before.play, CARD_BY_NAME[str(action.play)]
    assert play is not None
    hand = play.hands[seat]
    legal = legal_noted(rules, play)
    refused = cards_in(hand & ~legal.cards)
    return Play(
        seat=seat,
        card=card,
        hand=hand,
        legal=legal.cards,
        forced_by=tuple(dict.fromkeys(refusing_rule(rules, play.mode, one, legal) for one in refused)),
        announced=after.announced[seat] if action.announce else (),
        belote=after.calls[seat][suit_of(card)] if action.belote else 0,
        shown=after.announced[seat] if action.show else (),
        turned=before.covered.get(card),
        made=action.made,
        made_points=after.made[seat] - before.made[seat],
    )


def count_rows(deal: PlayedDeal) -> list[ReckoningRow]:
    """Return every step of the count, from the tricks to the sheet, leaving out the rare ones that nobody had."""
    count, rules = deal.count, deal.rules
    in_tricks = [0] * rules.side_count
    for trick in deal.tricks:
        in_tricks[rules.side_of[trick.winner]] += trick.points
    laid_away = rules.points_of(deal.contract.mode, deal.discarded)
    winners = [trick.winner for trick in deal.tricks]
    rows = [
        ReckoningRow("tricks", tuple(in_tricks)),
        ReckoningRow("last", _only(rules, winners[-1], last_trick_points(rules, winners))),
    ]
    if laid_away:
        rows.append(ReckoningRow("laid-away", _only(rules, deal.contract.taker, laid_away)))
    return [*rows, *reckoning(rules, deal.contract, count.tallies, count.settlement)]


def _only(rules: Ruleset, seat: int, points: int) -> tuple[int, ...]:
    """Return points for the side of one seat and none for the others."""
    return tuple(points if side == rules.side_of[seat] else 0 for side in range(rules.side_count))


def deciding_rules(deal: PlayedDeal) -> list[str]:
    """Return the rules that settled the deal, in the order in which they were asked."""
    formal = ("deal.players", "deal.sides", "presentation.zero")
    reading = Reading(deal.rules)
    settle(reading, deal.contract, deal.count.tallies)
    return [rule for rule in reading.read if rule not in formal]


def moment_before(operation: str, profile: Profile, question: Mapping[str, Any], at: int) -> dict[str, Any]:
    """Return the hand of whoever does the action at a place, the trick on the table, and what would be right there.

    That is whose turn it is, where it is another's, or else what may be bid or played, where the action is not of it.
    """
    actions = question.get("actions", ())
    if operation != "replay" or at >= len(actions):
        return {}
    rules = _compiled(profile)
    try:
        state = open_deal(rules, question)
        for action in actions[:at]:
            state = apply_action(rules, state, action_of(action))
    except (Refusal, BelotError):
        return {}
    action, play = actions[at], state.play
    if play is None:
        said = [bid_name(choice) for choice in state.bidding.node.choices]
        right = _instead(action, "bid", state.bidding.turn, said)
        return {"hand": names_of(state.before[action["seat"]]), **right}
    if not play.hands[play.turn]:  # Who acts after the last card has none, and may do nothing.
        return {}
    trick = [CARD_NAMES[card] for card in play.cards]
    right = _instead(action, "play", play.turn, names_of(legal_noted(rules, play).cards))
    return {"hand": names_of(play.hands[action["seat"]]), **({"trick": trick} if trick else {}), **right}


def _instead(action: Mapping[str, Any], field: str, turn: int, choices: list[str]) -> dict[str, Any]:
    """Return whose turn it is, or what he may do, where an action is not that; nothing where it is another kind."""
    if field not in action or (turn == action["seat"] and action[field] in choices):
        return {}
    return {"turn": turn} if turn != action["seat"] else {"may": in_short(choices)}


def why_refused(operation: str, profile: Profile, question: Mapping[str, Any]) -> str | None:
    """Return the rule by which a question is refused; none where no rule of the catalogue says so, as of turns."""
    rule: str | None = put(operation, _compiled(profile), question).message().get("rejected", {}).get("rule")
    return rule


_COMPILED: Final[dict[str, Ruleset]] = {}


def _compiled(profile: Profile) -> Ruleset:
    """Compile a profile once; house rules of the same name may be others."""
    if profile.id not in _COMPILED or _COMPILED[profile.id].profile != profile:
        _COMPILED[profile.id] = compile_profile(profile)
    return _COMPILED[profile.id]
