"""Every operation of the protocol, found in the modules of this folder, in the order of the protocol."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from belot_conformance.questions.operation import Operation
from belot_reference.operations import know
from belot_spec.data import schema


def _found() -> Iterator[Operation]:
    for module in iter_modules(__path__, f"{__name__}."):
        yield from (one for one in vars(import_module(module.name)).values() if isinstance(one, Operation))


def _in_order() -> dict[str, Operation]:
    """Return the operations by name in the order of the schema; raises ``LookupError`` for one that lacks a part."""
    found = {one.name: one for one in _found()}
    listed = schema("protocol-operations")["$defs"]["operation"]["enum"]
    if lacking := found.keys() ^ set(listed):
        raise LookupError(
            f"operations without a module in {__name__}, or without a schema: {', '.join(sorted(lacking))}"
        )
    for one in found.values():
        if one.answer is not None:
            know(one.name, one.answer)
    return {name: found[name] for name in listed}


OPERATIONS: Final[Mapping[str, Operation]] = _in_order()

# Whole games as they were recorded: these take longest to answer, and are asked when nothing smaller tells.
RECORDINGS: Final = frozenset(name for name, one in OPERATIONS.items() if one.is_recording)

# The order in which they are best added to a new adapter: each asks a little more of the program than the one before.
EASY_FIRST: Final = tuple(sorted(OPERATIONS, key=lambda name: name != "trick-winner"))
