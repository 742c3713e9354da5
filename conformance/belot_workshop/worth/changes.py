"""The changes of a variant whose worth is measured: its options, and each other value of a rule with listed values."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from belot_conformance.rules.reading import Json
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.catalogue import enumerated_values
from belot_spec.errors import SpecError, UnplayableError
from belot_spec.spec import Profile, Spec
from belot_workshop.impact.simulation import check_comparable

# Rules by which nobody who plays well ever plays otherwise: they are about paper, looking back, and faults.
_UNNOTICED: Final = (
    "presentation.",
    "penalties.",
    "play.review-tricks",
    "deal.shuffle-passes",
    "deal.cut",
    "match.surplus",
)
# Grows when the same rules, seed and deals come to give other figures.
_EDITION: Final = 1


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a variant: an option, or a rule with another value."""

    variant: str
    option: str | None = None
    rule: str | None = None
    value: Any = None

    @property
    def name(self) -> str:
        """What the change is called in a list."""
        return f"+{self.option}" if self.option else f"{self.rule}: {json.dumps(self.value)}"

    def profile(self, spec: Spec) -> Profile:
        """Return the rules with the change."""
        if self.option:
            return spec.profile(f"{self.variant}+{self.option}")
        assert self.rule is not None
        return spec.profile(self.variant).with_values(
            f"{self.variant}, {self.name}", {self.rule: self.value}, spec.rules
        )

    def as_json(self) -> Json:
        """Return the change as JSON."""
        return {"option": self.option} if self.option else {"rule": self.rule, "value": self.value}


def changes_of(spec: Spec, variant: str, *, options_only: bool = False) -> Iterator[tuple[Change, Ruleset]]:
    """Yield every change of a variant that can be played with the same cards, and the rules with it."""
    old = compile_profile(spec.profile(variant))
    found = [Change(variant, option=option) for option in spec.options_of(variant)]
    if not options_only:
        found += [Change(variant, rule=rule, value=value) for rule, value in _other_values(spec, old)]
    for change in found:
        try:
            new = compile_profile(change.profile(spec))
            check_comparable(old, new)
        except (SpecError, UnplayableError, KeyError):
            continue
        yield change, new


def _other_values(spec: Spec, old: Ruleset) -> Iterator[tuple[str, Any]]:
    for rule, setting in old.profile.settings.items():
        if not rule.startswith(_UNNOTICED):
            values = enumerated_values(spec.rules[rule].value_schema)
            yield from ((rule, value) for value in values if value != setting.value)


def key_of(old: Ruleset, new: Ruleset, player: str, seed: int, deals: int) -> str:
    """Return what a figure hangs on: another key where any rule, the players, the seed or the deals are others."""
    asked = [_EDITION, _values(old.profile.settings), _values(new.profile.settings), player, seed, deals]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:24]


def _values(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {rule: setting.value for rule, setting in settings.items()}
