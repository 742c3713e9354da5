"""The steps of a score: each adds up from the one before, for made, fallen and tied contracts alike."""

from random import Random

from belot_reference.compile import Ruleset, ruleset_named
from belot_reference.contract import DealContract
from belot_reference.scoring import Settlement, Tally, settle
from belot_reference.sheet import reckoning
from belot_spec.spec import Spec

KINDS = ("cards", "declarations", "belote")


def told(
    rules: Ruleset, tallies: list[Tally], mode: int = 0, raised: int = 1
) -> tuple[Settlement, dict[str, list[int | str]]]:
    contract = DealContract(0, rules.modes[mode], raised=raised, bid=100 if rules.has_amounts else None)
    settled = settle(rules, contract, tallies)
    return settled, {row.what: [*row.figures] for row in reckoning(rules, contract, tallies, settled)}


def drawn(rules: Ruleset, random: Random) -> list[Tally]:
    tricks = [random.choice([0, 2, 3]) for _ in range(rules.side_count)]
    tricks[0] = tricks[0] or 1
    cards = random.choice([162, 81, random.randrange(163)])
    return [
        Tally(cards if won else 0, won, random.choice([0, 0, 20, 50]), random.choice([0, 0, 20]))
        for won in tricks
    ]  # fmt: skip


def test_a_doubled_deal_at_no_trumps_is_shown_to_count_its_cards_twice_and_then_twice_again() -> None:
    """By hand: 70 and 60 are 140 and 120; the taker makes it, and writes the 260 of both, which is 26, doubled."""
    _, rows = told(ruleset_named("bulgarian-belot"), [Tally(70, 4), Tally(60, 4)], mode=4, raised=2)
    assert rows == {
        "cards": [70, 60], "cards-multiplied": [140, 120], "declarations": [0, 0], "belote": [0, 0],
        "counted": [140, 120], "points": [260, 0], "rounded": [26, 0], "raised": ["× 2", "× 2"], "written": ["52", "0"],
    }  # fmt: skip


def test_every_step_follows_from_the_one_before_in_every_variant(spec: Spec) -> None:
    random, outcomes = Random(1), set[str]()
    for variant in spec.nameable():
        rules = ruleset_named(variant)
        for _ in range(60):
            tallies = drawn(rules, random)
            raised = random.choice([1, 1, *rules.value_or("bidding.raises", [])])
            settled, rows = told(rules, tallies, random.randrange(len(rules.modes)), raised)
            outcomes.add(settled.outcome)
            # Where belote is no call there is no row of it.
            rows.setdefault("belote", [0] * rules.side_count)
            gained = rows.get("all-or-none", [0] * rules.side_count)
            rows["cards"] = rows.get("cards-multiplied", rows["cards"])
            towards = [rows[kind] for kind in rules.value("scoring.contract-counts")]
            assert [sum(map(int, side)) for side in zip(gained, *towards, strict=True)] == rows["counted"]
            # What is written adds up as it stands, line by line.
            then = [rows[what] for what in rows if what == "bid" or what.startswith(("written-", "after-fall-"))]
            if raised == 1 and settled.outcome == "fell" and min(tally.tricks for tally in tallies):
                then = then or [rows[kind] for kind in KINDS]
            if then:
                assert [sum(map(int, side)) for side in zip(*then, strict=True)] == rows["points"], (variant, rows)
            if raised > 1:
                assert rows["raised"] == [f"× {raised}"] * rules.side_count
            elif settled.outcome != "fell":
                assert not any(what.startswith("after-fall-") for what in rows)
            assert rows["written"] == [*settled.written]
    assert outcomes == {"made", "fell", "tied"}
