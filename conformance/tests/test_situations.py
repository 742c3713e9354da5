"""The situations of each operation: that every suite asks about them, and what is said of those that are not found."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest

from belot_conformance.house_suite.planning import plan_run
from belot_conformance.house_suite.questions import table_case
from belot_conformance.mistakes.coded import KINDS, Asked, Kind
from belot_conformance.programs.reference import Reference
from belot_conformance.situations import covering
from belot_conformance.situations.covering import LEAST, Covering, case_coverings, situation_problems, situations_json
from belot_conformance.situations.features import Situation, lacking_in_cases, situations_at, situations_of
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.judge import fields_apart
from belot_conformance.suite.selection import Selection, applies, plan_for
from belot_conformance.suite.verdicts import Planned
from belot_spec.spec import Spec

# A table of house rules whose lowest bid is none that any variant has: no case about bidding there holds.
HOUSE: Final = """\
id: our-contree
base: contree
name: {en: Our contree, nl: Onze contree}
rules:
  bidding.lowest-amount: {value: 90}
  bidding.amount-step: {value: 5}
"""


def wrong_in(plan: list[Planned], reference: Reference, kind: Kind) -> int:
    """Return how many of the planned questions a wrong program answers wrongly."""
    found = 0
    for one in plan:
        right = one.case.expected[0].message
        came = kind.answer(Asked(one.case.operation, one.case.input, reference, one.profile, right))
        found += bool(fields_apart(one.case.operation, right, came))
    return found


def test_a_discard_that_outranks_the_winning_card_is_asked_about_in_the_games_with_an_auction(spec: Spec) -> None:
    reference, kind = Reference(), KINDS["discard-taken-for-winning"]
    for variant in ("contree", "coinche"):
        assert wrong_in(plan_for(load_cases(), variant, reference), reference, kind) >= LEAST


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("house") / "house.yaml"
    path.write_text(HOUSE, encoding="utf-8")
    return str(path)


def standing_as_number(asked: Asked) -> Mapping[str, Any] | None:
    """Answer 250 for a capot in what stands."""
    return {"result": {**asked.result, "bid": 250}} if asked.result.get("bid") == "capot" else None


@pytest.mark.long
def test_a_table_of_house_rules_is_asked_about_a_standing_capot(house: str) -> None:
    reference = Reference(extra_profiles=[house])
    planning = plan_run(Selection(profile=house), reference.hello(), reference, drawn=200)
    (found,) = planning.situations.values()
    for operation, one in found.items():
        assert all(number >= LEAST for each, number in one.counts.items() if "capot" in each.name), operation
    assert wrong_in([*planning.plan, *planning.drawn], reference, Kind("capot", ("bidding",), standing_as_number)) >= 1


def test_what_is_not_found_is_said_and_the_search_for_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Reference().ruleset("contree")
    never = next(one for one in situations_of("legal-cards") if one.name.startswith("there are no trumps"))
    monkeypatch.setattr(covering, "situations_at", lambda *_: (*situations_at(rules, "legal-cards"), never))
    found = Covering(rules, "legal-cards")
    questions = [*found.drawn()]
    assert 0 < len(questions) <= LEAST * len(found.counts)
    assert never in found.seldom
    said = situations_json("contree", {"legal-cards": found})["operations"]["legal-cards"]
    assert said["seldom"][never.name] == 0
    assert said["often"] == said["all"] - len(found.seldom)


def test_drawing_is_the_same_each_time_and_adds_nothing_where_nothing_lacks() -> None:
    rules = Reference().ruleset("belotten")
    first, second = ([*Covering(rules, "trick-winner").drawn()] for _ in range(2))
    assert first == second
    found = Covering(rules, "trick-winner")
    found.counts = dict.fromkeys(found.counts, LEAST)
    assert not [*found.drawn()]


@pytest.mark.parametrize(("profile", "cannot"), [
    ("bela-2", lambda one: "partner" in one.name),
    ("contree", lambda one: "no trumps" in one.name and "hand holds" not in one.name),
    ("belote", lambda one: "redoubled" in one.name or "capot" in one.name),
])  # fmt: skip
def test_nobody_looks_for_what_cannot_come_up(profile: str, cannot: Callable[[Situation], bool]) -> None:
    rules = Reference().ruleset(profile)
    for operation in ("legal-cards", "trick-winner", "bidding"):
        every, here = situations_of(operation), situations_at(rules, operation)
        assert not [
            one for one in here if cannot(one) and "not redoubled" not in one.name and "not winning" not in one.name
        ]
        assert len(here) < len(every)


@pytest.mark.long
def test_lint_finds_situations_that_cases_lack(spec: Spec) -> None:
    cases = [one for one in load_cases() if one.profile == "coinche" and not one.path.name.startswith("situations")]
    found = case_coverings(cases, spec)
    bidding = {variant: {"bidding": one["bidding"]} for variant, one in found.items()}
    said = [str(one) for one in situation_problems(bidding)]
    wanted = "bidding of coinche: 0 cases ask about the situation that the bidding goes on, capot"
    assert any(wanted in one for one in said)
    for variant, operation, name in lacking_in_cases():  # what is listed is not said
        assert not any(f"{operation} of {variant}: " in one and f" that {name}; " in one for one in said)


def test_a_case_does_not_hold_where_a_rule_that_it_rests_on_is_not_there() -> None:
    reference, title = Reference(), load_cases()[0].title
    asked = {"trump": "A", "cards": ["AS", "KD"]}  # coinche has card points of its own at all trumps
    case = table_case(reference.ruleset("coinche"), "card-points", "bc-0000", title, asked).case
    assert applies(case, reference.profile("coinche"), reference)
    assert not applies(case, reference.profile("bulgarian-belot"), reference)
