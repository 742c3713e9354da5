"""The recorded deals and matches: rare things occur, figures add up, and tricks are counted again by other means."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import pytest

from belot_conformance.suite.cases import Case
from belot_spec.spec import Spec
from belot_workshop.recorder import DEALS_EACH, MATCHES_EACH, SETTLED_EACH, VARIANTS

Result = Mapping[str, Any]

PLAYERS: Final = {"denderbelot-3": 3, "bela-3": 3, "bela-2": 2, "open-belot": 2}
TARGETS: Final = {
    "belotten+half-points": 200,
    "belotten": 100, "denderbelot": 101, "denderbelot-3": 101, "belote": 501, "belote+target-301": 301,
    "bela-4": 1001, "bela-3": 701, "bela-2": 501, "open-belot": 1001,
    "bulgarian-belot": 151, "contree": 2000, "coinche": 2000,
    "klaverjas-rotterdams+tot-1500": 1500, "klaverjas-amsterdams+tot-1500": 1500,
}  # fmt: skip
# Where a match has so many deals, whatever the score.
SET_LENGTH: Final = {"klaverjas-rotterdams": 16, "klaverjas-amsterdams": 16}
IN_A_ROW: Final = ("7", "8", "9", "10", "J", "Q", "K", "A")
TRUMP_ORDER: Final = ("J", "9", "A", "10", "K", "Q", "8", "7")
PLAIN_ORDER: Final = ("A", "10", "K", "Q", "J", "9", "8", "7")
TRUMP_POINTS: Final = {"J": 20, "9": 14, "A": 11, "10": 10, "K": 4, "Q": 3}
PLAIN_POINTS: Final = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2}
# Where cards have values of their own at no trumps and at all trumps.
OWN_POINTS: Final[dict[str, dict[str, dict[str, int]]]] = {
    "coinche": {
        "N": {"A": 19, "10": 10, "K": 4, "Q": 3, "J": 2},
        "A": {"J": 13, "9": 9, "A": 6, "10": 5, "K": 3, "Q": 2},
    },
    "coinche+all-trumps-fourteen": {"A": {"J": 14, "9": 9, "A": 6, "10": 5, "K": 3, "Q": 1}},
}
# Where a match may go on though somebody has the target.
GOING_ON: Final = ("bulgarian-belot",)

EVERYWHERE: Final = {"capot-by-taker", "capot-by-defence", "fell", "belote", "belote-unsaid"}
SOMEWHERE: Final = {
    "tied", "eight-in-a-row", "unannounced", "beaten-by-longer", "beaten-by-trump", "beaten-by-turn", "beaten-by-higher",
    "nobody-takes", "forced-bid", "sequence-beaten-by-square", "square-beaten-by-square", "square-beaten-by-sequence",
    "second-round", "unshown", "belote-said-once", "belot", "claim", "unconfirmed", "shared-card", "second-chance", "undertrump",
    "trickless-player", "points-laid-away", "seven-exchanged", "turned-sequence", "turned-square", "both-over", "held",
    "held-again", "freed", "square-in-trick", "passed", "accusation-proved", "accusation-wrong", "below-zero",
}  # fmt: skip


def test_every_rare_thing_happens(recorded: list[Case]) -> None:
    for variant in VARIANTS:
        deals, matches = (
            {tag for case in of(recorded, operation, variant) for tag in case.tags} for operation in ("replay", "match")
        )
        # King and queen of trump are roem there, and nobody says them.
        assert deals >= EVERYWHERE - ({"belote", "belote-unsaid"} if variant in SET_LENGTH else set()), variant
        assert matches >= {"capot", "comeback"}, variant
    assert {tag for case in recorded for tag in case.tags} >= SOMEWHERE


@pytest.fixture(scope="module")
def recorded(cases: list[Case]) -> list[Case]:
    return [case for case in cases if case.path.name.startswith("recorded-")]


def of(recorded: Sequence[Case], operation: str, variant: str) -> list[Case]:
    return [case for case in recorded if case.operation == operation and case.profile.split("+")[0] == variant]


def result_of(case: Case) -> Result:
    (expected,) = case.expected
    assert expected.kind == "result"
    return expected.fields


def test_so_many_deals_and_matches_of_each_variant_are_recorded(recorded: list[Case], spec: Spec) -> None:
    number = Counter((case.operation, case.profile.variant) for case in recorded)
    each = {"replay": DEALS_EACH, "settle-tricks": SETTLED_EACH, "match": MATCHES_EACH}
    assert number == {(operation, one): each[operation] for operation in each for one in spec.playable()}


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_option_is_played_at_least_twice(variant: str, recorded: list[Case], spec: Spec) -> None:
    profiles = Counter[str](case.profile for case in of(recorded, "replay", variant))
    assert all(profiles[f"{variant}+{option}"] >= 2 for option in spec.options_of(variant))
    assert profiles[variant] >= 40


def played(recorded: Sequence[Case], variant: str) -> list[Case]:
    return [case for case in of(recorded, "replay", variant) if result_of(case)["ended"] == "played"]


def side(variant: str, seat: int) -> int:
    return seat if variant in PLAYERS else seat % 2


def first_leader(case: Case, players: int) -> int:
    option = case.profile.partition("+")[2]
    if option == "taker-leads":
        taker: int = result_of(case)["taker"]
        return taker
    dealer: int = case.input["dealer"]
    return dealer if option == "dealer-leads" else (dealer + 1) % players


def points_of(card: str, trump: str, profile: str) -> int:
    variant = profile.partition("+")[0]
    own = {**OWN_POINTS.get(variant, {}), **OWN_POINTS.get(profile, {})}.get(trump)
    return (own or (TRUMP_POINTS if trump in (card[-1], "A") else PLAIN_POINTS)).get(card[:-1], 0)


def points_by(trump: str, profile: str) -> Callable[[Sequence[str]], int]:
    return lambda cards: sum(points_of(card, trump, profile) for card in cards)


def strongest(cards: Sequence[str], trump: str) -> int:
    """Return the place in a trick of the card that takes it, by the orders as the sources print them."""
    trump = cards[0][-1] if trump == "A" else trump
    ruffs = [place for place, card in enumerate(cards) if card[-1] == trump]
    if ruffs:
        return min(ruffs, key=lambda place: TRUMP_ORDER.index(cards[place][:-1]))
    follows = [place for place, card in enumerate(cards) if card[-1] == cards[0][-1]]
    return min(follows, key=lambda place: PLAIN_ORDER.index(cards[place][:-1]))


def roem_in(cards: Sequence[str], trump: str, profile: str) -> int:
    """Return what four cards that meet in a trick earn, as the sources tell it."""
    ranks = {card[:-1] for card in cards}
    if len(ranks) == 1:
        (rank,) = ranks
        option = profile.partition("+")[2]
        jacks = 100 if option == "vier-boeren-100" else 200
        return jacks if rank == "J" else 100 * (rank in ("10", "Q", "K", "A") or option == "alle-vieren")
    met = {suit: "".join("x" if rank + suit in cards else " " for rank in IN_A_ROW) for suit in "SHDC"}
    longest = max(len(run) for places in met.values() for run in places.split(" "))
    return {3: 20, 4: 50}.get(longest, 0) + 20 * ({"K" + trump, "Q" + trump} <= {*cards})


@pytest.mark.parametrize("variant", VARIANTS)
def test_tricks_and_cards_are_what_other_arithmetic_gives(variant: str, recorded: list[Case]) -> None:
    players = PLAYERS.get(variant, 4)
    for case in played(recorded, variant):
        result, plays = result_of(case), [one for one in case.input["actions"] if "play" in one]
        points_in = points_by(result["trump"], case.profile)
        cards = [0] * len(result["cards"])
        seat = first_leader(case, players)
        winners = []
        for start in range(0, len(plays), players):
            trick = plays[start : start + players]
            assert [one["seat"] for one in trick] == [(seat + step) % players for step in range(players)], case.id
            names = [one["play"] for one in trick]
            seat = (seat + strongest(names, result["trump"])) % players
            roem = {"roem": roem_in(names, result["trump"], case.profile)} if variant in SET_LENGTH else {}
            winners.append({"winner": seat, "points": points_in(names), **roem})
            cards[side(variant, seat)] += winners[-1]["points"]
        assert result["tricks"] == winners, case.id
        trickless = len(cards) - len({side(variant, winner["winner"]) for winner in winners})
        if variant != "denderbelot-3" or trickless != 1:
            cards[side(variant, seat)] += 10
        laid_away = [name for one in case.input["actions"] for name in one.get("discard", ())]
        cards[side(variant, result["taker"])] += points_in(laid_away)
        assert result["cards"] == cards, case.id


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_score_sheet_of_a_match_adds_up(variant: str, recorded: list[Case]) -> None:
    for case in of(recorded, "match", variant):
        result = result_of(case)
        lines, target = result["deals"], TARGETS.get(case.profile, TARGETS.get(variant, 0))
        totals, held = [0] * len(lines[0]["score"]), 0
        for deal, line in zip(case.input["deals"], lines, strict=True):
            totals = [sum(parts) for parts in zip(totals, line["score"], line["freed"], strict=True)]
            assert line["totals"] == totals, case.id
            assert sum(line["freed"]) in (0, held), case.id
            grown = line["held"] - (held - sum(line["freed"]))
            assert grown >= 0, case.id
            assert grown == 0 or "scored" in deal, case.id
            held = line["held"]
            if "passed" in deal:
                assert not any(line["score"]), case.id
        assert result["next_dealer"] is None
        if not target:
            assert len(lines) == SET_LENGTH[variant], case.id
            assert result["winner"] == (None if len({*totals}) == 1 else totals.index(max(totals))), case.id
            continue
        for deal, line in zip(case.input["deals"], lines[:-1], strict=False):
            ends = variant not in GOING_ON or may_end(deal, line)
            assert max(line["totals"]) < target or is_level(line, target) or not ends, case.id
        assert totals[result["winner"]] == max(totals) >= target, case.id


def may_end(deal: Mapping[str, Any], line: Result) -> bool:
    """Say whether a deal ends a match where none does while points are held, nor when one side wins every trick."""
    return not line["held"] and "scored" in deal and all(one["tricks"] for one in deal["scored"]["sides"])


def is_level(line: Result, target: int) -> bool:
    top, second = sorted(line["totals"], reverse=True)[:2]
    return bool(top == second >= target)
