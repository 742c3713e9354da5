"""One table: everything that a program is asked about its rules, and which of them that tests.

A question pins a value if every other one would change an answer. A value that no question pins, and that does not
provably play the same game, is searched for a question that would. What is found is asked too. What is not found is
said to be unobservable, with how that was seen.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from hashlib import sha256
from itertools import chain
from typing import Any, Final, Literal

from belot_conformance.contrast.probe import Budget, Probe, proved_alike
from belot_conformance.house_suite.questions import (
    ShapedQuestion,
    TableBudget,
    Teller,
    own_recordings,
    table_case,
    table_questions,
)
from belot_conformance.mistakes.killing import Row, engine_digest, load_matrix
from belot_conformance.mistakes.mutations import Mutant, compile_mutant, mutants_of_rules, rival_of
from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.progress import counting_bar
from belot_conformance.programs.protocol import Hello, Shape
from belot_conformance.programs.reference import Reference, put
from belot_conformance.questions.operations import OPERATIONS, RECORDINGS
from belot_conformance.questions.stream import EVERY_OPERATION
from belot_conformance.suite.cases import SUFFIX, Case
from belot_conformance.suite.judge import differences
from belot_conformance.suite.shapes import NotAskedError, told_case
from belot_conformance.suite.verdicts import OF_CASES, Planned, Provenance
from belot_reference.compile import Ruleset
from belot_spec.cache import cache_folder, keep, kept
from belot_spec.catalogue import same_text
from belot_spec.files import canonical
from belot_spec.shipped import default_spec
from belot_spec.spec import Profile
from belot_spec.words import English

BUDGET: Final = TableBudget()
_PLAIN: Final = Shape()
_WORDS: Final = English(__name__, "found-questions")
_LOOKING: Final = "looking which rules of the table are tested"
_SEARCHING: Final = "searching for further questions"

Fate = Literal["pinned", "found", "undeclared", "unobservable"]

# Smaller questions are answered faster and read more easily.
_COST: Final[Mapping[str, int]] = {operation: cost for cost, operation in enumerate(OPERATIONS)}


@dataclass(frozen=True, slots=True)
class Pin:
    """What became of one other value of a rule.

    ``pinned``: the answer to ``question`` would be another, by its id. ``found``: the same of a question that was
    searched for, ``asked`` as operation and input. ``undeclared``: only ``operation`` shows it, or a field
    of it that the program does not give. ``unobservable``:
    nothing does, as ``tried`` tricks, comparisons or questions show.
    """

    rule: str
    change: str
    fate: Fate
    question: str = ""
    operation: str = ""
    asked: Mapping[str, Any] | None = None
    tried: int = 0

    @classmethod
    def of(cls, mutant: Mutant, fate: Fate, one: ShapedQuestion | None = None, **told: Any) -> "Pin":
        """Return what became of a mutant, and the question that tells it, if one does."""
        shown: dict[str, Any] = {"question": one.id, "operation": one.operation} if one else {}
        return cls(mutant.rule, mutant.change, fate, **shown, **told)


@dataclass(frozen=True, slots=True)
class Sought:
    """A mutant that no question tells yet, and what is known of it.

    ``undeclared`` is an operation that shows it, and is not declared, or not all of it given. ``consulting`` are the
    operations of questions that consulted its rule, ``tried`` is how many did not tell it.
    """

    mutant: Mutant
    undeclared: str = ""
    consulting: frozenset[str] = frozenset()
    tried: int = 0
    found: ShapedQuestion | None = None

    def after(self, later: "Sought") -> "Sought":
        """Return what is known after more was tried; what is found first stays found."""
        if self.found is not None:
            return self
        consulting, tried = self.consulting | later.consulting, self.tried + later.tried
        return replace(later, undeclared=self.undeclared or later.undeclared, consulting=consulting, tried=tried)

    def pin(self) -> Pin:
        """Return what became of the mutant now that the search is over."""
        if self.found is not None:
            return Pin.of(self.mutant, "found", self.found, asked=self.found.source)
        if self.undeclared:
            return Pin.of(self.mutant, "undeclared", operation=self.undeclared)
        return Pin.of(self.mutant, "unobservable", tried=self.tried)


def pin_all(
    profile: Profile,
    questions: Sequence[Planned],
    operations: frozenset[str],
    jobs: int,
    shape: Shape,
    budget: TableBudget,
) -> list[Pin]:
    """Return the fate of every other value of every rule of a profile, asked in these operations and this shape."""
    mutants = mutants_of_rules(profile, profile.settings, default_spec())
    teller = Teller(profile, operations, shape)
    by_cost = sorted(questions, key=lambda one: (_COST[one.case.operation], len(str(one.case.input))))
    asked = _probe(one for question in by_cost for one in teller.of_case(question))
    looked: list[Pin | Sought] = []
    with counting_bar(_LOOKING, len(mutants)) as advance:
        for mutant in mutants:
            looked.append(_looked(mutant, teller, asked))
            advance(1)
    left = [one for one in looked if isinstance(one, Sought)]
    searched = iter(fewest(Rounds(profile, operations, shape, jobs, budget).all(left), profile))
    return [one if isinstance(one, Pin) else next(searched).pin() for one in looked]


def _probe(questions: Iterable[ShapedQuestion]) -> Probe[ShapedQuestion]:
    return Probe(questions, ShapedQuestion.is_told_by)


def _looked(mutant: Mutant, teller: Teller, asked: Probe[ShapedQuestion]) -> Pin | Sought:
    """Return what the questions of a table tell of a mutant without a search, or that it has to be sought."""
    spec = default_spec()
    rival = rival_of(mutant, teller.rules.profile, spec)
    if one := asked.first(rival, lambda one: one.given and one.operation not in RECORDINGS):
        return Pin.of(mutant, "pinned", one)
    # Before whole deals are played by it: that takes longest, and tells nothing of a value that is proved alike.
    if tried := proved_alike(teller.rules, rival, spec):
        return Pin.of(mutant, "unobservable", tried=tried)
    if one := asked.first(rival, lambda one: one.given and one.operation in RECORDINGS):
        return Pin.of(mutant, "pinned", one)
    return _tried_in_vain(mutant, asked, asked.first(rival, lambda one: not one.given))


def _tried_in_vain(mutant: Mutant, asked: Probe[ShapedQuestion], shown: ShapedQuestion | None) -> Sought:
    consulting = [one.operation for one in asked.reading(mutant.values)]
    return Sought(mutant, shown.operation if shown else "", frozenset(consulting), len(consulting))


@dataclass(frozen=True, slots=True)
class PinShare:
    """Deals that are played by this table's rules or by a mutant's, to be tried on some of those sought."""

    places: Sequence[int]
    sought: Sequence[Sought]
    operations: frozenset[str]
    drawn: Budget
    played_by: Mutant | None = None


class Rounds:
    """Three rounds of deals at one table, for a program that answers these operations in this shape."""

    def __init__(
        self, profile: Profile, operations: frozenset[str], shape: Shape, jobs: int, budget: TableBudget
    ) -> None:
        self._budget = budget
        self._make = partial(Teller, profile, operations, shape)
        self._declared = operations
        self._jobs = jobs

    def all(self, sought: Sequence[Sought]) -> list[Sought]:
        """Return what became of each mutant: found with a question that tells it, or tried so many times in vain.

        After the first deals a mutant is tried on no operation of which no question has consulted its rule.
        """
        known, budget = list(sought), self._budget
        self._try(known, self._drawn(known, budget.first, budget.first_seed, consulting=False))
        self._try(known, self._played_by_others(known))
        self._try(known, self._drawn(known, budget.further, budget.further_seed, consulting=True))
        return known

    def _try(self, known: list[Sought], shares: Sequence[PinShare]) -> None:
        """Bring up to date what is known of those sought, in the order of the shares, whoever is done first."""
        with counting_bar(_SEARCHING, len(shares)) as advance:
            tried = in_processes(_tried, shares, self._jobs, self._make)
            for share, found in zip(shares, tried, strict=True):
                for place, one in zip(share.places, found, strict=True):
                    known[place] = known[place].after(one)
                advance(1)

    def _drawn(self, known: Sequence[Sought], deals: int, seed: int, *, consulting: bool) -> list[PinShare]:
        """Return shares of deals that are played by this table's rules."""
        wanted = self._showing(known, consulting=consulting)
        operations, some = frozenset().union(*wanted.values()), [known[place] for place in wanted]
        most = self._budget.a_share
        return [
            PinShare([*wanted], some, operations, Budget(min(most, deals - start), seed + at))
            for at, start in enumerate(range(0, deals if wanted else 0, most))
        ]

    def _played_by_others(self, known: Sequence[Sought]) -> list[PinShare]:
        """Return for each mutant deals that are played by it: they do what nobody would do at this table."""
        drawn = Budget(self._budget.by_the_other, self._budget.first_seed)
        return [
            PinShare([place], [known[place]], operations, drawn, known[place].mutant)
            for place, operations in self._showing(known, consulting=True).items()
        ]

    def _showing(self, known: Sequence[Sought], *, consulting: bool) -> dict[int, frozenset[str]]:
        """Return the places of those that are not found, with the operations of which a question may tell them."""
        found = {}
        for place, one in enumerate(known):
            within = one.consulting if consulting else EVERY_OPERATION
            found[place] = within & self._declared if one.undeclared else within
        return {place: operations for place, operations in found.items() if operations and known[place].found is None}


def _tried(teller: Teller, share: PinShare) -> list[Sought]:
    """Try a share of deals on each mutant; a question that tells one is tried first on the next."""
    rules, spec = teller.rules, default_spec()
    player = compile_mutant(share.played_by, rules.profile, spec) if share.played_by else rules
    about = {rule for one in share.sought for rule in one.mutant.values}
    drawn = teller.answered(share.drawn.questions(player, share.operations), about)
    asked = _probe(sorted(drawn, key=lambda one: len(str(one.input))))
    chosen, tried = list[ShapedQuestion](), []
    for one in share.sought:
        rival = rival_of(one.mutant, rules.profile, spec)
        known = _probe(chain(Probe([*chosen]).reading(rival.values), asked.reading(rival.values)))
        found = known.first(rival, lambda question: question.given)
        shown = None if found or one.undeclared else known.first(rival, lambda question: not question.given)
        chosen += [found] if found else []
        tried.append(replace(_tried_in_vain(one.mutant, known, shown), found=found))
    return tried


def fewest(sought: Sequence[Sought], profile: Profile) -> list[Sought]:
    """Return those found with as few questions as will do: one that tells an earlier mutant serves for others too."""
    spec, chosen, served = default_spec(), list[ShapedQuestion](), []
    for one in sought:
        found = one.found
        if found is not None:
            shared = _probe(chosen).first(rival_of(one.mutant, profile, spec), lambda question: question.given)
            chosen += [] if shared else [found]
            found = (shared or found).named()
        served.append(replace(one, found=found))
    return served


@dataclass(frozen=True, slots=True)
class RuleTest:
    """Whether the questions test a rule: ``undeclared`` are operations that would show it, and are not declared."""

    rule: str
    tested: bool
    undeclared: tuple[str, ...] = ()

    @classmethod
    def of(cls, rule: str, pins: Sequence[Pin]) -> "RuleTest":
        """Return whether a rule is tested, by what became of its other values."""
        undeclared = {pin.operation for pin in pins if pin.fate == "undeclared"}
        noticed = any(pin.fate in ("pinned", "found") for pin in pins)
        return cls(rule, noticed and not undeclared, tuple(sorted(undeclared, key=list(OPERATIONS).index)))

    @property
    def shown(self) -> bool:
        """Whether any answer shows the rule."""
        return self.tested or bool(self.undeclared)


@dataclass(frozen=True)
class TableSuite:
    """The questions of one profile, as they are put to the program, and what became of every other value of its rules.

    There are no ``pins`` where a part of the questions was chosen, so that nobody looked what they test.
    """

    profile: Profile
    plan: Sequence[Planned]
    left_out: Mapping[str, int]
    pins: Sequence[Pin] = ()
    asked_as: str = ""
    declared: frozenset[str] = EVERY_OPERATION

    def called(self, name: str) -> "TableSuite":
        """Return the table as it is asked of a program that calls its profile so."""
        return replace(self, plan=[replace(one, asked_as=name) for one in self.plan], asked_as=name)

    @cached_property
    def provenances(self) -> Mapping[Provenance, int]:
        """How many of the questions that are put to the program have answers of each provenance."""
        counted = Counter(one.provenance for one in self.plan if one.case.operation in self.declared)
        return {kind: counted[kind] for kind in OF_CASES}

    @cached_property
    def tests(self) -> list[RuleTest]:
        """For each rule of the profile, whether it is tested: every other value that answers show must be noticed."""
        return [RuleTest.of(rule, [pin for pin in self.pins if pin.rule == rule]) for rule in self.profile.settings]


def whole_table(
    cases: Sequence[Case],
    rules: Ruleset,
    reference: Reference,
    declared: frozenset[str],
    shape: Shape = _PLAIN,
    budget: TableBudget | None = None,
) -> TableSuite:
    """Return a profile's table with every question: the cases', its own deals, and those found so that all is pinned.

    What was found out before about the same rules, questions and declared operations is not looked for again.
    """
    budget = budget or BUDGET
    found = table_questions(cases, rules, reference)
    asked = [*found.asked, *_own_deals(found.asked, rules, budget)]
    name = f"tables/{pins_key(rules.profile, asked, declared, shape)}.json"
    pins = kept(cache_folder(), name, lambda stored: [Pin(**entry) for entry in stored["pins"]])
    if pins is None:
        pins = pin_all(rules.profile, asked, declared, os.cpu_count() or 1, shape, budget)
        keep(cache_folder(), name, {"pins": [asdict(pin) for pin in pins]})
    return TableSuite(rules.profile, [*asked, *_found(pins, rules, reference)], found.left_out, pins, declared=declared)


def _own_deals(asked: Sequence[Planned], rules: Ruleset, budget: TableBudget) -> Iterator[Planned]:
    """Yield recordings of the table's own where those of the cases that hold here are fewer than a variant's."""
    cases = [one.case for one in asked if one.case.path.suffix == SUFFIX]
    held = Counter(case.operation for case in cases if case.expected[0].kind == "result")
    deals, matches = max(0, budget.deals - held["replay"]), max(0, budget.matches - held["match"])
    return own_recordings(rules, rules_key(rules.profile), replace(budget, deals=deals, matches=matches))


def _found(pins: Sequence[Pin], rules: Ruleset, reference: Reference) -> Iterator[Planned]:
    """Yield the questions that were searched for, each once, for the first rule that it tests."""
    known = set[str]()
    for pin in pins:
        if pin.fate == "found" and pin.asked is not None and pin.question not in known:
            known.add(pin.question)
            title = same_text(_WORDS.say("title", rule=reference.spec.rules[pin.rule].title.en))
            yield table_case(rules, pin.operation, pin.question, title, pin.asked).pinning(pin.rule, provenance="found")


_FORMAT: Final = 2
_LENGTH: Final = 24


def rules_key(profile: Profile) -> str:
    """Return a text that is the same for the same rules and engine, whatever the profile is called."""
    values = {rule: setting.value for rule, setting in profile.settings.items()}
    return _digest(f"{_FORMAT} {engine_digest()} {canonical(values)}")


def pins_key(profile: Profile, questions: Sequence[Planned], operations: frozenset[str], shape: Shape) -> str:
    """Return a text that is the same for the same rules, engine, questions, declared operations and shape."""
    asked = [
        [case.id, case.operation, dict(case.input), [[each.kind, dict(each.fields)] for each in case.expected]]
        for case in (one.case for one in questions)
    ]
    return _digest(f"{rules_key(profile)} {sorted(operations)} {canonical(shape.as_json())} {canonical(asked)}")


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:_LENGTH]


def variant_tables(plan: Sequence[Planned], hello: Hello, reference: Reference) -> list[TableSuite]:
    """Return a table for each variant that a program declares as it is, with what the variant's own cases pin."""
    return [
        _table(variant, plan, hello, reference) for variant in reference.spec.playable() if variant in hello.profiles
    ]


def _table(variant: str, plan: Sequence[Planned], hello: Hello, reference: Reference) -> TableSuite:
    asked = [one for one in plan if one.profile.variant == variant and hello.declares(one.profile)]
    own = {planned.case.id: planned for planned in asked}
    pins = []
    for row in load_matrix().of_profile(variant):
        killers = [own[case] for case in sorted(row.killed_by) if case in own]
        noticed = next(_noticing(row, killers, hello, reference), None)
        fate: Fate = "pinned" if noticed else "undeclared" if killers else "unobservable"
        shown = noticed or next(iter(killers), None)
        pins.append(Pin(row.mutant.rule, row.mutant.change, fate, operation=shown.case.operation if shown else ""))
    declared = frozenset(hello.operations)
    return TableSuite(reference.profile(variant), [*own.values()], {}, pins, declared=declared)


def _noticing(row: Row, killers: Sequence[Planned], hello: Hello, reference: Reference) -> Iterator[Planned]:
    """Yield the cases that notice a mutant in what the program gives, those that are asked as they stand first."""
    otherwise = []
    for planned in killers:
        if planned.case.operation in hello.operations:
            with suppress(NotAskedError):
                told = told_case(hello.shape, reference.ruleset(planned.profile), planned.case, of_choices=True)
                if told is planned.case:
                    yield planned
                else:
                    otherwise.append((planned, told))
    for planned, told in otherwise:
        changed = compile_mutant(row.mutant, reference.profile(planned.profile), reference.spec)
        if differences(told.operation, told.expected, put(told.operation, changed, told.input).reply(told.id)):
            yield planned
