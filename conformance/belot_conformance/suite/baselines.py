"""Programs that know nothing: what a score is worth beside one that always says the same, or guesses.

Every baseline answers each operation in the right form. Outside its own subject it says something plain, so that its
figures show what that subject alone brings.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Final

from belot_conformance.programs.protocol import Hello
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.questions.operation import Fields, Json, Operation, Reply
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.verdicts import Planned, Verdict, judge_each
from belot_reference.compile import Ruleset
from belot_spec.words import English

SEED: Final = 20261121
# Under this name the score of the program itself stands beside those of the baselines.
OWN: Final = "target"
_TITLES: Final = English(__name__, "baselines")


@dataclass(frozen=True, slots=True)
class BaselineScore:
    """How many cases of each operation were passed, of how many inside what was declared; skipped ones count."""

    passed: Mapping[str, int]
    asked: Mapping[str, int]

    def share(self, operation: str | None = None) -> float:
        """Return the part that was passed, from 0 to 1, of one operation or of all; 0 where nothing was asked."""
        names = self.asked if operation is None else [operation]
        passed, asked = (sum(one.get(name, 0) for name in names) for one in (self.passed, self.asked))
        return passed / asked if asked else 0.0


@dataclass(frozen=True, slots=True)
class Baseline:
    """A program that knows nothing: its name, what it always says, and its reply to each operation."""

    id: str
    title: str
    replies: Mapping[str, Reply]


def score_of(verdicts: Iterable[Verdict]) -> BaselineScore:
    """Return the score that verdicts make; what was not declared is left out, what was skipped is not passed."""
    counted = [one for one in verdicts if one.outcome != "unsupported"]
    asked = Counter(one.planned.case.operation for one in counted)
    passed = Counter(one.planned.case.operation for one in counted if one.outcome == "passed")
    return BaselineScore({name: passed[name] for name in asked}, dict(asked))


def baseline_scores(
    plan: Sequence[Planned], reference: Reference | None = None, hello: Hello | None = None, seed: int = SEED
) -> dict[str, BaselineScore]:
    """Return what each baseline scores on a plan, inside what ``hello`` declares (everything, if it is left out).

    ``reference`` is the one of this command, which knows the tester's profile; ``seed`` is that of the guesses.
    """
    reference = reference or Reference()
    declared = hello or reference.hello()
    asked = [replace(planned, skip="") for planned in plan]
    targets = {one.id: FunctionTarget(declared, partial(_answer, one, reference)) for one in baselines(seed)}
    return {name: score_of(judge_each(target, asked)) for name, target in targets.items()}


def baselines(seed: int = SEED) -> list[Baseline]:
    """Return the baselines in the order in which they are shown."""
    plain = _replies(lambda one: one.plain)
    replies: dict[str, Mapping[str, Reply]] = {
        "all-legal": {"legal-cards": OPERATIONS["legal-cards"].accepting or plain["legal-cards"]},
        "first-card": {"trick-winner": lambda _, asked: {"result": {"winner": asked["leader"]}}},
        "no-declarations": _replies(lambda one: one.silent),
        "always-accept": _replies(lambda one: one.accepting),
        "always-refuse": _replies(lambda one: one.refusing),
        "random": {name: partial(_guess, seed, one) for name, one in OPERATIONS.items()},
    }
    return [Baseline(name, _TITLES[name], {**plain, **own}) for name, own in replies.items()]


def _answer(baseline: Baseline, reference: Reference, operation: str, profile: str, question: Json) -> Fields:
    return baseline.replies[operation](reference.ruleset(profile), question)


def _replies(kind: Callable[[Operation], Reply | None]) -> dict[str, Reply]:
    """Return the replies of one kind by the operations that have one."""
    return {name: reply for name, one in OPERATIONS.items() if (reply := kind(one)) is not None}


def _guess(seed: int, operation: Operation, rules: Ruleset, question: Json) -> Fields:
    """Say something at random; the same seed and question always bring the same."""
    rng = Random(f"{seed}:{operation.name}:{json.dumps(question, sort_keys=True)}")
    if operation.guess is not None:
        return operation.guess(rules, question, rng)
    replies = (operation.plain, operation.silent, operation.accepting, operation.refusing)
    return rng.choice([reply for reply in replies if reply is not None])(rules, question)
