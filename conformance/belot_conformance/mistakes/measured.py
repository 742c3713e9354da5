"""What published programs were measured to play, as the ledger has it, where it is none of their bugs."""

from collections.abc import Mapping
from typing import Any

from belot_conformance.programs.published import load_programs


def load_measured() -> Mapping[str, Mapping[str, Any]]:
    """Return the values of rules that each program plays on purpose; raises ``SpecError`` for a faulty ledger."""
    return {f"{one.name} {one.version}": one.deliberate for one in load_programs().values() if one.deliberate}
