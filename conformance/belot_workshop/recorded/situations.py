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
from belot_conformance.suite.ledger import read_ledger
from belot_conformance.suite.selection import plan_for
from belot_reference.operations import answer
from belot_spec.spec import Spec
from belot_spec.words import Words
from belot_workshop.recorded.recorder import VARIANTS, with_lasting_ids

NAME: Final = f"situations{SUFFIX}"
FIRST: Final = 7000
# How many times as long as at a table is drawn towards what is seldom.
_LONGER: Final = 12

_WORDS: Final = Words(__name__, "situations")


def record_situations(spec: Spec, folder: Path) -> Iterator[tuple[Path, int]]:
    """Write what cases lack into a folder of cases; yield each file and how many cases it has."""
    reference, known, made = Reference(spec), [one for one in load_cases(folder) if one.path.name != NAME], list[Case]()
    for variant in VARIANTS:
        made += _lacking(reference, variant, [*known, *made], FIRST + len(made))
    ledger, taken = read_ledger(folder), {one.id for one in known}
    for operation in OPERATIONS:
        if own := [_case_json(one) for one in made if one.operation == operation]:
            own = with_lasting_ids(operation, VARIANTS[0], own, ledger, taken)
            taken |= {one["id"] for one in own}
            path = folder / operation / NAME
            says, why = (_WORDS[what].as_json() for what in ("behaviour", "reason"))
            header = {"operation": operation, "profile": VARIANTS[0], "behaviour": says, "why": why}
            write_json_lines(path, header, own)
            yield path, len(own)


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
