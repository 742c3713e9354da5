"""A program with a mistake that is no value of a rule: it plays by the rules asked for, and answers some wrongly."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

from belot_conformance.mistakes.coded import KINDS, Asked
from belot_conformance.mistakes.mutations import compile_changed
from belot_conformance.programs.protocol import Hello
from belot_conformance.programs.reference import Reference
from belot_reference.compile import Ruleset
from belot_spec.errors import UnplayableError

Message = dict[str, Any]
# One question in so many gets a wrong number.
_SELDOM: Final = 40


class _Mistaken(Reference):
    """The reference with a mistake, under a name of its own."""

    def __init__(self, mistake: str, extra_profiles: Iterable[str]) -> None:
        super().__init__(extra_profiles=extra_profiles)
        self._mistake = mistake

    def hello(self) -> Hello:
        """Return the reference's handshake under the name of the mistake."""
        return replace(super().hello(), name=f"belot-reference with the mistake {self._mistake}")

    def impossible(self, *_: Any) -> None:
        """Let pass whatever is asked: by the wrong rules a good question may look impossible."""


class FaultyPlayer(_Mistaken):
    """Answers like the reference, and spoils what its fault spoils; the same way each time that it is started."""

    def __init__(self, name: str, extra_profiles: Iterable[str] = ()) -> None:
        profiles = tuple(extra_profiles)
        super().__init__(name, profiles)
        self._right = Reference(extra_profiles=profiles)
        self._spoiled = FAULTS[name]() if name in FAULTS else KINDS[name].answer

    def reply(self, operation: str, profile: str, question: Mapping[str, Any]) -> Message:
        """Return the fields of a reply, spoiled or not."""
        right = self._right.reply(operation, profile, question)
        return dict(self._spoiled(Asked(operation, question, self._right, profile, right)))


Spoiling = Callable[[Asked], Mapping[str, Any]]


def _without_sheet(q: Asked) -> Message:
    if "result" not in q.right:
        return dict(q.right)
    return {"result": {name: value for name, value in q.right["result"].items() if name != "written"}}


def _same_answer() -> Spoiling:
    first: dict[str, Mapping[str, Any]] = {}
    return lambda q: first.setdefault(q.operation, q.right)


def _error_for_refusal(q: Asked) -> Mapping[str, Any]:
    return {"error": q.right["rejected"].get("reason", "refused")} if "rejected" in q.right else q.right


def _wrong_at_times(q: Asked) -> Mapping[str, Any]:
    lot = int(sha256(q.text.encode()).hexdigest(), 16)
    return _raised(q.right) if lot % _SELDOM == 0 else q.right


def _raised(message: Mapping[str, Any]) -> Message:
    """Return an answer with each number of its fields one higher."""
    changed = deepcopy(dict(message))
    for name, value in changed.get("result", {}).items():
        if isinstance(value, int) and not isinstance(value, bool):
            changed["result"][name] = value + 1
        elif isinstance(value, list) and value and all(type(item) is int for item in value):
            changed["result"][name] = [item + 1 for item in value]
    return changed


FAULTS: Final[Mapping[str, Callable[[], Spoiling]]] = {
    "sheet-left-out": lambda: _without_sheet,
    "one-answer-for-all": _same_answer,
    "errors-for-refusals": lambda: _error_for_refusal,
    "wrong-at-times": lambda: _wrong_at_times,
}


class WrongPlayer(_Mistaken):
    """Answers like the reference, but plays some values in every profile where their rules matter and can be played."""

    def __init__(self, name: str, values: Mapping[str, Any], extra_profiles: Iterable[str] = ()) -> None:
        super().__init__(name, extra_profiles)
        self._values = values
        self._played: dict[str, Ruleset] = {}

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
