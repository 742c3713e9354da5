"""The golden cases hold for the reference, and what they rest on is really what decides them."""

import json
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.mistakes.mutations import compile_changed
from belot_conformance.programs.reference import Reference, reference_target
from belot_conformance.suite import cases as suite_cases
from belot_conformance.suite.cases import Case, load_cases
from belot_conformance.suite.lint import lint_cases
from belot_conformance.suite.selection import applies, can_occur, differing_rules, plan_for
from belot_conformance.suite.verdicts import judge_all
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.operations import answer
from belot_spec.catalogue import Rule, Text
from belot_spec.data import cases_folder
from belot_spec.errors import BelotError, SpecError, UnplayableError
from belot_spec.profile_name import ProfileName
from belot_spec.register import expand_statements
from belot_spec.shipped import default_spec
from belot_spec.spec import Profile, Spec
from belot_spec.value_shapes import enumerated_values
from belot_spec.variants import ancestry

NOBODY = Text("nobody", "niemand")


def test_what_a_profile_is_called_decides_nothing(cases: list[Case], reference: Reference) -> None:
    nameless = cache(
        lambda name: compile_profile(replace(reference.ruleset(name).profile, id=ProfileName("nobody"), name=NOBODY))
    )
    before = deepcopy([case.input for case in cases])
    for case in cases[::7]:
        by_name, by_none = (rules(case.profile) for rules in (reference.ruleset, nameless))
        assert answer(case.operation, by_none, case.input) == answer(case.operation, by_name, case.input), case.id
    # Asking does not change the cases either.
    assert [case.input for case in cases] == before


WORKED_EXAMPLES = (
    "BN-119..129", "BN-100", "WB-060..064", "WB-073..076", "WB-086", "WB-100", "FR-026..028", "BL-090..092",
    "BL-101..123", "BL-124", "BL-125", "BL-138", "BL-140..154", "BL-174..201", "BL-210..213", "BL-240", "BL-259..265",
    "BL-302..310", "BL-316..328", "BL-349..355", "BL-400..403", "BL-409..415", "BL-424..429",
    "BG-040..043", "BG-100", "BG-101", "BG-108..110", "BG-112..115", "BG-117..119", "BG-122", "BG-124..128", "BG-137",
)  # fmt: skip
WITHOUT_FIGURES = {"BL-147", "BL-321"}


def test_every_worked_example_has_a_case(cases: list[Case]) -> None:
    covered = {statement for case in cases for statement in case.statements}
    wanted = expand_statements(WORKED_EXAMPLES)
    assert [statement for statement in wanted if statement not in covered | WITHOUT_FIGURES] == []
    # Where a ruling corrects an example, the printed figure is kept.
    assert {"BN-E1", "BN-E2", "BG-E4", "BG-E5"} <= {
        ruling for case in cases if case.printed is not None for ruling in case.rulings
    }


def test_every_value_of_play_is_consulted_by_a_case(cases: list[Case], spec: Spec, reference: Reference) -> None:
    for variant in spec.playable():
        line = {one.id for one in ancestry(spec.variants[variant], spec.variants)} - {variant}
        line |= {"klaverjas-rotterdams"} if variant == "klaverjas-amsterdams" else set()
        own = [(case, case.profile) for case in cases if case.profile.variant == variant]
        own += [
            (case, ProfileName(variant)) for case in cases if case.profile in line and _holds(reference, case, variant)
        ]
        answers = (reference.answer(case.operation, name, case.input) for case, name in own)
        consulted = {rule for one in answers for rule in one.rests_on}
        unread = {rule for rule in spec.profile(variant).settings if rule.startswith("presentation.")}
        # Where no sequences are declared, hands are only laid out in their order.
        unread |= (
            {"deck.sequence-order"} if spec.profile(variant).value("declarations.played") == "belote-only" else set()
        )
        assert set(spec.profile(variant).settings) - consulted == unread - {"presentation.zero"}


def _holds(reference: Reference, case: Case, variant: str) -> bool:
    told, said = (reference.reply(case.operation, name, case.input) for name in (variant, case.profile))
    return told == said


# Each other value of a rule is put to one in so many of the cases that do not consult it.
SHARES = 40


def _left_out(case: Case) -> bool:
    """Keep every case written by hand and a fifth of the recorded deals, which are many and alike."""
    return case.origin == "derived" and int(case.id[3:]) % 5 != 0


def mutants(rule: Rule, profile: Profile, spec: Spec) -> Iterator[tuple[Any, Ruleset]]:
    own = profile.settings[rule.id].value
    candidates = [*enumerated_values(rule.value_schema)]
    candidates += [
        spec.profile(variant).settings[rule.id].value
        for variant in spec.playable()
        if rule.id in spec.profile(variant).settings
    ]
    if isinstance(own, int) and not isinstance(own, bool):
        candidates += [own + 1, own - 1]
    if isinstance(own, dict):
        candidates.append({key: value + 1 for key, value in own.items()})
    if isinstance(own, list) and len(own) > 1:
        candidates += [own[::-1], own[1:] if "order" not in rule.id else own[::-1]]
    seen = [own]
    for candidate in candidates:
        if candidate not in seen and rule.allows(candidate):
            seen.append(candidate)
            with suppress(UnplayableError):
                yield candidate, compile_changed(profile, {rule.id: candidate}, spec)


@pytest.mark.parametrize("variant", default_spec().playable())
def test_a_rule_that_a_case_does_not_consult_cannot_change_its_answer(
    variant: str, cases: list[Case], spec: Spec, reference: Reference
) -> None:
    """Nor can another form of table, where nothing that is otherwise in it was asked for."""
    own = [case for case in cases if case.profile == variant and not _left_out(case)]
    answers = {case.id: reference.answer(case.operation, variant, case.input) for case in own}
    profile, form, turn = spec.profile(variant), reference.ruleset(variant).form, 0
    for rule in spec.rules.values():
        if rule.id not in profile.settings:
            continue
        unread = [case for case in own if rule.id not in answers[case.id].rules]
        for value, mutant in mutants(rule, profile, spec):
            turn += 1
            untouched = [case for case in unread if answers[case.id].form.isdisjoint(form ^ mutant.form)]
            for case in untouched[turn % SHARES :: SHARES]:
                if not can_occur(case, reference.ruleset(variant), mutant):
                    continue
                assert _reply(mutant, case) == answers[case.id].message(), f"{case.id} depends on {rule.id} = {value}"


def _reply(rules: Ruleset, case: Case) -> dict[str, Any]:
    try:
        return answer(case.operation, rules, case.input).message()
    except BelotError as error:
        return {"error": str(error)}


@pytest.mark.parametrize(("rule", "value", "beyond"), [
    ("bidding.highest-amount", 150, {160}), ("bidding.amount-step", 20, {90, 110, 130, 150}),
])  # fmt: skip
def test_a_case_is_not_asked_where_nobody_can_bid_what_it_tells(
    rule: str, value: Any, beyond: set[int], cases: list[Case], spec: Spec, reference: Reference
) -> None:
    own = reference.ruleset("contree")
    other = compile_changed(own.profile, {rule: value}, spec)
    told = [case for case in cases if case.profile == "contree" and case.input.get("bid") in beyond]
    assert told
    assert not any(can_occur(case, own, other) for case in told)
    within = [case for case in cases if case.profile == "contree" and case.input.get("bid") in (80, 100, "capot")]
    assert all(can_occur(case, own, other) for case in within)


def test_a_case_applies_where_all_that_it_consults_agrees(cases: list[Case], spec: Spec, reference: Reference) -> None:
    plain_order = next(case for case in cases if case.operation == "trick-winner" and case.profile == "belotten")
    assert applies(plain_order, spec.profile("bela-4"), reference)
    ruff = next(case for case in cases if "play.void.opponent-ruffed" in case.rules and case.profile == "belotten")
    assert not applies(ruff, spec.profile("bela-4"), reference)
    planned = plan_for(cases[::7], "bela-4+length-counts", reference)
    assert {one.profile for one in planned} == {"bela-4+length-counts"}
    target = reference_target(Reference(extra_profiles=["bela-4+length-counts"]))
    assert {verdict.outcome for verdict in judge_all(target, planned)} == {"passed"}


def test_a_case_does_not_apply_to_another_form_of_table(cases: list[Case], spec: Spec, reference: Reference) -> None:
    """Though it consults no rule by which the two differ."""
    auction, rounds = spec.profile("bulgarian-belot"), spec.profile("bela-4")
    agree = ("declarations.belote.points", "declarations.belote.calls", "declarations.belote.order")
    own = {rule: rounds.value(rule) for rule in agree}
    house = auction.with_values("house", own, spec.rules)
    table = Reference(spec).playing(house)
    saying = [case for case in cases if case.profile == "bela-4" and case.operation == "belote"]
    asked = {case.id: reference.answer(case.operation, case.profile, case.input) for case in saying}
    same = [case for case in saying if asked[case.id].rules.isdisjoint(differing_rules(rounds, house))]
    assert len(same) > 5
    of_auctions = {case.id: "has_auction" in asked[case.id].form for case in same}
    assert any(of_auctions.values())
    assert all(applies(case, house, table) != of_auctions[case.id] for case in same)


def test_a_case_is_asked_only_of_games_that_have_its_cards(cases: list[Case], spec: Spec, reference: Reference) -> None:
    planned = plan_for(cases[::3], "denderbelot-3", reference)
    assert len(planned) > 60
    for one in planned:
        text = json.dumps(one.case.input)
        assert '"7S"' not in text, one.case.id
        assert '"7C"' not in text, one.case.id
        assert len(one.case.input.get("hand", ())) <= 10, one.case.id


CASE_FILE = """\
operation: legal-cards
profile: bela-4
behaviour: {en: Something, nl: Iets}
why: {en: Because, nl: Omdat}
cases:
  - id: bc-9001
    title: {en: The queen is led and must be beaten, nl: De dame ligt en moet overtroefd worden}
    input: {trump: H, hand: [KS, JS], trick: [QS]}
    expect: {result: {cards: [KS]}}
    rules: [play.follow.unruffed]
    statements: [BL-186]
    origin: by-hand
"""
AGAIN = CASE_FILE.partition("cases:\n")[2].replace("is led and must", "lies there and must")


def linted(tmp_path: Path, spec: Spec, text: str) -> str:
    folder = tmp_path / "legal-cards"
    folder.mkdir()
    (folder / "one.yaml").write_text(text, encoding="utf-8")
    try:
        return "\n".join(str(problem) for problem in lint_cases(load_cases(tmp_path), spec))
    except SpecError as error:
        return str(error)


@pytest.mark.parametrize(("wrong", "right", "message"), [
    ("play.follow.unruffed]", "play.follow.unrufed]",
     "no rule play.follow.unrufed; did you mean play.follow.unruffed?"),
    ("BL-186", "BL-440", "there is no statement BL-440; BL has BL-001 to BL-439"),
    ("BL-186", "BL-187..186", "the run BL-187..186 ends before it starts; write BL-186..187"),
    ("    origin: by-hand", "    origin: guessed", "must be one of source-example, by-hand, derived"),
    ("    origin: by-hand", "    origin: by-hand\n    orgin: x", "unknown key; did you mean origin?"),
    ("nl: De dame ligt en moet overtroefd worden}", "nl: }", "nl: must be a text, is nothing"),
    ("must be beaten,", "must be beaten.,", "without a full stop"),
    ("The queen is", "the queen is", "starts with a capital"),
    ("bc-9001", "bc-91", "bc- and four digits"),
    ("cards: [KS]}", "card: [KS]}", "no field card in its result; did you mean cards?"),
    ("cards: [KS]}", "cards: KS}", "must be a list"),
    ("trick: [QS]", "trick: [QX]", "the input of legal-cards is not right"),
    ("trick: [QS]", "trik: [QS]", "did you mean trick?"),
    ("profile: bela-4", "profile: bela-5", "there is no variant bela-5; did you mean bela-4?"),
    ("[play.follow.unruffed]", "[play.follow.unruffed, match.target]", "match.target plays no part"),
    ("result: {cards: [KS]}", "rejected: {reason: illegal}", "must be one of"),
    ("operation: legal-cards", "operation: bidding", "a case of bidding belongs in the folder cases/bidding"),
    ("cases:\n", f"cases:\n{AGAIN}", "bc-9001 is already the id of legal-cards/one.yaml:6"),
    ("cases:\n", "cases:\n", ""),
])  # fmt: skip
def test_the_lint_names_what_is_wrong(tmp_path: Path, spec: Spec, wrong: str, right: str, message: str) -> None:
    found = linted(tmp_path, spec, CASE_FILE.replace(wrong, right))
    assert message in found
    assert (right == wrong) == (not found)


def test_what_is_kept_of_the_cases_is_theirs_and_a_changed_file_is_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, of_one = tmp_path / "cases", cases_folder() / "belote" / "bela-called.yaml"
    (folder / "belote").mkdir(parents=True)
    copied = folder / "belote" / of_one.name
    copied.write_text(of_one.read_text())
    monkeypatch.setenv("BELOT_CACHE", str(tmp_path / "cache"))
    for name, place in (("cases_folder", folder), ("data_folder", Path(folder.anchor))):
        monkeypatch.setattr(f"belot_conformance.suite.cases.{name}", partial(Path, place))
    read = suite_cases._shipped_cases.__wrapped__
    first = read()
    with monkeypatch.context() as patch:
        patch.setattr("belot_conformance.suite.cases.read_case_file", None)
        assert read() == first
    copied.write_text(copied.read_text().replace(first[0].id, "bc-0000"))
    assert {one.id for one in read()} - {one.id for one in first} == {"bc-0000"}
