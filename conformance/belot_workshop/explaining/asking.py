"""What is said of the wrong answers of programs of many kinds, and whether it is so of other questions too."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from time import process_time
from typing import Any, Final

from belot_conformance.explain.common import Shared, common, has
from belot_conformance.mistakes.coded import Asked, Kind
from belot_conformance.mistakes.killing import suite_for
from belot_conformance.mistakes.mutations import load_faults
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.stream import random_questions
from belot_conformance.situations.views import Put
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.judge import fields_apart

_DRAWN: Final = 1500
_ROUNDS: Final = 60
_LONG_ROUNDS: Final = 120
# What may come of a kind, the worst first.
VERDICTS: Final = ("untrue", "nothing", "mostly", "wherever")
# So large a share of the fresh questions of which it is said must be wrong.
_HOLDS: Final = {"mostly": 0.5, "wherever": 0.8}
# The seeds of the questions from which is told what is shared, and of those that it is held against.
_SEED: Final = 7
_FRESH: Final = 8


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of one kind's answers to one operation, and how many of the fresh questions with it are wrong."""

    kind: Kind
    operation: str
    wrong: int
    shared: Shared | None
    fresh_wrong: int
    fresh: int
    seconds: float

    @property
    def verdict(self) -> str:
        """What is said of them, ``untrue`` where it is not so of the fresh questions."""
        if self.shared is None:
            return "nothing"
        said = "wherever" if self.shared.is_always else "mostly"
        return said if self.fresh_wrong >= _HOLDS[said] * self.fresh else "untrue"


def ask_kind(kind: Kind) -> Iterator[Told]:
    """Yield what is said of a kind's answers to each operation that it has wrong answers to."""
    for operation in kind.operations:
        wrong, right = _judged(kind, _asked(_variant(kind), operation))
        if not wrong:
            yield Told(kind, operation, 0, None, 0, 0, 0.0)
            continue
        began = process_time()
        shared = common(wrong, right)
        seconds = process_time() - began
        fresh_wrong = fresh = 0
        if shared is not None:
            more, others = _judged(kind, _drawn(_variant(kind), operation, _FRESH))
            fresh_wrong = sum(has(shared.literals, put) for put in more)
            fresh = fresh_wrong + sum(has(shared.literals, put) for put in others)
        yield Told(kind, operation, len(wrong), shared, fresh_wrong, fresh, seconds)


def _variant(kind: Kind) -> str:
    return load_faults()[kind.name].variant


def _judged(kind: Kind, puts: Sequence[Put]) -> tuple[list[Put], list[Put]]:
    wrong, right = list[Put](), list[Put]()
    for put in puts:
        asked = Asked(_reference(), put.rules.profile.id, put.operation, put.question, put.message)
        came = kind.answer(asked)
        (wrong if fields_apart(put.operation, put.message, came) else right).append(put)
    return wrong, right


@cache
def _reference() -> Reference:
    return Reference()


@cache
def _asked(profile: str, operation: str) -> Sequence[Put]:
    """Return the cases that hold for a profile and questions by lot, each with the right answer."""
    suite = suite_for(profile, load_cases(), _reference())
    cases = [one.case.input for one in suite.planned if one.profile == profile and one.case.operation == operation]
    return [*_answered(profile, operation, cases), *_drawn(profile, operation, _SEED)]


@cache
def _drawn(profile: str, operation: str, seed: int) -> Sequence[Put]:
    rounds = _LONG_ROUNDS if OPERATIONS[operation].is_long else _ROUNDS
    found = random_questions(_reference().ruleset(profile), rounds, seed, [operation])
    return _answered(profile, operation, [question for _, question in islice(found, _DRAWN)])


def _answered(profile: str, operation: str, questions: Sequence[Mapping[str, Any]]) -> list[Put]:
    rules = _reference().ruleset(profile)
    messages = [(one, _reference().reply(operation, profile, one)) for one in questions]
    return [Put(rules, operation, question, message) for question, message in messages if "error" not in message]
