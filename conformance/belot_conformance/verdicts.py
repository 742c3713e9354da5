"""The verdict on each case, and the count that always sums to the plan."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from belot_conformance.cases import Case
from belot_conformance.compare import Difference, differences
from belot_conformance.protocol import Hello, Reply
from belot_conformance.runner import Answer, Fault, Progress, Target

Outcome = Literal[
    "passed", "failed", "errored", "unsupported", "skipped", "timed_out", "crashed",
    "protocol_violation", "not_run", "suite_error",
]  # fmt: skip
OUTCOMES: Final[tuple[Outcome, ...]] = (
    "passed", "failed", "errored", "unsupported", "skipped", "timed_out", "crashed",
    "protocol_violation", "not_run", "suite_error",
)  # fmt: skip
ACCEPTABLE: Final[frozenset[Outcome]] = frozenset(("passed", "unsupported", "skipped"))


@dataclass(frozen=True, slots=True)
class Planned:
    """A case and the profile it is asked for."""

    case: Case
    profile: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one planned case; ``detail`` is one sentence, ``seconds`` run from asking to answer."""

    planned: Planned
    outcome: Outcome
    detail: str = ""
    came: Mapping[str, object] | None = None
    differences: tuple[Difference, ...] = ()
    stderr: str = ""
    seconds: float = 0.0


def judge_all(target: Target, plan: Sequence[Planned], progress: Progress | None = None) -> list[Verdict]:
    """Put every planned case that the target declares to it; return one verdict per planned case, in order."""
    asked = [planned for planned in plan if _undeclared(target.hello, planned) is None]
    answers = target.ask([planned.case.question(planned.profile) for planned in asked], progress)
    verdicts = []
    for planned in plan:
        reason = _undeclared(target.hello, planned)
        if reason is not None:
            verdicts.append(Verdict(planned, "unsupported", reason))
        else:
            verdicts.append(judge(planned, answers[planned.case.id]))
    assert len(verdicts) == len(plan)
    return verdicts


def _undeclared(hello: Hello, planned: Planned) -> str | None:
    variant = planned.profile.partition("+")[0]
    if planned.profile not in hello.profiles and f"{variant}+*" not in hello.profiles:
        return f"the program does not declare the profile {planned.profile}"
    if planned.case.operation not in hello.operations:
        return f"the program does not declare the operation {planned.case.operation}"
    return None


def judge(planned: Planned, answer: Answer) -> Verdict:
    """Judge one answer: an error or a fault never satisfies a case, not even one that expects a refusal."""
    if isinstance(answer, Fault):
        return Verdict(planned, answer.kind, answer.detail, stderr=answer.stderr, seconds=answer.seconds)
    came: dict[str, object] = {answer.kind: answer.value}
    if answer.kind == "error":
        return Verdict(planned, "errored", f"the program says: {answer.value}", came, seconds=answer.seconds)
    if answer.kind == "unsupported":
        detail = "the program declared this operation and profile, yet answers that it is unsupported"
        return Verdict(planned, "failed", detail, came, seconds=answer.seconds)
    return _judge_reply(planned, answer, came)


def _judge_reply(planned: Planned, reply: Reply, came: Mapping[str, object]) -> Verdict:
    found = tuple(differences(planned.case.operation, planned.case.expected, reply))
    if found:
        fields = ", ".join(difference.field for difference in found)
        return Verdict(planned, "failed", f"different: {fields}", came, found, seconds=reply.seconds)
    return Verdict(planned, "passed", "", came, seconds=reply.seconds)


def count(verdicts: Iterable[Verdict]) -> dict[Outcome, int]:
    """Return how many verdicts there are of every outcome, zeros included."""
    found = Counter(verdict.outcome for verdict in verdicts)
    return {outcome: found[outcome] for outcome in OUTCOMES}


def all_acceptable(verdicts: Iterable[Verdict]) -> bool:
    """Say whether nothing went wrong: everything passed, or lies outside what the program declared."""
    return all(verdict.outcome in ACCEPTABLE for verdict in verdicts)
