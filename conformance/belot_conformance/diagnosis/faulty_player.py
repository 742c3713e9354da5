"""A program with a mistake that is no value of a rule: it plays by the rules asked for, and answers some wrongly."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

from belot_conformance.diagnosis.mutations import canonical
from belot_conformance.programs.protocol import Hello
from belot_conformance.programs.reference import Reference

Message = dict[str, Any]
# One question in so many gets a wrong number.
_SELDOM: Final = 40


class FaultyPlayer(Reference):
    """Answers like the reference, and spoils what its fault spoils; the same way each time that it is started."""

    def __init__(self, name: str, extra_profiles: tuple[str, ...] = ()) -> None:
        super().__init__(extra_profiles=extra_profiles)
        self._name = name
        self._spoiled = FAULTS[name]()

    def hello(self) -> Hello:
        """Return the reference's handshake under the faulty player's own name."""
        return replace(super().hello(), name=f"belot-reference with the mistake {self._name}")

    def reply(self, operation: str, profile: str, question: Mapping[str, Any]) -> Message:
        """Return the fields of a reply, spoiled or not."""
        return self._spoiled(operation, question, super().reply(operation, profile, question))


Spoiling = Callable[[str, Mapping[str, Any], Message], Message]


def _without_sheet() -> Spoiling:
    def spoiled(_operation: str, _question: Mapping[str, Any], message: Message) -> Message:
        if "result" not in message:
            return message
        return {"result": {name: value for name, value in message["result"].items() if name != "written"}}

    return spoiled


def _same_answer() -> Spoiling:
    first: dict[str, Message] = {}
    return lambda operation, _question, message: first.setdefault(operation, message)


def _errors_for_refusals() -> Spoiling:
    def spoiled(_operation: str, _question: Mapping[str, Any], message: Message) -> Message:
        return {"error": message["rejected"].get("reason", "refused")} if "rejected" in message else message

    return spoiled


def _wrong_at_times() -> Spoiling:
    def spoiled(operation: str, question: Mapping[str, Any], message: Message) -> Message:
        lot = int(sha256(canonical([operation, dict(question)]).encode()).hexdigest(), 16)
        return _raised(message) if lot % _SELDOM == 0 else message

    return spoiled


def _raised(message: Message) -> Message:
    """Return an answer with each number of its fields one higher."""
    changed = deepcopy(message)
    for name, value in changed.get("result", {}).items():
        if isinstance(value, int) and not isinstance(value, bool):
            changed["result"][name] = value + 1
        elif isinstance(value, list) and value and all(type(item) is int for item in value):
            changed["result"][name] = [item + 1 for item in value]
    return changed


FAULTS: Final[Mapping[str, Callable[[], Spoiling]]] = {
    "sheet-left-out": _without_sheet,
    "one-answer-for-all": _same_answer,
    "errors-for-refusals": _errors_for_refusals,
    "wrong-at-times": _wrong_at_times,
}
