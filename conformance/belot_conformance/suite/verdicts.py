"""The verdict on each case, and the count that always sums to the plan."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Literal, get_args

from belot_conformance.programs.protocol import Hello, Request
from belot_conformance.programs.reference import Reference, reply_of
from belot_conformance.programs.target import Answer, Fault, Progress, Target
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import Difference, Expectation, differences
from belot_conformance.suite.shapes import NotAskedError, stands, told_case
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile

Outcome = Literal[
    "passed", "failed", "errored", "unsupported", "skipped", "timed_out", "crashed",
    "protocol_violation", "not_run", "suite_error",
]  # fmt: skip
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)
# Where an answer comes from: somebody worked it out, or the reference gives it, perhaps to a question found by search.
Provenance = Literal["worked-out", "derived", "found", "shared", "drawn", "retold", "again"]
PROVENANCES: Final[tuple[Provenance, ...]] = get_args(Provenance)
# What a check ends with, counted apart: cases of other profiles that hold, questions drawn by lot, cases told otherwise
# and questions asked a second time.
COUNTED_APART: Final[tuple[Provenance, ...]] = ("shared", "drawn", "retold", "again")
OF_CASES: Final = tuple(kind for kind in PROVENANCES if kind not in COUNTED_APART)
NOT_ASKED: Final[frozenset[Outcome]] = frozenset(("unsupported", "skipped"))
ACCEPTABLE: Final[frozenset[Outcome]] = NOT_ASKED | {"passed"}

# So many questions are put to a target in one go; only their answers are in memory at once.
BATCH: Final = 4000


@dataclass(frozen=True, slots=True)
class Planned:
    """A case and the profile it is asked for; with a reason to ``skip`` it, it is not asked.

    ``asked_as`` is what the program calls this profile where the tester says which it plays, ``rules`` the profile
    itself where it has no name that the spec knows, ``consulted`` what was read for the reference's answer at a table,
    and ``rests_on`` that with what decides the form that was asked for.
    """

    case: Case
    profile: ProfileName
    skip: str = ""
    provenance: Provenance = "worked-out"
    asked_as: str = ""
    rules: Profile | None = None
    consulted: frozenset[str] = frozenset()
    rests_on: frozenset[str] = frozenset()

    @property
    def case_id(self) -> str:
        """The id of its case; one that is asked of another profile too has the profile behind it in its own id."""
        return self.case.id.partition("@")[0]

    def at(self, profile: ProfileName) -> "Planned":
        """Return it under an id of its own, ``case@profile``, beside the same case asked for its own profile."""
        return replace(self, case=replace(self.case, id=f"{self.case.id}@{profile}"))

    def request(self) -> Request:
        """Return what the program is asked."""
        return self.case.request(self.asked_as or self.profile)

    def pinning(self, *rules: str, provenance: Provenance) -> "Planned":
        """Return what is planned as a question that was made to pin some rules."""
        return replace(self, case=replace(self.case, rules=rules), provenance=provenance)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one planned case; ``detail`` is one sentence, ``seconds`` run from asking to answer.

    ``came`` is what was answered, kept only where it was not right. ``excuse`` says why a failure is expected, and
    is empty where none is.
    """

    planned: Planned
    outcome: Outcome
    detail: str = ""
    came: Mapping[str, object] | None = None
    differences: tuple[Difference, ...] = ()
    stderr: str = ""
    seconds: float = 0.0
    excuse: str = ""

    @property
    def was_asked(self) -> bool:
        """Whether the case was put to the program at all."""
        return self.outcome not in NOT_ASKED


def judge_all(
    target: Target, plan: Iterable[Planned], progress: Progress | None = None, reasons: bool = False
) -> list[Verdict]:
    """Put every planned case that the target declares to it; return one verdict per planned case, in order."""
    return list(judge_each(target, plan, progress, reasons, of_choices=True))


def judge_each(
    target: Target,
    plan: Iterable[Planned],
    progress: Progress | None = None,
    reasons: bool = False,
    *,
    of_choices: bool = False,
) -> Iterator[Verdict]:
    """Yield one verdict per planned case, in order, asking ``BATCH`` of them at a time.

    With ``reasons`` the rule that a refusal names is compared too. A target that wants questions in another shape gets
    them so, and its verdict holds the case as it was asked. Where it does not know all that may be said, it is not
    asked that, or ``of_choices`` what it knows of it is compared. ValueError when two cases in a batch share an id.
    """
    declared = Askable(target.hello, of_choices=of_choices)
    cases = map(declared.as_told, plan)
    while batch := list(islice(cases, BATCH)):
        asked = [planned for planned, objection in batch if objection is None and not planned.skip]
        answers = target.ask([planned.request() for planned in asked], progress)
        for planned, objection in batch:
            if objection is not None:
                yield Verdict(planned, "unsupported", objection)
            elif planned.skip:
                yield Verdict(planned, "skipped", planned.skip)
            else:
                yield judge(planned, answers[planned.case.id], reasons)


class Askable:
    """What a program said it answers."""

    def __init__(self, hello: Hello, *, of_choices: bool = False) -> None:
        self._hello = hello
        self._of_choices = of_choices
        self._reference = Reference()
        self._tables: dict[str, Ruleset] = {}

    def can_be_asked(self, planned: Planned) -> bool:
        """Say whether a case can be put to the program at all, in the shape that it declares."""
        return self.as_told(planned)[1] is None

    def is_declared(self, planned: Planned) -> bool:
        """Say whether a case that is not skipped is about what the program declares."""
        return not planned.skip and self._objection(planned) is None

    def _objection(self, planned: Planned) -> str | None:
        # Where the tester says which rules it plays, what it declared does not matter.
        if not planned.asked_as and not self._hello.declares(planned.profile):
            return f"the program does not declare the profile {planned.profile}"
        if planned.case.operation not in self._hello.operations:
            return f"the program does not declare the operation {planned.case.operation}"
        return None

    def as_told(self, planned: Planned) -> tuple[Planned, str | None]:
        """Return a planned case as the program wants to be asked, or the case as it is and why it cannot be asked."""
        if (objection := self._objection(planned)) is not None:
            return planned, objection
        if stands(self._hello.shape, planned.case.operation, planned.case.input):
            return planned, None
        try:
            case = told_case(self._hello.shape, self._rules(planned), planned.case, of_choices=self._of_choices)
        except NotAskedError as why:
            return planned, str(why)
        return planned if case is planned.case else replace(planned, case=case), None

    def _rules(self, planned: Planned) -> Ruleset:
        name, profile = planned.profile, planned.rules
        if profile is None:
            return self._reference.ruleset(name)
        if name not in self._tables or self._tables[name].profile != profile:
            self._tables[name] = compile_profile(profile)
        return self._tables[name]


def judge(planned: Planned, answer: Answer, reasons: bool = False) -> Verdict:
    """Judge one answer: an error or a fault never satisfies a case, not even one that expects a refusal."""
    if isinstance(answer, Fault):
        return Verdict(planned, answer.kind, answer.detail, stderr=answer.stderr, seconds=answer.seconds)
    came = answer.message()
    if answer.kind == "error":
        return Verdict(planned, "errored", f"the program says: {answer.value}", came, seconds=answer.seconds)
    if answer.kind == "unsupported":
        detail = "the program declared this operation and profile, yet answers that it is unsupported"
        return Verdict(planned, "failed", detail, came, seconds=answer.seconds)
    found = tuple(differences(planned.case.operation, planned.case.expected, answer, reasons))
    if found:
        fields = ", ".join(difference.field for difference in found)
        return Verdict(planned, "failed", f"different: {fields}", came, found, seconds=answer.seconds)
    return Verdict(planned, "passed", seconds=answer.seconds)


def count(verdicts: Iterable[Verdict]) -> dict[Outcome, int]:
    """Return how many verdicts there are of every outcome, zeros included."""
    found = Counter(verdict.outcome for verdict in verdicts)
    return {outcome: found[outcome] for outcome in OUTCOMES}


def all_acceptable(verdicts: Iterable[Verdict]) -> bool:
    """Say whether nothing went wrong: everything passed, was skipped or expected to fail, or was not declared."""
    return all(verdict.outcome in ACCEPTABLE or verdict.excuse for verdict in verdicts)


def with_reasons(plan: Iterable[Planned], reference: Reference) -> list[Planned]:
    """Return the plan with the rule in every refusal that is expected, and the rule behind every illegal card.

    A case may state the rule itself. Otherwise it is the rule that the reference names, for the profile asked, in the
    refusal that it answers with; what another answer would be refused by, where several are right, is left open.
    """
    return [_with_reason(planned, reference) for planned in plan]


def _with_reason(planned: Planned, reference: Reference) -> Planned:
    case, field = planned.case, OPERATIONS[planned.case.operation].reasons
    kind, reason = ("rejected", "rule") if field is None else ("result", field)

    def told_why(one: Expectation) -> Expectation:
        if one.kind != kind or one.rule or field in one.fields:
            return one
        said = reference.reply(case.operation, planned.profile, case.input).get(kind, {})
        if reason not in said or differences(case.operation, [one], reply_of(case.id, {kind: said})):
            return one
        if field is None:
            return replace(one, rule=said[reason])
        return replace(one, fields={**one.fields, field: said[field]})

    return replace(planned, case=replace(case, expected=tuple(map(told_why, case.expected))))
