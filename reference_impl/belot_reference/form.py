"""The form of a table: what there is to be told at all, whatever the values are by which it is told.

Where players bid over one another, a deal is told with its mode and with what doubling multiplies it by, and where they
bid numbers with the number; elsewhere there is nothing to tell. Who only asks whether there is such a thing rests on
the form, and on no rule.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from belot_spec.conditions import holds
from belot_spec.spec import Profile


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
}


def form_of(profile: Profile) -> frozenset[str]:
    """Return the parts that the table of a profile has."""
    values = {rule: profile.settings[rule].value for rule in RULES_OF_FORM if rule in profile.settings}
    return frozenset(name for name, part in FORM.items() if holds({part.rule: (part.value,)}, values))


def rules_of_form(parts: Iterable[str]) -> frozenset[str]:
    """Return the rules that decide which of some parts a table has."""
    return frozenset(rule for name in parts for rule in FORM[name].rules)


RULES_OF_FORM: Final = rules_of_form(FORM)
