"""The command ``belot play``: a deal that replays, and that says why each choice was forced."""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.logs.played import PlayedDeal, count_rows, deciding_rules, play_random_deal
from belot_reference.cards import ONLY, Card, names_of
from belot_reference.operations import answer
from belot_spec.languages import Language
from belot_spec.spec import Spec
from belot_spec.wording import sentence
from suite_testing import flat, house_rules, in_both_languages, of_each_variant, ruleset, run

SEEDS = range(25)


def page_of(profile: str, seed: int, language: Language = "en", columns: int = 80) -> str:
    done = run("play", "--profile", profile, "--seed", str(seed), "--lang", language, columns=columns)
    assert done.exit_code == 0, done.output
    return done.stdout


@cache
def deal_of(profile: str, seed: int) -> PlayedDeal:
    return play_random_deal(ruleset(profile), seed)


def first_deal(profile: str, wanted: Callable[[PlayedDeal], bool], seeds: int = 400) -> PlayedDeal:
    return next(deal_of(profile, seed) for seed in range(seeds) if wanted(deal_of(profile, seed)))


@of_each_variant
def test_the_json_is_what_replay_accepts(variant: str) -> None:
    done = run("play", "--profile", variant, "--seed", "5", "--format", "json")
    assert done.exit_code == 0, done.output
    reply = answer("replay", ruleset(variant), json.loads(done.stdout))
    assert reply.result is not None
    assert reply.result["ended"] == "played"


@of_each_variant
def test_every_seed_replays_to_the_count_that_is_told(variant: str) -> None:
    for seed in SEEDS:
        deal = deal_of(variant, seed)
        result = answer("replay", ruleset(variant), deal.question).result
        assert result is not None
        assert result["ended"] == "played"
        assert [trick.winner for trick in deal.tricks] == [trick["winner"] for trick in result["tricks"]]
        told = {row.what: list(row.figures) for row in count_rows(deal)}
        assert told["cards"] == result["cards"]
        assert told["declarations"] == result["declarations"]
        assert told["counted"] == result["counted"]
        assert told["points"] == result["points"]


@of_each_variant
def test_a_choice_is_forced_exactly_where_the_engine_allows_fewer_cards(variant: str) -> None:
    for seed in SEEDS:
        deal = deal_of(variant, seed)
        for trick in deal.tricks:
            table: list[Card] = []
            for play in trick.plays:
                question = {
                    "trump": deal.contract.mode.name,
                    "hand": names_of(play.hand),
                    "trick": names_in_order(table),
                }
                reply = answer("legal-cards", ruleset(variant), question)
                assert reply.result is not None
                assert sorted(reply.result["cards"]) == sorted(names_of(play.legal))
                assert bool(play.forced_by) == (play.legal != play.hand)
                assert set(play.forced_by) <= ruleset(variant).profile.settings.keys()
                table.append(play.card)


def names_in_order(cards: list[Card]) -> list[str]:
    return [name for card in cards for name in names_of(ONLY[card])]


@in_both_languages
@of_each_variant
def test_the_page_tells_every_card_and_every_forced_choice(spec: Spec, variant: str, language: Language) -> None:
    page = page_of(variant, 5, language)
    assert all(len(line) <= 80 for line in page.splitlines())
    assert not any(line.endswith(" ") for line in page.splitlines())
    deal = deal_of(variant, 5)
    blocks = re.split(r"\n(?=Trick \d|Slag \d)", page)[1:]
    assert len(blocks) == len(deal.tricks)
    for trick, block in zip(deal.tricks, blocks, strict=True):
        told = flat(block)
        assert len(re.findall(r"^  (?:player|speler) \d  \S+[♠♥♦♣]", block, re.MULTILINE)) == len(trick.plays)
        for rule in {rule for play in trick.plays for rule in play.forced_by}:
            profile = spec.profile(variant)
            said = sentence(spec.rules[rule], profile.value(rule), language, spec.glossary, profile.settings)
            assert f"{rule}: {flat(said)}" in told
        for play in trick.plays:
            assert told.count(f"({', '.join(play.forced_by)})") >= bool(play.forced_by)
    for rule in deciding_rules(deal):
        assert f"{rule}: " in page


@of_each_variant
def test_the_same_seed_gives_the_same_page_and_another_seed_another(variant: str) -> None:
    assert page_of(variant, 3) == page_of(variant, 3)
    assert page_of(variant, 3) != page_of(variant, 4)


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_the_page_fits_the_terminal(columns: int) -> None:
    for variant in ("bela-4", "belotten", "open-belot"):
        assert all(len(line) <= columns for line in page_of(variant, 1, columns=columns).splitlines())


def test_dutch_pages_have_dutch_ranks() -> None:
    english, dutch = page_of("belotten", 1), page_of("belotten", 1, "nl")
    assert re.search(r"\b[JQK][♠♥♦♣]", english)
    assert not re.search(r"\b[JQK][♠♥♦♣]", dutch)
    assert re.search(r"\b[BVH][♠♥♦♣]", dutch)
    assert "B is boer, D is dame, H is heer" in flat(dutch)


def test_the_taker_of_three_lays_two_cards_away() -> None:
    deal = deal_of("bela-3", 1)
    assert deal.discarded.bit_count() == 2
    assert "lays away" in page_of("bela-3", 1)
    assert "deal.taker-discards: " in page_of("bela-3", 1)
    assert all(hand.bit_count() == 10 for hand in deal.hands)


def test_the_seven_of_trump_is_exchanged() -> None:
    deal = first_deal("bela-2", lambda deal: deal.exchanged_by is not None)
    page = page_of("bela-2", deal.seed)
    assert re.search(rf"Player {deal.exchanged_by} exchanges 7[♠♥♦♣] for ", page)
    assert "deal.seven-exchange: " in page


def test_open_piles_turn_cards_that_make_declarations() -> None:
    deal = first_deal("open-belot", lambda deal: any(play.made for trick in deal.tricks for play in trick.plays))
    page = page_of("open-belot", deal.seed)
    assert "makes a " in page
    assert len(deal.tricks) == 16
    assert page.count("; turns ") + page.count("  turns ") <= 16
    assert sum(play.turned is not None for trick in deal.tricks for play in trick.plays) == 16


def test_declarations_are_announced_and_shown() -> None:
    deal = first_deal("belotten", lambda deal: any(play.shown for trick in deal.tricks for play in trick.plays))
    page = page_of("belotten", deal.seed)
    assert "announces " in page
    assert "shows " in page
    assert f"The best declaration is player {deal.best_declaration}'s." in page


def test_belote_is_told_twice_where_it_is_said_twice() -> None:
    deal = first_deal(
        "denderbelot", lambda deal: any(play.belote == 2 for trick in deal.tricks for play in trick.plays)
    )
    assert "says belote" in flat(page_of("denderbelot", deal.seed))
    assert "says rebelote" in flat(page_of("denderbelot", deal.seed))
    assert "zegt rebelot" in flat(page_of("denderbelot", deal.seed, "nl"))


def test_a_queen_that_waits_for_the_king_is_explained() -> None:
    rule = "declarations.belote.order"
    deal = first_deal("denderbelot", lambda deal: any(rule in play.forced_by for t in deal.tricks for play in t.plays))
    assert f"{rule}: While a player holds both king and queen of trump" in flat(page_of("denderbelot", deal.seed))


@pytest.mark.parametrize("outcome", ["made", "fell", "tied"])
def test_every_outcome_is_told(outcome: str) -> None:
    deal = first_deal("belotten", lambda deal: deal.count.settlement.outcome == outcome)
    told = {"made": "and made it.", "fell": "and fell.", "tied": "are held."}[outcome]
    assert f"Player {deal.contract.taker} took" in page_of("belotten", deal.seed)
    assert told in page_of("belotten", deal.seed)
    assert ("Held for a later deal: " in page_of("belotten", deal.seed)) == (outcome == "tied")


def test_all_tricks_are_counted_in_a_line_of_their_own() -> None:
    deal = first_deal("belote", lambda deal: len({ruleset("belote").side_of[t.winner] for t in deal.tricks}) == 1)
    [row] = [row for row in count_rows(deal) if row.what == "all-or-none"]
    assert 100 in row.figures
    assert "scoring.all-tricks.points: " in page_of("belote", deal.seed)


def test_a_deal_that_nobody_takes_is_dealt_again() -> None:
    deal = first_deal("belotten", lambda deal: deal.shuffles > 1)
    assert f"This is shuffle {deal.shuffles}" in page_of("belotten", deal.seed)


def test_who_may_not_pass_is_explained() -> None:
    deal = first_deal("bela-4", lambda deal: any(bid.forced_by for bid in deal.bids))
    assert "bidding.must-name: If everyone else passes" in flat(page_of("bela-4", deal.seed))


def test_options_and_house_rules_can_be_played(tmp_path: Path) -> None:
    assert "belote+target-301" in page_of("belote+target-301", 1)
    house = house_rules(tmp_path, {"match.target": 51}, "belotten")
    assert "our-table" in page_of(str(house), 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--profile", "beloten"), "no variant beloten; did you mean belotten?"),
        (("--profile", "belote+target-31"), "did you mean target-301?"),
        (("--profile", "belote", "--seed", "x"), "'x' is not a valid integer"),
        (("--profile", "belote", "--lang", "de"), "'de' is not one of 'en', 'nl', 'fr'"),
        ((), "Missing option '--profile'"),
    ],
)
def test_wrong_usage_exits_with_2_and_one_clear_message(arguments: tuple[str, ...], message: str) -> None:
    done = run("play", *arguments)
    assert done.exit_code == 2
    assert message in flat(done.stderr)
    assert done.stdout == ""


def test_the_command_works_from_a_shell(belot: Callable[..., Any]) -> None:
    one, other = (belot("play", "--profile", "bela-4", "--seed", "7") for _ in range(2))
    assert one.returncode == 0, one.stderr
    assert one.stdout == other.stdout
    assert "♥" in one.stdout
