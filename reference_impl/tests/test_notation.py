"""Deals, positions and matches go to text and back; what is no such text is told by line and column."""

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import belot
from belot_reference import sentences
from belot_reference.bids import BID_NAMES
from belot_reference.mode import MODE_NAMES
from belot_reference.notation import FIELDS, faults_in
from belot_spec.card_names import CARD_NAMES
from belot_spec.languages import LANGUAGES
from belot_spec.spec import Spec

HANDS = "7K.../8.../9.../10..."
SHORT = "profile bela-4 dealer 3 hands 7.../8.../9.../10..."


def games(spec: Spec, number: int) -> Iterator[belot.Game]:
    """Yield games of all variants, every other one with options, after as many actions of anybody as the lot says."""
    for seed in range(number):
        rng = Random(seed)
        variant = spec.nameable()[seed % len(spec.nameable())]
        option = rng.choice(["", *(f"+{one}" for one in spec.options_of(variant))]) if rng.random() < 0.5 else ""
        game = belot.Game(variant + option, seed=seed)
        for _ in range(rng.randrange(80)):
            if game.is_over:
                break
            seat = rng.randrange(game.players) if rng.random() < 0.1 else None
            found = game.legal_actions(seat, looks=rng.random() < 0.1) or game.legal_actions()
            # With something said more often than not: of all plays that hardly ever comes.
            said = [one for one in found if one.announce or one.belote or one.show or one.made or one.claim]
            game = game.apply(rng.choice(said if said and rng.random() < 0.5 else found))
        yield game


def test_deals_and_positions_go_to_a_line_and_back_and_matches_to_text(spec: Spec) -> None:
    said: set[str] = set()
    for game in games(spec, 200):
        line = game.to_line()
        assert "\n" not in line
        deal = belot.Deal.parse(line)
        assert str(deal) == line
        assert belot.Deal.from_json(deal.to_json()).question == deal.question
        # The deal before anything was done, and what follows from the line.
        assert belot.Deal.parse(str(belot.Deal(deal.profile, deal.opening))).opening == deal.opening
        said |= {field for action in deal.actions for field in action.to_json()}
        text = game.to_text()
        assert belot.Game.from_text(text) == game
        assert belot.Game.from_text(text).to_text() == text
        transcript = belot.Transcript.parse(text)
        assert belot.Transcript.from_json(transcript.to_json()).to_json() == transcript.to_json()
        assert [deal.question for deal in transcript.deals] == game.to_record()["deals"]
        again = belot.Game.from_text(line)
        if game.is_over:
            continue
        assert again.to_line() == line
        assert (again.phase, again.turn, again.contract) == (game.phase, game.turn, game.contract)
        # A line tells which deal of the match it is only where so many are a match.
        views = ([replace(one.view(seat), deal_number=1) for seat in range(game.players)] for one in (again, game))
        assert next(views) == next(views)
        assert again.legal_actions() == game.legal_actions()
    assert said | {"claim", "exchange"} == {
        "seat", "bid", "play", "announce", "belote", "show", "made", "discard", "exchange", "look", "claim", "roem",
        "silent",
    }  # fmt: skip


ranks = st.lists(st.sampled_from(CARD_NAMES), min_size=1, max_size=8, unique=True).map(tuple)
seats = st.integers(0, 3)
actions = st.one_of(
    st.builds(belot.Action, seat=seats, bid=st.sampled_from(BID_NAMES)),
    st.builds(
        belot.Action,
        seat=seats,
        play=st.sampled_from(CARD_NAMES),
        announce=st.lists(ranks, max_size=2).map(tuple),
        belote=st.booleans(),
        show=st.booleans(),
        made=st.sampled_from([(), ("sequence",), ("square", "sequence")]),
    ),
    st.builds(belot.Action, seat=seats, announce=st.lists(ranks, min_size=1, max_size=2).map(tuple)),
    st.builds(belot.Action, seat=seats, discard=ranks),
    st.builds(belot.Action, seat=seats, look=st.integers(1, 16)),
    *(st.builds(belot.Action, seat=seats, **{name: st.just(True)}) for name in ("exchange", "claim", "silent")),
)
comments = st.text("ab ♠#", min_size=1, max_size=5).map(lambda text: text.lstrip("# ").strip()).filter(bool)
SAID = ("profile", "opening", "actions", "score", "match")


@st.composite
def deals(draw: st.DrawFn, match: str | None) -> belot.Deal:
    cards = draw(st.permutations(CARD_NAMES))
    opening: dict[str, Any] = {"dealer": draw(seats)}
    if draw(st.booleans()):
        opening["totals"] = draw(st.tuples(st.integers(-99, 999), st.integers(0, 999)))
    if draw(st.booleans()):
        opening |= {"deck": tuple(cards), "cut": draw(st.integers(0, 32))}
    else:
        opening["hands"] = tuple(tuple(sorted(cards[8 * seat :][:8], key=CARD_NAMES.index)) for seat in range(4))
        if draw(st.booleans()):
            opening |= {"taker": draw(seats), "trump": draw(st.sampled_from(MODE_NAMES))}
            opening["raised"] = draw(st.integers(1, 4))
    told = tuple(draw(st.lists(actions, max_size=9)))
    score = draw(st.none() | st.tuples(st.integers(0, 300), st.integers(0, 300)))
    places = sorted(draw(st.sets(st.integers(0, len(told)), max_size=3)))
    return belot.Deal("bela-4", opening, told, score, match, tuple((place, draw(comments)) for place in places))


transcripts = st.sampled_from([None, "17"]).flatmap(lambda match: st.lists(deals(match), min_size=1, max_size=3))


@settings(max_examples=50)
@given(transcripts, st.none() | st.integers(0, 2**53))
def test_any_values_go_to_text_and_back_whatever_the_rules_say(told: list[belot.Deal], seed: int | None) -> None:
    transcript = belot.Transcript(tuple(told), seed)
    assert belot.Transcript.parse(str(transcript)) == transcript
    for deal in told:
        assert belot.Deal.parse(str(deal)) == belot.Deal(*(getattr(deal, name) for name in SAID))


@given(st.text() | st.lists(st.sampled_from([*FIELDS, *BID_NAMES, "3", "0:", "1:", "7S", "10H+belote", "profile", "bela-4", HANDS,
    "announce(7S8S9S)", "look(1)", "score", "1/2", "#", "\n", "match", "seed", "deck", "7S8S"]), max_size=14).map(" ".join))  # fmt: skip
def test_what_is_no_such_text_is_told_by_line_and_column(text: str) -> None:
    lines = text.split("\n")
    for fault in faults_in(text):
        assert 1 <= fault.line <= len(lines)
        assert 1 <= fault.column <= len(lines[fault.line - 1]) + 1
        assert str(fault) == f"{fault.line}:{fault.column}: {fault.message}"
    if not faults_in(text):
        belot.Transcript.parse(text)


@pytest.mark.parametrize(("text", "message"), [
    ("", "1:1: no deal stands here; one begins with its dealer, as dealer 3"),
    ("\n  dealr 3", "2:3: a deal begins with dealer or leader, not with dealr; did you mean dealer?"),
    ("dealer", "1:7: the text ends where a seat should stand"),
    ("dealer 4", "1:8: a seat is a number from 0 to 3, not 4"),
    ("profile belotten dealer 3", "1:18: the cards are missing: deck, hands, piles, or taker and trump with the tricks"),
    ("dealer 3 deck 7S8S cut x", "1:24: a whole number stands here, not x"),
    ("dealer 3 deck 7STS", "1:17: cards stand one after the other, as 7S10H, and TS begins with none; did you mean 10S?"),
    ("dealer 3 deck 7S8S7S", "1:19: 7S stands here twice"),
    ("dealer 3 cut 4 hands 7.../8...", "1:10: cut stands only beside deck"),
    ("dealer 3 deck 7S taker 0 trump H", "1:18: taker does not go with deck: who took says the bidding"),
    ("dealer 3 hands 7.../7...", "1:10: 7S is held twice"),
    ("leader 0 trump H hands 7K.10J.A/7..", "1:24: a hand is four suits with dots between them, spades.hearts.diamonds.clubs, as 7K.10J.A.89Q; 7K.10J.A has 3"),
    ("leader 0 hands 7.../8...", "1:1: a position tells trump"),
    ("leader 0 totals 1/2 trump H hands 7.../8...", "1:10: totals does not go with leader"),
    ("leader 0 trump H hands 7.../8... 0: S", "1:37: only cards stand here"),
    ("leader 0 trump H hands 7.../8... 1: 8S", "1:37: seat 0 leads, so its card comes first"),
    (f"{SHORT} pass", "1:52: before what was done stands the seat that did it, as in 0: pass"),
    (f"{SHORT} 0:pass", "1:52: a blank stands behind a seat, as in 0: pass"),
    (f"{SHORT} 0: A♠", "did you mean AS?"),
    (f"{SHORT} 0: 7S+belot", "1:58: belot is no action: what is said with a card, announce, belote, show, made; did you mean belote?"),
    (f"{SHORT} 0: 7S+belote+belote", "1:65: belote is said twice with one card"),
    (f"{SHORT} 0: 7S+announce", "1:58: what is meant stands between ( ) behind announce"),
    (f"{SHORT} 0: 7S+announce(7S8S,9S1S)", "1:74: cards stand one after the other, as 7S10H, and 1S begins with none; did you mean 10S?"),
    (f"{SHORT} 0: pass+belote", "1:55: something is said along with a card only, and pass is no card"),
    (f"{SHORT} 0: claim(1)", "1:55: claim stands alone, without ( )"),
    (f"{SHORT} 0: pass totals 1/2", "1:60: totals is a field of the deal, and stands before what was done"),
    ("dealer 3 deck 7S8S 0: pass", "1:23: profile: without one it is not known how many play; it is not known who comes next"),
    ("dealer 3 deck 7S seed 4", "1:18: the seed of a match stands once, before its first deal"),
    ("dealer 3 hands 7.../8... discarded 7D", "1:26: discarded stands only beside taker"),
])  # fmt: skip
def test_a_fault_is_told_where_it_is_with_what_would_be_right(text: str, message: str) -> None:
    assert any(message in str(fault) for fault in faults_in(text)), [str(fault) for fault in faults_in(text)]
    with pytest.raises(belot.NotationError):
        belot.Transcript.parse(text)


def test_every_fault_is_told_one_a_deal() -> None:
    text = f"{SHORT} 0: pas\n{SHORT} 0: pass\n{SHORT} 0: 1S\n"
    assert [(fault.line, fault.column) for fault in faults_in(text)] == [(1, 55), (3, 55)]


def test_a_position_is_a_question_of_perft_and_with_cards_of_legal_cards() -> None:
    line = f"profile bela-4 leader 1 trump H hands {HANDS} depth 3"
    held = [["7S", "KS"], ["8S"], ["9S"], ["10S"]]
    perft = {"leader": 1, "trump": "H", "hands": held, "depth": 3}
    assert belot.Deal.parse(line).to_json() == {"profile": "bela-4", "op": "perft", "input": perft}
    assert belot.Deal.from_json({"profile": "bela-4", "op": "perft", "input": perft}) == belot.Deal.parse(line)
    asked = belot.Deal.parse("profile bela-4 leader 2 trump H hands 7.../8.../9.../10... 2: 9S 10S").to_json()
    question = {"trump": "H", "hand": ["7S"], "trick": ["9S", "10S"]}
    assert asked == {"profile": "bela-4", "op": "legal-cards", "input": question}
    own = belot.Deal.from_json(asked)
    assert str(own) == "profile bela-4 leader 0 hand 7... trump H 0: 9S 10S"
    assert own.to_json() == asked


def test_a_deal_that_is_told_by_its_tricks_is_one() -> None:
    tricks = [{"leader": 0, "cards": ["7S", "8S", "9S", "10S"]}, {"leader": 3, "cards": ["JS", "QS", "KS", "AS"]}]
    question = {"dealer": 3, "taker": 0, "trump": "H", "tricks": tricks}
    told: dict[str, Any] = {"profile": "bela-4", "input": question, "result": {"score": [1, 2]}, "match": "4"}
    deal = belot.Deal.from_json(told)
    assert str(deal) == "profile bela-4 match 4 dealer 3 taker 0 trump H 0: 7S 8S 9S 10S 3: JS QS KS AS score 1/2"
    assert belot.Deal.parse(str(deal)).to_json() == told
    short = {"leader": 3, "cards": ["JS", "QS"]}
    with pytest.raises(belot.BadQuestionError, match="every trick but the last"):
        belot.Deal.from_json({**told, "input": {**question, "tricks": [tricks[0], short, tricks[1]]}})


def test_what_is_no_deal_in_json_is_refused_and_an_action_that_is_none_not_written() -> None:
    for data, message in (
        (None, "a deal in JSON is a mapping"),
        ({"input": {"dealer": 3}}, "the input of replay is not right"),
        ({"op": "match", "input": {}}, "one of replay, perft, legal-cards can be written as text, not 'match'"),
    ):
        with pytest.raises(belot.BadQuestionError, match=message):
            belot.Deal.from_json(data)  # type: ignore[arg-type]
    for action in (belot.Action(seat=0), belot.Action(seat=0, bid="x y"), belot.Action(seat=0, bid="H", play="7S")):
        with pytest.raises(belot.BadQuestionError, match="no action that can be written"):
            str(belot.Deal("bela-4", {"dealer": 3, "hands": (("7S",), ("8S",), ("9S",), ("10S",))}, (action,)))


@pytest.mark.parametrize(("text", "kind", "message"), [
    (f"{SHORT}\n0: H\n0: 8S", belot.Refusal, r"^3:4: card-not-held: seat 0: play 8S: seat 0 holds 7S\. "),
    (f"{SHORT}\n1: H", belot.Refusal, r"^2:4: not-your-turn: seat 1: bid H: it is the turn of seat 0 to bid\. "),
    (f"{SHORT}\n0: N", belot.BadQuestionError, r"^2:4: .*\bN\b"),
    ("profile bela-4 dealer 3 hands 7.../8...", belot.NotationError, r"^1:25: hands: one list per seat, 4 in bela-4$"),
    ("profile bela-4 dealer 3 deck 7S8S", belot.NotationError, r"^1:25: deck: every card of bela-4 once; "),
    (f"profile belotten dealer 3 deck {''.join(CARD_NAMES)} cut 0", belot.Refusal, "^1:18: bad-cut: cut 0: "),
    (f"{SHORT}\n0: H\n0: 7S 8S 9S 10S\n{SHORT}", belot.NotationError, "^4:16: dealer: seat 0 deals, not seat 3$"),
    (f"{SHORT}\n{SHORT}", belot.NotationError, "^2:16: the deal before it has not ended"),
    ("dealer 3 hands 7.../8.../9.../10...", belot.NotationError, "^1:1: a game names the rules"),
    ("profile bela-4 leader 0 trump H hands 7.../8.../9.../10...", belot.NotationError, "^1:16: a game is deals"),
    ("profile bela-4 dealer 0 taker 1 trump H 1: 7S 8S 9S 10S", belot.NotationError, "from the first cards of a deal on"),
    (f"{SHORT} announcing automatic", belot.NotationError, "from the first cards of a deal on"),
])  # fmt: skip
def test_a_game_says_where_in_the_text_something_is_refused(text: str, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        belot.Game.from_text(text)


def test_every_sentence_about_a_text_that_is_wrong_fills_in_the_same_in_all_languages() -> None:
    assert not sentences.NOTATION.keys() & sentences.REFUSED.keys()
    for table in (sentences.NOTATION, sentences.REFUSED, sentences.REASONS):
        for name, text in table.items():
            told = [text.only(language) for language in LANGUAGES]
            assert all(map(str.strip, told)), name
            assert len({tuple(sorted(re.findall(r"{\w+}", one))) for one in told}) == 1, name
