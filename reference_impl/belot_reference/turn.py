"""What a player may do in a deal, and what comes of it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations, product
from typing import Final

from belot_reference.action import Action, announce_action, bid_actions, card_action
from belot_reference.belote import call_belote, calls_itself, need_call_belote, once_more, royal_now
from belot_reference.bidding import Bidding, bid, bid_choices, may_speak_out_of_turn
from belot_reference.bids import DOUBLE, bid_named
from belot_reference.cards import (
    CARD_BY_NAME,
    EVERY_SUIT,
    NO_CARDS,
    ONLY,
    Card,
    CardSet,
    card_at,
    card_set,
    cards_in,
    holds,
    ranks_of,
    suit_of,
)
from belot_reference.compile import SHORTEST_SEQUENCE, Ruleset
from belot_reference.counting import comparison_of, contract_is_safe, enough_in_reach, taken_so_far
from belot_reference.deal import DealState, Ending, begin_play
from belot_reference.declarations import (
    Declaration,
    check_announcement,
    count_in,
    counted_by_themselves,
    runs_in,
    squares_in,
    turned_points,
    wins_match,
)
from belot_reference.errors import (
    AnnouncedLate,
    BadDiscard,
    CardNotHeld,
    ClaimFalse,
    ClaimNotAllowed,
    DealOver,
    NoExchange,
    NoRoem,
    NothingToShow,
    NotMade,
    NotYourTurn,
    Refusal,
    WrongPhase,
    WrongTimeToShow,
)
from belot_reference.match import winner_of
from belot_reference.play import PlayState, force_card, has_begun, legal_now, look_at, play_card
from belot_reference.questions import set_named
from belot_reference.roem import must_call, roem_to_call
from belot_reference.scoring import score_points
from belot_spec.card_names import CARD_NAMES, RANKS

SEVEN: Final = RANKS.index("7")


def apply_action(rules: Ruleset, state: DealState, action: Action) -> DealState:
    """Return the deal after an action; raises a ``Refusal`` for one that is not allowed.

    It has the form that the protocol gives it; one of a seat or in a suit that this table does not have raises
    ``BadQuestionError``.
    """
    rules.check_seat("seat", action.seat)
    if state.ended is not None:
        raise DealOver
    if action.bid is not None:
        return _bid(rules, state, action.seat, action.bid)
    if (play := state.play) is None:
        raise WrongPhase("bidding.rounds")
    if action.play is not None:
        return _play(rules, state, play, action, CARD_BY_NAME[action.play])
    if action.announce:
        if must_discard(rules, state):
            raise WrongPhase("deal.taker-discards")
        return announce_before_lead(rules, state, play, action)
    if action.discard:
        return _discard(rules, state, play, action.seat, set_named(action.discard))
    if action.exchange:
        return _exchange(rules, state, play, action.seat)
    if action.look is not None:
        look_at(rules, play, action.look)
        return state
    if action.roem is not None:
        return _call_roem(rules, state, play, action.roem)
    if action.silent:
        return _leave_uncalled(state, play, action.seat)
    return _claim(rules, state, play, action.seat)


def must_discard(rules: Ruleset, state: DealState) -> bool:
    """Say whether the taker has still to lay cards away, which comes before the first card."""
    if state.discarded or state.play is None or has_begun(state.play):
        return False
    return bool(rules.value_or("deal.taker-discards", 0))


def _bid(rules: Ruleset, state: DealState, seat: int, said: str) -> DealState:
    if state.play is not None:
        raise WrongPhase("bidding.rounds")
    return after_bids(rules, state, bid(rules, state.bidding, bid_named(said), seat))


def after_bids(rules: Ruleset, state: DealState, bidding: Bidding) -> DealState:
    """Return the deal with more said in its bidding; once somebody has taken the cards are dealt out."""
    if bidding.state == "failed":
        return state._replace(bidding=bidding, ended="passed")
    if bidding.contract is None:
        return state._replace(bidding=bidding)
    return begin_play(rules, state, bidding, bidding.contract)


def _discard(rules: Ruleset, state: DealState, play: PlayState, seat: int, cards: CardSet) -> DealState:
    """Lay cards away; they count as the taker's card points but are no trick (ruling BL3-R1)."""
    wanted = rules.value_or("deal.taker-discards", 0)
    if not wanted or state.discarded or has_begun(play):
        raise WrongPhase("deal.taker-discards")
    if seat != state.bidding.taker:
        raise NotYourTurn("deal.taker-discards")
    if cards & ~play.hands[seat]:
        raise CardNotHeld
    if cards.bit_count() != wanted:
        raise BadDiscard("deal.taker-discards")
    after = _with_hand(state, play, seat, play.hands[seat] & ~cards)
    return after._replace(discarded=cards)


def _exchange(rules: Ruleset, state: DealState, play: PlayState, seat: int) -> DealState:
    """Exchange the seven of trump for the turn-up (rulings BL2-R2 and BL2-R4)."""
    if has_begun(play) or state.heard:
        raise WrongPhase("deal.seven-exchange")
    turn_up = state.turn_up
    if turn_up is None or not may_exchange(rules, state, play, seat):
        raise NoExchange("deal.seven-exchange")
    seven = card_at(SEVEN, suit_of(turn_up))
    hand = play.hands[seat] & ~ONLY[seven] | ONLY[turn_up]
    after = _with_hand(state, play, seat, hand)
    return after._replace(turn_up=seven)


def may_exchange(rules: Ruleset, state: DealState, play: PlayState, seat: int) -> bool:
    """Say whether a seat may exchange the seven of trump: it is among the cards that the seat saw while bidding."""
    allowed = rules.value_or("deal.seven-exchange", "none") == "when-turned-suit-taken"
    if not allowed or has_begun(play) or state.heard or state.turn_up is None:
        return False
    turned = suit_of(state.turn_up)
    return play.mode.is_trump(turned) and holds(state.before[seat] & play.hands[seat], card_at(SEVEN, turned))


def _with_hand(state: DealState, play: PlayState, seat: int, hand: CardSet) -> DealState:
    """Return the state with another hand for a seat, before the first card is played."""
    hands = (*state.hands[:seat], hand, *state.hands[seat + 1 :])
    return state._replace(hands=hands, play=play._replace(hands=hands))


def _play(rules: Ruleset, state: DealState, play: PlayState, action: Action, card: Card) -> DealState:
    """Play a card with all that is said and shown with it."""
    seat = action.seat
    if must_discard(rules, state):
        raise WrongPhase("deal.taker-discards")
    if seat != play.turn:
        raise NotYourTurn("play.trick-winner")
    announced = announce_with_card(rules, state, play, action) if action.announce else state.announced
    after = play_card(rules, play, seat, card)
    if announces_itself(rules, play):
        state = announced_by_itself(rules, state, play)
        announced = state.announced
    calls = state.calls
    if action.belote or play.mode.pair_of[card]:
        said, royal = calls[seat], royal_now(rules, play, state.hands[seat], card, state.contract.taker)
        if action.belote:
            said = call_belote(rules, royal, said)
        if calls_itself(rules, royal):
            said = once_more(said, card)
        calls = (*calls[:seat], said, *calls[seat + 1 :])
    shown = state.shown
    if action.show:
        _check_show(rules, state, play, action)
        shown = _at(shown, seat, len(play.tricks) + 1)
    after, made = _turn_card(rules, state, after, action, card)
    changed = state._replace(play=after, announced=announced, calls=calls, shown=shown, made=made)
    return _ended(rules, changed, after, action)


def _at(numbers: tuple[int, ...], seat: int, number: int) -> tuple[int, ...]:
    return (*numbers[:seat], number, *numbers[seat + 1 :])


def _turn_card(
    rules: Ruleset, state: DealState, after: PlayState, action: Action, card: Card
) -> tuple[PlayState, tuple[int, ...]]:
    """Turn the card that the played one covered; return the play, and the points made with what is claimed for it."""
    turned = state.covered.get(card)
    if turned is not None:
        hand = after.hands[action.seat] | ONLY[turned]
        after = after._replace(hands=(*after.hands[: action.seat], hand, *after.hands[action.seat + 1 :]))
    made = state.made
    for kind in action.made:
        points = None if turned is None else turned_points(rules, kind, after.hands[action.seat], turned)
        if points is None:
            raise NotMade("declarations.turned-sequence")
        made = _at(made, action.seat, made[action.seat] + points)
    return after, made


def _check_show(rules: Ruleset, state: DealState, play: PlayState, action: Action) -> None:
    """Refuse to show nothing, or at the wrong time."""
    wanted = rules.value_or("declarations.shown-in-trick", "none")
    if wanted == "none":
        return
    if not state.announced[action.seat] and not action.announce:
        raise NothingToShow("declarations.shown-in-trick")
    late = len(play.tricks) + 1 - wanted
    if late and not (late == 1 and has_second_chance(rules, state, play, action.seat)):
        raise WrongTimeToShow("declarations.shown-in-trick")


def has_second_chance(rules: Ruleset, state: DealState, play: PlayState, seat: int) -> bool:
    """Say whether a seat may show one trick later: the winner of the comparison, an opponent, has not shown."""
    if rules.given("declarations.not-shown") != "second-chance":
        return False
    winner = comparison_of(rules, state, play).winner
    return winner is not None and not state.shown[winner] and not rules.partners(winner, seat)


def _ended(rules: Ruleset, state: DealState, play: PlayState, action: Action) -> DealState:
    """Return the state with its ending, if this card (or what was announced with it) ends the deal."""
    if action.announce:
        state = won_by_eight(rules, state, play, action.seat)
    return state if state.ended else state._replace(ended=ending(rules, state, play))


def ending(rules: Ruleset, state: DealState, play: PlayState) -> Ending | None:
    """Return that a deal was played out once nobody has a card, and there is no roem of the last trick to call."""
    return None if any(play.hands) or roem_to_call(rules, play, state.called) else "played"


def awaits_call(state: DealState) -> bool:
    """Say whether all cards have been played, and the roem of the last trick may still be called."""
    return state.ended is None and state.play is not None and not any(state.play.hands)


def _call_roem(rules: Ruleset, state: DealState, play: PlayState, points: int) -> DealState:
    """Call the roem of the last trick, whoever won it, until somebody leads again (ruling KJ-R12)."""
    if not must_call(rules):
        raise WrongPhase("declarations.in-trick.called" if rules.has_roem else "declarations.played")
    if points != (roem_to_call(rules, play, state.called) or None):
        raise NoRoem("declarations.in-trick.called")
    after = state._replace(called=(*state.called, len(play.tricks) - 1))
    return after._replace(ended=ending(rules, after, play))


def _leave_uncalled(state: DealState, play: PlayState, seat: int) -> DealState:
    if not awaits_call(state):
        raise WrongPhase("declarations.in-trick.called")
    if seat != play.turn:
        raise NotYourTurn("declarations.in-trick.called")
    return state._replace(ended="played")


def _claim(rules: Ruleset, state: DealState, play: PlayState, seat: int) -> DealState:
    """Settle a claim of *enough* on completed tricks (rulings BL-R11 and BL-R13)."""
    if rules.value("match.claim") == "played-out":
        raise ClaimNotAllowed("match.claim")
    side, taker = rules.side_of[seat], state.bidding.taker
    taken = taken_so_far(rules, state, play, side)
    own = state.totals[side] + score_points(rules, taken)
    totals = tuple(own if index == side else -1 for index in range(rules.side_count))
    if taken == 0 or winner_of(rules, totals) != side:
        raise ClaimFalse("match.claim")
    takes = taker is not None and side == rules.side_of[taker]
    only_when_safe = takes and rules.value("match.claim") == "enough-when-safe"
    if only_when_safe and not contract_is_safe(rules, state, play):
        raise ClaimFalse("match.claim")
    return state._replace(ended="claim", winner=side, taken=taken)


# What is announced.


def announce_before_lead(rules: Ruleset, state: DealState, play: PlayState, action: Action) -> DealState:
    """Announce apart from any card, in turn from the seat that leads; whoever is silent is passed over (BL-R7)."""
    if rules.value("declarations.played") != "all":
        raise WrongPhase("declarations.played")
    if not count_in(rules, play.mode):
        raise WrongPhase("declarations.modes")
    if rules.given("declarations.announced") != "before-first-lead":
        raise WrongPhase("declarations.announced")
    if has_begun(play):
        raise AnnouncedLate("declarations.announced")
    step = (action.seat - play.turn) % rules.players
    if step < state.heard:
        raise NotYourTurn("declarations.announced")
    found = check_announcement(
        rules, play.hands[action.seat], [set_named(cards) for cards in action.announce], play.mode
    )
    announced = (*state.announced[: action.seat], found, *state.announced[action.seat + 1 :])
    after = state._replace(announced=announced, heard=step + 1)
    return won_by_eight(rules, after, play, action.seat)


def announce_with_card(
    rules: Ruleset, state: DealState, play: PlayState, action: Action
) -> tuple[tuple[Declaration, ...], ...]:
    """Return all that each seat has announced, once a player has announced along with his card."""
    seat = action.seat
    when = rules.value_or("declarations.announced", "with-any-card")
    if when == "automatic":
        raise WrongPhase("declarations.announced")
    if when == "before-first-lead" or (play.tricks and when == "with-first-card"):
        raise AnnouncedLate("declarations.announced")
    sets = [set_named(cards) for cards in action.announce]
    found = check_announcement(rules, play.hands[seat], sets, play.mode, state.announced[seat])
    return (*state.announced[:seat], (*state.announced[seat], *found), *state.announced[seat + 1 :])


def announces_itself(rules: Ruleset, play: PlayState) -> bool:
    """Say whether what the players hold is about to count by itself: where nobody announces, at the first card."""
    return bool(not has_begun(play) and rules.value_or("declarations.announced", None) == "automatic")


def announced_by_itself(rules: Ruleset, state: DealState, play: PlayState) -> DealState:
    """Return the deal once everybody's declarations count by themselves; the match may be won by eight in a row."""
    announced = tuple(counted_by_themselves(rules, hand, play.mode) for hand in play.hands)
    after = state._replace(announced=announced)
    for step in range(rules.players):
        if after.ended is None:
            after = won_by_eight(rules, after, play, (play.turn + step) % rules.players)
    return after


def won_by_eight(rules: Ruleset, state: DealState, play: PlayState, seat: int) -> DealState:
    """Return the state after a seat has announced: the match is won if eight in a row wins it."""
    if any(wins_match(rules, declaration, play.mode) for declaration in state.announced[seat]):
        return state._replace(ended="belot", winner=rules.side_of[seat])
    return state


# What may be done.


_SILENT: Final[tuple[CardSet, ...]] = ()
_NEVER_OR_ALSO: Final[Callable[[bool], tuple[bool, ...]]] = ((False,), (False, True)).__getitem__


def legal_actions(rules: Ruleset, state: DealState, seat: int, *, looks: bool = False) -> Iterator[Action]:
    """Yield everything that a seat may do now, each action once and in an order that never changes.

    The bids come with the pass first; cards laid away together, and cards played, in the order of the deck; each card
    first with nothing said, then with what may be said along with it; what is announced before the first lead comes
    before the cards. Last come the exchange, the roem that may be called, the tricks that may be looked at, if one asks
    for ``looks``, and a claim. What is announced together stands in one order, and showing where nothing need be shown,
    which has no effect, is left out.
    """
    if state.ended is not None:
        return
    play = state.play
    if play is None:
        if seat == state.bidding.turn:
            yield from bid_actions(seat, bid_choices(rules, state.bidding))
        elif may_speak_out_of_turn(rules) and DOUBLE in rules.auction.spoken_by(state.bidding.node, seat).choices:
            yield from bid_actions(seat, (DOUBLE,))
        return
    if must_discard(rules, state):
        if seat == state.bidding.taker:
            number: int = rules.given("deal.taker-discards")
            away = combinations(cards_in(play.hands[seat]), number)
            yield from (Action(seat=seat, discard=tuple(CARD_NAMES[card] for card in cards)) for cards in away)
    else:
        if announces_apart(rules, play) and (seat - play.turn) % rules.players >= state.heard:
            yield from (announce_action(seat, found) for found in announcements(rules, play.hands[seat]) if found)
        if seat == play.turn:
            yield from (Action(seat=seat, silent=True),) if awaits_call(state) else _plays(rules, state, play)
    for action in _without_turn(rules, state, play, seat, looks=looks):
        with suppress(Refusal):
            apply_action(rules, state, action)
            yield action


def _without_turn(rules: Ruleset, state: DealState, play: PlayState, seat: int, *, looks: bool) -> Iterator[Action]:
    """Yield what might be done by anybody at any time; some of it may still be refused."""
    if may_exchange(rules, state, play, seat):
        yield Action(seat=seat, exchange=True)
    if points := roem_to_call(rules, play, state.called):
        yield Action(seat=seat, roem=points)
    if looks:
        yield from (Action(seat=seat, look=number) for number in range(1, len(play.tricks) + 1))
    if rules.value("match.claim") != "played-out" and enough_in_reach(rules, state, play):
        yield Action(seat=seat, claim=True)


def _plays(rules: Ruleset, state: DealState, play: PlayState) -> Iterator[Action]:
    seat = play.turn
    announcements = announceable(rules, state, play)
    for card in cards_in(legal_now(rules, play)[0]):
        belote = bool(play.mode.pair_of[card]) and need_call_belote(
            rules, royal_now(rules, play, state.hands[seat], card, state.contract.taker)
        )
        kinds = makeable(rules, state, play, card)
        made = [some for size in range(len(kinds) + 1) for some in combinations(kinds, size)]
        for announced, said, earned in product(announcements, _NEVER_OR_ALSO(belote), made):
            for shown in _NEVER_OR_ALSO(may_show(rules, state, play, announces=bool(announced))):
                yield card_action(seat, card, announced, said, shown, earned)


def announces_apart(rules: Ruleset, play: PlayState) -> bool:
    """Say whether players may announce apart from any card: where the rules say so, before the first one."""
    if has_begun(play) or rules.value_or("declarations.announced", None) != "before-first-lead":
        return False
    return count_in(rules, play.mode)


def announces_with_card(rules: Ruleset, play: PlayState) -> bool:
    """Say whether the player to move may announce along with his card."""
    when = rules.value_or("declarations.announced", "with-any-card")
    if when == "with-any-card" or (when == "with-first-card" and not play.tricks):
        return count_in(rules, play.mode) if rules.has_auction else True
    return False


def may_show(rules: Ruleset, state: DealState, play: PlayState, *, announces: bool = False) -> bool:
    """Say whether the player to move may show with his card: in the right trick, or as a second chance after it."""
    wanted, seat = rules.value_or("declarations.shown-in-trick", "none"), play.turn
    if wanted == "none" or not (announces or state.announced[seat]):
        return False
    late = len(play.tricks) + 1 - wanted
    return late == 0 or (late == 1 and has_second_chance(rules, state, play, seat))


def makeable(rules: Ruleset, state: DealState, play: PlayState, card: Card) -> tuple[str, ...]:
    """Return what the card turned by playing a card makes: a sequence, a square, both or nothing."""
    turned = state.covered.get(card)
    if turned is None:
        return ()
    hand = play.hands[play.turn] & ~ONLY[card] | ONLY[turned]
    return tuple(kind for kind in ("sequence", "square") if turned_points(rules, kind, hand, turned) is not None)


def announceable(rules: Ruleset, state: DealState, play: PlayState) -> list[tuple[CardSet, ...]]:
    """Return everything that the player to move may announce with his card, nothing at all first.

    A player may announce less than he holds, even part of a run (ruling G-12).
    """
    if not announces_with_card(rules, play):
        return [_SILENT]
    return announcements(rules, play.hands[play.turn], state.announced[play.turn])


def announcements(rules: Ruleset, hand: CardSet, before: Sequence[Declaration] = ()) -> list[tuple[CardSet, ...]]:
    """Return every set of declarations that may be announced from a hand, after what was announced ``before``."""
    sequences = [cards for run in runs_in(rules, hand) for cards in _parts(rules, run)]
    squares = [square.cards for square in squares_in(rules, hand)]
    return [
        (*some, *others)
        for some in _apart(sequences)
        for size in range(len(squares) + 1)
        for others in combinations(squares, size)
        if not (some or others) or _accepted(rules, hand, (*some, *others), before)
    ]


def _parts(rules: Ruleset, run: Declaration) -> Iterator[CardSet]:
    """Yield a run and every shorter run in it, the longest first."""
    assert run.suit is not None
    first, after = run.top - run.length + 1, run.top + 1
    for length in range(run.length, SHORTEST_SEQUENCE - 1, -1):
        for start in range(first, after - length + 1):
            ranks = (rules.sequence_position.index(position) for position in range(start, start + length))
            yield card_set(card_at(rank, run.suit) for rank in ranks)


def _apart(sequences: Sequence[CardSet], used: CardSet = NO_CARDS) -> Iterator[tuple[CardSet, ...]]:
    """Yield every choice of sequences without a common card, none of them first."""
    yield ()
    for index, cards in enumerate(sequences):
        if not cards & used:
            yield from ((cards, *others) for others in _apart(sequences[index + 1 :], used | cards))


def _accepted(rules: Ruleset, hand: CardSet, announced: Sequence[CardSet], before: Sequence[Declaration]) -> bool:
    try:
        check_announcement(rules, hand, announced, None, before)
    except Refusal:
        return False
    return True


# A turn at which a player can only play a card, with nothing to say: most turns of a deal are such ones.
# What is found above at length is found at once here, and wherever more might come of it these say so.


def plain_cards(rules: Ruleset, state: DealState) -> CardSet | None:
    """Return the cards that the player to move may play, where he can do nothing else; ``None`` where he might."""
    play = state.play
    if play is None or not _is_under_way(state, play):
        return None
    seat = play.turn
    hand = play.hands[seat]
    if _might_say(state, play, hand):
        return None
    # Asked first here, at every turn: most games have no roem, and only the last trick's may be called.
    if not play.cards and rules.has_roem and roem_to_call(rules, play, state.called):
        return None
    if announces_with_card(rules, play) and _might_declare(rules, hand):
        return None
    if state.announced[seat]:
        wanted = rules.value_or("declarations.shown-in-trick", "none")
        if wanted != "none" and len(play.tricks) <= wanted:
            return None
    if rules.value("match.claim") != "played-out" and enough_in_reach(rules, state, play):
        return None
    return legal_now(rules, play)[0]


def after_plain_card(rules: Ruleset, state: DealState, seat: int, card: Card) -> DealState | None:
    """Return the deal after a legal card with which nothing was said.

    ``None`` where the card is not legal, or where more might come of it.
    """
    play = state.play
    if play is None or play.turn != seat or not _is_under_way(state, play):
        return None
    if _might_say(state, play, play.hands[seat]) or not legal_now(rules, play)[0] & ONLY[card]:
        return None
    after = force_card(rules, play, card)
    return state.played_on(after, ending(rules, state, after))


def _is_under_way(state: DealState, play: PlayState) -> bool:
    """Say whether a card lies or a trick was won, so that nobody lays away, exchanges or announces apart any more."""
    return bool(play.cards or play.tricks) and state.ended is None and not state.covered


def _might_say(state: DealState, play: PlayState, hand: CardSet) -> bool:
    """Say whether a player has a king or queen that is or was belote."""
    for pair in play.mode.pairs:  # noqa: SIM110  # asked for every card: a generator takes three times as long
        if hand & pair and state.hands[play.turn] & pair == pair:
            return True
    return False


def _might_declare(rules: Ruleset, hand: CardSet) -> bool:
    """Say whether a hand has a run of three or four of a kind."""
    four, runs = 0xFF, rules.runs
    for suit in EVERY_SUIT:
        ranks = ranks_of(hand, suit)
        if runs[ranks]:
            return True
        four &= ranks
    return four != 0
