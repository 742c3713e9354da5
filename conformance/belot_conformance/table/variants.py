"""Which rules of the variants a run over all variants tests, read from the kept kill matrix."""

from collections.abc import Sequence

from belot_conformance.diagnosis.matrix import load_matrix
from belot_conformance.programs.protocol import Hello
from belot_conformance.programs.reference import Reference
from belot_conformance.suite.verdicts import Planned
from belot_conformance.table.pins import Fate, Pin
from belot_conformance.table.questions import TableQuestion
from belot_conformance.table.table import Table


def variant_tables(plan: Sequence[Planned], hello: Hello, reference: Reference) -> list[Table]:
    """Return a table for each variant that a program declares as it is, with what the variant's own cases pin."""
    return [
        _table(variant, plan, hello, reference) for variant in reference.spec.playable() if variant in hello.profiles
    ]


def _is_asked(profile: str, variant: str, hello: Hello) -> bool:
    """Say whether a case of this profile is one of the variant's own that the program is really asked."""
    return profile.partition("+")[0] == variant and hello.declares(profile)


def _table(variant: str, plan: Sequence[Planned], hello: Hello, reference: Reference) -> Table:
    declared = frozenset(hello.operations)
    own = {planned.case.id: planned for planned in plan if _is_asked(planned.profile, variant, hello)}
    pins = []
    for row in load_matrix().of_profile(variant):
        killers = [own[case] for case in row.killed_by if case in own]
        noticed = [planned for planned in killers if planned.case.operation in declared]
        fate: Fate = "pinned" if noticed else "undeclared" if killers else "unobservable"
        shown = (noticed or killers)[:1]
        operation = shown[0].case.operation if shown else ""
        pins.append(Pin(row.mutant.rule, row.mutant.change, fate, operation=operation))
    questions = [TableQuestion(planned, frozenset()) for planned in own.values()]
    return Table(reference.profile(variant), questions, {}, pins, declared=declared)
