"""Reading the rules of a profile so that what was read is known."""

from typing import Any

from belot_spec.spec import Profile
from belot_spec.variants import Setting


class Trace:
    """Reads the values of a profile and keeps in ``read`` the ids of the rules that were read, in that order."""

    __slots__ = ("_found", "profile", "read")

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.read: dict[str, None] = {}
        self._found: dict[str, Setting | None] = {}

    def value(self, rule: str) -> Any:
        """Return the value of a rule that matters in the profile."""
        self.read[rule] = None
        return self.profile.settings[rule].value

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
