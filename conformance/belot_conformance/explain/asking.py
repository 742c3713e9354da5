"""Asking a program for its rules: the cases that hold for what it declares, then what tells rules apart."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
from belot_conformance.house_suite.drawn import drawn_questions
from belot_conformance.house_suite.planning import called, is_known
from belot_conformance.house_suite.questions import TableQuestions, table_questions
from belot_conformance.programs.answer_book import BookTarget
from belot_conformance.programs.progress import progress_bar, waiting
from belot_conformance.programs.protocol import Hello, Request
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import Answer, Target
from belot_conformance.questions.operation import Question
from belot_conformance.questions.operations import OPERATIONS, RECORDINGS
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.judge import Expectation
from belot_conformance.suite.shapes import NotAskedError, Told, stands, told
from belot_conformance.suite.verdicts import NOT_ASKED, Planned, Verdict, judge_each
from belot_reference.compile import compile_profile
from belot_reference.operations import answer
from belot_spec.errors import BelotError
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile, Spec

_FURTHER: Final = "further-"
# Of each operation so many more are asked that no case asks: of a lone wrong answer they make two, which speak for a
# rule. Thirty bring back all rules of a published program that the cases show by one answer, for 0.3 seconds.
_DRAWN: Final = 30
# Seconds of those of a search that it takes to tell what was found: 0.3 to 0.9 in sixty programs.
_TELLING: Final = 1.0
# A profile that a program was asked for, what it calls that, and what it answered there.
Asked = tuple[Profile, str, Answered]
_NOT_ANSWERED: Final = NOT_ASKED | {"not_run", "suite_error"}


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
    names = None if wanted is not None else declared(target.hello, reference.spec)
    begun = [wanted] if wanted is not None else [reference.profile(name) for name in names or ()]
    left = max(budget.seconds - (process_time() - began), budget.seconds / 2)
    each = replace(budget, seconds=left / max(1, len(begun)))
    return [_inquiry(target, reference, one, each, names) for one in begun or [likeliest(target, reference)[0]]]


def _inquiry(
    target: BookTarget, reference: Reference, profile: Profile, budget: Budget, names: Sequence[ProfileName] | None
) -> Inquiry:
    kept, confirmed = target.from_before, target.confirmed
    # A clock of its own for each variant: reading its questions is a part of its seconds.
    clock = Clock(max(budget.seconds - _TELLING, budget.seconds / 2))
    asked_as = profile.id if profile.id in (names or ()) else called(profile, target.hello, reference.spec)[0]
    operations = target.hello.operations
    table = _suite_of(profile.id, reference, frozenset(operations))
    own = table.asked
    small = [name for name in operations if name in OPERATIONS and name not in RECORDINGS]
    drawn = drawn_questions(reference.ruleset(profile.id), _DRAWN * len(small), small, own)
    planned = [replace(one, asked_as=asked_as) for one in (*own, *drawn)]
    with progress_bar("asking", len(planned)) as answered:
        verdicts = list(judge_each(target, planned, answered))
    target.confirm({one.planned.case.id for one in verdicts if one.outcome != "passed"})
    answers = [one for _, one in answers_of(verdicts, target.answers)]
    ask = asker(target, [profile], [asked_as])
    given = target.hello.shape.fields
    found = explain(
        [profile], answers, reference.spec, ask, budget, clock=clock, declared=names, given=given, known=table.came
    )
    # What earlier runs were told of rules that stand now is not believed unasked.
    target.confirm({name for name in target.answers if name.startswith(_FURTHER)})
    asked = len(planned) + found.confirmed
    return Inquiry(profile.id, asked_as, found, asked, target.from_before - kept, target.confirmed - confirmed)


@lru_cache(maxsize=8)
def _suite_of(profile: str, reference: Reference, operations: frozenset[str]) -> TableQuestions:
    cases = [one for one in load_cases() if one.operation in operations]
    return table_questions(cases, reference.ruleset(profile), reference)


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


def answers_of(verdicts: Iterable[Verdict], answers: Mapping[str, Answer]) -> Iterator[tuple[Planned, Answered]]:
    """Yield what a program answered to what it was asked; what was not asked is left out."""
    for verdict in verdicts:
        one = verdict.planned.case
        if verdict.outcome not in _NOT_ANSWERED and one.id in answers:
            came = answers[one.id].message()
            yield verdict.planned, Answered(one.operation, one.input, one.id, came, expected=one.expected)


def asker(
    target: Target, contexts: Sequence[Profile], names: Sequence[str], is_over: Callable[[], bool] = lambda: False
) -> Ask:
    """Return what puts further questions to a program, in the shape in which it wants them."""
    numbers, shape = count(1), target.hello.shape
    rules = [*map(compile_profile, contexts)]

    def ask(context: int, questions: Sequence[Question]) -> list[Answered]:
        asked: dict[str, Answered] = {}
        for one in questions if not is_over() else ():
            operation, question = one.operation, one.input
            expected: tuple[Expectation, ...] = ()
            if operation not in target.hello.operations:
                continue
            if not stands(shape, operation, question):
                # What makes no sense by the rules asked for cannot be told in another shape.
                with suppress(NotAskedError, BelotError):
                    right = Expectation.of(operation, answer(operation, rules[context], question).message())
                    found = told(shape, rules[context], operation, Told(question, (right,)))
                    question, expected = found.question, found.expected
                if not expected:
                    continue
            name = f"{_FURTHER}{next(numbers):04}"
            asked[name] = Answered(operation, question, name, {}, context, expected)
        put_to = [Request(one.id, one.operation, names[context], one.input) for one in asked.values()]
        answers = target.ask(put_to) if put_to else {}
        came = {name: answers[name].message() for name in asked if answers[name].kind != "not_run"}
        return [replace(asked[name], came=message) for name, message in came.items()]

    return ask


def explain_checked(
    verdicts: Sequence[Verdict],
    answers: Mapping[str, Answer],
    reference: Reference,
    target: Target | None = None,
    budget: Budget = BUDGET,
) -> list[Explanation]:
    """Return what explains the wrong answers of each variant that has any, by the verdicts on them."""
    wrong = {one.planned.case.id for one in verdicts if one.outcome != "passed"}
    asked = [
        (planned.rules or reference.profile(planned.profile), planned.asked_as or planned.profile, one)
        for planned, one in answers_of(verdicts, answers)
    ]
    with waiting("searching for the rules that explain wrong answers"):
        return explain_asked(asked, wrong, reference.spec, target, budget)


def explain_asked(
    asked: Sequence[Asked],
    wrong: Collection[str],
    spec: Spec,
    target: Target | None = None,
    budget: Budget = BUDGET,
    *,
    is_over: Callable[[], bool] = lambda: False,
) -> list[Explanation]:
    """Return what explains the wrong answers of each variant that has any, where the program is there by asking on.

    The seconds are shared out among the variants, or each would be waited for; nothing is asked once time ``is_over``.
    """
    by_variant: dict[str, list[Asked]] = {}
    for each in asked:
        by_variant.setdefault(each[0].id.variant, []).append(each)
    groups = [some for some in by_variant.values() if any(one.id in wrong for *_, one in some)]
    end, found = process_time() + budget.seconds, list[Explanation]()
    for number, some in enumerate(groups):
        # The plainest profile first, as it was asked for first.
        tables = {profile.id: (profile, name) for profile, name, _ in reversed(some)}
        names = sorted(tables, key=len)
        contexts, called_so = zip(*(tables[name] for name in names), strict=True)
        answers = [replace(one, context=names.index(profile.id)) for profile, _, one in some]
        ask = None if target is None else asker(target, contexts, called_so, is_over)
        left = replace(budget, seconds=max(0.0, end - process_time()) / (len(groups) - number))
        given = {} if target is None else target.hello.shape.fields
        found.append(explain(contexts, answers, spec, ask, left, given=given))
    return found
