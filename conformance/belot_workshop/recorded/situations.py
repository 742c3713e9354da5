"""Writing the cases that the situations of each variant lack: ``belot cases record`` makes these files too.

They are drawn towards every situation that comes up in a variant and that fewer cases ask about than a suite wants; a
case of one variant counts for each other where it holds. No rule is pinned by them.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from belot_conformance.house_suite.questions import table_case
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.situations.covering import planned_coverings
from belot_conformance.suite.cases import SUFFIX, Case, load_cases, write_json_lines
from belot_conformance.suite.judge import fields_apart
from belot_conformance.suite.ledger import read_ledger
from belot_conformance.suite.selection import plan_for
from belot_reference.operations import answer
from belot_spec.spec import Spec
from belot_spec.words import Words
from belot_workshop.recorded.recorder import VARIANTS

NAME: Final = f"situations{SUFFIX}"
FIRST: Final = 7000
# How many times as long as at a table is drawn towards what is seldom.
_LONGER: Final = 12

_WORDS: Final = Words(__name__, "situations")


def record_situations(spec: Spec, folder: Path) -> Iterator[tuple[Path, int]]:
    """Add what cases lack to a folder of cases; yield each file and how many cases it has.

    What was drawn before stays under its id as long as its answer is still right.
    """
    reference, cases = Reference(spec), load_cases(folder)
    known = [one for one in cases if one.path.name != NAME or _is_right(reference, one)]
    used = [int(name[3:]) for name in (*(one.id for one in cases), *read_ledger(folder).entries)]
    first, made = max([FIRST, *(number + 1 for number in used if number > FIRST)]), list[Case]()
    for variant in VARIANTS:
        made += _lacking(reference, variant, [*known, *made], first + len(made))
    for operation in OPERATIONS:
        kept = [one for one in known if one.path.name == NAME and one.operation == operation]
        if own := [_case_json(one) for one in (*kept, *made) if one.operation == operation]:
            path = folder / operation / NAME
            says, why = (_WORDS[what].as_json() for what in ("behaviour", "reason"))
            header = {"operation": operation, "profile": VARIANTS[0], "behaviour": says, "why": why}
            write_json_lines(path, header, own)
            yield path, len(own)


def _is_right(reference: Reference, case: Case) -> bool:
    return not fields_apart(
        case.operation, case.expected[0].message, reference.reply(case.operation, case.profile, case.input)
    )


def _lacking(reference: Reference, variant: str, cases: Sequence[Case], first: int) -> list[Case]:
    """Return cases for the situations of a variant that those that hold for it ask about too seldom."""
    rules = reference.ruleset(variant)
    found = planned_coverings(rules, plan_for(cases, variant, reference), OPERATIONS)
    made = list[Case]()
    for operation, covering in found.items():
        drawn = [(one, answer(operation, rules, one).message()) for one in covering.drawn(_LONGER)]
        # What was drawn early may be spared by what came later.
        for question in [one for one, message in drawn if not covering.spare(one, message)]:
            number = first + len(made)
            title = _WORDS.filled("title", title=OPERATIONS[operation].title, n=number - FIRST + 1)
            made.append(table_case(rules, operation, f"bc-{number}", title, question).case)
    return made


def _case_json(case: Case) -> dict[str, Any]:
    (expected,) = case.expected
    profile = {} if case.profile == VARIANTS[0] else {"profile": str(case.profile)}
    told = {"id": case.id, "title": case.title.as_json(), **profile, "input": dict(case.input)}
    return {**told, "expect": dict(expected.message), "rules": [], "statements": [], "origin": "derived"}
