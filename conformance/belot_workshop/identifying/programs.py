"""Programs of which it is known what they play and what is broken in them: drawn by lot, the same for the same seed."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Final

from belot_conformance.programs.protocol import PROTOCOL_VERSION, Hello
from belot_conformance.programs.reference import put
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.questions.operations import OPERATIONS
from belot_reference.compile import Ruleset
from belot_spec.profile_name import ProfileName

Message = Mapping[str, Any]
# Gets the lot, the operation and the right answer, and returns what is answered in its place.
Fault = Callable[[Random, str, Message], Message]
Change = Callable[[Random, Message], Message]

_AT_RANDOM: Final = 0.02


@dataclass(frozen=True, slots=True)
class TrialProgram:
    """A program: the rules that it plays, the name that it declares, its fault if it has one, and what it answers."""

    name: str
    rules: Ruleset
    fault: Fault | None = None
    seed: str = ""
    operations: tuple[str, ...] = tuple(OPERATIONS)

    def target(self) -> FunctionTarget:
        """Return the program as what can be asked in this process."""
        random = Random(self.seed)
        hello = Hello(PROTOCOL_VERSION, self.name, "1", "Python", (ProfileName(self.name),), self.operations)

        def reply(operation: str, _profile: str, question: Mapping[str, Any]) -> Message:
            right = put(operation, self.rules, question).message()
            return right if self.fault is None else self.fault(random, operation, right)

        return FunctionTarget(hello, reply)


def now_and_then(share: float) -> Fault:
    """Return the fault of a program that answers with a wrong number by chance, so large a share of the time."""
    return lambda lot, _, right: _number_changed(lot, right) if lot.random() < share else right


def draw_fault(random: Random) -> tuple[str, Fault]:
    """Return one of the faults by its name: none of them has to do with the rules."""
    name = random.choice(sorted(_FAULTS))
    return name, _FAULTS[name](random)


def _missing_field(random: Random) -> Fault:
    operation, field = random.choice(
        (("score-deal", "written"), ("score-deal", "outcome"), ("replay", "points"), ("match", "written"),
         ("compare-declarations", "points"), ("declarations", "sets"), ("deal", "cutter"), ("bidding", "choices"))
    )  # fmt: skip

    def fault(_: Random, asked: str, right: Message) -> Message:
        if asked != operation or "result" not in right:
            return right
        return {"result": {name: value for name, value in right["result"].items() if name != field}}

    return fault


def _at_random(change: Change, random: Random) -> Fault:
    share = random.uniform(_AT_RANDOM / 2, 2.5 * _AT_RANDOM)
    return lambda lot, _, right: change(lot, right) if lot.random() < share else right


def _broken_operation(change: Change, random: Random) -> Fault:
    operation = random.choice(sorted(OPERATIONS))
    return lambda lot, asked, right: change(lot, right) if asked == operation else right


def _missing_corner(random: Random) -> Fault:
    """Return the fault of a program that breaks down, in some operations, wherever it would have to refuse."""
    operations = random.sample(sorted(OPERATIONS), 3)
    return lambda _, asked, right: {"error": "not yet"} if asked in operations and "rejected" in right else right


def _constant(_: Random) -> Fault:
    first: dict[str, Message] = {}
    return lambda _, asked, right: first.setdefault(asked, right)


def _always(message: Message) -> Callable[[Random], Fault]:
    return lambda _: lambda _lot, _asked, _right: message


def _number_changed(lot: Random, right: Message) -> Message:
    """Return an answer with one of its numbers changed; an answer without numbers is refused."""
    changed = deepcopy(dict(right))
    places = list(_numbers(changed))
    if not places:
        return {"rejected": {"reason": "wrong"}}
    holder, key = lot.choice(places)
    holder[key] += lot.choice((-10, -2, -1, 1, 2, 5, 10, 20))
    return changed


def _numbers(value: Any) -> Any:
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(item, (dict, list)):
            yield from _numbers(item)
        elif isinstance(item, int) and not isinstance(item, bool):
            yield value, key


def _item_lost(lot: Random, right: Message) -> Message:
    """Return an answer with an item left out of one of its lists; an answer without lists is refused."""
    changed = deepcopy(dict(right))
    found = [item for item in _lists(changed) if item]
    if not found:
        return {"rejected": {"reason": "wrong"}}
    chosen = lot.choice(found)
    del chosen[lot.randrange(len(chosen))]
    return changed


def _lists(value: Any) -> Any:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, list):
        yield value
    for item in items:
        yield from _lists(item)


def _refused(_: Random, right: Message) -> Message:
    return {"rejected": {"reason": "illegal-card", "at": 0}} if "result" in right else {"result": {}}


def _crashed(_: Random, _right: Message) -> Message:
    return {"error": "boom"}


_FAULTS: Final[Mapping[str, Callable[[Random], Fault]]] = {
    "missing field": _missing_field,
    "random numbers": partial(_at_random, _number_changed),
    "random items lost": partial(_at_random, _item_lost),
    "random refusals": partial(_at_random, _refused),
    "random errors": partial(_at_random, _crashed),
    "broken operation: numbers": partial(_broken_operation, _number_changed),
    "broken operation: items": partial(_broken_operation, _item_lost),
    "broken operation: refusals": partial(_broken_operation, _refused),
    "broken operation: errors": partial(_broken_operation, _crashed),
    "missing corner": _missing_corner,
    "constant answers": _constant,
    "always boom": _always({"error": "boom"}),
    "always x": _always({"result": {"x": 1}}),
}
