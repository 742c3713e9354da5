"""A cause is a rule only if further answers speak for it, and is told once."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from belot_conformance.fuzz.causes import Cause, causes_of
from belot_conformance.fuzz.fuzzing import Fuzz, Limit, Outcome
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.questions.stream import Stream
from belot_conformance.reports.fuzz_page import Fuzzed, print_fuzzed
from belot_conformance.text.terminal import as_text
from belot_spec.files import canonical
from belot_spec.shipped import default_spec

Json = Mapping[str, Any]
# What a program answers to a question of an operation that the rules answer so.
Coded = Callable[[str, Json, dict[str, Any]], dict[str, Any]]

REFERENCE = Reference()
TRUMPS = ("7", "8", "Q", "K", "10", "A", "9", "J")


def asked_for(coded: Coded, *profiles: str, questions: int, operations: tuple[str, ...] = ()) -> list[Cause]:
    """Return the causes that are found in a program that answers as it is coded."""
    outcome, target = run(coded, *profiles, questions=questions, operations=operations)
    return causes_of(outcome, target, default_spec())


def run(
    coded: Coded, *profiles: str, questions: int, operations: tuple[str, ...] = ()
) -> tuple[Outcome, FunctionTarget]:
    def reply(operation: str, profile: str, question: Json) -> Json:
        right = REFERENCE.reply(operation, profile, question)
        return {"result": coded(operation, question, dict(right["result"]))} if "result" in right else right

    target = FunctionTarget(REFERENCE.hello(), reply)
    streams = [
        (Stream(rules, 1, operations) if operations else Stream(rules, 1), profile)
        for profile in profiles
        for rules in [REFERENCE.ruleset(profile)]
    ]
    outcome = Fuzz(target, streams).run(Limit(questions=questions))
    assert outcome.wrong
    return outcome, target


def thirty_more_for_aces(operation: str, asked: Json, right: dict[str, Any]) -> dict[str, Any]:
    """Count four aces 130 where a red suit is trump, else 100 as the rules do."""
    aces = {"AS", "AH", "AD", "AC"}
    if operation == "compare-declarations" and asked["trump"] in ("H", "D"):
        best = right["winner"]
        if best is not None and any(aces == {*cards} for cards in asked["announced"][best]):
            right["points"] = [points + 30 * (seat == best) for seat, points in enumerate(right["points"])]
    return right


def sevens_beaten(operation: str, asked: Json, right: dict[str, Any]) -> dict[str, Any]:
    """Let four sevens be beaten by whatever another player announces."""
    if operation == "compare-declarations":
        told = asked["announced"]
        others = [
            seat
            for seat, own in enumerate(told)
            if own and not any({card[:-1] for card in one} == {"7"} for one in own)
        ]
        if others and any({card[:-1] for card in one} == {"7"} for own in told for one in own):
            without = {**asked, "announced": [own if seat in others else [] for seat, own in enumerate(told)]}
            return dict(REFERENCE.reply(operation, "denderbelot+low-squares-50", without)["result"])
    return right


def bound_when_last(operation: str, asked: Json, right: dict[str, Any]) -> dict[str, Any]:
    """Let an opponent's ruff bind only whoever plays the last card of a trick."""
    if operation == "legal-cards" and len(asked["trick"]) == 2:
        (led, ruff), hand, trump = asked["trick"], asked["hand"], asked["trump"]
        trumps = [card for card in hand if card[-1] == trump]
        if led[-1] != trump == ruff[-1] and trumps and not any(card[-1] == led[-1] for card in hand):
            return {**right, "cards": trumps}
    return right


@pytest.mark.long
@pytest.mark.parametrize(
    ("coded", "profile", "operations"),
    [
        (thirty_more_for_aces, "bela-4", ("compare-declarations", "declarations", "score-deal")),
        (sevens_beaten, "denderbelot+low-squares-50", ("compare-declarations", "declarations")),
        (bound_when_last, "bela-4", ("legal-cards", "trick-winner")),
    ],
)
@pytest.mark.parametrize("questions", [400, 1500])
def test_a_coded_mistake_is_named_by_no_rule(
    coded: Coded, profile: str, operations: tuple[str, ...], questions: int
) -> None:
    causes = asked_for(coded, profile, questions=questions, operations=operations)
    assert causes
    assert {cause.rule for cause in causes} == {""}, [(cause.rule, cause.value) for cause in causes]


def with_option_ignored(questions: int) -> tuple[Outcome, FunctionTarget]:
    """Run a program that plays an option by the rules of the variant without it."""
    target = FunctionTarget(
        REFERENCE.hello(), lambda operation, profile, asked: REFERENCE.reply(operation, profile.split("+")[0], asked)
    )
    profiles = ("belote", "belote+no-undertrump")
    operations = ("legal-cards", "trick-winner", "declarations")
    streams = [(Stream(REFERENCE.ruleset(profile), 1, operations), profile) for profile in profiles]
    return Fuzz(target, streams).run(Limit(questions=questions)), target


def test_a_rule_of_an_option_is_confirmed_by_questions_about_the_option() -> None:
    outcome, target = with_option_ignored(1500)
    (cause,) = causes_of(outcome, target, default_spec())
    own = REFERENCE.ruleset("belote").value("play.void.opponent-ruffed")
    assert (cause.rule, cause.value) == ("play.void.opponent-ruffed", own)


def test_without_time_to_ask_further_nothing_is_named_and_no_rule_excluded() -> None:
    outcome, target = with_option_ignored(1500)
    (cause,) = causes_of(outcome, target, default_spec(), seconds=0.0)
    assert (cause.rule, cause.tried) == ("", False)
    assert "legal-cards: another answer in cards\n" in page_of(outcome, target, [cause])


def page_of(outcome: Outcome, target: FunctionTarget, causes: list[Cause]) -> str:
    run = Fuzzed(target.hello, None, 1, outcome, [], causes, [])
    return as_text(lambda page: print_fuzzed(page, run, default_spec(), "en"), 200)


def spoiled_scores(operation: str, asked: Json, right: dict[str, Any]) -> dict[str, Any]:
    """Write a point too many for who wins more than a hundred, and sometimes count it too."""
    if operation == "score-deal" and max(right["counted"]) > 100:
        right["score"] = [score + 1 for score in right["score"]]
        right["written"] = [f"{score}" for score in right["score"]]
        if asked["taker"] == 2:
            right["points"] = [points + 1 for points in right["points"]]
    return right


def test_what_no_rules_explain_is_said_so_with_an_example_and_told_once() -> None:
    outcome, target = run(spoiled_scores, "bela-4", "belote", questions=1500, operations=("score-deal",))
    causes = causes_of(outcome, target, default_spec())
    assert {cause.rule for cause in causes} == {""}
    told = [(cause.smallest.operation, cause.smallest.fields, cause.smallest.came.kind) for cause in causes]
    asked = [canonical([cause.smallest.operation, dict(cause.smallest.question)]) for cause in causes]
    assert len({*told}) == len(told)
    assert len({*asked}) == len(asked)
    page = page_of(outcome, target, causes)
    assert page.count("by no rules that can be said here") == len(causes)
    assert page.count("taker") >= len(causes)
