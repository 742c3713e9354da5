"""Contract games: bids over bids, what a contract brings, and matches that do not end by every deal."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from belot_reference.compile import Ruleset, compile_profile, ruleset_named
from belot_reference.errors import BadQuestionError
from belot_reference.game import Game
from belot_reference.operations import answer
from belot_reference.sums import ImpossibleSumsError, check_sums
from belot_spec.spec import Spec

NAME = "bulgarian-belot"
RULES = ruleset_named(NAME)
LADDER = "CDHSNA"
Json = dict[str, Any]
# The points of a side without premiums, and its premiums.
Side = tuple[int, int]


def ask(operation: str, question: Json, rules: Ruleset = RULES) -> Json:
    found = answer(operation, rules, question)
    assert found.result is not None, found.rejected
    return dict(found.result)


def refused(operation: str, question: Json, rules: Ruleset = RULES) -> tuple[int | None, str, str | None]:
    rejected = answer(operation, rules, question).rejected
    assert rejected is not None
    return rejected.get("at"), rejected["reason"], rejected.get("rule")


def deal(trump: str, cards: Sequence[Side], taker: int = 0, raised: int = 1) -> Json:
    """A deal as score-deal asks of it; a side without cards has no trick."""
    tricks = [0 if not own else 8 if not other else 4 for (own, _), (other, _) in (cards, cards[::-1])]
    sides = [
        {"cards": own, "tricks": won, "declarations": more} for (own, more), won in zip(cards, tricks, strict=True)
    ]
    return {"taker": taker, "trump": trump, "raised": raised, "sides": sides}


def house(spec: Spec, values: Json) -> Ruleset:
    return compile_profile(spec.profile(NAME).with_values("house", values, spec.rules))


# The examples that the documents work out (slips left out), and the table of splits that compares them.
@pytest.mark.parametrize(
    ("trump", "sides", "taker", "raised", "score", "held"),
    [
        ("A", [(34, 0), (224, 0)], 1, 1, [4, 22], 0),
        ("A", [(64, 100), (194, 0)], 1, 1, [17, 19], 0),
        ("H", [(106, 0), (56, 0)], 0, 1, [10, 6], 0),
        ("H", [(156, 0), (6, 0)], 0, 1, [15, 1], 0),
        ("A", [(154, 0), (104, 50)], 0, 1, [0, 15], 16),
        ("H", [(106, 0), (56, 50)], 0, 1, [0, 10], 11),
        ("S", [(90, 0), (72, 0)], 0, 1, [9, 7], 0),
        ("S", [(80, 0), (82, 0)], 0, 1, [0, 16], 0),
        ("S", [(87, 0), (75, 0)], 0, 1, [9, 7], 0),
        ("S", [(75, 0), (87, 0)], 0, 1, [0, 16], 0),
        ("S", [(92, 20), (70, 0)], 0, 1, [11, 7], 0),
        ("S", [(90, 0), (72, 50)], 0, 1, [0, 21], 0),
        ("N", [(68, 0), (62, 0)], 0, 1, [14, 12], 0),
        ("S", [(90, 0), (72, 0)], 0, 2, [32, 0], 0),
        ("S", [(72, 0), (90, 0)], 0, 2, [0, 32], 0),
        ("A", [(158, 70), (100, 0)], 0, 4, [132, 0], 0),
        ("N", [(130, 0), (0, 0)], 0, 1, [35, 0], 0),
        ("N", [(130, 0), (0, 0)], 0, 2, [70, 0], 0),
        ("H", [(106, 0), (56, 50)], 0, 2, [0, 0], 42),
        ("H", [(162, 0), (0, 0)], 0, 1, [25, 0], 0),
        ("A", [(258, 0), (0, 0)], 0, 1, [35, 0], 0),
        ("N", [(65, 0), (65, 0)], 0, 1, [0, 13], 13),
        ("H", [(81, 0), (81, 0)], 0, 1, [0, 8], 8),
        ("S", [(86, 0), (76, 0)], 0, 1, [8, 8], 0),
        ("A", [(134, 0), (124, 0)], 0, 1, [13, 13], 0),
        ("A", [(135, 0), (123, 0)], 0, 1, [14, 12], 0),
        ("N", [(66, 0), (64, 0)], 0, 1, [13, 13], 0),
        ("A", [(129, 0), (129, 0)], 0, 1, [0, 13], 13),
    ],
)
def test_deals_are_settled_as_the_documents_work_them_out(
    trump: str, sides: list[Side], taker: int, raised: int, score: list[int], held: int
) -> None:
    settled = ask("score-deal", deal(trump, sides, taker, raised))
    assert (settled["score"], settled["held"]) == (score, held)


@pytest.mark.parametrize(("trump", "cards", "units"), [("H", 162, 16), ("A", 258, 26), ("N", 130, 26)])
def test_what_both_sides_write_and_what_is_held_is_the_whole_deal(trump: str, cards: int, units: int) -> None:
    for own in range(1, cards):
        for premium in (0, 20, 150) if trump != "N" else (0,):
            settled = ask("score-deal", deal(trump, [(own, premium), (cards - own, 0)], Random(own).randrange(4)))
            assert sum(settled["score"]) + settled["held"] == units + premium // 10


def test_only_some_kinds_of_points_are_multiplied_where_the_rules_say_so(spec: Spec) -> None:
    rules = house(spec, {"scoring.raised-kinds": ["cards", "declarations", "belote"]})
    assert ask("score-deal", deal("H", [(162, 20), (0, 0)], raised=2), rules)["score"] == [2 * 18 + 9, 0]
    rules = house(spec, {"scoring.raised-kinds": ["cards"]})
    assert ask("score-deal", deal("H", [(100, 20), (62, 0)], raised=4), rules)["score"] == [4 * 16 + 2, 0]


def test_a_doubled_tie_may_be_split(spec: Spec) -> None:
    rules = house(spec, {"scoring.raised-tie": "split"})
    settled = ask("score-deal", deal("H", [(106, 0), (56, 50)], raised=2), rules)
    assert (settled["score"], settled["held"]) == ([0, 20], 22)


def test_in_a_doubled_deal_each_side_keeps_its_own_where_that_is_ruled_for_a_tie(spec: Spec) -> None:
    """By hand: 81 each is 8 each of the 16 of the deal, and twice that; nothing is held."""
    rules = house(spec, {"scoring.tie": "each-keeps-own"})
    found = ask("score-deal", deal("S", [(81, 0), (81, 0)], raised=2), rules)
    assert (found["outcome"], found["score"], found["points"], found["held"]) == ("made", [16, 16], [162, 162], 0)
    more = ask("score-deal", deal("S", [(82, 0), (80, 0)], raised=2), rules)
    assert (more["outcome"], more["score"]) == ("made", [32, 0])


def test_all_tricks_may_count_double_at_no_trumps_too(spec: Spec) -> None:
    rules = house(spec, {"scoring.no-trump-all-tricks": "times-factor"})
    assert ask("score-deal", deal("N", [(130, 0), (0, 0)]), rules)["score"] == [44, 0]


def test_neither_all_tricks_nor_held_points_end_a_match_unless_the_rules_say_so(spec: Spec) -> None:
    swept, made = {"scored": deal("H", [(162, 0), (0, 0)])}, {"scored": deal("H", [(100, 0), (62, 0)])}
    tied = {"scored": deal("H", [(81, 0), (81, 0)], taker=1)}
    late = {"dealer": 0, "totals": [145, 100]}
    assert ask("match", {**late, "deals": [swept, {"passed": True}, made]})["winner"] == 0
    assert ask("match", {**late, "deals": [swept, swept]})["winner"] is None
    assert ask("match", {**late, "deals": [tied]})["winner"] is None
    freed = ask("match", {**late, "deals": [tied, {"scored": deal("D", [(62, 0), (100, 0)], raised=2)}]})
    assert freed["winner"] == 0
    assert [one["freed"] for one in freed["deals"]] == [[0, 0], [0, 8]]
    ends = house(spec, {"match.after-all-tricks": "may-end", "match.while-held": "may-end"})
    assert refused("match", {**late, "deals": [swept, made]}, ends) == (1, "match-over", "match.target-reached")
    assert ask("match", {**late, "deals": [tied]}, ends)["winner"] == 0


def plain_choices(bids: list[str], last: int) -> set[str]:
    """What may be said: a higher mode, a double against the others, a redouble by the contract's side."""
    named = [(seat % 4, bid) for seat, bid in enumerate(bids) if bid in LADDER]
    if not named:
        return {"pass", *LADDER}
    taker, mode = named[-1]
    since = bids[len(bids) - bids[::-1].index(mode) :]
    own = (last - taker) % 2 == 0
    doubling = {"redouble"} if own and "double" in since and "redouble" not in since else set()
    doubling |= {"double"} if not own and "double" not in since else set()
    return {"pass", *LADDER[LADDER.index(mode) + 1 :], *doubling}


def test_bidding_goes_as_the_plain_rules_say_and_always_ends() -> None:
    random, reasons = Random(4), set()
    for _ in range(200):
        bids: list[str] = []
        while (found := ask("bidding", {"dealer": 3, "bids": bids}))["state"] == "open":
            seat = len(bids) % 4
            assert found["turn"] == seat
            allowed = plain_choices(bids, seat)
            assert set(found["choices"]) == allowed
            assert found["choices"][0] == "pass"
            other = random.choice([*LADDER, "double", "redouble"])
            if other not in allowed:
                at, reason, _ = refused("bidding", {"dealer": 3, "bids": [*bids, other]})
                assert (at, reason) == (len(bids), "bid-too-low" if other in LADDER else "may-not-double")
                reasons.add(reason)
            bids.append(random.choice([*found["choices"], "pass", "pass", "pass"]))
        named = [(seat % 4, bid) for seat, bid in enumerate(bids) if bid in LADDER]
        if not named:
            assert (found, bids) == ({"state": "failed"}, ["pass"] * 4)
            continue
        taker, mode = named[-1]
        since = bids[len(bids) - bids[::-1].index(mode) :]
        raised = 4 if "redouble" in since else 2 if "double" in since else 1
        assert found == {"state": "taken", "taker": taker, "trump": mode, "raised": raised}
        assert bids[-3:] == ["pass"] * 3
        assert refused("bidding", {"dealer": 3, "bids": [*bids, "pass"]})[:2] == (len(bids), "bidding-over")
    assert reasons == {"bid-too-low", "may-not-double"}


def test_a_closed_double_leaves_only_a_redouble(spec: Spec) -> None:
    rules = house(spec, {"bidding.after-double": "closed"})
    said = ["H", "double"]
    assert ask("bidding", {"dealer": 3, "bids": said}, rules)["choices"] == ["pass", "redouble"]
    asked = {"dealer": 3, "bids": [*said, "A"]}
    assert refused("bidding", asked, rules) == (2, "bid-too-low", "bidding.after-double")


def test_a_redouble_may_end_the_bidding_and_a_double_waits_for_three_passes(spec: Spec) -> None:
    """By hand, from CO-061, CO-064, CO-065 and CO-066."""
    values = {"bidding.after-double": "redouble-ends"}
    rules = compile_profile(spec.profile("contree").with_values("house", values, spec.rules))
    said = ["90H", "double"]
    for seat, choices in ((2, ["pass", "redouble"]), (3, ["pass"]), (0, ["pass", "redouble"])):
        open_yet = ask("bidding", {"dealer": 3, "bids": said}, rules)
        assert (open_yet["turn"], open_yet["choices"]) == (seat, choices)
        said = [*said, "pass"]
    taken = {"state": "taken", "taker": 0, "trump": "H", "bid": 90}
    assert ask("bidding", {"dealer": 3, "bids": said}, rules) == {**taken, "raised": 2}
    said = [*said[:-1], "redouble"]
    assert ask("bidding", {"dealer": 3, "bids": said}, rules) == {**taken, "raised": 4}


@pytest.mark.parametrize(
    ("how", "raised", "score"),
    [
        ("half-up", 4, [70, 740]),
        ("cards-half-up", 4, [70, 720]),
        ("half-up", 1, [70, 180]),
        ("cards-half-up", 1, [70, 180]),
    ],
)
def test_cards_may_be_rounded_before_a_double_multiplies_them(
    how: str, raised: int, score: list[int], spec: Spec
) -> None:
    """By hand: 94 and 90 are 184, four times that 736; 90 and 90 four times are 720; the others' 68 are 70."""
    values = {"scoring.tens": how, "scoring.raised-sum": "own-points", "scoring.raised-defence": "own-points"}
    rules = compile_profile(spec.profile("contree").with_values("house", values, spec.rules))
    sides = [{"cards": 68, "tricks": 4}, {"cards": 94, "tricks": 4}]
    asked = {"taker": 1, "trump": "S", "bid": 90, "sides": sides} | ({"raised": raised} if raised > 1 else {})
    assert ask("score-deal", asked, rules)["score"] == score


def test_a_bid_is_answered_by_bids_alone_where_nothing_can_be_doubled(spec: Spec) -> None:
    rules = compile_profile(spec.profile("contree").with_values("house", {"bidding.raises": []}, spec.rules))
    found = ask("bidding", {"dealer": 3, "bids": ["150H"]}, rules)
    assert found["choices"] == ["pass", *(f"{most}{suit}" for most in (160, "capot") for suit in "SHDC")]
    assert refused("bidding", {"dealer": 3, "bids": ["150H", "double"]}, rules) == (
        1,
        "may-not-double",
        "bidding.raises",
    )


def test_modes_that_rank_alike_do_not_outbid_one_another(spec: Spec) -> None:
    rules = house(spec, {"bidding.modes": [["S", "H", "D", "C"], ["A"]], "bidding.raises": [2]})
    assert ask("bidding", {"dealer": 3, "bids": ["D"]}, rules)["choices"] == ["pass", "A", "double"]
    assert refused("bidding", {"dealer": 3, "bids": ["D", "S"]}, rules) == (1, "bid-too-low", "bidding.modes")
    assert refused("bidding", {"dealer": 3, "bids": ["D", "N"]}, rules) == (1, "bid-too-low", "bidding.modes")
    assert refused("bidding", {"dealer": 3, "bids": ["D", "double", "redouble"]}, rules)[1] == "may-not-double"
    assert rules.is_same_in([1, 0, 2, 3])  # type: ignore[list-item]
    assert not RULES.is_same_in([1, 0, 2, 3])  # type: ignore[list-item]


def test_three_hundred_games_of_random_actions_come_to_the_end_of_a_deal() -> None:
    ended, modes = set(), set()
    for seed in range(300):
        random, game = Random(seed), Game(NAME, seed=seed)
        while game.deal_number == 1 and not game.is_over:
            if game.phase == "bid":
                actions = [*game.legal_actions(), *[game.legal_actions()[0]] * 9]
                game = game.apply(random.choice(actions))
            else:
                game = game.apply(random.choice(game.legal_actions()))
        first = game.score().deals[0]
        ended.add(first.ended)
        if first.contract is not None:
            modes.add((first.contract.trump, first.contract.raised > 1))
    assert ended == {"played", "passed"}
    assert {mode for mode, _ in modes} == set(LADDER)
    assert {("A", True), ("A", False)} <= modes


def test_a_match_is_kept_as_a_record_and_as_text_and_settles_the_same_by_its_sums() -> None:
    random, game = Random(7), Game(NAME, seed=7)
    while not game.is_over:
        actions = game.legal_actions()
        game = game.apply(random.choice([*actions, *[actions[0]] * 20] if game.phase == "bid" else actions))
    assert Game.from_record(game.to_record()) == game == Game.from_text(game.to_text())
    record = game.to_record()
    assert ask("match", record["match"])["winner"] == game.score().winner
    check_sums(RULES, "match", record["match"])
    replays = [ask("replay", one) for one in record["deals"]]
    played = [one for one in replays if one["ended"] == "played"]
    assert all(one["raised"] in (1, 2, 4) for one in played)
    scored = [one["scored"] for one in record["match"]["deals"] if "scored" in one]
    for one, sums in zip(played, scored, strict=True):
        assert {key: one[key] for key in ("counted", "outcome", "points", "score", "held", "written")} == ask(
            "score-deal", sums
        )


def test_belote_is_had_in_each_suit_at_all_trumps_and_lost_when_thrown_away(spec: Spec) -> None:
    hand = ["KS", "QS", "KH", "QH", "7C"]
    both = [{"card": "KS", "call": True}, {"card": "QH", "call": True, "led": "H"}]
    assert ask("belote", {"trump": "A", "hand": hand, "plays": both}) == {"points": 40}
    assert refused("belote", {"trump": "S", "hand": hand, "plays": both})[:2] == (1, "no-belote")
    assert refused("belote", {"trump": "N", "hand": hand, "plays": both}) == (
        0,
        "no-belote",
        "declarations.belote.modes",
    )
    thrown = {"trump": "A", "hand": hand, "plays": [{"card": "KS", "call": True, "led": "C"}]}
    assert refused("belote", thrown) == (0, "no-belote", "declarations.belote.discarded")
    assert ask("belote", thrown, house(spec, {"declarations.belote.discarded": "counts"})) == {"points": 20}
    by_itself = house(spec, {"declarations.belote.calls": "automatic"})
    plays = [{"card": "KS", "led": "C"}, {"card": "QS"}, {"card": "QH", "led": "H"}]
    assert ask("belote", {"trump": "A", "hand": hand, "plays": plays}, by_itself) == {"points": 20}
    twice = house(spec, {"declarations.belote.calls": "both-cards"})
    assert ask("belote", {"trump": "A", "hand": hand, "plays": both}, twice) == {"points": 0}


def test_declarations_are_refused_where_they_do_not_count() -> None:
    hands = [["7S", "8S", "9S"], ["7H", "8H", "10H"], ["7D", "8D", "10D"], ["7C", "8C", "10C"]]
    action = {"seat": 0, "play": "7S", "announce": [["7S", "8S", "9S"]]}
    question = {"dealer": 3, "hands": hands, "taker": 0, "trump": "N", "actions": [action]}
    assert refused("replay", question) == (0, "not-a-declaration", "declarations.modes")
    assert refused("replay", {**question, "trump": "A"})[:2] == (1, "unfinished")
    asked = {"trump": "N", "leader": 0, "hands": hands}
    assert ask("compare-hands", asked)["points"] == [0, 0, 0, 0]
    assert ask("compare-hands", {**asked, "trump": "A"})["points"] == [20, 0, 0, 0]


@pytest.mark.parametrize(
    ("profile", "operation", "question", "message"),
    [
        (
            "bela-4",
            "trick-winner",
            {"trump": "N", "leader": 0, "cards": ["AS", "7S", "7H", "10S"]},
            "one of S, H, D, C",
        ),
        ("bela-4", "bidding", {"dealer": 0, "bids": ["double"]}, "is one of pass, S, H, D, C, not double"),
        ("bela-4", "score-deal", deal("H", [(100, 0), (62, 0)]), "trump: a deal of bela-4 counts alike"),
        (NAME, "score-deal", {"taker": 0, "sides": deal("H", [(100, 0), (62, 0)])["sides"]}, "so say it"),
        ("bela-4", "belote", {"trump": "S", "hand": ["KS"], "plays": [{"card": "KS", "led": "H"}]}, "led: in bela-4"),
        (
            NAME,
            "match",  # even after a deal that is refused
            {
                "dealer": 0,
                "deals": [
                    {"accusation": {"by": 1, "of": 0, "proved": True}},
                    {"scored": {"taker": 0, "sides": deal("H", [(100, 0), (62, 0)])["sides"]}},
                ],
            },
            "so say it",
        ),
    ],
)
def test_what_belongs_to_other_games_is_refused_by_name(
    profile: str, operation: str, question: Json, message: str
) -> None:
    with pytest.raises(BadQuestionError, match=message):
        answer(operation, ruleset_named(profile), question)


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        (deal("N", [(100, 0), (62, 0)]), "has 130"),
        (deal("A", [(100, 0), (62, 0)]), "has 258"),
        (deal("N", [(70, 20), (60, 0)]), "no sum of declarations"),
        ({**deal("N", [(70, 0), (60, 0)]), "sides": [{"cards": 130, "tricks": 8, "belote": 20}, {"cards": 0, "tricks": 0}]},
         "not played"),
        ({**deal("A", [(1, 0), (1, 0)]), "sides": [{"cards": 258, "tricks": 8, "belote": 80},
                                                   {"cards": 0, "tricks": 0, "belote": 20}]}, "4 kings and queens"),
    ],
)  # fmt: skip
def test_sums_that_no_deal_of_the_mode_gives_are_refused(question: Json, fault: str) -> None:
    with pytest.raises(ImpossibleSumsError, match=fault):
        check_sums(RULES, "score-deal", question)
