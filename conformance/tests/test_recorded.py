"""The recorded deals and matches: rare things occur, figures add up, and tricks are counted again by other means."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from belot_conformance.programs.reference import Reference, reference_target
from belot_conformance.questions.deals import choose_rare, random_deal
from belot_conformance.suite.cases import Case
from belot_conformance.suite.verdicts import Planned, judge_all
from belot_reference.compile import compile_profile
from belot_spec.errors import UnknownNameError
from belot_spec.spec import Spec
from belot_workshop.recorded.recorder import DEALS_EACH, MATCHES_EACH, SETTLED_EACH, VARIANTS, recorded_variants

Result = Mapping[str, Any]

PLAYERS: Final = {"denderbelot-3": 3, "bela-3": 3, "bela-2": 2, "open-belot": 2}
TARGETS: Final = {
    "belotten+half-points": 200,
    "belotten": 100, "denderbelot": 101, "denderbelot-3": 101, "belote": 501, "belote+target-301": 301,
    "bela-4": 1001, "bela-3": 701, "bela-2": 501, "open-belot": 1001,
    "bulgarian-belot": 151, "contree": 2000, "coinche": 2000,
}  # fmt: skip
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
# With the last trick; in any suit 162, and everywhere where cards have values of their own.
ALL_POINTS: Final = {"N": 130, "A": 258}
# Where a number is bid, and a sum written for it.
NUMBERS: Final = ("contree", "coinche")
# Where a match may go on though somebody has the target.
GOING_ON: Final = ("bulgarian-belot",)
# Of the variants that came when the ids of their places were taken: the first deal and the first match.
FREE_IDS: Final = {"bulgarian-belot": (3880, 3980), "contree": (6500, 6600), "coinche": (6620, 6720)}

EVERYWHERE: Final = "capot-by-taker capot-by-defence tied fell eight-in-a-row belote belote-unsaid unannounced"
COMPARED: Final = "beaten-by-longer beaten-by-trump beaten-by-turn sequence-beaten-by-square square-beaten-by-square"
BID: Final = "nobody-takes second-round"
SHOWN: Final = "unshown belote-said-once"
BELA: Final = "belot claim unconfirmed shared-card beaten-by-higher"
DENDER: Final = f"{SHOWN} second-chance beaten-by-higher"
RARE_DEALS: Final = {
    "belotten": f"{EVERYWHERE} {COMPARED} {BID} {SHOWN} undertrump square-beaten-by-sequence",
    "denderbelot": f"{EVERYWHERE} {COMPARED} {BID} {DENDER} undertrump",
    "denderbelot-3": f"{EVERYWHERE} {COMPARED} {BID} {DENDER} undertrump trickless-player",
    "belote": f"{EVERYWHERE} {COMPARED} {BID} undertrump belote-said-once shared-card beaten-by-higher",
    "bela-4": f"{EVERYWHERE} {COMPARED} {BELA} undertrump forced-bid",
    "bela-3": f"{EVERYWHERE} {COMPARED} {BELA} undertrump trickless-player points-laid-away",
    "bela-2": f"{EVERYWHERE} {COMPARED} {BELA} forced-bid second-round seven-exchanged",
    "open-belot": f"{EVERYWHERE} claim unconfirmed shared-card forced-bid turned-sequence turned-square",
    "bulgarian-belot": f"{EVERYWHERE} undertrump nobody-takes beaten-by-higher beaten-by-longer square-beaten-by-square",
    "contree": "capot-by-taker capot-by-defence fell belote belote-unsaid belote-said-once undertrump nobody-takes",
    "coinche": f"{EVERYWHERE} undertrump nobody-takes unshown belote-said-once beaten-by-higher beaten-by-longer",
}
# The others only forbid something, or concern the match.
DECISIVE: Final = (
    "low-squares-50", "partner-winning-free-discard", "no-undertrump", "kings-queens-above-tens", "length-counts",
    "ties-ignore-trump", "belot-in-trump-only", "belot-as-quint", "no-uber",
)  # fmt: skip
HELD: Final = "held held-again freed passed"
ACCUSED: Final = "accusation-proved accusation-wrong"
RARE_MATCHES: Final = {
    "belotten": f"both-over capot comeback {HELD} {ACCUSED} below-zero",
    "denderbelot": f"both-over capot comeback {HELD} {ACCUSED}",
    "denderbelot-3": f"both-over capot comeback {HELD} {ACCUSED}",
    "belote": f"both-over capot comeback {HELD}",
    "bela-4": "both-over capot comeback",
    "bela-3": "both-over capot comeback",
    "bela-2": "both-over capot comeback",
    "open-belot": "both-over capot comeback",
    "bulgarian-belot": f"both-over capot comeback {HELD}",
    "contree": "capot comeback passed",
    "coinche": "both-over capot comeback passed",
}


@pytest.fixture(scope="module")
def recorded(cases: list[Case]) -> list[Case]:
    return [case for case in cases if case.path.suffix == ".jsonl"]


def of(recorded: Sequence[Case], operation: str, variant: str) -> list[Case]:
    return [case for case in recorded if case.operation == operation and case.profile.split("+")[0] == variant]


def result_of(case: Case) -> Result:
    (expected,) = case.expected
    assert expected.kind == "result"
    return expected.fields


def test_the_reference_passes_every_recorded_case(recorded: list[Case]) -> None:
    verdicts = judge_all(reference_target(), [Planned(case, case.profile) for case in recorded])
    assert {verdict.outcome for verdict in verdicts} == {"passed"}


def test_so_many_deals_and_matches_of_each_variant_are_recorded(recorded: list[Case], spec: Spec) -> None:
    number = Counter((case.operation, case.profile.variant) for case in recorded)
    each = {"replay": DEALS_EACH, "settle-tricks": SETTLED_EACH, "match": MATCHES_EACH}
    assert number == {(operation, one): each[operation] for operation in each for one in spec.nameable()}


def test_recorded_files_stay_small(root: Path, spec: Spec) -> None:
    sizes = [path.stat().st_size for path in (root / "cases").glob("*/*.jsonl")]
    assert sum(sizes) < 300_000 * len(spec.nameable())


@pytest.mark.parametrize("variant", VARIANTS)
def test_ids_say_the_place_in_the_files(variant: str, recorded: list[Case]) -> None:
    place = VARIANTS.index(variant)
    deal, match = FREE_IDS.get(variant, (3000 + 100 * place, 3800 + 10 * place))
    for operation, first, number in (("replay", deal, 100), ("match", match, 10)):
        ids = [case.id for case in of(recorded, operation, variant)]
        assert ids == [f"bc-{first + step}" for step in range(number)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_rare_thing_happens(variant: str, recorded: list[Case]) -> None:
    for operation, wanted in (("replay", RARE_DEALS), ("match", RARE_MATCHES)):
        seen = {tag for case in of(recorded, operation, variant) for tag in case.tags}
        assert set(wanted[variant].split()) <= seen


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_option_is_played_at_least_twice(variant: str, recorded: list[Case], spec: Spec) -> None:
    profiles = Counter[str](case.profile for case in of(recorded, "replay", variant))
    assert all(profiles[f"{variant}+{option}"] >= 2 for option in spec.options_of(variant))
    assert profiles[variant] >= 40


def test_an_option_that_can_change_the_count_of_a_deal_does_so(recorded: list[Case], reference: Reference) -> None:
    for case in recorded:
        variant, _, option = case.profile.partition("+")
        if case.operation == "replay" and option in DECISIVE:
            assert reference.reply("replay", variant, case.input) != {"result": result_of(case)}, case.id


def test_expectations_hold_every_field_of_the_result(recorded: list[Case], reference: Reference) -> None:
    for case in recorded:
        assert case.origin == "derived"
        assert reference.reply(case.operation, case.profile, case.input) == {"result": result_of(case)}


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
    """Return what adds up the card points of a deal."""
    return lambda cards: sum(points_of(card, trump, profile) for card in cards)


def strongest(cards: Sequence[str], trump: str) -> int:
    """Return the place in a trick of the card that takes it, by the orders as the sources print them."""
    trump = cards[0][-1] if trump == "A" else trump
    ruffs = [place for place, card in enumerate(cards) if card[-1] == trump]
    if ruffs:
        return min(ruffs, key=lambda place: TRUMP_ORDER.index(cards[place][:-1]))
    follows = [place for place, card in enumerate(cards) if card[-1] == cards[0][-1]]
    return min(follows, key=lambda place: PLAIN_ORDER.index(cards[place][:-1]))


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
            winners.append({"winner": seat, "points": points_in(names)})
            cards[side(variant, seat)] += winners[-1]["points"]
        assert result["tricks"] == winners, case.id
        trickless = len(cards) - len({side(variant, winner["winner"]) for winner in winners})
        if variant != "denderbelot-3" or trickless != 1:
            cards[side(variant, seat)] += 10
        laid_away = [name for one in case.input["actions"] for name in one.get("discard", ())]
        cards[side(variant, result["taker"])] += points_in(laid_away)
        assert result["cards"] == cards, case.id


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant not in ("denderbelot-3", "bela-2")])
def test_all_cards_and_the_last_trick_are_worth_the_same_in_every_deal(variant: str, recorded: list[Case]) -> None:
    for result in map(result_of, played(recorded, variant)):
        assert sum(result["cards"]) == (162 if variant in OWN_POINTS else ALL_POINTS.get(result["trump"], 162))


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant not in NUMBERS])
def test_what_is_paid_out_was_counted(variant: str, recorded: list[Case]) -> None:
    for case in played(recorded, variant):
        result = result_of(case)
        if "fall-162" in case.profile and result["outcome"] == "fell":
            continue
        taking = side(variant, result["taker"])
        forfeited = variant == "bela-3" and result["outcome"] == "fell"
        raised, whole = result.get("raised", 1), sum(result["counted"])
        kept = result["counted"][taking] if forfeited or result["outcome"] == "tied" else 0
        if kept and raised > 1 and "doubled-tie-split" not in case.profile:
            kept = whole
        all_tricks = len({side(variant, trick["winner"]) for trick in result["tricks"]}) == 1
        once = 90 * (raised - 1) if all_tricks and "capot-bonus-unmultiplied" in case.profile else 0
        assert sum(result["points"]) == raised * (whole - kept) - once, case.id
        assert (result["held"] > 0) == (result["outcome"] == "tied"), case.id


def has_all_tricks(result: Result, side_of_it: int) -> bool:
    return all(trick["winner"] % 2 == side_of_it for trick in result["tricks"])


def counted_for_a_bid(result: Result) -> list[int]:
    """Return what each side counts: cards, declarations and belote; takers without a lost trick have all but belote."""
    taker, declared = result["taker"] % 2, list(result["declarations"])
    cards = list(result["cards"])
    if has_all_tricks(result, taker):
        cards[taker], cards[1 - taker] = 250, 0
        declared[taker], declared[1 - taker] = sum(declared), 0
    return [sum(parts) for parts in zip(cards, declared, result["belote"], strict=True)]


def is_made(result: Result, variant: str) -> bool:
    """Say whether the takers have what they bid; at coinche they need more than the others too."""
    taker, counted = result["taker"] % 2, counted_for_a_bid(result)
    if result["bid"] == "capot":
        return has_all_tricks(result, taker)
    return counted[taker] >= result["bid"] and (variant != "coinche" or counted[taker] > counted[1 - taker])


def paid_for_a_bid(result: Result, variant: str) -> list[int]:
    """Return what each side has in a deal of numbers: the cards or a sum for them and the bid, times what was doubled.

    Declarations go to whoever wins a deal that falls or is doubled, and count once; so does belote at contrée, where
    the sum of a doubled deal is 250 only for a capot that was bid. At coinche belote stays, and all tricks are enough.
    """
    taker, is_capot = result["taker"] % 2, result["bid"] == "capot"
    made, times = result["outcome"] == "made", result["raised"]
    bid = 250 if is_capot else result["bid"]
    paid = counted_for_a_bid(result)
    if made and times == 1:
        paid[taker] += bid
        return paid
    winner = taker if made else 1 - taker
    stays = variant == "coinche"
    for_cards = 250 if is_capot or (stays and made and has_all_tricks(result, taker)) else 160
    paid = list(result["belote"]) if stays else [0, 0]
    paid[winner] += (for_cards + bid) * times + sum(result["declarations"])
    paid[winner] += 0 if stays else sum(result["belote"])
    return paid


@pytest.mark.parametrize("variant", NUMBERS)
def test_what_was_bid_is_paid_out(variant: str, recorded: list[Case]) -> None:
    plain = [result_of(case) for case in played(recorded, variant) if case.profile == variant]
    assert {result["raised"] for result in plain} == {1, 2, 4}
    assert {result["outcome"] for result in plain} == {"made", "fell"}
    for result in plain:
        assert result["counted"] == counted_for_a_bid(result)
        assert (result["outcome"] == "made") == is_made(result, variant)
        assert result["points"] == paid_for_a_bid(result, variant)
        assert result["score"] == [10 * ((points + 5) // 10) for points in result["points"]]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_score_sheet_of_a_match_adds_up(variant: str, recorded: list[Case]) -> None:
    for case in of(recorded, "match", variant):
        result = result_of(case)
        lines, target = result["deals"], TARGETS.get(case.profile, TARGETS[variant])
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
        for deal, line in zip(case.input["deals"], lines[:-1], strict=False):
            ends = variant not in GOING_ON or may_end(deal, line)
            assert max(line["totals"]) < target or is_level(line, target) or not ends, case.id
        assert totals[result["winner"]] == max(totals) >= target, case.id
        assert result["next_dealer"] is None


def may_end(deal: Mapping[str, Any], line: Result) -> bool:
    """Say whether a deal ends a match where none does while points are held, nor when one side wins every trick."""
    return not line["held"] and "scored" in deal and all(one["tricks"] for one in deal["scored"]["sides"])


def is_level(line: Result, target: int) -> bool:
    """Say whether sides are equal beyond the target, so that play goes on."""
    top, second = sorted(line["totals"], reverse=True)[:2]
    return bool(top == second >= target)


def test_the_deal_goes_round_unless_a_variant_keeps_the_dealer(recorded: list[Case]) -> None:
    for case in of(recorded, "match", "belotten"):
        dealers = [line["dealer"] for line in result_of(case)["deals"]]
        assert all(after == (before + 1) % 4 for before, after in pairwise(dealers)), case.id


def test_the_same_seed_records_the_same_deals(spec: Spec) -> None:
    rules = compile_profile(spec.profile("denderbelot"))
    one, other = ([random_deal(rules, random) for _ in range(40)] for random in (Random("seed"), Random("seed")))
    assert [deal.question for deal in one] == [deal.question for deal in other]
    chosen = choose_rare(one, 10, Random(1))
    assert [deal.question for deal in chosen] == [deal.question for deal in choose_rare(other, 10, Random(1))]
    assert len({id(deal) for deal in chosen}) == 10


def test_variants_that_are_not_recorded_are_refused(spec: Spec) -> None:
    assert set(recorded_variants((), spec)) == set(spec.nameable())
    with pytest.raises(UnknownNameError, match="did you mean belote"):
        recorded_variants(("belot",), spec)
