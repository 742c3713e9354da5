"""Random questions without end: the same for the same seed, every fault found, made small and told once."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from multiprocessing import active_children
from pathlib import Path
from random import Random
from typing import Any

import pytest

from belot_conformance.fuzz.alone import run_alone
from belot_conformance.fuzz.causes import Cause, causes_of, write_cases
from belot_conformance.fuzz.fuzzing import Fuzz, Limit, Outcome
from belot_conformance.fuzz.making import MakerEndedError, Makers, made_here
from belot_conformance.mistakes.faulty_player import WrongPlayer
from belot_conformance.mistakes.mutations import mistake_named
from belot_conformance.programs.protocol import Request
from belot_conformance.programs.reference import Reference, put
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.questions.deals import random_deal
from belot_conformance.questions.relabelling import renamings
from belot_conformance.questions.shrinking import candidates, shrink
from belot_conformance.questions.stream import Stream, in_other_suits
from belot_conformance.reports.fuzz_page import Fuzzed, print_fuzzed, unread_rules
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.judge import Expectation
from belot_conformance.suite.lint import lint_cases
from belot_conformance.text.terminal import as_text
from belot_spec.shipped import default_spec
from suite_testing import Belot, run

REFERENCE = Reference()
SMALL = frozenset(
    ("legal-cards", "trick-winner", "card-points", "belote", "bidding", "declarations", "compare-declarations")
)
Change = Callable[[str, dict[str, Any]], Mapping[str, Any]]


def with_mistakes(*names: str) -> FunctionTarget:
    values: dict[str, Any] = {}
    for name in names:
        values |= mistake_named(name).values
    player = WrongPlayer("+".join(names), values)
    return FunctionTarget(player.hello(), player.reply)


def with_fault(change: Change) -> FunctionTarget:
    def reply(operation: str, profile: str, question: Mapping[str, Any]) -> Mapping[str, Any]:
        return change(operation, REFERENCE.reply(operation, profile, question))

    return FunctionTarget(REFERENCE.hello(), reply)


def fuzzed(target: FunctionTarget, profile: str, questions: int, *operations: str) -> tuple[Outcome, list[Cause]]:
    rules = REFERENCE.ruleset(profile)
    stream = Stream(rules, 1, operations) if operations else Stream(rules, 1)
    outcome = Fuzz(target, [(stream, profile)]).run(Limit(questions=questions))
    return outcome, causes_of(outcome, target, default_spec())


@pytest.mark.long
@pytest.mark.parametrize(("profile", "mistake"), [
    ("belotten", "forced-undertrumping"), ("bela-4", "announcing-with-the-first-card"), ("bela-4", "ties-cancelled"),
])  # fmt: skip
def test_a_rule_is_named_once_further_questions_tell_it_from_what_fits_as_well(profile: str, mistake: str) -> None:
    """Of the first two another value explained the few answers that were brought to light."""
    outcome, causes = fuzzed(with_mistakes(mistake), profile, 1000)
    assert outcome.wrong
    assert {cause.rule: cause.value for cause in causes} == mistake_named(mistake).values


@pytest.mark.parametrize("count", [1, 2])
def test_processes_make_the_same_questions_in_the_same_order(count: int) -> None:
    def streams() -> list[Stream]:
        return [Stream(REFERENCE.ruleset(profile), 4, SMALL) for profile in ("bela-4", "belote", "bela-2")]

    here, there = streams(), streams()
    with Makers(count) as makers:
        made = islice(makers.rounds(there), 9)
        for (one, drawn), (other, handed) in zip(islice(made_here(here), 9), made, strict=True):
            assert one.rules.profile.id == other.rules.profile.id
            assert handed == drawn
            assert other.coverage.reached.rules == one.coverage.reached.rules


def test_a_process_that_was_ended_or_in_which_something_goes_wrong_is_told_of() -> None:
    stream = Stream(REFERENCE.ruleset("bela-2"), 1)
    vars(stream)["_random"] = None
    with Makers(1) as makers, pytest.raises(AttributeError):
        next(makers.rounds([stream]))
    with Makers(1) as makers:
        (process,) = active_children()
        process.kill()
        with pytest.raises(MakerEndedError):
            next(makers.rounds([Stream(REFERENCE.ruleset("bela-2"), 1)]))


@pytest.mark.parametrize("profile", ["belotten", "denderbelot-3", "open-belot", "contree", "coinche"])
def test_a_question_in_other_suits_has_its_answer_in_those_suits(profile: str) -> None:
    rules = REFERENCE.ruleset(profile)
    drawn = [one for _ in range(3) for one in Stream(rules, 2, SMALL).round()]
    assert {one.operation for one in drawn} == SMALL
    for one in drawn:
        other = in_other_suits(one, renamings(rules, one.operation)[-1])
        came = put(other.operation, rules, other.input).reply("")
        assert Expectation.of(other.operation, other.answer).apart(other.operation, came.message()) == (), other


def test_a_mistake_served_as_a_program_is_found_over_the_protocol(belot: Belot) -> None:
    served = (sys.executable, "-m", "belot_conformance", "answer", "--mistake", "no-undertrumping")
    assert belot("fuzz", "--profile", "bela-4", "--questions", "500", "--", *served).returncode == 1


def test_a_planted_fault_that_all_cases_pass_is_found(belot: Belot) -> None:
    planted = "python:conformance.examples.planted:answer"
    settling = [word for name in ("score-deal", "match") for word in ("--operation", name)]
    assert "✓ PASSED" in belot("check", *settling, planted).stdout
    found = belot("fuzz", "--operation", "score-deal", "--questions", "2500", planted)
    assert found.returncode == 1
    assert "cards 77" in found.stdout


@pytest.mark.parametrize("profile", ["belotten", "denderbelot-3", "open-belot"])
def test_soon_every_rule_is_read_and_every_operation_asked(profile: str) -> None:
    stream = Stream(REFERENCE.ruleset(profile), 1)
    drawn = [one for _ in range(40) for one in stream.round()]
    assert unread_rules(stream) == []
    for one in drawn[::50]:
        came = put(one.operation, stream.rules, one.input).reply("")
        assert Expectation.of(one.operation, one.answer).apart(one.operation, came.message()) == ()
    assert {"replay", "match", "legal-cards", "score-deal"} <= {one.operation for one in drawn}
    refused = {one.answer["rejected"]["reason"] for one in drawn if "rejected" in one.answer}
    assert len(refused) > 5


@pytest.mark.parametrize("operations", [(), ("perft",)])
def test_a_rule_played_otherwise_is_one_cause_shown_by_a_small_position(operations: tuple[str, ...]) -> None:
    """A wrong count by the position that it is made of."""
    outcome, (cause,) = fuzzed(with_mistakes("no-undertrumping"), "bela-4", 1500, *operations)
    assert outcome.wrong > 1
    assert (cause.rule, cause.smallest.operation) == ("play.void.opponent-ruffed", "legal-cards")
    assert len(cause.smallest.input["hand"]) + len(cause.smallest.input["trick"]) == 4


def test_a_fault_that_is_no_rule_is_told_by_operation_and_field() -> None:
    def change(operation: str, right: dict[str, Any]) -> Mapping[str, Any]:
        if operation == "score-deal" and right["result"]["counted"][0] % 10 == 2:
            return {"result": {**right["result"], "held": 3}}
        return right

    outcome, causes = fuzzed(with_fault(change), "bela-4", 2000, "score-deal")
    assert outcome.wrong
    (cause,) = causes
    assert (cause.rule, cause.smallest.operation, cause.smallest.fields) == ("", "score-deal", ("held",))


def played_as(played: Callable[[str], str], *profiles: str) -> tuple[Outcome, FunctionTarget, list[Cause]]:
    target = FunctionTarget(
        REFERENCE.hello(), lambda operation, profile, asked: REFERENCE.reply(operation, played(profile), asked)
    )
    streams = [
        (Stream(REFERENCE.ruleset(profile), 1, ("legal-cards", "trick-winner")), profile) for profile in profiles
    ]
    outcome = Fuzz(target, streams).run(Limit(questions=1200))
    return outcome, target, causes_of(outcome, target, default_spec())


def page_of(outcome: Outcome, target: FunctionTarget, causes: Sequence[Cause]) -> str:
    run = Fuzzed(target.hello, None, 1, outcome, [], causes, [])
    return as_text(lambda page: print_fuzzed(page, run, default_spec()), 200)


def test_an_option_that_is_played_without_being_asked_for_is_one_cause() -> None:
    option = "belote+partner-winning-free-discard"
    outcome, target, (cause,) = played_as(lambda _: option, "belote")
    assert (cause.rule, cause.kept) == ("", len(outcome.all_wrong()))
    assert f"1. Plays as {option}\n" in page_of(outcome, target, [cause])
    assert len(cause.smallest.input["hand"]) == 2


def test_an_option_that_is_not_played_is_told_by_its_rule_and_without_time_by_none() -> None:
    outcome, target, (cause,) = played_as(lambda name: name.split("+")[0], "belote", "belote+no-undertrump")
    own = REFERENCE.ruleset("belote").value("play.void.opponent-ruffed")
    assert (cause.rule, cause.value) == ("play.void.opponent-ruffed", own)
    (untold,) = causes_of(outcome, target, default_spec(), seconds=0.0)
    assert (untold.rule, untold.tried) == ("", False)
    assert "No rule that explains these answers was found in 0 s." in page_of(outcome, target, [untold])


class Waiting:
    """A program that takes half a second for an answer, on a clock of its own."""

    def __init__(self, target: FunctionTarget) -> None:
        self.now = 0.0
        self._target = target
        self.target = FunctionTarget(target.hello, self._answer)

    def clock(self) -> float:
        return self.now

    def _answer(self, operation: str, profile: str, question: Mapping[str, Any]) -> Mapping[str, Any]:
        self.now += 0.5
        return self._target.ask([Request("q", operation, profile, question)])["q"].message()


def test_a_slow_program_is_asked_no_longer_than_was_said() -> None:
    slow = Waiting(with_mistakes("no-undertrumping"))
    fuzz = Fuzz(slow.target, [(Stream(REFERENCE.ruleset("bela-4"), 1), "bela-4")], clock=slow.clock)
    outcome = fuzz.run(Limit(seconds=300.0))
    assert outcome.wrong
    assert slow.now == 300.0
    (cause,) = causes_of(outcome, slow.target, default_spec(), seconds=10.0, clock=slow.clock)
    assert slow.now <= 300.0 + 10.0
    assert cause.cut_short
    (cause,) = causes_of(outcome, slow.target, default_spec(), seconds=2000.0, clock=slow.clock)
    assert len(cause.smallest.input["hand"]) + len(cause.smallest.input["trick"]) == 4
    assert not cause.cut_short
    # No more is told to be reached than was asked.
    slow.now, stream = 0.0, Stream(REFERENCE.ruleset("bela-4"), 1)
    Fuzz(slow.target, [(stream, "bela-4")], clock=slow.clock).run(Limit(seconds=2.0))
    assert unread_rules(stream)


def test_what_goes_wrong_alike_in_several_variants_is_one_cause() -> None:
    def change(operation: str, right: dict[str, Any]) -> Mapping[str, Any]:
        return {"error": "lost"} if operation == "trick-winner" else right

    profiles = ("bela-4", "belote")
    for target in (with_fault(change), with_mistakes("no-undertrumping")):
        streams = [(Stream(REFERENCE.ruleset(profile), 1), profile) for profile in profiles]
        outcome = Fuzz(target, streams).run(Limit(questions=2500))
        (cause,) = causes_of(outcome, target, default_spec())
        assert cause.variants == profiles


def shrunk(operation: str, question: Mapping[str, Any], shows: Callable[[Any], bool]) -> Mapping[str, Any]:
    rules = REFERENCE.ruleset("bela-4")

    def first(some: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
        came = (put(operation, rules, one).message().get("result", {}) for one in some)
        return next((one for one, result in zip(some, came, strict=True) if result and shows(result)), None)

    return shrink(question, partial(candidates, rules), first, at_once=32)


def test_a_recorded_deal_is_shown_with_the_fewest_tricks() -> None:
    deal = random_deal(REFERENCE.ruleset("bela-4"), Random(1)).question
    smallest = shrunk("replay", deal, lambda result: result["ended"] == "played")
    assert [len(hand) for hand in smallest["hands"]] == [1, 1, 1, 1]
    assert sum("play" in action for action in smallest["actions"]) == len(smallest["actions"]) == 4


def test_a_deal_told_by_its_tricks_is_shown_as_plain_as_it_can_be_played() -> None:
    rules = REFERENCE.ruleset("bela-4")
    deal = Stream(rules, 1, ("settle-tricks",)).round()[0].input
    plain = shrunk("settle-tricks", deal, lambda result: result["tricks"][-1]["winner"] == 1)
    assert put("settle-tricks", rules, plain).message()["result"]["tricks"][-1]["winner"] == 1
    assert [len({card[-1] for card in trick["cards"]}) for trick in plain["tricks"]] == [1] * 8
    assert any("result" in put("replay", rules, {**plain, "dealer": dealer}).message() for dealer in range(4))


def test_what_wrong_answers_have_in_common_is_told() -> None:
    def change(operation: str, right: dict[str, Any]) -> Mapping[str, Any]:
        lost = operation == "settle-tricks" and right["result"]["tricks"][-1]["winner"] in (1, 3)
        return {"result": {**right["result"], "held": 3}} if lost else right

    outcome, (cause,) = fuzzed(target := with_fault(change), "bela-4", 400, "settle-tricks")
    assert "the second side wins the last trick" in cause.shared
    assert f"Of the answers that were compared: {cause.shared}." in page_of(outcome, target, [cause])


def test_however_much_is_wrong_little_is_kept() -> None:
    target = FunctionTarget(REFERENCE.hello(), lambda *_: {"error": "boom"})
    rules = REFERENCE.ruleset("bela-2")
    outcome = Fuzz(target, [(Stream(rules, 1), "bela-2")]).run(Limit(questions=1500))
    assert outcome.wrong == outcome.asked == 1500
    assert len(outcome.all_wrong()) < 300


def test_what_cannot_be_is_said_before_anything_is_asked(tmp_path: Path) -> None:
    for name in ("legal-card", "x"):
        found = run("fuzz", "reference", "--operation", name, "--questions", "1")
        assert (found.exit_code, "legal-cards" in found.output) == (2, True)
    (tmp_path / "file").write_text("", encoding="utf-8")
    found = run(
        "fuzz", "reference", "--profile", "bela-2", "--seconds", "600", "--write", str(tmp_path / "file" / "below")
    )
    assert (found.exit_code, "Not a directory" in found.output) == (2, True)


def test_nothing_is_found_in_the_reference_which_is_held_against_itself() -> None:
    found = run("fuzz", "reference", "--against", "reference", "--profile", "belote", "--questions", "200")
    assert found.exit_code == 0, found.output
    assert "(second)" in found.output
    found = run("fuzz", "reference", "--profile", "bela-3", "--questions", "400", "--format", "json")
    report = json.loads(found.stdout)
    assert (found.exit_code, report["passed"], report["questions"], report["wrong"]) == (0, True, 400, 0)
    found = run("fuzz", "reference", "--alone", "--profile", "belotten", "--questions", "600", "--format", "json")
    assert found.exit_code == 0
    assert all(one["tried"] and not one["broken"] for one in json.loads(found.stdout)["relations"].values())


def test_what_is_found_is_written_as_a_case_that_the_rules_answer(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(
        "from belot_conformance.mistakes.mutations import mistake_named\n"
        "from belot_conformance.mistakes.faulty_player import WrongPlayer\n"
        "player = WrongPlayer('capot-250', mistake_named('capot-250').values)\n"
        "profiles, operations = ['bela-4'], ['score-deal', 'card-points']\n"
        "def answer(operation, profile, question):\n"
        "    return player.reply(operation, profile, question)\n"
        "answer.profiles, answer.operations = profiles, operations\n",
        encoding="utf-8",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        found = run("fuzz", "python:wrong:answer", "--questions", "300", "--write", "found")
        again = [run("check", "--from", "found", one) for one in ("reference", "python:wrong:answer")]
    assert found.exit_code == 1, found.output
    assert [one.exit_code for one in again] == [0, 1]
    assert "score-deal" in found.stdout
    (case,) = load_cases(tmp_path / "found")
    assert case.origin == "derived"
    assert lint_cases([case], default_spec()) == []
    answered = put(case.operation, REFERENCE.ruleset("bela-4"), case.input).message()["result"]
    assert dict(case.expected[0].fields) == {name: answered[name] for name in case.expected[0].fields}


def test_what_several_runs_wrote_can_be_asked_together(tmp_path: Path) -> None:
    def written(mistake: str, profile: str) -> list[Path]:
        _, causes = fuzzed(with_mistakes(mistake), profile, 1500)
        return write_cases(tmp_path, causes)

    runs = [("no-undertrumping", "bela-4"), ("no-undertrumping", "belote"), ("tie-held", "bela-4")]
    files = [path for run in runs for path in written(*run)]
    before = [case.id for case in load_cases(tmp_path)]
    assert len(set(before)) == len(files) == 3
    assert written(*runs[0]) == files[:1]
    assert [case.id for case in load_cases(tmp_path)] == before


CONTRADICTS: Mapping[str, Callable[[str, Mapping[str, Any]], bool]] = {
    "suits": lambda _, asked: asked.get("trump") == "C",
    "seats": lambda _, asked: asked.get("leader") == 2,
    "order": lambda _, asked: asked.get("hand", ["7S"])[0].startswith("Q"),
    "parts": lambda operation, _: operation == "replay",
    "legal": lambda operation, asked: operation == "legal-cards" and not asked["trick"],
}


@pytest.mark.parametrize("relation", CONTRADICTS)
def test_a_program_that_contradicts_itself_is_seen_without_any_rule(relation: str) -> None:
    def reply(operation: str, profile: str, question: Mapping[str, Any]) -> Mapping[str, Any]:
        right = REFERENCE.reply(operation, profile, question)
        if "result" not in right or not CONTRADICTS[relation](operation, question):
            return right
        result = dict(right["result"])
        for name in ("winner", "points", "cards", "best_points", "tricks"):
            if isinstance(result.get(name), int):
                result[name] += 1
            elif isinstance(result.get(name), list) and result[name]:
                result[name] = result[name][1:] if name == "cards" else [*result[name][1:], result[name][0]]
        return {"result": result}

    stream = Stream(REFERENCE.ruleset("bela-4"), 1)
    target = FunctionTarget(REFERENCE.hello(), reply)
    found = run_alone(target, [(stream, "bela-4")], Limit(questions=700), seed=1)
    assert found.broken[relation]
    assert not found.passed
