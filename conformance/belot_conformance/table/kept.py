"""What was found out about a table, kept in the user's cache, so that it is looked for once."""

from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any, Final, get_args

from belot_conformance.diagnosis.kept_answers import engine_digest
from belot_conformance.diagnosis.mutations import canonical
from belot_conformance.programs.shape import Shape
from belot_conformance.table.pins import Fate, Pin
from belot_conformance.table.questions import TableQuestion
from belot_spec.cache import cache_folder, keep, kept
from belot_spec.spec import Profile

_FORMAT: Final = 2
_LENGTH: Final = 24


def rules_key(profile: Profile) -> str:
    """Return a text that is the same for the same rules and engine, whatever the profile is called."""
    values = {rule: setting.value for rule, setting in profile.settings.items()}
    return _digest(f"{_FORMAT} {engine_digest()} {canonical(values)}")


def pins_key(profile: Profile, questions: Sequence[TableQuestion], operations: frozenset[str], shape: Shape) -> str:
    """Return a text that is the same for the same rules, engine, questions, declared operations and shape."""
    digest = sha256()
    for one in questions:
        case = one.planned.case
        expected = [[each.kind, dict(each.fields)] for each in case.expected]
        digest.update(canonical([case.id, case.operation, dict(case.input), expected]).encode())
    return _digest(f"{rules_key(profile)} {sorted(operations)} {canonical(shape.as_json())} {digest.hexdigest()}")


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:_LENGTH]


def kept_pins(key: str) -> list[Pin] | None:
    """Return the pins that are kept under a key; ``None`` if there are none that can be read."""
    return kept(cache_folder(), _name(key), _pins)


def keep_pins(key: str, pins: Sequence[Pin]) -> None:
    """Keep pins under a key; a cache that cannot be written is done without."""
    keep(cache_folder(), _name(key), {"pins": [asdict(pin) for pin in pins]})


def _name(key: str) -> str:
    return f"tables/{key}.json"


def _pins(stored: Any) -> list[Pin]:
    """Read pins; raises ``TypeError`` for what has another shape."""
    pins = [Pin(**entry) for entry in stored["pins"]]
    for pin in pins:
        texts = (pin.rule, pin.change, pin.fate, pin.question, pin.operation)
        if not (
            all(isinstance(text, str) for text in texts)
            and pin.fate in get_args(Fate)
            and isinstance(pin.tried, int)
            and (pin.asked is None or isinstance(pin.asked, dict))
        ):
            raise TypeError(f"no pin: {pin}")
    return pins
