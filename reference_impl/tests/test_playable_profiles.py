"""House rules that nobody could play by are refused with the reason; house rules that one can play by are executed."""

from collections.abc import Callable
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from belot_reference.compile import Ruleset, compile_profile
from belot_spec.errors import SpecError, UnknownNameError, UnplayableError
from belot_spec.load.spec import load_spec
from belot_spec.shipped import open_profile
from belot_spec.spec import Spec

House = Callable[[str, dict[str, Any]], Ruleset]


@pytest.mark.parametrize(("base", "values", "message"), [
    ("belotten", {"deal.packets-after-bidding": [4]}, "give 4 players 9 cards each, and the deck has 32"),
    ("bela-4", {"deal.sides": "everyone-alone"}, "everyone-alone, which takes two or three players and not 4"),
    ("bela-4", {"bidding.rounds": ["turn-up-suit"]}, "deal.turn-up turns no card up"),
    ("bela-3", {"deal.taker-discards": 1}, "deal.taker-discards is 1, and 2 cards are left over"),
    ("bela-2", {"deal.packets-after-bidding": [8, 2]}, "no card is left over to turn up"),
    ("open-belot", {"deal.packets-before-bidding": [4, 8, 4]}, "takes an even number of packets"),
    ("belotten", {"deal.packets-before-bidding": [3, 5], "deal.packets-after-bidding": []}, "no cards are dealt after"),
    ("bela-4", {"deal.packets-before-bidding": [], "deal.packets-after-bidding": []}, "deal no cards"),
    ("denderbelot", {"deal.cut-minimum": 16, "deck.removed-cards": ["7S", "8S"]}, "two packets of 16"),
    ("bela-4", {"bidding.first-bidder": "dealer"}, "must-name is dealer, who speaks first"),
    ("bela-4", {"declarations.compared-by": ["class", "square-first"]}, "needs square-first before class"),
    ("denderbelot", {"declarations.compared-together": "apart"}, "has no one winner to wait for"),
    ("bela-4", {"declarations.sequence-classes": [[3], [4], [5, 6, 7]]}, "must rank each of 3, 4, 5, 6, 7, 8 once"),
    ("belote", {"declarations.square-classes": [["K"], ["A", "K"]]}, "must rank each of"),
    ("denderbelot-3", {"deck.removed-cards": ["7S", "9C"]}, "leaves out 9C, so penalties.fault cannot count"),
    ("bela-3", {"deal.turn-up": "out-of-play", "deal.seven-exchange": "none"}, "the taker takes up what is left over"),
    ("belote", {"play.void.opponent-ruffed": ["any", "trump"]}, "has trump after any, which leaves a card"),
    ("belote", {"play.follow.ruffed": ["led_suit", "any"]}, "has any after led_suit, which leaves a card"),
    ("bulgarian-belot", {"bidding.rounds": ["any-suit", "auction"]}, "until all have passed, and any-suit beside it"),
    ("bulgarian-belot", {"bidding.rounds": ["auction", "auction"]}, "and a second one beside it"),
    ("bulgarian-belot", {"deal.sides": "everyone-alone"}, "is an auction, which takes two pairs"),
    ("bulgarian-belot", {"deal.turn-up": "to-taker"}, "deal.turn-up is to-taker: nobody bids for that card"),
    ("bulgarian-belot", {"bidding.modes": [["C", "D"], ["N", "C"]]}, "must rank each bid once, and has C twice"),
    ("bulgarian-belot", {"bidding.raises": [4, 2]}, "bidding.raises must grow"),
])  # fmt: skip
def test_rules_that_do_not_fit_are_refused(house: House, base: str, values: dict[str, Any], message: str) -> None:
    with pytest.raises(UnplayableError, match="house cannot be played") as refused:
        house(base, values)
    assert message in str(refused.value)


def test_house_rules_in_a_file_are_refused_at_the_line_that_does_not_fit(spec: Spec, tmp_path: Path) -> None:
    file = tmp_path / "house.yaml"
    file.write_text("id: house\nbase: belotten\nrules:\n  deal.packets-before-bidding: {value: [3, 3]}\n", "utf-8")
    with pytest.raises(SpecError) as refused:
        open_profile(str(file), spec)
    (problem,) = refused.value.problems
    assert (problem.line, problem.key) == (4, "rules.deal.packets-before-bidding")
    assert "give 4 players 9 cards each, and the deck has 32" in problem.message


@pytest.mark.parametrize(("variant", "right", "wrong", "key"), [
    ("belotten", "deal.packets-before-bidding: {value: [3, 2]", "deal.packets-before-bidding: {value: [3, 3]",
     "rules.deal.packets-before-bidding"),
    ("belote", "play.void.opponent-ruffed: {value: [higher_trump, any]", "play.void.opponent-ruffed: {value: [any, trump]",
     "options.no-undertrump.rules.play.void.opponent-ruffed"),
])  # fmt: skip
def test_a_spec_with_a_variant_or_option_that_nobody_can_play_is_refused(
    spec: Spec, tmp_path: Path, variant: str, right: str, wrong: str, key: str
) -> None:
    folder = tmp_path / "spec"
    copytree(spec.folder, folder)
    file = folder / "variants" / f"{variant}.yaml"
    assert right in file.read_text("utf-8")
    file.write_text(file.read_text("utf-8").replace(right, wrong), "utf-8")
    with pytest.raises(SpecError) as refused:
        load_spec(folder)
    assert {(problem.file.name, problem.key) for problem in refused.value.problems} == {(file.name, key)}


def test_options_that_do_not_go_together_are_refused_by_name(spec: Spec) -> None:
    """Each pair of options is either a table to play at or refused, and then before anything is compiled."""
    for variant in spec.nameable():
        for one, other in combinations(sorted(spec.options_of(variant)), 2):
            with suppress(UnplayableError, UnknownNameError):
                profile = spec.profile(f"{variant}+{one}+{other}")
                assert compile_profile(profile).profile is profile


def test_rules_that_nothing_asks_for_are_left_out(house: House, spec: Spec) -> None:
    """Without a comparison there is no tie and nothing is held; where only belote is played, nothing is declared."""
    for needs in ("at-least-half", 81):
        settings = house("denderbelot-3", {"scoring.contract-needs": needs}).profile.settings
        assert not {"scoring.tie", "scoring.contract-against", "scoring.held-points"} & settings.keys()
    before = spec.profile("belote").settings
    left = {rule for rule in spec.profile("belote+tournament").settings if rule.startswith("declarations.")}
    assert left == {"declarations.played", *(rule for rule in before if rule.startswith("declarations.belote."))}
