"""Which rules of the variants a run over all variants tests, read from the kept kill matrix."""

from collections.abc import Iterator, Sequence

from belot_conformance.diagnosis.killing import Row
from belot_conformance.diagnosis.matrix import load_matrix
from belot_conformance.diagnosis.mutations import compile_mutant
from belot_conformance.programs.protocol import Hello
from belot_conformance.programs.reference import Reference, put
from belot_conformance.suite.compare import differences
from belot_conformance.suite.shapes import told_case
from belot_conformance.suite.told_deals import NotAskedError
from belot_conformance.suite.verdicts import Planned
from belot_conformance.table.pins import Fate, Pin
from belot_conformance.table.questions import TableQuestion
from belot_conformance.table.table import Table


def variant_tables(plan: Sequence[Planned], hello: Hello, reference: Reference) -> list[Table]:
    """Return a table for each variant that a program declares as it is, with what the variant's own cases pin."""
    return [
        _table(variant, plan, hello, reference) for variant in reference.spec.playable() if variant in hello.profiles
    ]


def _noticing(row: Row, killers: Sequence[Planned], hello: Hello, reference: Reference) -> Iterator[Planned]:
    """Yield the cases that notice a mutant in what the program gives, those that are asked as they stand first."""
    otherwise = []
    for planned in killers:
        case = planned.case
        if case.operation not in hello.operations:
            continue
        try:
            told = told_case(hello.shape, reference.ruleset(planned.profile), case)
        except NotAskedError:
            continue
        if told is case:
            yield planned
        else:
            otherwise.append((planned, told))
    for planned, told in otherwise:
        changed = compile_mutant(row.mutant, reference.profile(planned.profile), reference.spec)
        if differences(told.operation, told.expected, put(told.operation, changed, told.input).reply(told.id)):
            yield planned


def _is_asked(profile: str, variant: str, hello: Hello) -> bool:
    """Say whether a case of this profile is one of the variant's own that the program is really asked."""
    return profile.partition("+")[0] == variant and hello.declares(profile)


def _table(variant: str, plan: Sequence[Planned], hello: Hello, reference: Reference) -> Table:
    declared = frozenset(hello.operations)
    own = {planned.case.id: planned for planned in plan if _is_asked(planned.profile, variant, hello)}
    pins = []
    for row in load_matrix().of_profile(variant):
        killers = [own[case] for case in sorted(row.killed_by) if case in own]
        noticed = next(_noticing(row, killers, hello, reference), None)
        fate: Fate = "pinned" if noticed else "undeclared" if killers else "unobservable"
        shown = noticed or next(iter(killers), None)
        operation = shown.case.operation if shown else ""
        pins.append(Pin(row.mutant.rule, row.mutant.change, fate, operation=operation))
    questions = [TableQuestion(planned, frozenset()) for planned in own.values()]
    return Table(reference.profile(variant), questions, {}, pins, declared=declared)
