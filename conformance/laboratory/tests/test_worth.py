"""What a change is worth: found again only where that is needed, ranked, and read back as long as it holds."""

import json
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.changes.diff_page import worth_sentence
from belot_conformance.mistakes.mutations import compile_changed, other_values
from belot_reference.compile import compile_profile
from belot_spec.errors import SpecError
from belot_spec.load import worth
from belot_spec.shipped import default_spec
from belot_workshop.impact.comparison import ENOUGH, SimulationSetup, Sums, rulesets_of, units
from belot_workshop.impact.simulation import table_of
from process_testing import NEEDS_FAST, Lazily
from suite_testing import Belot

pytestmark = NEEDS_FAST
kernel, worth_changes = Lazily("belot_workshop.impact.kernel"), Lazily("belot_workshop.impact.worth")
measuring = Lazily("belot_workshop.impact.worth")
SPEC = default_spec()
# What is measured is played by the kernel; a new variant is not measured yet.
VARIANTS = sorted(path.stem for path in (SPEC.folder / "worth").glob("*.json"))
BY_ENGINE = {"klaverjas-amsterdams", "klaverjas-rotterdams"}


def test_options_and_other_values_of_every_kind_are_changes() -> None:
    asked = {"scoring.tie", "match.target", "deck.removed-cards", "deck.sequence-order", "scoring.trump-points"}
    changes = worth_changes.changes_of("bela-2", {*asked, "deal.cut-minimum", "penalties.fault"})
    options = {one.option for one in changes.noticed}
    values = {one.rule: one.value for one in changes.noticed}
    silent = {name for name in changes.unnoticed if name.startswith("+")}
    assert {f"+{option}" for option in options if option} | silent == {f"+{one}" for one in SPEC.options_of("bela-2")}
    kinds = {type(value) for value in values.values()}
    assert kinds >= {str, int, list, dict}
    assert asked - set(values) == set(changes.uncompared) == {"deck.removed-cards"}
    assert set(changes.unnoticed) - silent == {"deal.cut-minimum", "penalties.fault"}


def test_a_rule_that_is_left_out_is_one_that_no_table_hangs_on() -> None:
    base = SPEC.profile("belotten")
    old = compile_profile(base)
    for rule in base.settings:
        if not worth.is_seen(rule):
            for value in other_values(SPEC.rules[rule], base, SPEC):
                assert worth_changes.plays_the_same(old, compile_changed(base, {rule: value}, SPEC)), (rule, value)


def test_values_of_another_unit_are_left_out_and_named() -> None:
    changes = worth_changes.changes_of("belotten", {"match.target", "scoring.plain-points", "scoring.sheet-unit"})
    left_out = {rule: [one.value for one in changes.left_out[worth.UNIT] if one.rule == rule] for rule in SPEC.rules}
    assert {301, 501, 1001} <= {*left_out["match.target"]}, "card points, where belotten counts tens of them"
    assert 200 in left_out["match.target"], "half points"
    assert left_out["scoring.sheet-unit"] == [1, 5]
    assert [points["A"] for points in left_out["scoring.plain-points"]] == [110]
    noticed = [one.value for one in changes.noticed if one.rule == "match.target"]
    assert 101 in noticed, "denderbelot counts tens as well"
    assert "half-points" in {one.option for one in changes.noticed}


def test_what_gives_the_players_other_hands_is_left_out_and_named() -> None:
    changes = worth_changes.changes_of("bela-2", {"deal.packets-before-bidding", "deal.turn-up", "play.first-leader"})
    assert {one.rule for one in changes.left_out[worth.HANDS]} == {"deal.packets-before-bidding", "deal.turn-up"}
    assert {one.rule for one in changes.noticed if one.rule} == {"play.first-leader"}
    assert changes.uncompared == []


def test_what_the_kernel_has_no_room_for_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is room for every bidding of the rules, so the kernel is given less here."""
    monkeypatch.setattr("belot_workshop.impact.worth._drawn", lambda *_: [["any-suit"], ["turn-up-suit"] * 4])
    monkeypatch.setattr("belot_kernel.layout.STATES", 60)
    changes = worth_changes.changes_of("belotten", {"bidding.rounds"})
    assert [one.value for one in changes.left_out[worth.KERNEL]] == [["turn-up-suit"] * 4]
    assert [one.value for one in changes.noticed if one.rule] == [["any-suit"]]


def test_what_the_kernel_does_not_play_the_engine_does() -> None:
    changes = worth_changes.changes_of("klaverjas-amsterdams", {"deal.cut-minimum", "deal.first-dealt", "scoring.tie"})
    assert {one.option for one in changes.noticed if one.option} == SPEC.options_of("klaverjas-amsterdams").keys()
    assert {one.rule for one in changes.noticed if one.rule} == {"scoring.tie"}
    assert {one.rule for one in changes.left_out[worth.HANDS]} == {"deal.first-dealt"}
    assert changes.unnoticed == ["deal.cut-minimum"]
    found = measuring.measured(1, 20, (changes.noticed[0], "sensible"))
    assert found["simulated"] == 32  # whole matches of sixteen deals


def test_fewer_deals_give_the_figures_that_are_kept_within_their_intervals() -> None:
    deals, inside = 4000, []
    for kept in (worth.variant_worth(SPEC, variant) for variant in VARIANTS if variant not in BY_ENGINE):
        for one in kept.changes[::12]:
            change = worth_changes.MeasurableChange(
                variant=kept.variant, option=one.option, rule=one.rule, value=one.value, also=one.also
            )
            for player in worth.PLAYERS:
                found, wanted = measuring.measured(kept.seed, deals, (change, player)), one.players[player]
                assert deals <= found["simulated"] < wanted.simulated
                # The mean of what hardly ever changes has no interval that could be trusted.
                means = ["taker"] if found["deals"][0] * deals >= ENOUGH else []
                for name in ("decisions", "deals", "matches", *means):
                    _, low, high = found[name]
                    inside.append(low <= getattr(wanted, name).value <= high)
    assert len(inside) > 500
    assert inside.count(False) <= len(inside) / 20, "the intervals are those of 95 in 100"


@pytest.mark.parametrize(("variant", "option"), [("belote", "no-undertrump"), ("belotten", "half-points")])
def test_a_figure_is_what_the_engine_counts(variant: str, option: str) -> None:
    change = worth_changes.MeasurableChange(variant=variant, option=option)
    setting = SimulationSetup(variant, f"{variant}+{option}", "sensible", 2)
    table = table_of(setting)
    sums = sum((table.play_match(match) for match in range(3)), Sums())
    assert measuring.measured(2, sums.deals, (change, "sensible")) == measuring.figure(
        sums, units(*rulesets_of(setting))[0]
    )


def test_only_what_is_not_known_is_played(tmp_path: Path) -> None:
    path, asked = tmp_path / "bela-2.json", []

    def work(one: Callable[[Any], Any], these: Iterable[Any]) -> Generator[Any, None, None]:
        for this in these:
            asked.append(this)
            yield one(this)

    changes = worth_changes.changes_of("bela-2", ())
    entries = measuring.Measuring(path, SPEC, changes, 1, 20).measure(work, lambda _: None)
    assert asked == [(change, player) for change in changes.noticed for player in worth.PLAYERS]
    assert json.loads(path.read_text(encoding="utf-8"))["changes"] == entries
    assert measuring.Measuring(path, SPEC, changes, 1, 20).measure(work, lambda _: None) == entries
    assert len(asked) == 2 * len(changes.noticed)
    for seed, deals in ((2, 20), (1, 99)):
        assert len(measuring.Measuring(path, SPEC, changes, seed, deals).missing()) == len(asked)


def test_what_was_found_before_an_interrupt_is_kept(tmp_path: Path) -> None:
    path, changes = tmp_path / "bela-2.json", worth_changes.changes_of("bela-2", ())

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measuring.Measuring(path, SPEC, changes, 1, 20).measure(measuring.by_processes(1), interrupt)
    assert len(measuring.Measuring(path, SPEC, changes, 1, 20).missing()) == 2 * len(changes.noticed) - 1


def test_threads_of_one_machine_do_not_play_in_each_others_room() -> None:
    setting = SimulationSetup("belote", "belote+no-undertrump", "random", 4)
    alone = kernel.MatchKernel(*rulesets_of(setting), setting.player, setting.seed)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(partial(kernel.play_share, setting), range(8)))
    for share, played in enumerate(found):
        assert played.rows.tolist() == alone.play(share * kernel.AT_ONCE, kernel.AT_ONCE).rows.tolist()


def test_the_command_ranks_what_matters_most_first(belot: Belot, tmp_path: Path) -> None:
    done = belot(
        "lab", "worth", str(tmp_path), "--profile", "bela-4", "--deals", "300", "--options-only", "--jobs", "1"
    )
    assert done.returncode == 0, done.stderr
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    read = worth.read_worth(tmp_path / "bela-4.json", SPEC)
    first = next(line for line in done.stdout.splitlines() if line.startswith("1 "))
    assert read.ranking(worth.PLAYERS[0], played=True)[0].name in first
    for player in worth.PLAYERS:
        shares = [one.share(player) for one in read.ranking(player)]
        assert shares == sorted(shares, reverse=True)
        assert shares[0] > 0


def test_what_only_decides_when_a_match_ends_is_told_by_matches() -> None:
    target = worth.variant_worth(SPEC, "bela-4").of_value("match.target", 501)
    tie = worth.variant_worth(SPEC, "bela-4").of_value("scoring.tie", "taker-held")
    assert target is not None
    assert tie is not None
    matches = target.players["sensible"].matches
    assert matches is not None
    assert f"another side wins {100 * matches.value:.2f} " in worth_sentence(target)
    assert f"of 100 simulated deals {100 * tie.share():.2f} " in worth_sentence(tie)


def test_figures_of_other_rules_are_stale_and_told(tmp_path: Path) -> None:
    source = SPEC.folder / "worth" / "belotten.json"
    data = json.loads(source.read_text(encoding="utf-8"))
    # A rule that came since, of which the variant plays the default.
    del data["rules"]["bidding.first-bidder"]
    option = next(entry for entry in data["changes"] if "option" in entry)
    option["rules"] = "0" * 16
    folder = tmp_path / "worth"
    folder.mkdir()
    (folder / "belotten.json").write_text(json.dumps(data), encoding="utf-8")
    spec = replace(SPEC, folder=tmp_path)
    assert worth.stale_worth(spec) == {"belotten": [f"+{option['option']}"]}
    kept = worth.read_worth(folder / "belotten.json", spec)
    assert option["option"] not in {one.option for one in kept.fresh()}
    assert kept.of_value("scoring.tie", "taker-falls") is not None
    data["rules"]["scoring.tie"] = "taker-falls"
    (folder / "belotten.json").write_text(json.dumps(data), encoding="utf-8")
    assert len(worth.stale_worth(spec)["belotten"]) == len(data["changes"])
    assert worth.read_worth(folder / "belotten.json", spec).ranking() == []


@pytest.mark.parametrize(("entry", "told"), [
    ({"option": "half-point", "rules": "0" * 16}, "belotten has no option half-point; did you mean half-points"),
    ({"rule": "scoring.ties", "value": 1}, "there is no rule scoring.ties; did you mean scoring.tie"),
    ({"rule": "scoring.tie"}, "changes"),
])  # fmt: skip
def test_figures_of_what_there_is_not_are_a_fault(tmp_path: Path, entry: dict[str, Any], told: str) -> None:
    path = tmp_path / "belotten.json"
    head = {"version": 2, "variant": "belotten", "edition": 1, "rules": {}, "seed": 1}
    left_out: dict[str, list[Any]] = {why: [] for why in worth.REASONS}
    data = {**head, "unnoticed": [], "uncompared": [], "left_out": left_out, "changes": [entry]}
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(SpecError, match=told):
        worth.read_worth(path, SPEC)
