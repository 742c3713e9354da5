"""A build of the reference engine with a scoring fault that no case notices: all cases pass, and `belot fuzz` finds it.

A side with exactly 77 card points and belote makes every score one too high, wherever a deal is settled:

    belot check python:conformance.examples.planted:answer
    belot fuzz --questions 20000 python:conformance.examples.planted:answer

from the project's folder.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from belot_conformance.programs.reference import Reference
from belot_reference import counting, operations, replay
from belot_reference.compile import Ruleset
from belot_reference.contract import DealContract
from belot_reference.scoring import Settlement, Tally, settle

REFERENCE = Reference()


def planted(rules: Ruleset, contract: DealContract, tallies: Sequence[Tally]) -> Settlement:
    """Settle a deal as the engine does, but for the fault."""
    found = settle(rules, contract, tallies)
    if any(tally.cards == 77 and tally.belote for tally in tallies):
        return replace(found, score=tuple(score + 1 for score in found.score))
    return found


for module in (counting, operations, replay):
    setattr(module, "settle", planted)  # noqa: B010


class Engine:
    """The engine of this process, as an object that answers."""

    profiles = ("bela-4",)
    operations = tuple(operations.OPERATIONS)

    def __call__(self, operation: str, profile: str, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """Answer a question."""
        return REFERENCE.reply(operation, profile, question)


answer = Engine()
