"""A match played through ``Game``: every legal action is taken, nothing else is, and its record can be asked."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

import belot
from belot_reference.cards import EVERY_SUIT, NO_CARDS, card_at, cards_in, names_of
from belot_reference.compile import ruleset_named
from belot_reference.declarations import four_of
from belot_reference.errors import IllegalCard, NotYourTurn
from belot_reference.game import engine_of
from belot_reference.operations import answer
from belot_reference.possible import why_impossible
from belot_spec.card_names import CARD_NAMES
from belot_spec.spec import Spec

# They differ in what may be done: turn-up and bids, an exchange, cards laid away, open cards, amounts, calls.
CALLED = "klaverjas-rotterdams+roem-geroepen"
VARIED = ("belotten", "bela-2", "bela-3", "bela-4+announced-with-first-card", "open-belot", "coinche", CALLED)
EIGHTS = [[f"{rank}{suit}" for rank in ("7", "8", "9", "10", "J", "Q", "K", "A")] for suit in "SHDC"]


def positions(profile: str, seed: int) -> Iterator[belot.Game]:
    rng = Random(seed)
    game = belot.Game(profile, seed=seed)
    while not game.is_over:
        yield game
        seat = rng.randrange(game.players) if rng.random() < 0.2 else None
        game = game.apply(rng.choice(game.legal_actions(seat) or game.legal_actions()))
    yield game


def test_any_legal_actions_play_a_match_to_its_end_and_its_record_can_be_played_and_asked(spec: Spec) -> None:
    for profile in spec.nameable():
        *_, game = positions(profile, 3)
        assert (game.phase, game.turn, game.legal_actions()) == ("over", None, ())
        assert belot.Game.from_record(game.to_record()) == game
        rules, record, score = ruleset_named(profile), game.to_record(), game.score()
        assert score.winner is not None
        assert score.deals[-1].ended in ("belot", "claim") or score.totals[score.winner] == max(score.totals)
        for deal, line in zip(record["deals"], score.deals, strict=True):
            result = answer("replay", rules, deal).result
            assert result is not None
            assert result["ended"] == line.ended
            if line.ended == "played":
                assert (tuple(result["score"]), result["outcome"]) == (line.score, line.outcome)
        assert why_impossible(rules, "match", record["match"]) is None
        booked = answer("match", rules, record["match"]).result
        assert booked is not None
        assert [tuple(line["totals"]) for line in booked["deals"]] == [
            line.totals for line in score.deals[: len(booked["deals"])]
        ]


def said_with(game: belot.Game, card: str) -> Iterator[belot.Action]:
    rules, state = engine_of(game)
    assert game.turn is not None
    held = list(cards_in(state.play.hands[game.turn] if state.play else NO_CARDS))
    squares = [tuple(names_of(four_of(rank))) for rank in range(8)]
    order = sorted(range(8), key=rules.sequence_position.__getitem__)
    runs = [
        tuple(CARD_NAMES[card_at(rank, suit)] for rank in order[first : first + length])
        for suit in EVERY_SUIT
        for length in range(3, 9)
        for first in range(9 - length)
    ]
    mine = [cards for cards in (*runs, *squares) if all(CARD_NAMES.index(one) in held for one in cards)]
    sets = [(), *((one,) for one in mine), *((one, other) for one in mine for other in mine if one != other)]
    kinds: tuple[tuple[str, ...], ...] = ((), ("sequence",), ("square",), ("sequence", "square"))
    for announce, says, shows, made in product(sets, (False, True), (False, True), kinds):
        yield belot.Action(seat=game.turn, play=card, announce=announce, belote=says, show=shows, made=made)


def anything(game: belot.Game) -> Iterator[belot.Action]:
    rules, _ = engine_of(game)
    amounts = [f"{amount}{suit}" for amount in (70, 80, 85, 130, 160, 170, "capot") for suit in "SHDC"]
    calls = ("double", "redouble", *amounts) if rules.has_amounts else "SHDC"
    for seat in range(game.players):
        yield from (belot.Action(seat=seat, bid=said) for said in ("pass", *calls))
        yield from (belot.Action(seat=seat, look=number) for number in range(1, 11))
        yield belot.Action(seat=seat, exchange=True)
        yield belot.Action(seat=seat, claim=True)
        yield belot.Action(seat=seat, silent=True)
        yield from (belot.Action(seat=seat, play=card) for card in CARD_NAMES if seat != game.turn)
        yield from (belot.Action(seat=seat, discard=cards) for cards in (("7S", "8S"), ("7S",), ("7H", "JD")))
    for card in CARD_NAMES:
        yield from said_with(game, card)


def plain(game: belot.Game, action: belot.Action) -> tuple[object, ...]:
    """Return an action so that what is listed once is equal: sets in one order, showing left out where it is idle."""
    rules, _ = engine_of(game)
    announced = frozenset(frozenset(cards) for cards in action.announce)
    shows = action.show and rules.value_or("declarations.shown-in-trick", "none") != "none"
    told = {**action.to_json(), "announce": announced, "show": shows, "discard": frozenset(action.discard)}
    told["made"] = frozenset(action.made)
    return tuple(sorted(told.items(), key=lambda item: item[0]))


def accepted(game: belot.Game, action: belot.Action) -> bool:
    try:
        game.apply(action)
    except belot.Refusal:
        return False
    return True


@pytest.mark.parametrize("profile", VARIED)
def test_the_legal_actions_are_all_that_is_not_refused(profile: str) -> None:
    seen = list(positions(profile, 5))[:-1]
    for game in Random(profile).sample(seen, 6):
        legal = [action for seat in range(game.players) for action in game.legal_actions(seat, looks=True)]
        assert [action for action in legal if not accepted(game, action)] == []
        found = [plain(game, action) for action in legal]
        assert len(set(found)) == len(found)
        taken = [one for one in anything(game) if accepted(game, one)]
        if game.phase == "announce":  # the lead may come at once, as a record leaves out who was silent
            taken = [one for one in taken if one.play is None]
        assert {plain(game, one) for one in taken} <= set(found)


def test_before_the_first_lead_each_player_in_turn_announces_or_is_silent() -> None:
    bids = [{"seat": seat, "bid": said} for seat, said in enumerate(["pass", "pass", "pass", "C"])]
    opening = {"dealer": 3, "hands": EIGHTS, "actions": bids}
    game = belot.Game.from_record({"profile": "bela-4", "deals": [opening]})
    assert (game.phase, game.turn) == ("announce", 0)
    silent, *others = game.legal_actions()
    assert silent == belot.Action(seat=0, silent=True)
    assert others
    assert all(action.announce and action.play is None for action in others)
    assert game.legal_actions(1) == ()
    with pytest.raises(NotYourTurn):
        game.apply(belot.Action(seat=1, silent=True))
    after = game.apply(silent)
    assert (after.phase, after.turn) == ("announce", 1)
    assert after.to_record() == game.to_record()
    assert after != game
    play = after
    for seat in (1, 2, 3):
        play = play.apply({"seat": seat, "silent": True})
    assert (play.phase, play.turn) == ("play", 0)
    with pytest.raises(belot.Refusal, match="wrong-phase"):
        play.apply({"seat": 0, "silent": True})
    assert game.apply({"seat": 0, "play": "7S"}).phase == "play"


def test_a_refusal_tells_the_rule_its_sentence_in_both_languages_and_where_it_comes_from() -> None:
    hands = [["7S", "8H"], ["9C", "KH"], ["AS", "7D"], ["8S", "7C"]]
    actions = [{"seat": 0, "bid": "S"}, {"seat": 0, "play": "8H"}]
    opening = {"dealer": 3, "hands": hands, "turn_up": "7S", "actions": actions}
    game = belot.Game.from_record({"profile": "belotten", "deals": [opening]})
    with pytest.raises(IllegalCard) as refused:
        game.apply(belot.Action(seat=1, play="9C"))
    why = refused.value.why
    assert why is not None
    assert why.rule == refused.value.rule
    assert why.rule.startswith("play.")
    assert why.sentence.en != why.sentence.nl
    assert why.statements
    assert why.sentence.en in str(refused.value)
    assert "seat 1: play 9C" in str(refused.value)


def test_a_game_never_changes_and_the_same_seed_shuffles_the_same_cards() -> None:
    game = belot.Game("belotten", seed=7)
    before = game.to_record()
    assert game.apply(game.legal_actions()[0]) != game
    assert game.to_record() == before
    with pytest.raises(AttributeError):
        game.profile = "belote"  # type: ignore[misc]
    assert belot.Game("belotten", seed=7) == game
    assert belot.Game("belotten", seed=8).to_record()["deals"] != before["deals"]
    assert belot.Game("belote").to_record()["seed"] != belot.Game("belote").to_record()["seed"]


@pytest.mark.parametrize("profile", VARIED)
def test_a_view_shows_a_seat_its_own_cards_and_what_lies_open(profile: str) -> None:
    for game in positions(profile, 6):
        table = game.table
        for seat in range(game.players):
            view = game.view(seat)
            others = [set(game.view(other).hand) for other in range(game.players) if other != seat]
            assert not any(set(view.hand) & hand for hand in others)
            assert (view.trick, view.tricks) == (table.trick, table.tricks)
            assert (view.bids, view.contract) == (table.bids, table.contract)
            hidden = [one for who, found in enumerate(view.announced) for one in found if who != seat and one.cards]
            assert not hidden or any(engine_of(game)[1].shown)
        assert table.hand == ()
        assert table.discarded == ()
        assert bool(any(table.open_cards)) <= (profile == "open-belot")


def test_the_cards_of_a_deal_may_be_ones_own_until_somebody_has_acted() -> None:
    game = belot.Game("belotten", seed=1)
    deck = [card for hand in EIGHTS for card in hand]
    own = game.deal(deck, cut=8)
    assert own.to_record()["deals"] == [{"dealer": 3, "deck": deck, "cut": 8, "actions": []}]
    with pytest.raises(belot.Refusal, match="bad-cut"):
        game.deal(deck, cut=0)
    with pytest.raises(belot.BadQuestionError, match="deck"):
        game.deal(["1S", *deck[1:]], cut=8)
    with pytest.raises(belot.BadQuestionError, match="somebody has acted"):
        own.apply({"seat": 0, "bid": "pass"}).deal(deck, cut=8)


def test_a_record_waits_for_cards_after_its_last_deal_and_deals_that_do_not_follow_are_refused() -> None:
    *_, over = positions("belotten", 8)
    first, second, *_ = over.to_record()["deals"]
    game = belot.Game.from_record({"profile": "belotten", "deals": [first]})
    assert (game.phase, game.turn, game.legal_actions()) == ("deal", second["dealer"], ())
    assert game.deal(second["deck"], cut=second["cut"]).phase == "bid"
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"profile": "belotten", "deals": [first, {**second, "dealer": 3}]}, "deals.1.dealer: seat 0 deals, not seat 3"),
        ({"profile": "belotten", "deals": [{**first, "actions": []}, second]}, "deals.1: the deal before it has not ended"),
        ({"profile": "belotten", "deals": []}, "at least one deal"),
        ({"deals": [first]}, "profile: "),
        ({"profile": "belotten", "deals": [{"actions": []}]}, "dealer"),
        ({"profile": "beloten", "deals": [first]}, "did you mean belotten"),
    )  # fmt: skip
    for record, message in wrong:
        with pytest.raises(belot.BelotError, match=message):
            belot.Game.from_record(record)


def test_a_deal_waits_for_the_roem_of_its_last_trick_until_it_is_called_or_left() -> None:
    waiting = [
        game
        for seed in range(4)
        for game in positions(CALLED, seed)
        if game.legal_actions()[:1] == (silent(game.turn),)
    ]
    assert waiting
    for game in waiting:
        assert game.position is game.view(game.turn or 0).position is None
        assert {one.roem for one in game.legal_actions((game.turn or 0) ^ 1)} <= {20, 40, 50, 70, 100, 200}
        left, called = (game.apply(game.legal_actions()[at]) for at in (0, 1))
        assert {game.deal_number + 1} == {left.deal_number + left.is_over, called.deal_number + called.is_over}
        assert belot.Game.from_record(left.to_record()) == belot.Game.from_text(left.to_text()) == left != called
        assert belot.Game.from_record(game.to_record()) == belot.Game.from_text(game.to_text()) == game


def silent(seat: int | None) -> belot.Action:
    return belot.Action(seat=seat or 0, silent=True)


def test_half_points_stand_on_the_sheet_as_halves_and_are_counted_whole() -> None:
    *_, game = positions("belotten+half-points", 7)
    score = game.score()
    first, *lines, _ = score.text("en").splitlines()
    assert len(score.text("nl").splitlines()) == len(lines) + 2
    assert (score.target, first.split(",")[1].split()[:2]) == (200, ["to", "100"])
    assert any(total % 2 for deal in score.deals for total in deal.totals)
    for deal, line in zip(score.deals, lines, strict=True):
        totals = line[44:].strip().split(" - ")
        assert [2 * float(total.replace("½", ".5")) for total in totals] == list(deal.totals)
