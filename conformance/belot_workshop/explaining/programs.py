"""Programs of which it is known what they play: drawn by lot, and served over the protocol."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final

from belot_conformance.programs.protocol import PROTOCOL_VERSION, Hello
from belot_conformance.programs.reference import WINDOW, put
from belot_conformance.programs.serving import serve
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.questions.operations import OPERATIONS
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.files import canonical
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import default_spec
from belot_spec.spec import Profile
from belot_workshop.tables.random_tables import random_table

# Of the answers of a program that makes mistakes so many are another answer of the same operation.
SPOILED: Final = 0.02
# A third of the programs are spoiled, a third of each answer only some operations, at least so many.
_A_THIRD: Final = 3
_FEWEST_OPERATIONS: Final = 3


@dataclass(slots=True)
class TrialProgram:
    """A program: its rules, the name that it declares, what it answers and how much of that is spoiled.

    ``seconds`` are those of the processor that its answers took.
    """

    name: str
    rules: Ruleset
    operations: tuple[str, ...] = tuple(OPERATIONS)
    spoiled: float = 0
    seconds: float = 0
    _given: dict[str, list[dict[str, Any]]] = field(default_factory=dict, compare=False)

    def hello(self) -> Hello:
        """Return what it says about itself."""
        return Hello(PROTOCOL_VERSION, self.name, "1", "Python", (ProfileName(self.name),), self.operations, WINDOW)

    def target(self) -> FunctionTarget:
        """Return the program as what can be asked in this process."""
        return FunctionTarget(self.hello(), self.reply)

    def is_spoiled(self, operation: str, question: Mapping[str, Any]) -> bool:
        """Say whether the answer to a question is another one's; always the same of the same question."""
        return Random(canonical([self.name, operation, dict(question)])).random() < self.spoiled

    def reply(self, operation: str, _: str, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of the reply to a question."""
        began = process_time()
        came = self._answer(operation, question)
        self.seconds += process_time() - began
        return came

    def _answer(self, operation: str, question: Mapping[str, Any]) -> dict[str, Any]:
        right = put(operation, self.rules, question).message()
        if "error" in right:
            return right
        others = [one for one in self._given.get(operation, ()) if one != right] if self.spoiled else []
        if others and self.is_spoiled(operation, question):
            return Random(canonical(right)).choice(others)
        self._given.setdefault(operation, []).append(right)
        return right


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn program, and the profile that it declares, of which some values are others in what it plays."""

    program: TrialProgram
    declared: Profile
    hidden: Mapping[str, Any]


def draw(seed: int, number: int, sizes: tuple[int, int], variant: str | None = None) -> Drawn:
    """Return the program of a number: house rules with so many other values than the variant that they build on has.

    One in two declares the variant without the options that it plays, whose values are hidden ones then too.
    """
    spec, random = default_spec(), Random(f"explained {seed} {number}")
    with TemporaryDirectory() as scratch:
        table = random_table(spec, Path(scratch) / "house.yaml", random, sizes, variant)
    declared = spec.profile(random.choice((table.base, ProfileName(table.base).variant)))
    operations = tuple(OPERATIONS)
    if number // _A_THIRD % _A_THIRD == 0:
        size = random.randint(_FEWEST_OPERATIONS, len(operations) // 2)
        operations = tuple(sorted(random.sample(operations, size)))
    spoiled = SPOILED if number % _A_THIRD == 0 else 0
    played = table.profile.settings
    hidden = {rule: one.value for rule, one in played.items() if not declared.plays(rule, one.value)}
    return Drawn(TrialProgram(declared.id, compile_profile(table.profile), operations, spoiled), declared, hidden)


if __name__ == "__main__":
    _seed, _number, _least, _most, *_variant = sys.argv[1:]
    _drawn = draw(int(_seed), int(_number), (int(_least), int(_most)), *_variant)
    serve(_drawn.program, sys.stdin.buffer, sys.stdout.buffer)
