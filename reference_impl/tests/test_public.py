"""Everything that ``import belot`` promises can be copied and pickled, and takes no nonsense."""

import copy
import pickle
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from subprocess import check_output
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import belot
import belot_reference
from belot_reference.bids import BID_NAMES
from belot_reference.errors import IllegalCard, NotYourTurn
from belot_spec.card_names import CARD_NAMES
from belot_spec.errors import SpecError, UnknownNameError
from belot_spec.shipped import default_spec


def game_after(profile: str, seed: int, steps: int) -> belot.Game:
    rng = Random(seed)
    game = belot.Game(profile, seed=seed)
    for _ in range(steps):
        if game.is_over:
            break
        seat = rng.randrange(game.players) if rng.random() < 0.2 else None
        game = game.apply(rng.choice(game.legal_actions(seat) or game.legal_actions()))
    return game


games = st.deferred(
    lambda: st.builds(game_after, st.sampled_from(default_spec().nameable()), st.integers(0, 2**53), st.integers(0, 90))
)
TEXTS = st.sampled_from(
    ["pass", "S", "N", "KH", "7S", "seat", "bid", "silent", "belotten", "en", "../x", "a\0b", "\ud800"]
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-2, 5) | st.floats() | st.text(max_size=5) | TEXTS
    | st.binary(max_size=3) | st.builds(object) | st.just(int) | st.complex_numbers(),
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.dictionaries(TEXTS | st.integers(), inner)
    | st.fixed_dictionaries({"seat": inner, "bid": inner}) | st.fixed_dictionaries({"seat": inner, "play": inner, "announce": inner})
    | st.fixed_dictionaries({"profile": st.just("belotten"), "deals": inner, "seed": inner})
    | st.fixed_dictionaries({"dealer": inner, "deck": st.just(list(CARD_NAMES)), "actions": st.lists(inner, max_size=2)})
    | st.fixed_dictionaries({"seat": st.integers(0, 3), "silent": inner}),
    max_leaves=6,
)  # fmt: skip
actions = st.builds(
    belot.Action, seat=anything, **dict.fromkeys(("bid", "play", "announce", "belote", "discard", "look"), anything)
)


def test_the_library_has_one_name_and_keeps_the_older_one() -> None:
    assert belot.__all__ == belot_reference.__all__
    assert all(getattr(belot, name) is getattr(belot_reference, name) for name in belot.__all__)
    assert {*dir(belot)} - {*belot.__all__} == {name for name in dir(belot) if name.startswith("__")}
    lazily = "import sys, belot; print([name for name in sys.modules if name.startswith('belot')])"
    assert eval(check_output([sys.executable, "-c", lazily], text=True)) == ["belot_reference", "belot"]
    missing = [name for name in belot.__all__ if f"``{name}``" not in str(belot.__doc__)]
    assert missing == []
    with pytest.raises(AttributeError, match="no attribute 'Gane'"):
        _ = belot.Gane  # type: ignore[attr-defined]


def refusal_of(game: belot.Game) -> belot.Refusal:
    seat = -1 if game.turn is None else (game.turn + 1) % game.players
    with pytest.raises(belot.Refusal) as refused:
        game.apply({"seat": max(seat, 0), "bid": "pass"} if game.phase == "bid" else {"seat": 0, "look": 99})
    return refused.value


def values_of(game: belot.Game) -> Iterator[Any]:
    yield game
    yield game.score()
    yield from game.score().deals
    yield game.table
    yield from map(game.view, range(game.players))
    yield from game.legal_actions(looks=True)
    yield game.contract
    yield game.to_record()


def every_action(profile: str) -> Iterator[belot.Action]:
    """Yield all bids of a profile, and all that could be done in a deal of it."""
    game = game_after(profile, 1, 0)
    bids = {*BID_NAMES, *(action.bid for action in game.legal_actions())}
    yield from (belot.Action(seat=seat, bid=name) for seat in range(game.players) for name in bids)
    while game.deal_number == 1 and not game.is_over:
        for seat in range(game.players):
            yield from game.legal_actions(seat, looks=True)
        game = game.apply(Random(len(game.table.tricks)).choice(game.legal_actions()))


@pytest.mark.parametrize("profile", default_spec().nameable())
def test_an_action_printed_is_its_word_in_the_notation_and_actions_sort(profile: str) -> None:
    every = {*every_action(profile)}
    for action in every:
        assert belot.Action.parse(str(action), seat=action.seat) == action
    in_order = sorted(every)
    assert [action.seat for action in in_order] == sorted(action.seat for action in every)
    cards = [action.play for action in in_order if action.seat == 0 and action.play is not None]
    assert cards == sorted(cards, key=CARD_NAMES.index)
    assert in_order[0].bid == "pass" or not any(action.bid == "pass" for action in every)
    assert all(one < other and not other <= one for one, other in pairwise(in_order))


def test_an_action_says_what_it_is() -> None:
    royal = belot.Action(seat=1, play="KH", announce=(("QH", "KH", "AH"),), belote=True)
    assert str(royal) == "KH+announce(QHKHAH)+belote"
    assert str(belot.Action(seat=0, play="KH", bid="H")) == "bid H, play KH"  # no action: what it says, in English


@settings(max_examples=30)
@given(games)
def test_all_that_a_game_hands_out_can_be_copied_and_pickled(game: belot.Game) -> None:
    for value in values_of(game):
        for other in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
            assert other == value
            assert type(other) is type(value)
            assert repr(other) == repr(value)
    again = pickle.loads(pickle.dumps(game))
    assert hash(again) == hash(game)
    assert again.legal_actions() == game.legal_actions()
    if not game.is_over:
        assert again.apply(game.legal_actions()[-1]) == game.apply(game.legal_actions()[-1])


@settings(max_examples=30)
@given(games)
def test_a_refusal_can_be_copied_and_pickled_and_tells_the_same(game: belot.Game) -> None:
    refusal = refusal_of(game)
    for other in (copy.copy(refusal), copy.deepcopy(refusal), pickle.loads(pickle.dumps(refusal))):
        assert type(other) is type(refusal)
        assert (str(other), other.why, other.rule, other.at) == (str(refusal), refusal.why, refusal.rule, refusal.at)


def test_errors_can_be_pickled_and_tell_the_same(tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    house.write_text("id: house\nbase: belotte\n", encoding="utf-8")
    wrongs: tuple[dict[str, Any], ...] = ({"deals": []}, {"profile": "belote", "deals": [{"dealer": 9}]})
    for wrong in wrongs:
        with pytest.raises(belot.BadQuestionError) as bad:
            belot.Game.from_record(wrong)
        assert str(pickle.loads(pickle.dumps(bad.value))) == str(bad.value)
    for profile, kind in (("belotte", UnknownNameError), (str(house), SpecError)):
        with pytest.raises(kind) as unknown:
            belot.Game(profile)
        assert str(copy.copy(unknown.value)) == str(pickle.loads(pickle.dumps(unknown.value))) == str(unknown.value)


def test_house_rules_of_a_file_are_played_by_and_unpickled_where_the_file_is_not(tmp_path: Path) -> None:
    path = tmp_path / "house-rules.yaml"
    path.write_text("id: short\nbase: belotten\nrules:\n  match.target: {value: 20}\n", encoding="utf-8")
    game = belot.Game(path, seed=1)
    assert belot.Game.from_record(game.to_record(), path) == game
    packed = pickle.dumps(game)
    path.write_text("id: short\nbase: belotten\nrules:\n  match.target: {value: 30}\n", encoding="utf-8")
    assert belot.Game(path, seed=1).score().target == 30
    path.unlink()
    again = pickle.loads(packed)
    assert (again.profile, again.score().target) == ("short", 20)


@settings(max_examples=30)
@given(games, anything | actions)
def test_an_action_that_is_none_is_told_to_be_none(game: belot.Game, action: Any) -> None:
    with suppress(belot.BadQuestionError, belot.Refusal):
        game.apply(action)


@pytest.mark.parametrize(("action", "message"), [
    *((action, "action") for action in ("pass", None, 3, ["seat", 0], b"pass", {"seat": 0.0, "bid": "pass"}, {"seat": 0})),
    ({"seat": 0, "bid": "pass", "play": "7S"}, "action"),
    ({"seat": 0, "play": "1H"}, "play: "),
    ({"seat": 0, "bid": "hearts"}, "bid: "),
    ({"seat": 4, "bid": "pass"}, "seat: "),
])  # fmt: skip
def test_what_is_no_action_at_all_is_a_bad_question(action: Any, message: str) -> None:
    with pytest.raises(belot.BadQuestionError, match=message):
        belot.Game("belotten", seed=1).apply(action)


@settings(max_examples=30)
@given(games, anything, anything)
def test_nothing_public_breaks_on_an_argument_that_makes_no_sense(game: belot.Game, one: Any, other: Any) -> None:
    for call in (
        lambda: game.legal_actions(one),
        lambda: game.view(one),
        lambda: game.deal(one, cut=other),
        lambda: game.deal(CARD_NAMES, cut=one, shuffles=other),
        lambda: belot.Game.from_record(one),
        lambda: belot.Game.from_record({"profile": one, "deals": [{"dealer": 3, "deck": list(CARD_NAMES), "actions": []}]}),
        lambda: belot.Game.from_record({"profile": "belotten", "deals": [one, other]}),
        lambda: belot.Game(one),
        lambda: belot.Game("belotten", seed=one),
        lambda: belot.Game("belotten", seed=1, dealer=one),
        lambda: belot.Action.from_json(one),
        lambda: game.score().text(one),
    ):  # fmt: skip
        with suppress(belot.BelotError):
            call()
    assert isinstance(game == one, bool)


EIGHTS = [list(CARD_NAMES[seat * 8 : seat * 8 + 8]) for seat in range(4)]
BIDDING = {"dealer": 3, "hands": EIGHTS, "turn_up": "7S", "actions": []}
PLAYING = {"dealer": 3, "hands": [["7S", "8H"], ["9C", "9H"], ["AS", "7D"], ["8S", "7C"]], "turn_up": "7S",
           "actions": [{"seat": 0, "bid": "S"}, {"seat": 0, "play": "8H"}]}  # fmt: skip


@pytest.mark.parametrize(("opening", "action", "kind", "right"), [
    (BIDDING, {"seat": 2, "bid": "pass"}, NotYourTurn, "it is the turn of seat 0 to bid"),
    (BIDDING, {"seat": 0, "bid": "H"}, belot.Refusal, "seat 0 may say pass, S"),
    (BIDDING, {"seat": 0, "play": "7S"}, belot.Refusal, "it is the turn of seat 0 to bid"),
    (BIDDING, {"seat": 0, "exchange": True}, belot.Refusal, "it is the turn of seat 0 to bid"),
    (PLAYING, {"seat": 1, "play": "9C"}, IllegalCard, "seat 1 may play 9H"),
    (PLAYING, {"seat": 1, "play": "AS"}, belot.Refusal, "seat 1 holds 9H, 9C"),
    (PLAYING, {"seat": 1, "play": "9H", "belote": True}, belot.Refusal, "seat 1 may say belote with nothing"),
    (PLAYING, {"seat": 1, "look": 1}, belot.Refusal, "seat 1 may look at trick nothing"),
    (PLAYING, {"seat": 2, "play": "7D"}, NotYourTurn, "it is the turn of seat 1 to play a card"),
    (PLAYING, {"seat": 1, "claim": True}, belot.Refusal, "nobody may say enough now"),
])  # fmt: skip
def test_a_refused_action_comes_with_what_would_be_right(
    opening: dict[str, Any], action: dict[str, Any], kind: type[belot.Refusal], right: str
) -> None:
    game = belot.Game.from_record({"profile": "belotten", "deals": [opening]})
    with pytest.raises(kind) as refused:
        game.apply(action)
    assert f": {right}. " in str(refused.value)
    actions = [*opening["actions"], action]
    with pytest.raises(kind) as recorded:
        belot.Game.from_record({"profile": "belotten", "deals": [{**opening, "actions": actions}]})
    assert recorded.value.at == len(actions) - 1
    assert str(recorded.value).startswith(f"deals.0.actions.{len(actions) - 1}: ")


def test_a_trick_to_look_at_is_listed_only_on_request() -> None:
    game = next(game for steps in range(99) if len((game := game_after("belote", 3, steps)).table.tricks) == 2)
    tricks = [1, 2]
    assert not any(action.look for action in game.legal_actions())
    assert [action for action in game.legal_actions(looks=True) if action.look is None] == list(game.legal_actions())
    assert [action.look for action in game.legal_actions(looks=True) if action.look] == tricks


@settings(max_examples=30)
@given(games)
def test_a_view_as_text_tells_no_card_that_its_seat_may_not_know(game: belot.Game) -> None:
    for seat in range(game.players):
        view = game.view(seat)
        hidden = {card for other in range(game.players) for card in game.view(other).hand if other != seat}
        hidden -= {card for cards in view.open_cards for card in cards}
        hidden -= {card for found in view.announced for one in found for card in one.cards} | {view.turn_up}
        for row in (line for line in str(view).splitlines() if "(hidden)" in line):
            assert not any(f"{card[:-1]}{'♠♥♦♣'['SHDC'.index(card[-1])]}" in row for card in hidden)
        assert str(view).count("(hidden)") == (0 if view.open_cards else game.players - 1)
