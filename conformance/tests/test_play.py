"""The command ``belot play``: a deal that replays, and that says why each choice was forced."""

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.logs.played import Play, PlayedDeal, count_rows, deciding_rules, play_random_deal
from belot_reference.cards import ONLY, names_of
from belot_reference.operations import answer
from belot_spec.languages import Language
from belot_spec.spec import Spec
from belot_spec.wording import sentence
from suite_testing import flat, house_rules, in_both_languages, of_each_variant, ruleset, run


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
def test_a_deal_replays_to_the_count_that_is_told_and_says_where_a_choice_was_forced(variant: str) -> None:
    asked = json.loads(run("play", "--profile", variant, "--seed", "5", "--format", "json").stdout)
    assert asked == json.loads(json.dumps(deal_of(variant, 5).question))
    for deal in (deal_of(variant, seed) for seed in range(3, 8)):
        result = answer("replay", ruleset(variant), deal.question).result
        assert result is not None
        assert result["ended"] == "played"
        assert [trick.winner for trick in deal.tricks] == [trick["winner"] for trick in result["tricks"]]
        told = {row.what: list(row.figures) for row in count_rows(deal)}
        # Where a double counts what is rounded the points are told before both.
        if "raised" in [*told][[*told].index("points") :]:
            told["points"] = [points * int(str(told["raised"][0]).removeprefix("× ")) for points in told["points"]]
        assert all(told[name] == result[name] for name in ("cards", "declarations", "counted", "points"))
        for trick in deal.tricks:
            table: list[str] = []
            for play in trick.plays:
                asked = {"trump": deal.contract.mode.name, "hand": names_of(play.hand), "trick": table}
                reply = answer("legal-cards", ruleset(variant), asked)
                assert reply.result is not None
                assert sorted(reply.result["cards"]) == sorted(names_of(play.legal))
                assert bool(play.forced_by) == (play.legal != play.hand)
                table = [*table, *names_of(ONLY[play.card])]


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


def test_the_page_fits_the_terminal_and_has_dutch_ranks(tmp_path: Path) -> None:
    house = str(house_rules(tmp_path, {"match.target": 51}, "belotten"))
    english, dutch = page_of(house, 1, columns=60), page_of(house, 1, "nl", columns=60)
    assert "our-table" in english
    assert all(len(line) <= 60 for line in (english + dutch).splitlines())
    assert re.search(r"\b[JQK][♠♥♦♣]", english)
    assert not re.search(r"\b[JQK][♠♥♦♣]", dutch)
    assert re.search(r"\b[BVH][♠♥♦♣]", dutch)
    assert page_of("belotten", 3) == page_of("belotten", 3) != page_of("belotten", 4)


def plays_of(deal: PlayedDeal) -> list[Play]:
    return [play for trick in deal.tricks for play in trick.plays]


SOMETHING: dict[str, tuple[str, Callable[[PlayedDeal], Any], Sequence[str]]] = {
    "the seven is exchanged": ("bela-2", lambda deal: deal.exchanged_by is not None, ["exchanges 7", "deal.seven-exchange: "]),
    "cards that are turned make declarations": ("open-belot", lambda deal: any(play.made for play in plays_of(deal)), ["makes a ", "turns "]),
    "declarations are announced and shown": ("belotten", lambda deal: any(play.shown for play in plays_of(deal)), ["announces ", "shows ", "The best declaration is player "]),
    "belote is said twice": ("denderbelot", lambda deal: any(play.belote == 2 for play in plays_of(deal)), ["says belote", "says rebelote"]),
    "a queen waits for the king": ("denderbelot", lambda deal: any("declarations.belote.order" in play.forced_by for play in plays_of(deal)), ["declarations.belote.order: While a player holds both king and queen of trump"]),
    "made": ("belotten", lambda deal: deal.count.settlement.outcome == "made", ["and made it."]),
    "fell": ("belotten", lambda deal: deal.count.settlement.outcome == "fell", ["and fell."]),
    "tied": ("belotten", lambda deal: deal.count.settlement.outcome == "tied", ["are held.", "Held for a later deal: "]),
    "all tricks": ("belote", lambda deal: len({ruleset("belote").side_of[trick.winner] for trick in deal.tricks}) == 1, ["scoring.all-tricks.points: "]),
    "dealt again": ("belotten", lambda deal: deal.shuffles > 1, ["This is shuffle "]),
    "who may not pass": ("bela-4", lambda deal: any(bid.forced_by for bid in deal.bids), ["bidding.must-name: If everyone else passes"]),
    "two cards are laid away": ("bela-3", lambda deal: deal.discarded.bit_count() == 2, ["lays away", "deal.taker-discards: "]),
}  # fmt: skip


@pytest.mark.parametrize("what", SOMETHING)
def test_what_happens_in_a_deal_is_told(what: str) -> None:
    profile, happens, told = SOMETHING[what]
    page = flat(page_of(profile, first_deal(profile, happens).seed))
    assert [one for one in told if one not in page] == []
