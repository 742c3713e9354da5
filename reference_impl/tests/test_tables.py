"""A profile as plain arrays: they alone decide which cards are legal and who wins, exactly as the engine does."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

import belot_kernel
from belot_reference.bidding import bid, bid_choices, start_bidding
from belot_reference.bids import Bid
from belot_reference.cards import EVERY_SUIT, card_set, cards_in
from belot_reference.compile import Ruleset, ruleset_named
from belot_reference.play import force_card, legal_now, start_play
from process_testing import NEEDS_FAST, Lazily

pytestmark = NEEDS_FAST
table_types = Lazily("belot_kernel.tables")
compiled, layout = Lazily("belot_kernel.compiled"), Lazily("belot_kernel.layout")
graph_tables = Lazily("belot_kernel.graph_tables")

House = Callable[[str, Mapping[str, Any]], Ruleset]
TABLES_PAGE = Path(belot_kernel.__file__).parent / "TABLES.md"
# Turned cards and laid away ones, two and three players, open cards, ladders of modes and of amounts.
VARIED = ("bela-2", "bela-3", "belotten", "bulgarian-belot", "coinche", "contree", "denderbelot-3", "open-belot")
PLAYED = (*VARIED, "belote+discard-or-rise", "belote+under-the-partner", "belotten+undertrump-forced", "denderbelot")
# Rules that no variant or option has, each of which asks something else of a graph.
OTHER_PLAY: dict[str, dict[str, Any]] = {
    "discards-win": {"play.trick-winner": "highest-card-of-any-suit"},
    "trumps-first": {"play.lead": ["trump", "any"]},
    "undertrump": {"play.void.opponent-ruffed": ["higher_trump", "lower_trump", "any"]},
    "other-order": {"deck.trump-order": ["10", "J", "9", "A", "K", "Q", "8", "7"]},
    "king-first": {"declarations.belote.order": "king-first"},
    "no-needless-undertrump": {"play.void.opponent-ruffed": ["no_lower_trump_if_higher", "any"]},
}


@pytest.fixture(scope="module", params=VARIED)
def rules(request: pytest.FixtureRequest) -> Ruleset:
    return ruleset_named(request.param)


def legal_by_tables(tables: Any, mode: int, node: int, hand: int) -> tuple[int, str]:
    """The cards of a hand that may be played, and the rule, by nothing but arrays: the lines of TABLES.md."""
    for suit in EVERY_SUIT:
        king, queen = 1 << 8 * suit + 6, 1 << 8 * suit + 5
        trumps = int(tables["cards.trumps"][mode])
        if tables["cards.king_first"] and hand & king & trumps and hand & queen:
            hand &= ~queen
    void = int(hand & int(tables["graph.led"][node]) == 0)
    rungs, allowed = tables["graph.rungs"][node, void], tables["graph.allowed"][node, void]
    legal = next(hand & int(cards) for rung, cards in zip(rungs, allowed, strict=True) if hand & int(rung))
    return legal, graph_tables.DUTIES[tables["graph.duty"][node, void]]


def play_at_random(rules: Ruleset, tables: Any, random: Random) -> int:
    """Play a deal at random by the engine, looking up every decision in the arrays; return how many there were."""
    deck = list(cards_in(rules.deck))
    random.shuffle(deck)
    size, mode, decisions = len(deck) // rules.players, random.choice(rules.modes), 0
    hands = [card_set(deck[seat * size : (seat + 1) * size]) for seat in range(rules.players)]
    state = start_play(rules, mode, hands, random.randrange(rules.players))
    node = tables["graph.root"][mode.number]
    while any(state.hands):
        legal, duty = legal_now(rules, state)
        assert legal_by_tables(tables, mode.number, node, state.hands[state.turn]) == (legal, duty.rule)
        card = random.choice(list(cards_in(legal)))
        leader, count = state.leader, tables["graph.played"][node]
        state, node = force_card(rules, state, card), tables["graph.step"][node, card]
        if count + 1 == rules.players:
            assert (leader + tables["graph.winner"][node]) % rules.players == state.turn
            node = tables["graph.root"][mode.number]
        else:
            assert tables["graph.winner"][node] == state.node.winner
            assert tables["graph.winning"][node] == state.node.winning
        decisions += 1
    return decisions


@pytest.mark.parametrize("profile", PLAYED)
def test_the_arrays_alone_decide_legal_cards_and_winners_as_the_engine_does(profile: str) -> None:
    rules, random = ruleset_named(profile), Random(profile)
    assert sum(play_at_random(rules, compiled.arrays_of(rules), random) for _ in range(5)) >= 5 * 28


def place_of(tables: Any, said: Bid) -> int:
    return len(tables["bids.said"]) - 1 if said is None else list(tables["bids.said"]).index(said)


def state_after(tables: Any, state: int, place: int) -> int:
    others = len(tables["bids.said"]) - tables["bids.after_other"].shape[1]
    if place >= others:
        return int(tables["bids.after_other"][state, place - others])
    if not tables["bids.lowest"][state] <= place < tables["bids.bids"]:
        return -1
    return int(tables["bids.after"][tables["bids.row"][state], place])


def may_be_said(tables: Any, state: int) -> set[int]:
    return {place for place in range(len(tables["bids.said"])) if state_after(tables, state, place) >= 0}


def bid_at_random(rules: Ruleset, tables: Any, random: Random) -> int:
    """Bid at random by the engine, looking up every state in the arrays; return how many bids there were."""
    dealer = random.randrange(rules.players)
    turned = None if rules.value("deal.turn-up") == "none" else random.choice(EVERY_SUIT)
    bidding = start_bidding(rules, dealer, turned)
    state = tables["bids.opening"][len(EVERY_SUIT) if turned is None else turned]
    while bidding.state == "open":
        choices = bid_choices(rules, bidding)
        assert may_be_said(tables, state) == {place_of(tables, choice) for choice in choices}
        assert tables["bids.choices"][state] == len(choices)
        assert (dealer + tables["bids.speaker"][state]) % rules.players == bidding.turn
        said = random.choice(choices)
        bidding = bid(rules, bidding, said)
        state = state_after(tables, state, place_of(tables, said))
    assert tables["bids.choices"][state] == 0
    assert not may_be_said(tables, state)
    if bidding.contract is None:
        assert tables["bids.named_by"][state] == -1
    else:
        assert (dealer + tables["bids.named_by"][state]) % rules.players == bidding.contract.taker
        found = tuple(int(tables[f"bids.{name}"][state]) for name in ("named", "promised", "raised"))
        assert found == (bidding.contract.mode.number, bidding.contract.bid or 0, bidding.contract.raised)
    return len(bidding.bids)


def test_the_arrays_alone_say_who_may_bid_what_as_the_engine_does(rules: Ruleset) -> None:
    random, tables = Random(rules.profile.id), compiled.arrays_of(rules)
    assert sum(bid_at_random(rules, tables, random) for _ in range(100)) >= 100


@pytest.mark.parametrize("values", OTHER_PLAY.values(), ids=list(OTHER_PLAY))
@pytest.mark.parametrize("variant", ["bela-3", "bulgarian-belot"])
def test_the_arrays_decide_so_by_house_rules_too(house: House, variant: str, values: dict[str, Any]) -> None:
    rules, random = house(variant, values), Random(variant)
    assert sum(play_at_random(rules, compiled.arrays_of(rules), random) for _ in range(8)) >= 8 * 28


def test_a_file_holds_plain_arrays_that_need_no_pickles(tmp_path: Path) -> None:
    import numpy as np

    rules, path = ruleset_named("denderbelot-3"), tmp_path / "rules.npz"
    written = compiled.write_tables(rules, path)
    with np.load(path, allow_pickle=False) as read:
        assert set(read.files) == set(written)
        assert str(read["profile"]) == "denderbelot-3"
        assert int(read["version"]) == table_types.TABLES_VERSION
        assert all((read[name] == written[name]).all() for name in written)


def test_every_array_is_described_and_has_a_field_in_the_record_of_a_kernel(rules: Ruleset) -> None:
    described = set(re.findall(r"`([a-z]+(?:\.\w+)?|\w+_names)`", TABLES_PAGE.read_text(encoding="utf-8")))
    arrays = compiled.arrays_of(rules).keys() - set(compiled.LEGEND)
    assert arrays | set(compiled.LEGEND) <= described
    assert {name for name in described if "." in name} <= arrays | {"play.lead"}
    tables = {name.partition(".")[2] for name in arrays if not name.startswith("graph.")}
    players = {"worth", "cost", "worth_taking", "worth_taking_per_card", "to_taker", "passes_per_choice", "ruffing"}
    assert tables | players | {"less_redoubled", "number_of_cards", "root"} == set(layout.RULES.names or ())
