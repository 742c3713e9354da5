"""A program that plays by other rule values than the ones it is asked for."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from belot_conformance.diagnosis.mutations import compile_changed
from belot_conformance.programs.protocol import Hello
from belot_conformance.programs.reference import Reference
from belot_reference.compile import Ruleset
from belot_spec.errors import UnplayableError


class WrongPlayer(Reference):
    """Answers like the reference, but plays some values in every profile where their rules matter and can be played."""

    def __init__(self, name: str, values: Mapping[str, Any], extra_profiles: Iterable[str] = ()) -> None:
        super().__init__(extra_profiles=extra_profiles)
        self._name = name
        self._values = values
        self._played: dict[str, Ruleset] = {}

    def hello(self) -> Hello:
        """Return the reference's handshake under the wrong player's own name."""
        return replace(super().hello(), name=f"belot-reference with the mistake {self._name}")

    def ruleset(self, profile: str) -> Ruleset:
        """Return the compiled profile that is played in place of the one asked for."""
        if profile not in self._played:
            right = super().ruleset(profile)
            self._played[profile] = self._changed(right)
        return self._played[profile]

    def _changed(self, right: Ruleset) -> Ruleset:
        """Return the ruleset that is played in place of the right one."""
        values = {rule: value for rule, value in self._values.items() if rule in right.profile.settings}
        with suppress(UnplayableError):
            return compile_changed(right.profile, values, self.spec) if values else right
        return right
