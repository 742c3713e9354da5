"""The kernel against the engine: every deal and every match the same to the last figure, whoever plays."""

from typing import Any

import pytest

from belot_reference import streams
from belot_reference.compile import compile_profile
from belot_reference.simulated import PLAYERS
from belot_spec.shipped import default_spec
from belot_workshop.impact import simulation
from belot_workshop.impact.comparison import SimulationSetup, Sums
from belot_workshop.impact.simulation import simulate, table_of, why_no_kernel
from process_testing import NEEDS_FAST, Lazily
from suite_testing import ruleset

pytestmark = NEEDS_FAST
layout, kernel = Lazily("belot_kernel.layout"), Lazily("belot_workshop.impact.kernel")
equality = Lazily("laboratory.kernel_bar")
SPEC = default_spec()
# The kernel leaves klaverjas to the engine.
VARIANTS = [one for one in SPEC.playable() if not SPEC.profile(one).plays("declarations.played", "in-trick")]
SEED = 20261122
# Two games that differ in bids, cards, declarations, counting, targets or units.
PAIRS = [
    ("belote", "belote+no-undertrump"),
    ("belotten", "belote"),
    ("bela-4", "bela-4+no-shared-cards"),
    ("bela-3", "bela-3+ties-ignore-trump"),
    ("denderbelot", "belotten"),
    ("open-belot", "open-belot"),
    ("bulgarian-belot", "belotten"),
    ("belotten", "bulgarian-belot"),
]
# What no variant and no option has.
HOUSE_RULES: list[tuple[str, dict[str, Any]]] = [
    ("belotten", {"declarations.announced": "automatic", "declarations.per-player": "best"}),
    ("belote", {"declarations.compared-together": "apart", "declarations.tie": "nobody"}),
    ("bela-4", {"match.claim": "enough-when-safe", "declarations.tie": "first-from-taker"}),
    ("denderbelot", {"scoring.rounding": "rest-to-taker", "scoring.contract-needs": "at-least-half"}),
    ("denderbelot-3", {"scoring.fall-worth": "all-cards-alone", "scoring.held-points": "latest-tie"}),
    ("bela-3", {"play.trick-winner": "highest-card-of-any-suit", "scoring.contract-needs": 82}),
    ("belote", {"declarations.played": "belote-only", "declarations.belote.calls": "automatic"}),
    ("belotten", {"scoring.sheet-unit": 5, "scoring.rounding": "half-down", "play.first-leader": "taker"}),
    ("bulgarian-belot", {"scoring.raised-kinds": ["cards", "belote"], "scoring.raised-tie": "split"}),
    ("bulgarian-belot", {"scoring.no-trump-all-tricks": "times-factor", "declarations.belote.calls": "both-cards"}),
    ("bulgarian-belot", {"bidding.modes": [["S", "H", "D", "C"], ["A", "N"]], "bidding.after-double": "closed"}),
    ("bulgarian-belot", {"bidding.raises": [2], "declarations.modes": ["no-trumps"], "match.while-held": "may-end"}),
    ("bulgarian-belot", {"scoring.tie": "each-keeps-own", "scoring.contract-judged": "after-rounding"}),
    ("bulgarian-belot", {"match.claim": "enough-when-safe", "match.target": 60}),
    (
        "bulgarian-belot",
        {"match.claim": "enough", "scoring.rounding": "half-up", "declarations.shared-cards": "allowed"},
    ),
    ("bulgarian-belot", {"declarations.belote.modes": ["suit"], "declarations.belote.order": "king-first"}),
    ("bulgarian-belot", {"declarations.belote.discarded": "counts", "scoring.contract-judged": "after-rounding"}),
]


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_deal_of_a_variant_is_the_engines_to_the_last_field(variant: str, player: str) -> None:
    deals, differing = equality.differing_deals(ruleset(variant), player, SEED, 100)
    assert deals >= 100
    assert list(differing) == []


@pytest.mark.parametrize(("variant", "values"), HOUSE_RULES, ids=lambda one: one if isinstance(one, str) else "")
def test_every_deal_by_house_rules_is_the_engines_too(variant: str, values: dict[str, Any]) -> None:
    rules = compile_profile(SPEC.profile(variant).with_values("house", values, SPEC.rules))
    assert layout.not_for_kernel(rules) is None
    for player in PLAYERS:
        assert list(equality.differing_deals(rules, player, SEED, 60)[1]) == []


@pytest.mark.parametrize("field", ["points", "last_trick", "first_seat", "run_points", "speaker", "belote_points"])
def test_a_planted_difference_in_a_table_is_noticed(field: str) -> None:
    rules = ruleset("belotten")
    record, _ = kernel.kernel_rules(rules)
    wrong = record[field].copy()
    record[field] = wrong[::-1] if wrong.ndim == 2 else wrong + 1 if wrong.ndim < 3 else wrong[:, ::-1]
    try:
        assert list(equality.differing_deals(rules, "sensible", SEED, 150)[1])
    finally:
        record[field] = wrong


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_matches_by_two_rulesets_give_the_engines_sums(old: str, new: str, player: str) -> None:
    table = table_of(SimulationSetup(old, new, player, 3))
    by_engine = sum((table.play_match(number) for number in range(6)), Sums())
    by_kernel = kernel.MatchKernel(ruleset(old), ruleset(new), player, 3).play(0, 6).until(10_000)
    assert by_kernel == by_engine


def test_the_first_matches_that_make_so_many_deals_count_and_no_others() -> None:
    played = kernel.MatchKernel(ruleset("belote"), ruleset("belotten"), "random", 5).play(0, 20)
    few = played.until(30)
    assert 30 <= few.deals < played.until(10_000).deals
    assert few == played.until(few.deals)
    assert sum(few.changes.values()) == few.taker.number


def test_the_kernel_changes_no_simulation(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    setting = SimulationSetup("belote", "belote+no-undertrump", "random", 9)
    monkeypatch.setattr(simulation, "WORTH_LOADING", 1)
    monkeypatch.setattr(simulation, "WORTH_COMPILING", 1)
    with_kernel = simulate(setting, 120, jobs=1)
    monkeypatch.setattr(simulation, "is_installed", lambda package: False)
    reason = why_no_kernel(setting)
    assert reason is not None
    assert reason.startswith("numba is not installed: pip install")
    assert simulate(setting, 120, jobs=1) == with_kernel
    said = " ".join(capsys.readouterr().err.split())
    assert "takes a hundred times as long: numba is not installed: pip install" in said


def test_what_the_kernel_has_no_room_for_is_left_to_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("belot_kernel.layout.STATES", 40)
    assert layout.not_for_kernel(ruleset("belotten")) == "it has room for 40 states of a bidding"
    assert simulate(SimulationSetup("belotten", "belotten", "sensible", 5), 4, jobs=1).sums.deals >= 4
    fives = SPEC.profile("coinche").with_values("house", {"bidding.amount-step": 5}, SPEC.rules)
    assert layout.not_for_kernel(compile_profile(fives)) == "it has room for 512 bids"


def test_numbers_of_a_deal_hang_on_their_place_alone() -> None:
    """Worked out once by hand from SplitMix64: whoever changes them changes every simulation."""
    assert streams.mixed(0x9E3779B97F4A7C15) == 0xE220A8397B1DCDAF
    one, other = streams.deal_stream(1, 2, 3), streams.deal_stream(1, 3, 2)
    assert one != other
    assert sorted(streams.shuffle_by(one, range(32))) == list(range(32))
    assert streams.shuffle_by(one, range(32)) != streams.shuffle_by(other, range(32))
    assert {streams.drawn_cut(streams.deal_stream(0, 0, deal), 32, 15) for deal in range(60)} == {15, 16, 17}
