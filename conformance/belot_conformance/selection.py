"""Which cases are asked: chosen by profile, operation and id."""

from collections.abc import Sequence

from belot_conformance.applicability import plan_for, plan_own
from belot_conformance.cases import load_cases
from belot_conformance.reference import Reference
from belot_conformance.verdicts import Planned
from belot_reference.errors import UnknownNameError, nearest
from belot_reference.operations import OPERATIONS


def plan_cases(profile: str | None, operations: Sequence[str] = (), case_ids: Sequence[str] = ()) -> list[Planned]:
    """Return the cases to ask: every case for its own profile, or those that apply to one profile.

    Raises ``UnknownNameError`` for a name that does not exist, and if nothing is left to ask.
    """
    cases = load_cases()
    known = {case.id for case in cases}
    for operation in operations:
        if operation not in OPERATIONS:
            raise UnknownNameError(f"there is no operation {operation}{nearest(operation, OPERATIONS)}")
    for case_id in case_ids:
        if case_id not in known:
            raise UnknownNameError(f"there is no case {case_id}{nearest(case_id, known)}")
    chosen = [
        case
        for case in cases
        if (not operations or case.operation in operations) and (not case_ids or case.id in case_ids)
    ]
    plan = plan_own(chosen) if profile is None else plan_for(chosen, profile, Reference(extra_profiles=[profile]))
    if not plan:
        asked = [*(f"--operation {name}" for name in operations), *(f"--case {case_id}" for case_id in case_ids)]
        raise UnknownNameError(f"no case fits {' and '.join([*asked, *([f'--profile {profile}'] if profile else [])])}")
    return plan
