"""Random questions of every operation, the same for the same seed: natural ones from played deals, and contrived."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from belot_conformance.recording.deals import RecordedDeal, random_deal
from belot_conformance.recording.matches import DealPool, random_match
from belot_reference.cards import (
    EVERY_SUIT,
    ONLY,
    SUIT_CARDS,
    Card,
    CardSet,
    Suit,
    card_at,
    card_set,
    cards_in,
    names_of,
    rank_of,
    suit_of,
)
from belot_reference.compile import Ruleset
from belot_reference.counting import count_deal
from belot_reference.deal_state import DealState
from belot_reference.declarations import possible_sets
from belot_reference.operations import OPERATIONS
from belot_reference.play import PlayState
from belot_spec.card_names import CARD_NAMES, RANKS, SUITS

Question = tuple[str, Mapping[str, Any]]

EXTRAS: Final = (0, 0, 0, 20, 20, 40, 50, 70, 100, 150, 200)
CONTRIVED_PER_DEAL: Final = 12
CLAIMS_PER_DEAL: Final = 2
DEALS_PER_MATCH: Final = 6
LAST_DEALS: Final = 8
_DEEPEST: Final = 8
EVERY_OPERATION: Final = frozenset(OPERATIONS)

_ABOUT_RICH_HANDS: Final = frozenset(("declarations", "compare-declarations", "compare-hands"))
# What is asked without a deal being played for it.
_CONTRIVED_ALONE: Final = frozenset(("legal-cards", "compare-hands", "belote", "score-deal"))


def random_questions(
    rules: Ruleset, deals: int, seed: int, wanted: frozenset[str] = EVERY_OPERATION
) -> Iterator[Question]:
    """Yield questions of the wanted operations drawn from so many random deals, and contrived ones beside them."""
    random = Random(f"{rules.profile.id} {seed}")
    played: list[RecordedDeal] = []
    for _ in range(deals):
        if wanted - _CONTRIVED_ALONE:
            deal = random_deal(rules, random)
            played.append(deal)
            yield from of_deal(rules, deal, wanted, random)
        for _ in range(CONTRIVED_PER_DEAL):
            yield from _contrived(rules, wanted, random)
    if "match" in wanted:
        yield from _matches(rules, played, random)


def of_deal(rules: Ruleset, deal: RecordedDeal, wanted: frozenset[str], random: Random) -> Iterator[Question]:
    """Yield what can be asked about a recorded deal: the deal, others much like it, and its parts."""
    question, state = deal.question, deal.state
    if "replay" in wanted:
        yield from (("replay", told) for told in _recordings(rules, deal, random))
    if "bidding" in wanted:
        yield "bidding", _bidding(rules, deal, random)
    if "deal" in wanted:
        yield "deal", dealing(rules, question, random)
    if "declarations" in wanted:
        yield from (("declarations", {"hand": names_of(hand)}) for hand in state.hands)
    if state.play is not None and state.play.tricks:
        yield from _of_play(rules, deal, state.play, wanted, random)


def _recordings(rules: Ruleset, deal: RecordedDeal, random: Random) -> Iterator[Mapping[str, Any]]:
    """Yield a deal as it was recorded, spoiled, with shows that come late, and ended by a claim."""
    question = deal.question
    yield question
    yield spoiled(question, random)
    yield from _shown_late(question)
    if rules.value("match.claim") != "played-out" and deal.state.play is not None:
        yield from (_claimed(rules, question, random) for _ in range(CLAIMS_PER_DEAL))


def _of_play(
    rules: Ruleset, deal: RecordedDeal, play: PlayState, wanted: frozenset[str], random: Random
) -> Iterator[Question]:
    trump = SUITS[play.trump]
    state = deal.state
    leader = play.tricks[0].leader
    for trick in random.sample(list(play.tricks), min(3, len(play.tricks))):
        cards = [CARD_NAMES[card] for card in trick.cards]
        if "trick-winner" in wanted:
            yield "trick-winner", {"trump": trump, "leader": trick.leader, "cards": cards}
        if "card-points" in wanted:
            yield "card-points", {"trump": trump, "cards": cards, "last_trick": trick is play.tricks[-1]}
    if "compare-declarations" in wanted:
        taker = {} if state.bidding.taker is None else {"taker": state.bidding.taker}
        announced = [[names_of(one.cards) for one in declarations] for declarations in state.announced]
        yield "compare-declarations", {"trump": trump, "leader": leader, "announced": announced, **taker}
    if "settle-tricks" in wanted and state.ended == "played":
        yield "settle-tricks", settling_of(rules, state)
    if "perft" in wanted and not rules.open_piles and state.ended == "played":
        yield "perft", _last_tricks(rules, play)
    if "penalty" in wanted and not rules.open_piles and not state.discarded and state.ended == "played":
        yield "penalty", _penalty(rules, deal, play, random)


def _last_tricks(rules: Ruleset, play: PlayState) -> dict[str, Any]:
    """Return in how many ways the last tricks of a deal that was played out may be played."""
    last = play.tricks[-max(1, _DEEPEST // rules.players) :]
    hands: list[list[str]] = [[] for _ in range(rules.players)]
    for trick in last:
        for place, card in enumerate(trick.cards):
            hands[(trick.leader + place) % rules.players].append(CARD_NAMES[card])
    depth = len(last) * rules.players
    return {"trump": SUITS[play.trump], "leader": last[0].leader, "hands": hands, "depth": depth}


def settling_of(rules: Ruleset, state: DealState) -> dict[str, Any]:
    """Return the question of ``settle-tricks`` about a deal that was played out."""
    assert state.play is not None
    count = count_deal(rules, state)
    kinds = ("declarations", "outranked", "belote")
    sides = [{kind: points for kind in kinds if (points := getattr(tally, kind))} for tally in count.tallies]
    return {
        "trump": SUITS[state.play.trump],
        "taker": state.bidding.taker,
        "tricks": [
            {"leader": trick.leader, "cards": [CARD_NAMES[card] for card in trick.cards]} for trick in state.play.tricks
        ],
        **({"discarded": names_of(state.discarded)} if state.discarded else {}),
        **({"sides": sides} if any(sides) else {}),
    }


def _claimed(rules: Ruleset, question: Mapping[str, Any], random: Random) -> dict[str, Any]:
    """Return a recording that ends with *enough*, said by anybody at any moment, at totals where it is close."""
    actions = question["actions"]
    begun = next((place for place, action in enumerate(actions) if "play" in action), len(actions) - 1)
    actions = actions[: random.randrange(begun, len(actions)) + 1]
    target: int = rules.value("match.target")
    totals = [max(0, target - random.choice((1, 5, 10, 20, 40, 60, 80, 100, 140))) for _ in range(rules.side_count)]
    claim = {"seat": random.randrange(rules.players), "claim": True}
    return {**question, "totals": totals, "actions": [*actions, claim]}


def spoiled(question: Mapping[str, Any], random: Random) -> dict[str, Any]:
    """Return a recording in which one action is left out, told twice, told by another card, or more is said with it."""
    actions = [dict(action) for action in question["actions"]]
    place = random.randrange(len(actions))
    action = actions[place]
    match random.randrange(6):
        case 0:
            del actions[place]
        case 1:
            actions.insert(place, dict(action))
        case 2:
            other = random.choice(actions)
            action.update({key: value for key, value in other.items() if key != "seat" and key in action})
        case 3 if "play" in action:
            action[random.choice(("belote", "show"))] = True
        case 4:
            action.pop(random.choice(("announce", "belote", "show", "made")), None)
        case _:
            told: tuple[dict[str, Any], ...] = ({"look": random.randrange(1, 5)}, {"claim": True})
            actions.insert(place, {"seat": action["seat"], **random.choice(told)})
    return {**question, "actions": actions}


def _shown_late(question: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the recording for every seat that shows declarations, with its show one of its cards later."""
    places = [place for place, action in enumerate(question["actions"]) if "show" in action]
    for place in places:
        actions = [dict(action) for action in question["actions"]]
        seat, shown = actions[place]["seat"], actions[place].pop("show")
        later = (action for action in actions[place + 1 :] if "play" in action and action["seat"] == seat)
        if (following := next(later, None)) is not None:
            following["show"] = shown
            yield {**question, "actions": actions}


def _bidding(rules: Ruleset, deal: RecordedDeal, random: Random) -> dict[str, Any]:
    turned = {} if deal.state.turn_up is None else {"turn_up": CARD_NAMES[deal.state.turn_up]}
    said = [random.choice(("pass", "pass", "pass", *SUITS)) for _ in range(random.randrange(2 * rules.players + 2))]
    recorded = [action["bid"] for action in deal.question["actions"] if "bid" in action]
    bids = recorded[: random.randrange(len(recorded) + 1)] if random.random() < 0.3 else said
    return {"dealer": deal.question["dealer"], **turned, "bids": bids}


def dealing(rules: Ruleset, question: Mapping[str, Any], random: Random) -> dict[str, Any]:
    """Return how a deck is dealt, sometimes with no cut or a bad one, or with too few or too many shuffles."""
    asked = {key: question[key] for key in ("dealer", "deck")}
    asked["taker"] = random.randrange(rules.players)
    if random.random() < 0.8:
        asked["cut"] = random.randrange(rules.deck.bit_count() + 1)
    if random.random() < 0.7:
        asked["shuffles"] = random.randrange(7)
    return asked


def _penalty(rules: Ruleset, deal: RecordedDeal, play: PlayState, random: Random) -> dict[str, Any]:
    cards = [card for trick in play.tricks for card in trick.cards]
    known = cards[: random.randrange(1, len(cards) + 1)]
    if random.random() < 0.7:
        known = _revoked(rules, known, play, deal, random)
    accuser, accused = random.sample(range(rules.players), 2)
    declared = random.choice(EXTRAS)
    return {
        "trump": SUITS[play.trump],
        "leader": play.tricks[0].leader,
        "hands": [names_of(hand) for hand in deal.state.hands],
        "plays": [CARD_NAMES[card] for card in known],
        "accuser": accuser,
        "accused": accused,
        **({"declared": declared} if declared else {}),
    }


def _revoked(rules: Ruleset, cards: Sequence[Card], play: PlayState, deal: RecordedDeal, random: Random) -> list[Card]:
    """Return the cards played up to some point, the last one being any card that its player still held."""
    place = random.randrange(len(cards))
    trick, position = divmod(place, rules.players)
    seat = (play.tricks[trick].leader + position) % rules.players
    held = deal.state.hands[seat] & ~card_set(cards[:place])
    return [*cards[:place], random.choice(list(cards_in(held)))]


def _contrived(rules: Ruleset, wanted: frozenset[str], random: Random) -> Iterator[Question]:
    trump = random.choice(EVERY_SUIT)
    if "legal-cards" in wanted:
        yield from (("legal-cards", position(rules, trump, random)) for _ in range(8))
    if "trick-winner" in wanted:
        yield "trick-winner", trick_of_two_suits(rules, trump, random)
    if "card-points" in wanted:
        cards = [CARD_NAMES[card] for card in some_cards(rules.deck, random.randrange(1, 9), random)]
        yield "card-points", {"trump": SUITS[trump], "cards": cards, "last_trick": random.random() < 0.3}
    if wanted & _ABOUT_RICH_HANDS:
        yield from (asked for asked in _about_rich_hands(rules, trump, random) if asked[0] in wanted)
    if "belote" in wanted:
        yield "belote", belote_plays(rules, trump, random)
    if "score-deal" in wanted:
        yield "score-deal", tally(rules, random)


def _about_rich_hands(rules: Ruleset, trump: Suit, random: Random) -> Iterator[Question]:
    hands = rich_hands(rules, random)
    yield "declarations", {"hand": names_of(hands[0])}
    yield "compare-declarations", rivalry(rules, trump, hands, random)
    yield (
        "compare-hands",
        {
            "trump": SUITS[trump],
            "leader": trump % rules.players,
            "hands": [names_of(hand) for hand in hands],
            "taker": (trump + 1) % rules.players,
        },
    )
    yield "compare-declarations", rivalry(rules, trump, rich_hands(rules, random), random)


def some_cards(cards: CardSet, number: int, random: Random) -> list[Card]:
    """Return so many of some cards, or all where there are fewer."""
    held = list(cards_in(cards))
    return random.sample(held, min(number, len(held)))


def position(rules: Ruleset, trump: Suit, random: Random) -> dict[str, Any]:
    """Return a hand and a running trick in which trumps and the led suit are frequent."""
    suits = (trump, trump, random.choice(EVERY_SUIT), random.choice(EVERY_SUIT))
    free = rules.deck
    trick: list[Card] = []
    for _ in range(random.randrange(rules.players)):
        suit = random.choice((suit_of(trick[0]), *suits)) if trick else random.choice(suits)
        # Of a suit that is not played with, nobody plays a card.
        choices = list(cards_in(free & SUIT_CARDS[suit])) or list(cards_in(free))
        card = random.choice(choices)
        trick.append(card)
        free &= ~ONLY[card]
    hand = some_cards(free, random.randrange(1, 7), random)
    return {
        "trump": SUITS[trump],
        "hand": [CARD_NAMES[card] for card in hand],
        "trick": [CARD_NAMES[card] for card in trick],
    }


def trick_of_two_suits(rules: Ruleset, trump: Suit, random: Random) -> dict[str, Any]:
    """Return a whole trick, most often of trumps and one other suit."""
    plain = random.choice(EVERY_SUIT)
    two_suits = rules.deck & card_set(card_at(rank, suit) for suit in (trump, plain) for rank in range(len(RANKS)))
    cards = some_cards(two_suits if random.random() < 0.8 else rules.deck, rules.players, random)
    named = [CARD_NAMES[card] for card in cards]
    return {"trump": SUITS[trump], "leader": random.randrange(rules.players), "cards": named}


def rich_hands(rules: Ruleset, random: Random) -> list[CardSet]:
    """Deal hands in which runs and squares are frequent: cards of a rank, and of neighbouring ranks, stay together."""
    order = list(cards_in(rules.deck))
    by_rank = random.random() < 0.5

    def place(card: Card) -> tuple[int, int]:
        rank, suit = rank_of(card), suit_of(card)
        return (rank, suit) if by_rank else (suit, rules.sequence_position[rank])

    order.sort(key=place)
    for _ in range(random.choice((0, 2, 4, 8))):
        one, other = random.sample(range(len(order)), 2)
        order[one], order[other] = order[other], order[one]
    start = random.randrange(len(order))
    order = [*order[start:], *order[:start]]
    size = rules.hand_size
    hands = [card_set(order[seat * size : (seat + 1) * size]) for seat in range(rules.players)]
    random.shuffle(hands)
    return hands


def rivalry(rules: Ruleset, trump: Suit, hands: Sequence[CardSet], random: Random) -> dict[str, Any]:
    """Return what the players announce: one of their largest sets, or only some of it."""
    announced = []
    for hand in hands:
        found = list(random.choice(possible_sets(rules, hand) or [()]))
        if found and random.random() < 0.5:
            found = random.sample(found, random.randrange(len(found) + 1))
        announced.append([names_of(one.cards) for one in found])
    asked: dict[str, Any] = {"trump": SUITS[trump], "leader": random.randrange(rules.players), "announced": announced}
    return {**asked, "taker": random.randrange(rules.players)}


def belote_plays(rules: Ruleset, trump: Suit, random: Random) -> dict[str, Any]:
    """Return the cards that somebody plays who often holds king and queen of trump, and when he says belote."""
    royal = [card_at(RANKS.index(rank), trump) for rank in ("K", "Q")][: random.choice((1, 2, 2, 2))]
    royal = [card for card in royal if ONLY[card] & rules.deck]
    others = some_cards(rules.deck & ~card_set(royal), rules.hand_size - len(royal), random)
    plays = random.sample([*royal, *others], random.randrange(1, rules.hand_size + 1))
    told: list[dict[str, Any]] = []
    for card in plays:
        calls = random.random() < (0.7 if card in royal else 0.03)
        told.append({"card": CARD_NAMES[card], "call": True} if calls else {"card": CARD_NAMES[card]})
    return {"trump": SUITS[trump], "hand": [CARD_NAMES[card] for card in (*royal, *others)], "plays": told}


def tally(rules: Ruleset, random: Random) -> dict[str, Any]:
    """Return the points and tricks of a deal, often equal ones and often all on one side."""
    points = rules.points_in_deck() + rules.value("scoring.last-trick")
    tricks = rules.hand_size
    cards, won = _split(points, rules.side_count, random), _split(tricks, rules.side_count, random)
    for side in range(rules.side_count):
        if not won[side]:
            cards[won.index(max(won))] += cards[side]
            cards[side] = 0
    sides = []
    for side in range(rules.side_count):
        extras = {kind: random.choice(EXTRAS) for kind in ("declarations", "outranked")}
        extras["belote"] = random.choice((0, 0, rules.value("declarations.belote.points")))
        tally = {"cards": cards[side], "tricks": won[side]}
        sides.append({**tally, **{kind: number for kind, number in extras.items() if number}})
    return {"taker": random.randrange(rules.players), "sides": sides}


def _split(whole: int, parts: int, random: Random) -> list[int]:
    kind = random.random()
    if kind < 0.15:
        shares = [whole] + [0] * (parts - 1)
    elif kind < 0.35:
        shares = [whole // parts] * parts
        shares[0] += whole - sum(shares)
    else:
        cuts = sorted(random.randrange(whole + 1) for _ in range(parts - 1))
        shares = [after - before for before, after in zip([0, *cuts], [*cuts, whole], strict=True)]
    random.shuffle(shares)
    return shares


def _matches(rules: Ruleset, played: Sequence[RecordedDeal], random: Random) -> Iterator[Question]:
    """Yield whole matches, and their last deals at totals near the target."""
    pool = DealPool(rules, played)
    for _ in range(0 if pool.is_empty else len(played) // DEALS_PER_MATCH):
        match = random_match(rules, pool, random).question
        yield "match", match
        deals = match["deals"][-random.randrange(1, 4) :]
        yield "match", {**near_the_end(rules, random), "deals": deals}
        for _ in range(LAST_DEALS):
            yield "match", {**near_the_end(rules, random), "deals": [{"scored": tally(rules, random)}]}


def near_the_end(rules: Ruleset, random: Random) -> dict[str, Any]:
    """Return a dealer and totals near the target, and sometimes held points where there are any."""
    target = rules.value("match.target")
    holding = rules.value_or("scoring.held-points", None) is not None and random.random() < 0.3
    totals = [max(0, target - random.choice((0, 1, 1, 5, 10, 20, 40, 80, 160))) for _ in range(rules.side_count)]
    held = {"held": random.randrange(1, 100)} if holding else {}
    return {"dealer": random.randrange(rules.players), "totals": totals, **held}
