"""How well `belot identify` names what programs play: drawn ones, of which it is known, asked over the protocol."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from time import process_time
from typing import Any, Final, Literal

from belot_conformance.contrast.probe import Rival
from belot_conformance.contrast.proofs import proved_alike
from belot_conformance.explain.answers import Answered
from belot_conformance.explain.asking import identify_program
from belot_conformance.explain.explanation import Explanation, RuleFinding
from belot_conformance.explain.lab import Lab
from belot_conformance.house_suite.questions import table_questions
from belot_conformance.mistakes.killing import the_reference
from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.answer_book import AnswerBook, BookTarget
from belot_conformance.programs.descendants import work_of_programs
from belot_conformance.programs.process_pool import quiet_collector
from belot_conformance.programs.reference import Reference, put
from belot_conformance.programs.target import Limits
from belot_conformance.programs.targets import TargetName, open_target
from belot_conformance.suite.cases import load_cases
from belot_reference.compile import compile_profile
from belot_spec.errors import BelotError
from belot_spec.files import canonical
from belot_spec.shipped import default_spec
from belot_workshop.explaining.programs import Drawn, draw

Outcome = Literal["exact", "tied", "other", "missed"]
# On a busy machine a program may be slow to start.
_LIMITS: Final = Limits(start=60, answer=60)


@dataclass(frozen=True, slots=True)
class Trial:
    """A program to try: its number in the lot of a seed, between how many values it hides, and its variant if named.

    It is served in a process of its own, or answers ``here``.
    """

    seed: int
    number: int
    sizes: tuple[int, int]
    variant: str | None = None
    here: bool = False

    @property
    def command(self) -> TargetName:
        """What serves the program."""
        words = [self.seed, self.number, *self.sizes] + [self.variant] * (self.variant is not None)
        return TargetName("command", (sys.executable, "-m", "belot_workshop.explaining.programs", *map(str, words)))


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of one program.

    ``rules`` says of each observable rule what was named, ``false`` has what was named and is not so, with its value.
    ``before`` are the answers wrong by what it declares, ``left`` those that no rules explain, ``spoiled`` those that
    are another question's.
    """

    number: int
    declared: str
    operations: int
    hidden: Mapping[str, Any]
    rules: Mapping[str, Outcome]
    false: Mapping[str, Any]
    named: Mapping[str, Any]
    base: str
    before: int
    left: int
    spoiled: int
    tried: int
    is_cut: bool
    seconds: float
    program_seconds: float

    def count(self, outcome: Outcome) -> int:
        """Return of how many observable rules this came."""
        return sum(one == outcome for one in self.rules.values())


def try_all(trials: Sequence[Trial], jobs: int) -> Iterator[Tried]:
    """Yield what came of each program, in order; each is asked in a process of its own, as a command is."""
    with ProcessPoolExecutor(jobs, get_context("spawn"), max_tasks_per_child=1) as pool:
        yield from pool.map(try_one, trials)


def try_one(trial: Trial) -> Tried:
    """Ask one program for its rules; to draw it is no part of the seconds, and to begin is."""
    default_spec()
    before = process_time()
    drawn = draw(trial.seed, trial.number, trial.sizes, trial.variant)
    before = process_time() - before
    opened = drawn.program.target() if trial.here else open_target(trial.command, _LIMITS)
    with BookTarget(opened, AnswerBook()) as target, quiet_collector():
        [inquiry] = identify_program(target, Reference(), began=before)
        seconds, program_seconds = process_time() - before, drawn.program.seconds or work_of_programs()
    seconds -= drawn.program.seconds
    found = inquiry.found
    observable, spoiled = observed(drawn)
    judged = Judged(drawn, found)
    return Tried(
        trial.number,
        drawn.declared.id,
        len(drawn.program.operations),
        drawn.hidden,
        {rule: judged.outcome(rule) for rule in observable},
        {rule: value for rule, value in judged.named.items() if judged.is_false(rule, observable)},
        judged.named,
        found.base.id,
        len(found.asked_wrong),
        found.left,
        spoiled,
        found.tried,
        found.is_cut,
        round(seconds, 2),
        round(program_seconds, 2),
    )


def observed(drawn: Drawn) -> tuple[list[str], int]:
    """Return the rules without which an answer is another one that is not spoiled, and how many answers are spoiled.

    Of what a rule cannot be taken out alone, that goes with it is taken out too.
    """
    reference, program = the_reference(), drawn.program
    planned = table_questions(load_cases(), reference.ruleset(drawn.declared.id), reference).asked
    asked = [one.case for one in planned if one.case.operation in program.operations]
    clean = [one for one in asked if not program.is_spoiled(one.operation, one.input)]
    lab = Lab([drawn.declared], reference.spec)
    for one in clean:
        came = put(one.operation, program.rules, one.input).message()
        if "error" in came:  # no answer by any rules
            continue
        lab.add([Answered(one.id, one.operation, one.input, came, expected=one.expected)])
    slots = {rule: lab.slot(0, rule) for rule in drawn.hidden}
    full = lab.changed(lab.base, {slots[rule]: value for rule, value in drawn.hidden.items()})
    found = []
    for rule in drawn.hidden:
        without = lab.without(full, slots[rule])
        if lab.is_playable(without) and lab.wrong_by(without) - lab.wrong_by(full):
            found.append(rule)
    return found, len(asked) - len(clean)


@dataclass
class Judged:
    """What was found of a program, held against what it plays."""

    drawn: Drawn
    found: Explanation
    named: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        declared, [played] = self.drawn.declared, self.found.played
        self.named = {one.rule: one.value for one in self.found.findings}
        if self.found.base.id.variant == declared.id.variant:
            for rule, one in self.found.base.settings.items():
                if played.plays(rule, one.value) and not declared.plays(rule, one.value):
                    self.named[rule] = one.value

    def outcome(self, rule: str) -> Outcome:
        """Say what was named of an observable rule."""
        value = self.drawn.hidden[rule]
        if self.found.played[0].plays(rule, value) or self._is_proved(rule):
            return "exact"
        if any(self._ties(one, rule, value) for one in self.found.findings):
            return "tied"
        return "other" if rule in self.named else "missed"

    def is_false(self, rule: str, observable: list[str]) -> bool:
        """Say whether a rule is named that is not hidden, or that no answer shows with a value that is not played."""
        rules, value = self.drawn.program.rules, self.named[rule]
        if rule in observable or rules.profile.plays(rule, value) or self._is_proved(rule):
            return False
        hidden = self.drawn.hidden.items()
        return not any(one.rule == rule and self._ties(one, *other) for one in self.found.findings for other in hidden)

    def _ties(self, one: RuleFinding, rule: str, value: Any) -> bool:
        told = [(one.rule, each) for each in one.values] + [*one.alike]
        return (rule, canonical(value)) in [(name, canonical(each)) for name, each in told]

    def _is_proved(self, rule: str) -> bool:
        """Say whether a rule, alone or with those of its kind, provably says the same as what is played."""
        spec, true, played = default_spec(), self.drawn.program.rules, self.found.played[0]
        other = Rival.of(true, compile_profile(played)).values
        same_kind = [one for one in other if spec.rules[one].shape is spec.rules[rule].shape]
        for values in (
            {rule: other.get(rule)},
            {one: other[one] for one in same_kind},
            # A rule in place of another one.
            *({rule: other.get(rule), one: other[one]} for one in other if one != rule),
        ):
            if rule not in values or None in values.values():
                continue
            try:
                changed = compile_profile(changed_profile(true.profile, values, spec))
            except BelotError:
                continue
            if proved_alike(true, Rival.of(true, changed), spec):
                return True
        return False
