"""Every golden case put to the engine in this process, and nothing else: what a mutation run asks of a mutant.

Not part of the normal tests, which say the same about the unchanged engine over the protocol.
"""

import resource
import sys
from collections.abc import Callable, Iterable
from typing import Final

import pytest

from belot_conformance.programs.reference import Reference, reply_of
from belot_conformance.suite.cases import SUFFIX, Case, load_cases
from belot_conformance.suite.judge import differences
from belot_reference.operations import OPERATIONS, answer
from belot_spec.shipped import default_spec

# Enough for every case, and little enough that a mutant which gathers things without end dies soon.
_MEMORY: Final = 2 << 30


def _forget_what_was_computed() -> None:
    """Empty the engine's own caches, so that nothing that the unchanged code computed stands in for the mutant."""
    for name, module in list(sys.modules.items()):
        if name.startswith("belot_reference."):
            for value in list(vars(module).values()):
                clear: Callable[[], None] | None = getattr(value, "cache_clear", None)
                if clear is not None and getattr(value, "__module__", None) == name:
                    clear()


@pytest.fixture
def reference() -> Reference:
    """Return the engine with every profile still to be compiled; a given spec keeps it from the compiled cache.

    One for each test: mutmut asks of a mutant only the tests that were seen to run the function, so that what the
    engine keeps must not be left over from another test.
    """
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    _forget_what_was_computed()
    return Reference(default_spec())


def wrong_answer(reference: Reference, cases: Iterable[Case]) -> str | None:
    """Return what is wrong with the first wrong answer: it differs, or does not rest on a rule that the case pins.

    The rule that a refusal names is compared where the case states it.
    """
    known = reference.spec.rules
    for case in cases:
        found = answer(case.operation, reference.ruleset(case.profile), case.input)
        wrong = differences(case.operation, case.expected, reply_of(case.id, found.message()), reasons=True)
        unused = [rule for rule in case.rules if rule in known and rule not in found.rules]
        if wrong or unused:
            return f"{case.id}: {wrong or unused}"
    return None


_RECORDED: Final = ("by hand", "recorded")


@pytest.mark.parametrize("recorded", [False, True], ids=_RECORDED)
@pytest.mark.parametrize("operation", list(OPERATIONS))
def test_the_engine_answers_as_the_cases_say(reference: Reference, operation: str, recorded: bool) -> None:
    """Ask every case of an operation, those that people wrote apart from the recorded ones."""
    cases = [one for one in load_cases() if one.operation == operation and (one.path.suffix == SUFFIX) == recorded]
    assert wrong_answer(reference, cases) is None
