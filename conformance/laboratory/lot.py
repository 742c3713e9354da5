"""House rules drawn by lot, such that a deal can be played, and programs that play them, served over the protocol."""

import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final

import yaml

from belot_conformance.programs.protocol import PROTOCOL_VERSION, Hello
from belot_conformance.programs.reference import WINDOW, put
from belot_conformance.programs.serving import serve
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.questions.operations import OPERATIONS
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.catalogue import random_values
from belot_spec.errors import SpecError, UnknownNameError, UnplayableError
from belot_spec.files import canonical
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import default_spec, open_profile
from belot_spec.spec import Profile, Spec
from belot_spec.whole_file import write_whole

FEWEST: Final = 3
MOST: Final = 15
MOST_OPTIONS: Final = 2
_TRIES: Final = 400


@dataclass(frozen=True, slots=True)
class RandomTable:
    """House rules: the profile they build on, the values that differ, the file that says so, and the whole profile."""

    base: str
    values: Mapping[str, Any]
    path: Path
    profile: Profile


def random_table(
    spec: Spec,
    path: Path,
    random: Random,
    sizes: tuple[int, int] = (FEWEST, MOST),
    variant: str | None = None,
    among: Iterable[str] | None = None,
) -> RandomTable:
    """Write house rules of so many changed values to a file and return them; the same lot gives the same rules.

    They build on any variant, unless one is named, and change any rules, unless some are.
    """
    base = _base(spec, random, variant)
    wanted = random.randint(*sizes)
    profile = spec.profile(base)
    values: dict[str, Any] = {}
    chosen = frozenset(spec.rules if among is None else among)
    for _ in range(_TRIES):
        left = sorted(chosen & profile.settings.keys() - values.keys())
        if len(values) == wanted or not left:
            break
        rule = random.choice(left)
        for value in random_values(spec.rules[rule], profile.settings[rule].value, random):
            tried = {**values, rule: value}
            with suppress(SpecError, UnplayableError):
                profile = written(spec, path, base, tried)
                values = tried
                break
    return RandomTable(base, values, path, written(spec, path, base, values))


def _base(spec: Spec, random: Random, variant: str | None) -> str:
    """Return a variant, any unless it is named, often with an option or two that go together."""
    variant = variant or random.choice(sorted(spec.playable()))
    options = sorted(spec.options_of(variant))
    chosen = random.sample(options, random.randint(0, min(MOST_OPTIONS, len(options))))
    name = ProfileName.of(variant, *chosen)
    try:
        compile_profile(spec.profile(name))
    except (UnknownNameError, UnplayableError):
        return variant
    return name


def written(spec: Spec, path: Path, base: str, values: Mapping[str, Any]) -> Profile:
    """Write values over a base as a file of house rules, and return the profile that is read from it.

    Raises ``SpecError`` or ``UnplayableError`` for values that do not fit together.
    """
    rules = {rule: {"value": value} for rule, value in sorted(values.items())}
    text = yaml.safe_dump({"id": path.stem, "base": str(base), "rules": rules}, allow_unicode=True, sort_keys=False)
    write_whole(path, text, durable=False)
    profile = open_profile(str(path), spec)
    compile_profile(profile)
    return profile


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
