"""No trumps and all trumps: tricks by the plain rules, points, belote, and positions counted as one."""

from random import Random

import pytest

from belot_reference.cards import CARD_BY_NAME, CardSet, card_set, cards_in, names_of
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.perft import Plays
from belot_reference.play import PlayState, force_card, holds_belote, legal_now, start_play
from belot_reference.questions import mode_named
from belot_spec.spec import Spec

PROFILE = "bulgarian-belot"
KING_FIRST = {"declarations.belote.order": "king-first"}


def order(rules: Ruleset, name: str) -> list[str]:
    return list(rules.value("deck.trump-order" if name == "A" else "deck.plain-order"))


def plainly_legal(rules: Ruleset, name: str, hand: list[str], trick: list[str]) -> set[str]:
    """At all trumps the suit led is trump: follow, and above the best if you can. At no trumps follow. Else any."""
    if not trick:
        return set(hand)
    following = [card for card in hand if card[-1] == trick[0][-1]]
    best = plain_winner(rules, name, trick)
    place = order(rules, name).index
    higher = [card for card in following if place(card[:-1]) < place(trick[best][:-1])]
    return set((higher if name == "A" else []) or following or hand)


def plain_winner(rules: Ruleset, name: str, trick: list[str]) -> int:
    """The best card of the suit led wins."""
    following = [at for at, card in enumerate(trick) if card[-1] == trick[0][-1]]
    return min(following, key=lambda at: order(rules, name).index(trick[at][:-1]))


def dealt(rules: Ruleset, random: Random) -> list[CardSet]:
    deck = list(cards_in(rules.deck))
    random.shuffle(deck)
    size = len(deck) // rules.players
    return [card_set(deck[seat * size : (seat + 1) * size]) for seat in range(rules.players)]


@pytest.mark.parametrize("name", ["N", "A"])
def test_tricks_are_played_as_the_plain_rules_say(spec: Spec, name: str) -> None:
    rules, decisions = compile_profile(spec.profile(PROFILE)), 0
    random = Random(name)
    for _ in range(40):
        state = start_play(rules, mode_named(rules, name), dealt(rules, random), random.randrange(rules.players))
        while state.hands[state.turn]:
            hand, trick = names_of(state.hands[state.turn]), [names_of(card_set([card]))[0] for card in state.cards]
            legal = names_of(legal_now(rules, state)[0])
            assert set(legal) == plainly_legal(rules, name, hand, trick)
            leader, card = state.leader, random.choice(legal)
            state = force_card(rules, state, CARD_BY_NAME[card])
            if len(trick) + 1 == rules.players:
                won = plain_winner(rules, name, [*trick, card])
                assert state.tricks[-1].winner == state.turn == (leader + won) % rules.players
            decisions += 1
    assert decisions >= 40 * 28


@pytest.mark.parametrize(("name", "points", "pairs"), [("S", 152, 1), ("N", 120, 0), ("A", 248, 4)])
def test_points_and_belote_hang_on_the_mode(spec: Spec, name: str, points: int, pairs: int) -> None:
    rules = compile_profile(spec.profile(PROFILE))
    built = mode_named(rules, name)
    assert rules.points_in_deck(built) == points
    assert len(built.pairs) == pairs
    assert holds_belote(built, card_set(CARD_BY_NAME[card] for card in ("KS", "QS"))) == bool(pairs)
    assert not holds_belote(built, card_set(CARD_BY_NAME[card] for card in ("KS", "QH")))


def test_at_all_trumps_the_queen_of_each_suit_waits_for_her_king(spec: Spec) -> None:
    rules = compile_profile(spec.profile(PROFILE).with_values("house", KING_FIRST, spec.rules))
    hand = card_set(CARD_BY_NAME[card] for card in ("KS", "QS", "KD", "QD", "QC"))

    def leads(name: str) -> list[str]:
        return names_of(legal_now(rules, start_play(rules, mode_named(rules, name), [hand, *[CardSet(0)] * 3], 0))[0])

    assert leads("A") == ["KS", "KD", "QC"]
    assert leads("S") == ["KS", "QD", "KD", "QC"]
    assert leads("N") == ["QS", "KS", "QD", "KD", "QC"]


def counted_one_by_one(rules: Ruleset, play: PlayState, depth: int) -> int:
    if not depth or not play.hands[play.turn]:
        return 1
    legal, _ = legal_now(rules, play)
    return sum(counted_one_by_one(rules, force_card(rules, play, card), depth - 1) for card in cards_in(legal))


@pytest.mark.parametrize("values", [{}, KING_FIRST], ids=["either", "king-first"])
@pytest.mark.parametrize("name", ["N", "A"])
def test_positions_that_count_as_one_have_the_same_number(spec: Spec, name: str, values: dict[str, str]) -> None:
    rules = compile_profile(spec.profile(PROFILE).with_values("house", values, spec.rules))
    random, built = Random(name), mode_named(rules, name)
    for _ in range(3):
        deck = random.sample(list(cards_in(rules.deck)), 12)
        hands = [card_set(deck[seat * 3 : seat * 3 + 3]) for seat in range(4)]
        state = start_play(rules, built, hands, 0)
        assert Plays(rules, built).count(state, 12) == counted_one_by_one(rules, state, 12)
