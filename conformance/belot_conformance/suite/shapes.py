"""The same question and answer in another shape: as a program that was built otherwise wants to be asked.

A shape only translates what a case asks and expects; it never makes a case of its own. What cannot be told in a shape
is not asked of a program that wants it.
"""

from dataclasses import replace
from typing import Final

from belot_conformance.programs.reference import Reference
from belot_conformance.programs.shape import Shape
from belot_conformance.suite.cases import Case, Expectation
from belot_conformance.suite.compare import REASON_FIELDS
from belot_conformance.suite.told_deals import NotAskedError, Told, last_trick_apart, told_deal
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.spec import Profile

NONE_OF_ITS_FIELDS: Final = "the answer has none of the fields that the program gives"


def told(shape: Shape, rules: Ruleset, operation: str, asked: Told) -> Told:
    """Return a question and its answers in the shape that a program wants; raises ``NotAskedError``."""
    if shape.is_plain:
        return asked
    if operation == "replay":
        asked = told_deal(shape, rules, asked)
    elif shape.last_trick == "apart":
        asked = last_trick_apart(rules, operation, asked)
    if operation in shape.fields:
        asked = replace(asked, expected=_with_fields(operation, shape.fields[operation], asked.expected))
    return asked


def told_case(shape: Shape, rules: Ruleset, case: Case) -> Case:
    """Return a case as it is put to a program that wants this shape; raises ``NotAskedError``."""
    asked = Told(case.input, case.expected)
    found = told(shape, rules, case.operation, asked)
    return case if found is asked else replace(case, input=found.question, expected=found.expected)


def _with_fields(operation: str, given: tuple[str, ...], expected: tuple[Expectation, ...]) -> tuple[Expectation, ...]:
    """Return what is expected with the fields alone that a program gives; a refusal is expected as it is."""
    kept = {*given, REASON_FIELDS.get(operation)}
    found = []
    for one in expected:
        fields = {name: value for name, value in one.fields.items() if name in kept or one.kind == "rejected"}
        if fields.keys() <= {REASON_FIELDS.get(operation)}:
            raise NotAskedError(NONE_OF_ITS_FIELDS)
        found.append(replace(one, fields=fields))
    return tuple(found)


class Shaper:
    """Puts cases in the shape that one program wants, by the rules for which they are asked."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._reference = Reference()
        self._tables: dict[str, Ruleset] = {}

    def case(self, case: Case, name: str, profile: Profile | None = None) -> Case:
        """Return a case as it is put to the program; raises ``NotAskedError``.

        It is asked for the profile of that name, or for one that is given because no name stands for it.
        """
        if self._shape.is_plain:
            return case
        return told_case(self._shape, self._rules(name, profile), case)

    def _rules(self, name: str, profile: Profile | None) -> Ruleset:
        if profile is None:
            return self._reference.ruleset(name)
        if name not in self._tables:
            self._tables[name] = compile_profile(profile)
        return self._tables[name]
