"""Which other values of a rule are left out because they stand for points of another unit."""

from typing import Any, Final

from belot_conformance.diagnosis.mutations import WRONG_UNIT, mixed_up
from belot_spec.catalogue import Rule
from belot_spec.spec import Profile, Spec

_SHEET_UNIT: Final = "scoring.sheet-unit"


def is_in_another_unit(rule: Rule, value: Any, base: Profile, spec: Spec) -> bool:
    """Say whether a value counts other points than the variant does: nobody plays it without changing the unit too.

    It does where it is the variant's own value in tens or tenths, where all who play it keep a sheet in another unit
    and it is points of the sheet, and where it is the unit of the sheet itself.
    """
    if rule.id == _SHEET_UNIT:
        return True
    units = _units_of(rule.id, value, spec)
    if base.value(_SHEET_UNIT) in units:
        return False
    tens = [mixed for way, mixed in mixed_up(rule, base, spec) if way.startswith(WRONG_UNIT)]
    return value in tens or (bool(units) and _is_points_of_sheet(rule))


def _is_points_of_sheet(rule: Rule) -> bool:
    """Say whether what a rule's values mean hangs on what a point of the sheet is."""
    return any(_SHEET_UNIT in words.when for words in rule.wording.alternatives)


def _units_of(rule: str, value: Any, spec: Spec) -> set[int]:
    """Return what a point of the sheet is wherever a value of a rule is played: in a variant, or with an option."""
    found = set()
    for variant in spec.playable():
        ways = spec.ways_of(variant)
        for place in ({**ways[0], **changed} for changed in ways):
            if rule in place and place[rule].value == value:
                found.add(place[_SHEET_UNIT].value)
    return found
