"""What explains the wrong answers of a run: the rules under which they are right, around the profiles asked for."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from belot_conformance.identify.asking import observation_of
from belot_conformance.identify.found import Identified
from belot_conformance.identify.identification import Identification
from belot_conformance.identify.observations import Observation
from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.progress import counting_bar
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import Answer
from belot_conformance.suite.verdicts import Verdict
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile, default_spec

_LABEL: Final = "searching for the rules that explain wrong answers"
# What was not asked says nothing.
_NOT_ASKED: Final = frozenset(("unsupported", "skipped", "not_run", "suite_error"))
# With fewer answers than this it takes longer to start another process.
_WORTH_A_PROCESS: Final = 400


@dataclass(frozen=True, slots=True)
class _Group:
    """The answers about one variant and its options, or about one profile that the tester named."""

    contexts: Sequence[Profile]
    observations: Sequence[Observation]


def explain(verdicts: Sequence[Verdict], answers: Mapping[str, Answer], reference: Reference) -> list[Identified]:
    """Return what explains the wrong answers of each variant that has any; those of right programs are not searched."""
    groups = list(_groups(verdicts, answers, reference))
    found: list[Identified] = []
    if not groups:
        return found
    many = sum(len(group.observations) for group in groups) > _WORTH_A_PROCESS
    with counting_bar(_LABEL, len(groups)) as advance:
        for one in in_processes(_searched, groups, (os.cpu_count() or 1) if many else 1):
            found.append(one)
            advance(1)
    return found


def _searched(group: _Group) -> Identified:
    return Identification(group.observations, default_spec()).around(group.contexts)


def _groups(verdicts: Sequence[Verdict], answers: Mapping[str, Answer], reference: Reference) -> Iterator[_Group]:
    by_variant: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.outcome not in _NOT_ASKED and verdict.planned.case.id in answers:
            by_variant.setdefault(ProfileName.parse(verdict.planned.profile).variant, []).append(verdict)
    for told in by_variant.values():
        if all(verdict.outcome == "passed" for verdict in told):
            continue
        profiles: dict[str, Profile] = {}
        for verdict in sorted(told, key=lambda verdict: len(verdict.planned.profile)):
            planned = verdict.planned
            profiles.setdefault(planned.profile, planned.rules or reference.profile(planned.profile))
        numbers = {name: number for number, name in enumerate(profiles)}
        seen = [
            observation_of(one.planned.case, answers[one.planned.case.id], numbers[one.planned.profile]) for one in told
        ]
        yield _Group(list(profiles.values()), seen)
