"""The rare things of a recorded deal or match: their names as tags, their words, and how they are recognised."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from belot_reference.belote import belote_points
from belot_reference.cards import rank_of, suit_of
from belot_reference.compile import Ruleset
from belot_reference.counting import Count, comparison_of, count_deal, declared_points
from belot_reference.deal import DealState
from belot_reference.declarations import WHOLE_SUIT, Declaration, possible_sets, strength
from belot_reference.play import CompletedTrick, PlayState, holds_belote
from belot_reference.roem import roem_of
from belot_reference.scoring import points_to_beat
from belot_spec.catalogue import Text
from belot_spec.words import Words, joined

LONGEST_TITLE: Final = 100

# In the order in which a title names them, the most remarkable first.
DEALS: Final = Words(__name__, "rare-deals")
MATCHES: Final = Words(__name__, "rare-matches")
_TITLES: Final = Words(__name__, "recorded-titles")
_IMPLIED: Final = {"belot": ("eight-in-a-row",), "held-again": ("held",), "freed": ("held",)}
_BETTER_SEQUENCE: Final = {"top-card": "beaten-by-higher", "trump": "beaten-by-trump"}


def title_of(kind: Text, number: int, tags: Sequence[str], words: Mapping[str, Text]) -> Text:
    """Return ``Deal 17: the defence wins every trick and somebody has belote``, as far as a title may be long."""
    implied = {weaker for tag in tags for weaker in _IMPLIED.get(tag, ())}
    phrases = [words[tag] for tag in words if tag in tags and tag not in implied] or [_TITLES["nothing"]]
    told = phrases[:1]
    for phrase in phrases[1:]:
        longer = _titled(kind, number, [*told, phrase])
        if max(map(len, longer.as_json().values())) <= LONGEST_TITLE:
            told.append(phrase)
    return _titled(kind, number, told)


def _titled(kind: Text, number: int, told: Sequence[Text]) -> Text:
    *others, last = told
    listed = _TITLES.filled("listed", others=joined(", ", others), last=last) if others else last
    return _TITLES.filled("title", kind=kind, number=number, told=listed)


def deal_tags(rules: Ruleset, state: DealState, actions: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the rare things that happened in a deal, in the order of ``DEALS``."""
    found = {*_action_tags(actions), *_bidding_tags(rules, state)}
    if state.ended in ("belot", "claim"):
        found.add(state.ended)
    play = state.play
    if play is not None:
        found.update(_play_tags(rules, state, play))
    if play is not None and state.ended == "played":
        count = count_deal(rules, state)
        found.update(_count_tags(rules, state, play, count))
        found.update(_declaration_tags(rules, state, play))
        found.update(_belote_tags(rules, state, play, actions))
    return tuple(tag for tag in DEALS if tag in found)


def _action_tags(actions: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for action in actions:
        if "exchange" in action:
            yield "seven-exchanged"
        for kind in action.get("made", ()):
            yield f"turned-{kind}"


def _bidding_tags(rules: Ruleset, state: DealState) -> Iterator[str]:
    bidding = state.bidding
    if bidding.taker is None:
        yield "nobody-takes"
        return
    if bidding.node.round > 1:
        yield "second-round"
    if rules.value("bidding.must-name") == "dealer" and None not in bidding.node.choices:
        yield "forced-bid"


def _play_tags(rules: Ruleset, state: DealState, play: PlayState) -> Iterator[str]:
    if any(_undertrumped(rules, play, trick) for trick in play.tricks):
        yield "undertrump"
    if any(roem_of(rules, play.mode, trick.cards).square for trick in play.tricks):
        yield "square-in-trick"
    if rules.points_of(play.mode, state.discarded):
        yield "points-laid-away"
    silent = [hand for hand, announced in zip(state.hands, state.announced, strict=True) if not announced]
    if play.tricks and any(possible_sets(rules, hand) for hand in silent):
        yield "unannounced"
    for declarations in state.announced:
        sequences = [one for one in declarations if one.kind == "sequence"]
        squares = [one for one in declarations if one.kind == "square"]
        if any(one.length == WHOLE_SUIT for one in sequences):
            yield "eight-in-a-row"
        if any(one.cards & other.cards for one in sequences for other in squares):
            yield "shared-card"


def _undertrumped(rules: Ruleset, play: PlayState, trick: CompletedTrick) -> bool:
    """Say whether somebody ruffed a plain lead below a trump that lay there already."""
    if play.mode.is_trump(suit_of(trick.cards[0])):
        return False
    ruffs = [rules.trump_strength[rank_of(card)] for card in trick.cards if play.mode.is_trump(suit_of(card))]
    return ruffs != sorted(ruffs)


def _count_tags(rules: Ruleset, state: DealState, play: PlayState, count: Count) -> Iterator[str]:
    assert state.bidding.taker is not None
    taking = rules.side_of[state.bidding.taker]
    winners = {rules.side_of[trick.winner] for trick in play.tricks}
    if len(winners) == 1:
        yield "capot-by-taker" if taking in winners else "capot-by-defence"
    elif len(winners) < rules.side_count:
        yield "trickless-player"
    counted = count.settlement.counted
    if counted[taking] == points_to_beat(rules, counted, taking):
        yield "tied"
    if count.settlement.outcome == "fell":
        yield "fell"
    lost = [own.declarations + own.belote for side, own in enumerate(count.tallies) if side not in winners]
    if any(lost) and rules.value_or("scoring.confirmation", "none") == "one-trick":
        yield "unconfirmed"


def _belote_tags(
    rules: Ruleset, state: DealState, play: PlayState, actions: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    said = {action["seat"] for action in actions if "belote" in action}
    for seat, calls in enumerate(state.calls):
        if belote_points(rules, calls):
            yield "belote"
        elif seat in said:
            yield "belote-said-once"
        elif holds_belote(play.mode, state.hands[seat]):
            yield "belote-unsaid"


def _declaration_tags(rules: Ruleset, state: DealState, play: PlayState) -> Iterator[str]:
    comparison = comparison_of(rules, state, play)
    if comparison.winner is None:
        return
    shown_in = rules.value_or("declarations.shown-in-trick", "none")
    counted = declared_points(rules, state, comparison)
    if shown_in != "none":
        if any(points and not shown for points, shown in zip(comparison.points, state.shown, strict=True)):
            yield "unshown"
        if any(shown > shown_in and points for shown, points in zip(state.shown, counted, strict=True)):
            yield "second-chance"
    winner = _best(rules, play, state.announced[comparison.winner])
    for seat, declarations in enumerate(state.announced):
        if declarations and not comparison.points[seat]:
            yield _beaten_by(rules, play, winner, _best(rules, play, declarations))


def _best(rules: Ruleset, play: PlayState, declarations: Sequence[Declaration]) -> Declaration:
    return max(declarations, key=lambda one: strength(rules, one, play.mode))


def _beaten_by(rules: Ruleset, play: PlayState, winner: Declaration, loser: Declaration) -> str:
    """Name what decided between two declarations: the first criterion in which they differ, or the turn."""
    pairs = zip(strength(rules, winner, play.mode), strength(rules, loser, play.mode), strict=True)
    names = rules.value("declarations.compared-by")
    criterion = next((name for name, (one, other) in zip(names, pairs, strict=True) if one != other), "turn")
    if criterion == "turn":
        return "beaten-by-turn"
    if winner.kind == loser.kind == "sequence":
        return _BETTER_SEQUENCE.get(criterion, "beaten-by-longer")
    return f"{loser.kind}-beaten-by-{winner.kind}"
