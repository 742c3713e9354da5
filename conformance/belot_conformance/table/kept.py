"""What was found out about a table, kept in the user's cache, so that it is looked for once."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from belot_conformance.diagnosis.kept_answers import engine_digest
from belot_conformance.diagnosis.mutations import canonical
from belot_conformance.programs.shape import Shape
from belot_conformance.table.pins import Pin
from belot_conformance.table.questions import TableQuestion
from belot_reference.compiled_cache import cache_folder
from belot_spec.spec import Profile
from belot_spec.whole_file import keep_whole

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
    stored = _read(key)
    try:
        return None if stored is None else [Pin(**entry) for entry in stored["pins"]]
    except (KeyError, TypeError):
        return None


def keep_pins(key: str, pins: Sequence[Pin]) -> None:
    """Keep pins under a key; a cache that cannot be written is done without."""
    keep_whole(_path(key), json.dumps({"pins": [asdict(pin) for pin in pins]}, separators=(",", ":")))


def _path(key: str) -> Path:
    return cache_folder() / "tables" / f"{key}.json"


def _read(key: str) -> Mapping[str, Any] | None:
    try:
        stored = json.loads(_path(key).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return stored if isinstance(stored, dict) else None
