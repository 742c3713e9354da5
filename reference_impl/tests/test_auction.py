"""The graph of a bidding, however long its ladder: what is kept of it, and what is looked at."""

import gc
from collections.abc import Callable
from importlib import import_module
from itertools import permutations
from random import Random
from typing import Any

import pytest

from belot_reference.auction import Auction, AuctionNode, Ladder
from belot_reference.bidding import start_bidding
from belot_reference.bids import CAPOT, Bid, amount_of_bid, bid_of, mode_of_bid
from belot_reference.cards import EVERY_SUIT, Suit
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.perft import count_bids
from belot_spec.spec import Spec

BY_ONE = {"bidding.amount-step": 1}
TO_650 = {**BY_ONE, "bidding.highest-amount": 650}
OPEN = {"bidding.after-double": "open", "bidding.must-name": "dealer", "bidding.amount-step": 20}
# So many edges of each bid: with four seats, passes, doubles and depths. One by one there are thousands.
MOST_EDGES = 200
Json = dict[str, Any]


def house(spec: Spec, variant: str, values: Json) -> Ruleset:
    return compile_profile(spec.profile(variant).with_values("house", values, spec.rules))


def tables(rules: Ruleset) -> object:
    pytest.importorskip("numpy", reason="the extra [fast] is not installed")
    return import_module("belot_kernel.bid_tables").bid_tables(rules)


@pytest.mark.parametrize(("values", "look"), [
    (TO_650, lambda rules: rules.is_same_in([1, 0, 2, 3])),
    (TO_650, lambda rules: count_bids(rules, start_bidding(rules, 0, None), 5)),
    (BY_ONE, tables),
], ids=["suits", "perft", "tables"])  # fmt: skip
def test_a_long_ladder_is_not_looked_at_edge_by_edge(
    spec: Spec, monkeypatch: pytest.MonkeyPatch, values: Json, look: Callable[[Ruleset], object]
) -> None:
    rules, edges = house(spec, "contree", values), 0
    after = Ladder.after

    def counted(auction: Ladder, node: AuctionNode, choice: Bid) -> AuctionNode:
        nonlocal edges
        edges += 1
        return after(auction, node, choice)

    monkeypatch.setattr(Ladder, "after", counted)
    assert look(rules)
    bids = len(rules.auction.start(0, None).choices)
    assert bids > 300
    assert edges <= MOST_EDGES * bids


def test_nothing_is_kept_of_the_biddings_that_were_looked_at(spec: Spec) -> None:
    def kept() -> int:
        gc.collect()
        return sum(isinstance(one, AuctionNode) for one in gc.get_objects())

    rules, before = house(spec, "coinche", TO_650), kept()
    start = rules.auction.start(0, None)
    for call in start.choices:
        node = rules.auction.after(start, call)
        while node.contract is None and node.choices:
            node = rules.auction.after(node, None)
    assert kept() <= before + 10


def said(node: AuctionNode) -> tuple[object, ...]:
    return node.choices, *(node.read_for(choice) for choice in (None, bid_of(0, CAPOT), *node.choices))


@pytest.mark.parametrize(("variant", "values"), [
    ("belotten", {}),
    ("bela-4", {}),
    ("denderbelot-3", {}),
    ("bulgarian-belot", {}),
    ("bulgarian-belot", {"bidding.modes": [["C", "A"], ["D"], ["S", "H"]]}),
    ("contree", {}),
    ("contree", OPEN),
    ("coinche", {"bidding.after-double": "redouble-ends", "bidding.must-name": "eldest"}),
])  # fmt: skip
def test_what_may_be_said_hangs_on_nothing_that_is_left_out_of_its_key(spec: Spec, variant: str, values: Json) -> None:
    """An auction that was asked of other biddings before answers as one that never was asked."""
    random, rules = Random(variant), house(spec, variant, values)
    turned = EVERY_SUIT if rules.value("deal.turn-up") != "none" else (None,)
    for _ in range(60):
        dealer, suit = random.randrange(rules.players), random.choice(turned)
        node = rules.auction.start(dealer, suit)
        while node.choices:
            choice = random.choice((random.choice(node.choices[:9]), node.choices[0], node.choices[-1]))
            alone = type(rules.auction)(rules.profile, rules.modes)
            node, beside = rules.auction.after(node, choice), alone.after(node, choice)
            assert said(node) == said(beside)


@pytest.mark.parametrize(("variant", "values", "alike"), [
    ("contree", {"bidding.highest-amount": 90}, 24),
    ("contree", {"bidding.highest-amount": 90, "bidding.modes": [["S", "H"], ["D"]]}, 6),
    ("bulgarian-belot", {}, 1),
    ("bulgarian-belot", {"bidding.modes": [["S", "H", "D", "C"], ["A"]]}, 24),
    ("bulgarian-belot", {"bidding.modes": [["S", "N"], ["H", "D"], ["C"]]}, 2),
    ("belote", {}, 24),
])  # fmt: skip
def test_suits_are_alike_where_no_bidding_differs(spec: Spec, variant: str, values: Json, alike: int) -> None:
    """All biddings are looked at, side by side with those in other suits."""
    rules = house(spec, variant, values)
    turned = EVERY_SUIT if rules.value("deal.turn-up") != "none" else (None,)
    found = [suits for suits in permutations(EVERY_SUIT) if same_everywhere(rules.auction, suits, turned)]
    assert len(found) == alike
    assert [suits for suits in permutations(EVERY_SUIT) if rules.auction.is_same_in(suits)] == found


def same_everywhere(auction: Auction, suits: tuple[Suit, ...], turned: tuple[Suit | None, ...]) -> bool:
    left = [(auction.start(0, suit), auction.start(0, None if suit is None else suits[suit])) for suit in turned]
    seen = set(left)
    while left:
        one, other = left.pop()
        choices = {choice: called(suits, choice) for choice in one.choices}
        if {*choices.values()} != {*other.choices}:
            return False
        behind = {(auction.after(one, choice), auction.after(other, same)) for choice, same in choices.items()} - seen
        seen |= behind
        left += behind
    return True


def called(suits: tuple[Suit, ...], choice: Bid) -> Bid:
    if choice is None or mode_of_bid(choice) not in EVERY_SUIT:
        return choice
    return bid_of(suits[mode_of_bid(choice)], amount_of_bid(choice))
