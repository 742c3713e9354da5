"""Reading the rules of a profile so that what was read is known."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, NamedTuple

from belot_spec.catalogue import Setting, holds
from belot_spec.spec import Profile


class ValuePart(NamedTuple):
    """A part of the value of a rule: an ``entry`` of a table, its ``first`` items, or the ``place`` of a member.

    A member stands in one of the lists that a value holds.
    """

    rule: str
    kind: Literal["entry", "first", "place"]
    of: str | int


NOWHERE: Final = -1


def part_of(value: Any, part: ValuePart) -> Any:
    """Return a part of a value, ``None`` for the first items of a list that has fewer."""
    match part.kind:
        case "entry":
            return value[part.of]
        case "first":
            return value[: int(part.of)] if len(value) >= int(part.of) else None
        case "place":
            return next((place for place, members in enumerate(value) if part.of in members), NOWHERE)


# The rules that were read, in that order, with the parts of those of which only parts were; and as others note them.
Read = dict[str, dict[ValuePart, None] | None]
Noted = Mapping[str, dict[ValuePart, None] | None]


class Trace:
    """Reads the values of a profile and keeps in ``read`` the ids of the rules that were read, in that order."""

    __slots__ = ("_found", "profile", "read")

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.read: Read = {}
        self._found: dict[str, Setting | None] = {}

    def value(self, rule: str) -> Any:
        """Return the value of a rule that matters in the profile."""
        self.read[rule] = None
        return self.profile.settings[rule].value

    def given(self, rule: str) -> Any:
        """Return the value of a rule that matters only in some profiles; ``IdleRuleError`` where not in this one."""
        self.read[rule] = None
        return self.profile.given(rule)

    def value_or(self, rule: str, default: Any) -> Any:
        """Return the value of a rule, or a default where it does not matter, which the rules that it needs decide."""
        try:
            setting = self._found[rule]
        except KeyError:
            setting = self._found[rule] = self.profile.settings.get(rule)
            for needed in self.profile.needs.get(rule, ()):
                self.value_or(needed, None)
            if setting is not None:
                self.read[rule] = None
        return default if setting is None else setting.value


# The form of a table: what there is to be told at all, whatever the values are by which it is told.


class FormPart(NamedTuple):
    """A part of the form: a table has it where a rule has this value, or a list with it in it.

    ``needs`` are the rules by which that rule matters at all.
    """

    rule: str
    value: Any
    needs: tuple[str, ...] = ()

    @property
    def rules(self) -> frozenset[str]:
        """The rules that decide whether a table has it."""
        return frozenset((self.rule, *self.needs))


# Every part there is, by the name that a ruleset has for it.
FORM: Final[Mapping[str, FormPart]] = {
    "has_auction": FormPart("bidding.rounds", ["auction"]),
    "has_amounts": FormPart("bidding.amounts", "points", ("bidding.rounds",)),
    "has_no_trumps": FormPart("bidding.modes", "N", ("bidding.rounds",)),
    "has_all_trumps": FormPart("bidding.modes", "A", ("bidding.rounds",)),
    "has_roem": FormPart("declarations.played", "in-trick"),
    "has_set_length": FormPart("match.ends", "deals"),
}


def form_of(profile: Profile) -> frozenset[str]:
    """Return the parts that the table of a profile has."""
    values = {rule: profile.settings[rule].value for rule in RULES_OF_FORM if rule in profile.settings}
    return frozenset(name for name, part in FORM.items() if holds({part.rule: (part.value,)}, values))


def rules_of_form(parts: Iterable[str]) -> frozenset[str]:
    """Return the rules that decide which of some parts a table has."""
    return frozenset(rule for name in parts for rule in FORM[name].rules)


RULES_OF_FORM: Final = rules_of_form(FORM)
