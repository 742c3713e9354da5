"""Which rules a program plays: found from its answers, and nothing named where nothing speaks for it."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from belot_conformance.identify.overlay import overlay_text
from belot_conformance.reports.identified_page import Subject, alike_lines, identified_json, print_identified

from belot_conformance.house_suite.questions import table_questions
from belot_conformance.identify.budget import IdentifyBudget
from belot_conformance.identify.evidence import Evidence, Observation
from belot_conformance.identify.further import Further
from belot_conformance.identify.hypothesis import Scorer, State
from belot_conformance.identify.identification import Identification, Identified
from belot_conformance.identify.search import Search
from belot_conformance.identify.values import rule_values
from belot_conformance.mistakes.measured import load_measured
from belot_conformance.programs.reference import Reference, put
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.rivals import Rivals
from belot_conformance.questions.stream import random_questions
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.judge import without_reasons
from belot_conformance.text.terminal import as_text
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.catalogue import Text
from belot_spec.languages import LANGUAGES
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import default_spec, open_profile
from belot_spec.spec import Profile

pytestmark = pytest.mark.long

Message = Mapping[str, Any]
Belot = Callable[..., subprocess.CompletedProcess[str]]
SPEC = default_spec()
HOUSE: Mapping[str, Any] = {
    "scoring.all-tricks.points": 250,
    "scoring.tie": "each-keeps-own",
    "play.void.opponent-ruffed": ["any"],
    "match.target": 701,
}


@cache
def questions(variant: str) -> Sequence[Observation]:
    """The small questions of a variant, with what the suite compares; nobody has answered them yet."""
    planned = (one.case for one in table_questions(load_cases(), Reference().ruleset(variant), Reference()).asked)
    small = [case for case in planned if not OPERATIONS[case.operation].is_recording or case.origin != "derived"]
    return [Observation(one.id, one.operation, one.input, "", None, 0, one.expected) for one in small]


def answers(
    profile: Profile, spoiled: Callable[[int, str, Message], Message] | None = None, asked: str = "bela-4"
) -> list[Observation]:
    """What a program says that plays a profile, with some answers spoiled."""
    rules, found = compile_profile(profile), []
    for number, one in enumerate(questions(asked)):
        message: Message = put(one.operation, rules, one.input).message()
        message = spoiled(number, one.operation, message) if spoiled else message
        kind = next(iter(message))
        found.append(Observation(one.id, one.operation, one.input, kind, message[kind], 0, one.expected))
    return found


def around(observations: Sequence[Observation]) -> Identified:
    return Identification(observations, SPEC).around([SPEC.profile("bela-4")])


def named(found: Identified) -> dict[str, Any]:
    return {one.rule: one.value for one in found.findings}


def played(values: Mapping[str, Any]) -> Profile:
    return SPEC.profile("bela-4").with_values("house", values, SPEC.rules)


def test_a_right_program_has_no_other_rules() -> None:
    found = around(answers(SPEC.profile("bela-4")))
    assert not found.findings
    assert not found.groups


@pytest.mark.parametrize("rule", HOUSE)
def test_one_other_value_is_named_with_all_that_it_makes_right(rule: str) -> None:
    found = around(answers(played({rule: HOUSE[rule]})))
    assert named(found) == {rule: HOUSE[rule]}
    assert len(found.findings[0].right) == len(found.asked_wrong) > 0
    assert found.findings[0].wrong == 0
    assert not found.groups


def test_a_premium_on_top_that_comes_to_another_in_the_place_of_the_cards_is_told_as_that() -> None:
    """All tricks of this table always hold 162, so 126 on top of them and 288 in their place are one game."""
    base = SPEC.profile("denderbelot-3+card-drive")
    values = {"scoring.all-tricks.counted": "on-top", "scoring.all-tricks.points": 126}
    table = base.with_values("house", values, SPEC.rules)
    found = Identification(answers(table, asked="denderbelot-3+card-drive"), SPEC).around([base])
    assert named(found) == {"scoring.all-tricks.points": 288}
    assert not found.groups


def balanced(variant: str) -> Mapping[str, Any]:
    """A point less for the queen of every plain suit, and the seven of trump as much more: a deck has its points."""
    plain, trump = (SPEC.profile(variant).value(f"scoring.{suit}-points") for suit in ("plain", "trump"))
    plain_suits = 3
    return {
        "scoring.plain-points": {**plain, "Q": plain["Q"] - 1},
        "scoring.trump-points": {**trump, "7": trump["7"] + plain_suits},
    }


@pytest.mark.parametrize(
    ("variant", "values"),
    [
        ("bela-4", {"scoring.all-tricks.counted": "instead", "scoring.all-tricks.points": 140}),
        ("open-belot", {"scoring.all-tricks.counted": "instead", "scoring.all-tricks.points": 93}),
        ("denderbelot", balanced("denderbelot")),
        ("bela-3", balanced("bela-3")),
    ],
)
def test_two_rules_are_found_of_which_neither_alone_makes_answers_right(
    variant: str, values: Mapping[str, Any]
) -> None:
    base = SPEC.profile(variant)
    table = base.with_values("house", values, SPEC.rules)
    found = Identification(answers(table, asked=variant), SPEC).around([base])
    assert named(found) == values
    assert not found.groups


def test_a_rule_that_explains_much_gives_way_to_two_that_explain_all() -> None:
    """Half of the points are enough, or all others are counted together and a tie falls: often that is the same."""
    values = {
        "declarations.belote.order": "either",
        "declarations.per-player": "best",
        "scoring.confirmation": "one-trick",
        "scoring.contract-against": "all-together",
        "scoring.tie": "taker-falls",
    }
    base = SPEC.profile("denderbelot-3")
    table = base.with_values("house", values, SPEC.rules)
    found = Identification(answers(table, asked="denderbelot-3"), SPEC).around([base])
    assert named(found) == values
    assert not found.groups


TOPS_OF_SEQUENCES: Mapping[str, Any] = {"declarations.top-card": "sequences-only"}


@pytest.mark.parametrize(
    ("variant", "values"),
    [
        ("bela-4", {"declarations.square-classes": [["Q"], ["K"], ["10", "A"], ["9"], ["J"]]}),
        ("denderbelot-3", {"declarations.square-classes": [["7", "8"], ["10", "Q"], ["K", "A"], ["9"], ["J"]]}),
        ("bela-3", {"declarations.compared-by": ["square-first", "top-card", "class", "trump"]}),
    ],
)
def test_rules_that_hide_each_other_where_declarations_meet_are_found(variant: str, values: Mapping[str, Any]) -> None:
    base = SPEC.profile(variant)
    rules = compile_profile(base.with_values("house", {**TOPS_OF_SEQUENCES, **values}, SPEC.rules))
    met = [
        Observation(f"met-{number}", "compare-declarations", question, "result", told["result"])
        for number, question in enumerate(meetings(rules, 1))
        if "result" in (told := put("compare-declarations", rules, question).message())
    ]
    found = Identification(met, SPEC).around([base])
    assert found.asked_wrong
    assert not found.groups
    same = compile_profile(found.played[0])
    for question in meetings(rules, 2):
        told, said = (put("compare-declarations", one, question).message() for one in (rules, same))
        assert told.get("result") == said.get("result")


def meetings(rules: Ruleset, seed: int) -> list[dict[str, Any]]:
    """Questions about two declarations, of every two kinds and of many drawn by lot."""
    random, rivals = Random(seed), Rivals(rules)
    return [*rivals.every(random), *(rivals.question(random) for _ in range(400))]


def test_any_number_of_rules_is_found_and_what_no_rule_explains_stays() -> None:
    def bugs(number: int, operation: str, message: Message) -> Message:
        if operation == "trick-winner":
            return {"result": {"winner": 9}}
        return {"error": "boom"} if operation == "penalty" else message

    found = around(answers(played(HOUSE), bugs))
    assert named(found) == HOUSE
    assert {group.operation for group in found.groups} == {"trick-winner", "penalty"}


def test_the_variant_is_found_among_all() -> None:
    found = Identification(answers(SPEC.profile("bela-4+length-counts")), SPEC).anywhere()
    assert found.bases[0].id == "bela-4+length-counts"
    assert not found.findings


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        ([], "bulgarian-belot"),
        (["bulgarian-belot"], "bulgarian-belot"),
        (["belote+rise-over-partner"], "belote+no-undertrump+partner-winning-free-discard+rise-over-partner"),
    ],
)
def test_of_games_alike_in_what_is_answered_the_one_that_the_program_declares_is_told(
    declared: list[str], told: str
) -> None:
    """Of playing cards in suits, belote with three options is Bulgarian belot, and Belotten but for one rule."""
    plays = SPEC.profile("belote+no-undertrump+partner-winning-free-discard+rise-over-partner")
    small = {"trick-winner", "card-points", "legal-cards"}
    seen = [one for one in answers(plays, asked="belote") if one.operation in small]
    names = tuple(map(ProfileName, declared))
    found = Identification(seen, SPEC, declared=names).anywhere([*map(SPEC.profile, names)])
    base = found.bases[0].id
    assert (base.variant, set(base.options)) == (ProfileName(told).variant, set(ProfileName(told).options))


def test_what_a_program_says_it_cannot_answer_is_told_apart_from_what_no_rules_explain() -> None:
    def unable(number: int, operation: str, message: Message) -> Message:
        return {"unsupported": "no such thing"} if operation == "score-deal" and number % 9 == 0 else message

    found = around(answers(SPEC.profile("bela-4"), unable))
    assert not found.groups
    assert [(one.operation, one.fields) for one in found.unsupported] == [("score-deal", ("unsupported",))]


def test_a_field_that_is_never_given_is_said_and_is_no_rule() -> None:
    def without_written(_: int, operation: str, message: Message) -> Message:
        fields = {name: value for name, value in message.get("result", {}).items() if name != "written"}
        return {"result": fields} if operation == "score-deal" and "result" in message else message

    found = around(answers(SPEC.profile("bela-4"), without_written))
    assert found.missing == {"score-deal": frozenset({"written"})}
    assert not found.findings
    assert not found.groups


def test_a_deck_of_fewer_cards_is_known_by_the_questions_that_make_no_sense_with_it() -> None:
    """All else that such a program says is right: it plays as it is asked, and knows no seven of spades."""
    table = SPEC.profile("bela-2").with_values("house", {"deck.removed-cards": ["7S"]}, SPEC.rules)
    found = Identification(answers(table, asked="bela-2"), SPEC).around([SPEC.profile("bela-2")])
    assert named(found) == {"deck.removed-cards": ["7S"]}
    assert not found.groups


def test_errors_at_random_name_no_rule() -> None:
    random = Random(8)
    found = around(answers(SPEC.profile("bela-4"), lambda *told: {"error": "x"} if random.random() < 0.04 else told[2]))
    assert not found.findings
    assert {group.fields for group in found.groups} == {("error",)}


def test_answers_wrong_at_random_name_no_rule() -> None:
    random = Random(5)

    def at_random(_: int, operation: str, message: Message) -> Message:
        if random.random() > 0.03 or "result" not in message:
            return message
        return {"result": {name: 20 if type(value) is int else value for name, value in message["result"].items()}}

    found = around(answers(SPEC.profile("bela-4"), at_random))
    assert not found.findings


@pytest.mark.parametrize("said", [{"result": {"x": 1}}, {"error": "boom"}, {"rejected": {"reason": "no"}}])
def test_the_same_answer_to_everything_names_no_rule(said: Message) -> None:
    found = around(answers(SPEC.profile("bela-4"), lambda *_: said))
    assert not found.findings


def test_a_value_that_is_longer_than_a_line_stands_on_several(tmp_path: Path) -> None:
    points = {"7": 0, "8": 0, "9": 150, "10": 100, "J": 200, "Q": 100, "K": 100, "A": 110}
    text = overlay_text("house", SPEC.profile("bela-4"), played({"declarations.square-points": points}), SPEC, "en")
    path = tmp_path / "house.yaml"
    path.write_text(text, encoding="utf-8")
    assert max(map(len, text.splitlines())) <= 80
    assert open_profile(str(path)).value("declarations.square-points") == points


def test_other_values_that_read_the_same_are_told_once() -> None:
    found = around(answers(played({"match.target": 701})))
    (finding,) = found.findings
    several = replace(finding, values=(901, 701, 901, 1101))
    lines = list(alike_lines(several, found.played[0], SPEC, "en"))
    assert [line.count("901") for line in lines] == [1]
    assert [line.count("1101") for line in lines] == [1]
    assert not any("701" in line for line in lines)


def test_the_overlay_is_a_profile_that_plays_what_was_found(tmp_path: Path) -> None:
    found = around(answers(played(HOUSE)))
    path = tmp_path / "house.yaml"
    path.write_text(overlay_text("house", found.bases[0], found.played[0], SPEC, "nl"), encoding="utf-8")
    read = open_profile(str(path))
    assert {rule: read.value(rule) for rule in HOUSE} == HOUSE
    assert path.read_text(encoding="utf-8").count("  # ") >= len(HOUSE)


@pytest.mark.parametrize("option", [(), ("--with-oddities",)])
def test_the_command_names_the_rule_and_writes_what_looks_like_a_mistake_on_request(
    option: tuple[str, ...], belot: Belot, tmp_path: Path
) -> None:
    """Who counts nothing for the last trick does so by a bug: written as a house rule, it would pass."""
    path = tmp_path / "last.yaml"
    command = (
        "--profile",
        "bela-4",
        *option,
        "--write",
        str(path),
        "--format",
        "json",
        "--",
        sys.executable,
        "-m",
        "belot_conformance",
    )
    found = belot("identify", *command, "answer", "--mistake", "no-last-trick")
    [told] = json.loads(found.stdout)["found"]
    assert found.returncode == 1
    assert [(one["rule"], one["looks_like_a_mistake"]) for one in told["rules"]] == [("scoring.last-trick", True)]
    assert told["overlay"] == ({"scoring.last-trick": 0} if option else {})
    assert path.exists() == bool(option)
    assert ("scoring.last-trick" in found.stderr) == (not option)
    if option:
        assert open_profile(str(path)).value("scoring.last-trick") == 0


def test_what_a_source_an_option_a_document_or_a_measured_program_plays_is_no_oddity() -> None:
    values = rule_values(SPEC)
    assert all(values.is_played(rule, value) for one in load_measured().values() for rule, value in one.items())
    assert all(values.is_played(rule, setting.value) for rule, setting in SPEC.profile("bela-4").settings.items())
    assert values.is_played("scoring.fixed-sum", 162)  # CO-142: six documents, and no option
    assert not values.is_played("scoring.fixed-sum", 161)
    assert not values.is_played("play.trick-winner", "highest-card-of-any-suit")


def test_every_measured_value_is_one_of_its_rule() -> None:
    for program, values in load_measured().items():
        for rule, value in values.items():
            assert SPEC.rules[rule].allows(value), (program, rule)


def scorer_of(*observations: Observation, profile: str = "bela-4") -> Scorer:
    return Scorer([SPEC.profile(profile)], observations, SPEC, {})


def test_one_value_is_told_instead_of_two_that_do_the_same() -> None:
    """To win above 1,010 is to win at 1,011: of rules that come to the same the fewest are named."""
    rules, matches = compile_profile(played({"match.target": 1011})), []
    for number, (operation, question) in enumerate(random_questions(rules, 36, 1, frozenset({"match"}))):
        [(kind, value)] = put(operation, rules, question).message().items()
        matches.append(Observation(f"match-{number}", operation, question, kind, value))
    scorer = scorer_of(*matches)
    target, reached = scorer.slot(0, "match.target"), scorer.slot(0, "match.target-reached")
    state = scorer.state({target: 1010, reached: "exceed"})
    assert state is not None
    assert not state.wrong
    assert Search(scorer, Evidence(matches)).refined(state).changes == {target: 1011}


def test_another_reason_for_the_same_answer_tells_no_value_from_another() -> None:
    """Reasons are not compared, so that to ask about such a question would be in vain."""
    order = {"deck.plain-order": ["A", "K", "10", "Q", "J", "9", "8", "7"]}
    one, other = (compile_profile(profile) for profile in (SPEC.profile("bela-4"), played(order)))
    asked = [each for each in answers(SPEC.profile("bela-4")) if each.operation == "legal-cards"]
    scorer = scorer_of(*asked)
    state = scorer.state({})
    assert state is not None
    step = {scorer.slot(0, rule): value for rule, value in order.items()}
    for_the_reason = 0
    for index, each in enumerate(scorer.observations):
        said, instead = (put(each.operation, rules, each.input).message() for rules in (one, other))
        is_other = without_reasons(each.operation, said) != without_reasons(each.operation, instead)
        assert scorer.stirs(state, step, [index]) == is_other
        for_the_reason += said != instead and not is_other
    assert for_the_reason


def test_a_question_is_asked_about_a_value_that_no_answer_speaks_against() -> None:
    profile = SPEC.profile("bela-4")
    scorer = scorer_of()
    state = scorer.state({})
    assert state is not None
    drawn = list(Further(profile, SPEC, 0).about("scoring.last-trick", scorer, state))
    assert drawn
    right, other = (compile_profile(one) for one in (profile, played({"scoring.last-trick": 11})))
    told = [put(one.operation, rules, one.input).message() for rules in (right, other) for one in drawn]
    assert told[: len(drawn)] != told[len(drawn) :]


def test_an_operation_that_is_rightly_answered_with_the_same_each_time_is_not_broken() -> None:
    found = around(answers(played({"penalties.fault": "none"})))
    assert "penalty" not in {group.operation for group in found.groups}


def test_an_error_names_the_rules_by_which_a_question_makes_no_sense() -> None:
    rules = compile_profile(SPEC.profile("bela-2").with_values("house", {"deck.removed-cards": ["7S"]}, SPEC.rules))
    came = put("compare-hands", rules, {"trump": "S", "leader": 0, "hands": [["7S"], ["8S"]]})
    assert came.message() == {"error": "house is played without 7S"}
    assert came.rules == {"deal.players", "deck.removed-cards"}


@pytest.fixture
def nothing_found() -> tuple[Further, Scorer, State]:
    """Return what draws further questions for belotten, without a deal played, where nothing was found yet."""
    scorer = scorer_of(profile="belotten")
    state = scorer.state({})
    assert state is not None
    return Further(SPEC.profile("belotten"), SPEC, 0, budget=IdentifyBudget(draws=0)), scorer, state


def test_a_value_that_never_comes_up_by_the_rules_found_is_asked_about_as_it_is_played(
    nothing_found: tuple[Further, Scorer, State],
) -> None:
    """Nobody says "enough" where every deal is played out."""
    questions, scorer, state = nothing_found
    drawn = list(questions.about("match.claim", scorer, state))
    assert drawn
    right = compile_profile(SPEC.profile("belotten"))
    other = compile_profile(SPEC.profile("belotten").with_values("house", {"match.claim": "enough"}, SPEC.rules))
    told = [put(one.operation, rules, one.input).message() for rules in (right, other) for one in drawn]
    assert told[: len(drawn)] != told[len(drawn) :]


def test_the_last_rule_is_asked_about_however_many_values_of_others_nothing_tells(
    nothing_found: tuple[Further, Scorer, State],
) -> None:
    """Nothing that a program said speaks against any value, so that there are hundreds to draw questions for."""
    questions, scorer, state = nothing_found
    drawn = questions.near(scorer, state)
    assert any(one.name.startswith('0-[["match.claim"') for one in drawn)


def test_only_operations_that_a_program_declares_are_drawn() -> None:
    """A smaller question of another operation would tell a value as well, but not of this program."""
    scorer = scorer_of()
    state = scorer.state({})
    assert state is not None
    declared = frozenset({"legal-cards", "score-deal"})
    drawn = list(Further(SPEC.profile("bela-4"), SPEC, 0, operations=declared).near(scorer, state))
    assert {one.operation for one in drawn} == declared


def test_an_order_told_the_wrong_way_round_is_tried() -> None:
    order = SPEC.profile("bela-4").value("deck.sequence-order")
    found = around(answers(played({"deck.sequence-order": order[::-1]})))
    assert named(found) == {"deck.sequence-order": order[::-1]}


def test_answers_that_are_wrong_in_a_broken_field_alone_are_counted_apart() -> None:
    """In both languages; a rule is named all the same for what the other fields say."""

    def always_passed(_: int, operation: str, message: Message) -> Message:
        fields = message.get("result", {})
        return {"result": {**fields, "outcome": "passed"}} if operation == "score-deal" and fields else message

    observed = answers(played({"scoring.tie": "each-keeps-own"}), always_passed)
    found = around(observed)
    assert named(found) == {"scoring.tie": "each-keeps-own"}
    assert found.broken == {"score-deal": frozenset({"outcome"})}
    asked = [one for one in observed if one.operation == "score-deal" and one.kind == "result"]
    right = compile_profile(found.played[0])
    wrong = sum(put("score-deal", right, one.input).message()["result"]["outcome"] != "passed" for one in asked)
    assert {operation: group.count for operation, group in found.spoiled.items()} == {"score-deal": wrong}
    example = found.spoiled["score-deal"].example
    assert example.came != example.said
    assert wrong > 10
    subject = Subject(Text("it", "het"), Text("", ""), {}, [])
    english = as_text(lambda page: print_identified(page, subject, found, SPEC, "en"))
    dutch = as_text(lambda page: print_identified(page, subject, found, SPEC, "nl"))
    assert f"Answers wrong in nothing else: {wrong}\n" in english
    assert f"Antwoorden die verder juist zijn: {wrong}\n" in dutch


def test_a_field_that_no_rules_explain_is_told_with_an_example_whatever_else_is_wrong() -> None:
    def always_made(_: int, operation: str, message: Message) -> Message:
        fields = message.get("result", {})
        if operation != "score-deal" or not fields or fields["outcome"] == "made":
            return message
        return {"result": {**fields, "outcome": "made", "points": [points + 1 for points in fields["points"]]}}

    found = around(answers(SPEC.profile("bela-4"), always_made))
    assert "outcome" in found.broken["score-deal"]
    (told,) = identified_json([(subject := Subject(Text("it", "het"), Text("", ""), {}, []), found)], SPEC)["found"]
    assert told["spoiled"]["score-deal"] == 0
    assert told["spoiled_smallest"]["score-deal"]["came"]["result"]["outcome"] == "made"
    for language in LANGUAGES:
        text = as_text(partial(print_identified, subject=subject, found=found, spec=SPEC, language=language))
        assert "outcome made" in text


def test_an_option_that_only_a_field_spoke_for_that_no_rules_explain_is_not_told() -> None:
    """Dealt one by one, but the hands go to others mostly: only the turn-up is left to judge by."""

    def mixed_up(number: int, operation: str, message: Message) -> Message:
        fields = message.get("result", {})
        if operation != "deal" or not fields:
            return message
        before = fields["before"] if questions("belote")[number].input["dealer"] == 3 else fields["before"][::-1]
        return {"result": {**fields, "before": before, "hands": fields["hands"][::-1]}}

    observed = answers(SPEC.profile("belote+one-by-one"), mixed_up, asked="belote")
    found = Identification(observed, SPEC).anywhere()
    assert found.broken["deal"] >= {"before", "hands"}
    assert found.bases[0].id == "belote"
    assert not found.findings


def test_a_wrong_field_beside_it_hides_no_rule() -> None:
    """Whatever is counted is told one too high in the very answers that show what all tricks earn."""
    values, plain = {"scoring.all-tricks.points": 250}, compile_profile(SPEC.profile("bela-4"))

    def one_too_high(number: int, operation: str, message: Message) -> Message:
        fields = message.get("result", {})
        same = put(operation, plain, questions("bela-4")[number].input).message() == message
        counted = [points + 1 for points in fields.get("counted", ())]
        return {"result": {**fields, "counted": counted}} if counted and not same else message

    seen = [one for one in answers(played(values), one_too_high) if one.operation == "score-deal"]
    found = around(seen)
    assert named(found) == values
    assert found.broken == {"score-deal": frozenset({"counted"})}
    assert found.spoiled["score-deal"].example.came != found.spoiled["score-deal"].example.said
    assert not found.groups


def test_no_rule_is_found_by_one_field_that_makes_more_answers_wrong_in_another() -> None:
    """Equal totals beyond the target go to the taker's side, which no value says; else the higher total wins."""
    base = SPEC.profile("belote")
    rules = compile_profile(base)
    takers = compile_profile(base.with_values("house", {"match.both-over": "takers-side"}, SPEC.rules))

    def answered(cards: int, ahead: int, dealer: int = 0, begun: int = 440) -> Observation:
        sides = [{"cards": cards, "tricks": 4}, {"cards": 162 - cards, "tricks": 4}]
        totals = [begun, begun + 2 * cards - 162 + ahead]
        question = {"dealer": dealer, "totals": totals, "deals": [{"scored": {"taker": 0, "sides": sides}}]}
        told = put("match", rules if ahead else takers, question).message()
        return Observation(f"{cards} {ahead} {dealer}", "match", question, "result", told["result"])

    seen = [answered(cards, ahead) for cards in range(84, 94) for ahead in (0, 1, 2, 3)]
    seen += [answered(cards, 4, dealer, 0) for cards in range(84, 94) for dealer in range(4)]
    found = Identification(seen, SPEC).around([base])
    assert not named(found)
    assert sum(group.count for group in found.groups) == 10


def test_a_search_of_which_the_time_is_over_keeps_what_is_found_and_says_so() -> None:
    observations = answers(played(HOUSE))
    whole = Identification(observations, SPEC).around([SPEC.profile("bela-4")])
    over = Identification(observations, SPEC, budget=IdentifyBudget(ends_at=0.0)).around([SPEC.profile("bela-4")])
    assert (whole.is_cut, over.is_cut) == (False, True)
    assert named(whole) == HOUSE
    assert over.asked_wrong == whole.asked_wrong
    assert over.wrong <= over.asked_wrong


def test_of_what_a_search_that_is_cut_did_not_look_at_it_says_so() -> None:
    seen = [one for one in answers(played(HOUSE)) if one.operation in ("score-deal", "legal-cards")]
    search = Identification(seen, SPEC)
    search.around([SPEC.profile("bela-4")])
    whole, cut = search.unseen(), search.unseen(IdentifyBudget(ends_at=0.0))
    assert not whole.not_looked_at
    # Of what no answer rests on it is known without looking.
    assert "deal.cutter" in cut.rules
    assert set(cut.rules) <= set(whole.rules) <= {*cut.rules, *cut.not_looked_at}
    assert "scoring.tie" in cut.not_looked_at


PLAYS = """
import json, sys
from belot_conformance.programs.reference import Reference
declared, played = sys.argv[1:]
reference = Reference(extra_profiles=[played])
hello = {"protocol": 1, "name": "plain", "version": "1", "language": "Python", "profiles": [declared], "operations": ["legal-cards"]}
for line in sys.stdin:
    asked = json.loads(line)
    said = {"result": hello} if asked["op"] == "hello" else reference.reply(asked["op"], played, asked["input"])
    print(json.dumps({"id": asked["id"], **said}), flush=True)
"""
OTHERWISE = {"en": "This is not belote as the rules have it", "nl": "Dat is niet belote zoals de regels het zeggen"}


@pytest.mark.parametrize(
    ("declared", "plays", "named", "code"),
    [
        ("belote", "belote", (), 0),
        ("belote", "belote+no-undertrump", (), 1),
        ("belote", "denderbelot", (), 1),
        ("our-game", "belote+no-undertrump", (), 0),  # of a name that is no variant here nothing can be held
        ("our-game", "belote", ("--profile", "belote"), 0),
        ("our-game", "belote+no-undertrump", ("--profile", "belote", "--lang", "nl"), 1),
    ],
)
def test_the_exit_code_says_whether_it_plays_what_it_should(
    declared: str, plays: str, named: tuple[str, ...], code: int, belot: Belot, tmp_path: Path
) -> None:
    path = tmp_path / "plays.py"
    path.write_text(PLAYS, encoding="utf-8")
    done = belot("identify", "--fresh", *named, "--", sys.executable, str(path), declared, plays)
    assert done.returncode == code, done.stdout
    assert (OTHERWISE["nl" if "nl" in named else "en"] in done.stdout) == bool(code)


def test_what_the_program_itself_works_counts_in_the_seconds(belot: Belot, tmp_path: Path) -> None:
    path, lazy = tmp_path / "plays.py", tmp_path / "lazy.py"
    path.write_text(PLAYS, encoding="utf-8")
    # It works for a fifth of a second before each answer; without that there is time enough on a slow machine too.
    lazy.write_text(
        PLAYS.replace(
            "asked =", "ends = time.process_time() + 0.2\n    while time.process_time() < ends: pass\n    asked ="
        ).replace("import json, sys", "import json, sys, time"),
        encoding="utf-8",
    )
    for program, is_cut in ((path, False), (lazy, True)):
        asked = ("identify", "--fresh", "--seconds", "20", "--format", "json", "--", sys.executable, str(program))
        (found,) = json.loads(belot(*asked, "belote", "belote").stdout)["found"]
        assert found["cut_short"] == is_cut


def test_what_is_found_says_to_which_profile_a_program_is_held_and_whether_it_departs(
    belot: Belot, tmp_path: Path
) -> None:
    path = tmp_path / "plays.py"
    path.write_text(PLAYS, encoding="utf-8")
    asked = ("identify", "--fresh", "--format", "json", "--", sys.executable, str(path))
    for plays, departs in (("belote", False), ("belote+no-undertrump", True)):
        (found,) = json.loads(belot(*asked, "belote", plays).stdout)["found"]
        assert (found["held_to"], found["departs"]) == ("belote", departs)
