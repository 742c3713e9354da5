"""Finding the smallest question that shows what is wrong of some answers, by asking smaller and smaller ones."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from belot_conformance.explain.budget import FUZZ_BUDGET, FuzzBudget, Pace
from belot_conformance.fuzz.fuzzing import Seen, Tabled, seen_of, with_answer
from belot_conformance.house_suite.drawn import title_of
from belot_conformance.programs.protocol import Reply, Request
from belot_conformance.programs.reference import Reference, put
from belot_conformance.programs.target import Answer, Target
from belot_conformance.questions.operation import AnsweredQuestion, Question
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.shrinking import candidates, shrink, size
from belot_conformance.suite.judge import OTHER_KIND, kind_of
from belot_conformance.suite.verdicts import Verdict, judge
from belot_reference.compile import compile_profile
from belot_spec.files import canonical

Json = Mapping[str, Any]
# Says whether the answer to another question has the same cause.
Shows = Callable[[Seen], bool]


def anything(_: Seen) -> bool:
    """Say of every wrong answer that it has the same cause."""
    return True


def smallest_of(target: Target, wrong: Sequence[Seen], seconds: float | None = None) -> Seen:
    """Return the smallest question, of wrong answers with one cause, that asking on can find within some seconds."""
    return Shrinker(target, None, Pace(FUZZ_BUDGET.at_once, seconds)).smallest(wrong)


def by_size(seen: Seen) -> tuple[int, str]:
    """Return what is least of the smallest question."""
    return size(seen.input), str(seen.input)


class Shrinker:
    """Asks a program, and perhaps a second one, smaller and smaller questions about one cause.

    It ``was_cut_short`` if there was more to try, but no time, or nobody who answered.
    """

    def __init__(self, target: Target, against: Target | None, pace: Pace, budget: FuzzBudget = FUZZ_BUDGET) -> None:
        self._target = target
        self._declared = frozenset(target.hello.operations)
        self._against = against
        self._pace = pace
        self._budget = budget
        self._asked = 0
        self.was_cut_short = False

    def smallest(self, seen: Sequence[Seen], shows: Shows = anything, *, with_parts: bool = True) -> Seen:
        """Return the smallest question that shows what some wrong answers have in common.

        The parts of long ones are asked too, unless what is wrong of these may have another cause.
        """
        budget, first = self._budget, _best(seen)
        if with_parts and (parts := self._wrong_parts(first[: budget.long_shrunk], shows)):
            first = _best([*first, *parts])
        most = budget.long_shrunk if OPERATIONS[first[0].operation].is_long else budget.shrunk
        allowed = [one for one in first if "rejected" not in one.answer]
        refused = [one for one in first if "rejected" in one.answer]
        shrunk = [self._shrunk(one, shows) for one in (*allowed[:most], *refused[:most])]
        best = sorted(shrunk, key=by_size)[: budget.shrunk_further]
        return min((self._shrunk(one, shows, far=True) for one in best), key=by_size)

    def _wrong_parts(self, whole: Sequence[Seen], shows: Shows) -> list[Seen]:
        """Return what is wrong about the parts of long questions, of operations that the program declares."""
        parts = [
            (seen.table, part)
            for seen in whole
            for part in OPERATIONS[seen.operation].parts(seen.table.rules, seen.input)
            if part.operation in self._declared
        ]
        asked = [self._drawn(table, part) for table, part in parts]
        answered = self._answered([one for one in asked if one is not None])
        return [came for came in answered.values() if came.fields and shows(came)]

    def _shrunk(self, seen: Seen, shows: Shows, *, far: bool = False) -> Seen:
        def smaller(one: Seen) -> Iterator[Seen]:
            for question in candidates(seen.table.rules, one.input, far=far):
                if self._is_over():
                    return
                drawn = self._drawn(seen.table, Question(seen.operation, question))
                if drawn is not None and kind_of(drawn.answer) == kind_of(seen.answer):
                    yield drawn

        def first(some: Sequence[Seen]) -> Seen | None:
            answered = self._answered(some)
            came = (answered[one.number] for one in some if one.number in answered)
            return next((one for one in came if _alike(seen, one) and shows(one)), None)

        return shrink(seen, smaller, first, self._budget.patience, self._budget.at_once)

    def _drawn(self, table: Tabled, question: Question) -> Seen | None:
        """Return a question with the right answer by the rules of a table; ``None`` if it makes no sense there."""
        operation, asked = question.operation, question.input
        came = put(operation, table.rules, asked)
        if came.answer is None:
            return None
        drawn = AnsweredQuestion(operation, asked, came.message(), came.rules)
        seen = seen_of(self._target, -self._asked - 1, table, drawn)
        if seen is None or seen.input != asked:
            return None
        self._asked += 1
        return seen

    def _answered(self, asked: Sequence[Seen]) -> dict[int, Seen]:
        """Return what came of questions, by their numbers: of as many as there was time for."""
        found: dict[int, Seen] = {}
        while len(found) < len(asked) and not self._is_over():
            some = asked[len(found) : len(found) + self._pace.size]
            found |= self._put(some)
        return found

    def _is_over(self) -> bool:
        """Say whether the time is over; whoever wants to know would have had more to ask."""
        self.was_cut_short = self.was_cut_short or self._pace.is_over
        return self._pace.is_over

    def _put(self, asked: Sequence[Seen]) -> dict[int, Seen]:
        questions = [Request(f"s{-one.number}", one.operation, one.table.asked_as, one.input) for one in asked]
        began = self._pace.now()
        answers = self._target.ask(questions)
        others = {} if self._against is None else self._against.ask(questions)
        self._pace.put(len(asked), began)
        found = {}
        for one, question in zip(asked, questions, strict=True):
            came, other = answers[question.id], others.get(question.id)
            self.was_cut_short = self.was_cut_short or came.kind == "not_run"
            found[one.number] = with_answer(one, came, one.wrong_fields(came, other), other)
        return found


def _best(seen: Sequence[Seen]) -> list[Seen]:
    """Return the answers to the operation that shows a cause best, those to the smallest questions first."""
    best = min((one.operation for one in seen), key=lambda name: OPERATIONS[name].rank)
    shown = [one for one in seen if one.operation == best]
    return sorted(shown, key=lambda one: (size(one.input), one.number))


def _alike(seen: Seen, came: Seen) -> bool:
    """Say whether a smaller question shows the same: an answer of one kind, wrong in the same fields."""
    if not came.fields or _came_kind(came.came) != _came_kind(seen.came):
        return False
    return set(parts_of(came)) <= set(parts_of(seen))


def parts_of(seen: Seen) -> tuple[str, ...]:
    """Return what is wrong about an answer; where only one of two allows a deal, nothing of it can be compared."""
    allowed = _came_kind(seen.came) == "allowed"
    is_one = kind_of(seen.answer) == "allowed"
    comparable = isinstance(seen.came, Reply) and seen.came.kind in ("result", "rejected")
    return (OTHER_KIND,) if comparable and allowed != is_one else seen.fields


def _came_kind(came: Answer) -> str:
    """Return the kind of what came; a deal that only stops early was allowed as far as it goes."""
    kind = kind_of(came.message())
    return kind if kind == "allowed" or came.kind != "rejected" else "refused"


# So many kinds of wrong answers are made smaller, of which all together last no longer than so many seconds.
_MOST: Final = 10
_SECONDS: Final = 10.0

# Of what kind a wrong answer is: the profile, the operation, the fields that differ, the kind of what came.
_Kind = tuple[str, str, tuple[str, ...], str]


def with_smaller(
    target: Target, verdicts: Sequence[Verdict], answers: Mapping[str, Answer], reference: Reference
) -> list[Verdict]:
    """Return verdicts with the smallest question by lot of each kind of wrong answers in the place of a larger one.

    It keeps the id of that one, by which it is asked again. Nothing is asked on where no answer came.
    """
    kinds: dict[_Kind, int] = {}
    for place, one in enumerate(verdicts):
        came = answers.get(one.planned.case.id)
        if one.planned.provenance == "drawn" and one.outcome == "failed" and isinstance(came, Reply):
            kind = _kind(one, came)
            if kind not in kinds or _size(one) < _size(verdicts[kinds[kind]]):
                kinds[kind] = place
    found, places = list(verdicts), sorted(kinds.values(), key=lambda place: _size(verdicts[place]))[:_MOST]
    for place in places:
        came = answers[verdicts[place].planned.case.id]
        found[place] = _smaller(target, verdicts[place], came, reference, _SECONDS / len(places))
    return found


def _kind(one: Verdict, came: Reply) -> _Kind:
    fields = tuple(difference.field for difference in one.differences)
    return one.planned.profile, one.planned.case.operation, fields, came.kind


def _size(one: Verdict) -> tuple[int, int]:
    case = one.planned.case
    return OPERATIONS[case.operation].rank, len(canonical(dict(case.input)))


def _smaller(target: Target, wrong: Verdict, came: Answer, reference: Reference, seconds: float) -> Verdict:
    """Return the verdict on the smallest question that shows the same, found within some seconds."""
    planned, case = wrong.planned, wrong.planned.case
    rules = reference.ruleset(planned.profile) if planned.rules is None else compile_profile(planned.rules)
    right, expected = put(case.operation, rules, case.input), case.expected[0]
    seen = Seen(
        number=0,
        table=Tabled(rules, planned.asked_as or planned.profile),
        operation=case.operation,
        input=case.input,
        answer=right.message(),
        rules=right.rules,
        expected=expected,
        came=came,
        fields=expected.apart(case.operation, came.message()),
    )
    found = smallest_of(target, [seen], seconds)
    if found.operation != case.operation or found.input == case.input:
        return wrong
    made = replace(case, title=title_of("smaller", case.operation), input=found.input, expected=(found.expected,))
    return judge(replace(planned, case=made), found.came)
