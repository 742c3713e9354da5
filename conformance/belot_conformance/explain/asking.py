"""Asking a program for its rules: the cases that hold for what it declares, then what tells rules apart."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from time import process_time
from typing import Final

from belot_conformance.explain.answers import Answered
from belot_conformance.explain.budget import BUDGET, Budget, Clock
from belot_conformance.explain.confirm import Ask
from belot_conformance.explain.explanation import Explanation, explain
from belot_conformance.explain.nearest import likeliest
from belot_conformance.house_suite.planning import called, is_known
from belot_conformance.house_suite.questions import table_questions
from belot_conformance.programs.answer_book import BookTarget
from belot_conformance.programs.progress import counting_bar, progress_bar
from belot_conformance.programs.protocol import Hello, Question
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import Answer, Target
from belot_conformance.questions.operation import Question as Drawn
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.judge import Expectation
from belot_conformance.suite.shapes import NotAskedError, Told, told
from belot_conformance.suite.verdicts import NOT_ASKED, Planned, Verdict, judge_each
from belot_reference.operations import answer
from belot_spec.errors import BelotError
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile, Spec

_FURTHER: Final = "further-"
# Seconds of those of a search that it takes to tell what was found: 0.3 to 0.9 in sixty programs.
_TELLING: Final = 1.0
_SEARCHING: Final = "searching for the rules that explain wrong answers"


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What a program was asked for, under which name, and what was found.

    Of the ``questions`` so many were answered in earlier runs and ``kept``, and of those so many asked again.
    """

    profile: str
    asked_as: str
    found: Explanation
    questions: int
    kept: int = 0
    confirmed: int = 0


def identify_program(
    target: BookTarget,
    reference: Reference,
    wanted: Profile | None = None,
    budget: Budget = BUDGET,
    began: float = 0.0,
) -> list[Inquiry]:
    """Ask a program for its rules: those ``wanted``, or each variant that it declares, or the likeliest of all.

    The seconds, of which those of the processor since ``began`` are gone, are shared out among the variants. Raises
    ``ChangedError`` if it does not answer as in earlier runs; these are forgotten by then, and it can be asked anew.
    """
    left = max(budget.seconds - (process_time() - began), budget.seconds / 2)
    if wanted is not None:
        return [_inquiry(target, reference, wanted, replace(budget, seconds=left), None)]
    names = declared(target.hello, reference.spec)
    begun = [reference.profile(name) for name in names] or [likeliest(target, reference)[0]]
    each = replace(budget, seconds=left / len(begun))
    return [_inquiry(target, reference, one, each, names) for one in begun]


def _inquiry(
    target: BookTarget, reference: Reference, profile: Profile, budget: Budget, names: Sequence[ProfileName] | None
) -> Inquiry:
    kept, confirmed = target.from_before, target.confirmed
    # A clock of its own for each variant: reading its questions is a part of its seconds.
    clock = Clock(max(budget.seconds - _TELLING, budget.seconds / 2))
    asked_as = (
        called(profile, target.hello, reference.spec)[0] if names is None or profile.id not in names else profile.id
    )
    planned = [
        replace(one, asked_as=asked_as)
        for one in _suite_of(profile.id, reference)
        if one.case.operation in target.hello.operations
    ]
    with progress_bar("asking", len(planned)) as answered:
        verdicts = list(judge_each(target, planned, answered))
    target.confirm({one.planned.case.id for one in verdicts if one.outcome != "passed"})
    answers = [*answers_of(verdicts, target.answers)]
    found = explain(
        [profile], answers, reference.spec, asker(target, reference, [profile], [asked_as]), budget,
        clock=clock, declared=names,
    )  # fmt: skip
    # What earlier runs were told of rules that stand now is not believed unasked.
    target.confirm({name for name in target.answers if name.startswith(_FURTHER)})
    asked = len(planned) + found.confirmed
    return Inquiry(profile.id, asked_as, found, asked, target.from_before - kept, target.confirmed - confirmed)


@lru_cache(maxsize=8)
def _suite_of(profile: str, reference: Reference) -> list[Planned]:
    return [*table_questions(load_cases(), reference.ruleset(profile), reference).asked]


def declared(hello: Hello, spec: Spec) -> list[ProfileName]:
    """Return the variants that a program declares, each as it names it first; none if one of its names is no variant's.

    A single name that nobody knows is taken for house rules, with which a program may list what they build on.
    """
    if sum(not is_known(name, spec) for name in hello.profiles) == 1:
        return []
    found: dict[str, ProfileName] = {}
    for name in hello.profiles:
        if is_known(name, spec):
            found.setdefault(name.variant, name.plain)
    return list(found.values())


def answers_of(
    verdicts: Iterable[Verdict], answers: Mapping[str, Answer], context: Callable[[Planned], int] = lambda _: 0
) -> Iterator[Answered]:
    """Yield what a program answered to what it was asked; what was not asked is left out."""
    for verdict in verdicts:
        case = verdict.planned.case
        if (
            verdict.outcome not in NOT_ASKED
            and verdict.outcome not in ("not_run", "suite_error")
            and case.id in answers
        ):
            came = answers[case.id].message()
            yield Answered(case.id, case.operation, case.input, came, context(verdict.planned), case.expected)


def asker(target: Target, reference: Reference, contexts: Sequence[Profile], names: Sequence[str]) -> Ask:
    """Return what puts further questions to a program, in the shape in which it wants them."""
    numbers, shape = count(1), target.hello.shape
    rules = [Reference(reference.spec).playing(one).ruleset(one.id) for one in contexts]

    def ask(context: int, questions: Sequence[Drawn]) -> list[Answered]:
        asked: dict[str, Answered] = {}
        for operation, question in questions:
            expected: tuple[Expectation, ...] = ()
            if operation not in target.hello.operations:
                continue
            if not shape.is_plain:
                # What makes no sense by the rules asked for cannot be told in another shape.
                with suppress(NotAskedError, BelotError):
                    right = Expectation.of(operation, answer(operation, rules[context], question).message())
                    found = told(shape, rules[context], operation, Told(question, (right,)))
                    question, expected = found.question, found.expected
                if not expected:
                    continue
            name = f"{_FURTHER}{next(numbers):04}"
            asked[name] = Answered(name, operation, question, {}, context, expected)
        answers = (
            target.ask([Question(one.id, one.operation, names[context], one.input) for one in asked.values()])
            if asked
            else {}
        )
        return [
            replace(one, came=answers[name].message())
            for name, one in asked.items()
            if "not_run" not in answers[name].message()
        ]

    return ask


def explain_checked(
    verdicts: Sequence[Verdict],
    answers: Mapping[str, Answer],
    reference: Reference,
    target: Target | None = None,
    budget: Budget = BUDGET,
) -> list[Explanation]:
    """Return what explains the wrong answers of each variant that has any, where the program is there by asking on.

    The seconds are shared out among the variants, or each would be waited for.
    """
    groups = [*_groups(verdicts)]
    each = replace(budget, seconds=budget.seconds / max(1, len(groups)))
    found: list[Explanation] = []
    with counting_bar(_SEARCHING, len(groups)) as advance:
        for asked, ones in groups:
            contexts = [one.rules or reference.profile(name) for name, one in asked.items()]
            numbers = {name: number for number, name in enumerate(asked)}
            seen = [*answers_of(ones, answers, lambda planned, of=numbers: of[planned.profile])]  # type: ignore[misc]
            names = [one.asked_as or name for name, one in asked.items()]
            ask = None if target is None else asker(target, reference, contexts, names)
            found.append(explain(contexts, seen, reference.spec, ask, each))
            advance(1)
    return found


def _groups(verdicts: Sequence[Verdict]) -> Iterator[tuple[dict[str, Planned], Sequence[Verdict]]]:
    """Yield the profiles of each variant with wrong answers, the plainest first, and all answers about them."""
    by_variant: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.outcome not in NOT_ASKED and verdict.outcome not in ("not_run", "suite_error"):
            by_variant.setdefault(verdict.planned.profile.variant, []).append(verdict)
    for ones in by_variant.values():
        if any(verdict.outcome != "passed" for verdict in ones):
            by_length = sorted((one.planned for one in ones), key=lambda one: len(one.profile))
            asked: dict[str, Planned] = {}
            for one in by_length:
                asked.setdefault(one.profile, one)
            yield asked, ones
