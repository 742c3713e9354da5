"""Which rules a program plays, from what it answered: the nearest game, what differs, and what no rules explain."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Final

from belot_conformance.contrast.proofs import is_duty, tricks_played_alike
from belot_conformance.identify.budget import BUDGET, IdentifyBudget
from belot_conformance.identify.evidence import (
    ERROR,
    FEWEST,
    PRICE_OF_KNOWN,
    PRICE_OF_OPTION,
    SAME,
    UNSUPPORTED,
    Evidence,
    Ignored,
    Observation,
    broken_apart,
    constant_apart,
    never_given,
)
from belot_conformance.identify.hypothesis import Changes, KnownAnswer, Scorer, Slot, State
from belot_conformance.identify.search import Search, Vain, leaps_of
from belot_conformance.identify.sharing import shared
from belot_conformance.mistakes.mutations import other_values
from belot_conformance.questions.operations import OPERATIONS, RECORDINGS
from belot_conformance.suite.judge import OTHER_KIND
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.form import RULES_OF_FORM
from belot_spec.catalogue import Text
from belot_spec.errors import UnknownNameError, UnplayableError
from belot_spec.files import canonical
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile, Spec


@dataclass(frozen=True, slots=True)
class Alike:
    """Another rule with a value that would explain the same answers."""

    rule: str
    value: Any


@dataclass(frozen=True, slots=True)
class Example:
    """A question, what the program answered, and what other rules say; of the last only what differs is of interest.

    ``note`` says in words what a record of a log tells otherwise.
    """

    id: str
    operation: str
    input: Mapping[str, Any]
    came: Mapping[str, Any]
    said: Mapping[str, Any]
    note: Text | None = None


@dataclass(frozen=True, slots=True)
class Unexplained:
    """Answers of one operation that no rules explain: in which fields they are wrong, how many, and the smallest.

    ``fields`` of what is no answer at all holds its kind: an error, a crash. ``places`` name the first of the records
    of a log.
    """

    operation: str
    fields: tuple[str, ...]
    count: int
    example: Example
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleFinding:
    """A rule that a program plays otherwise: its value, and the numbers of the answers that are right by it alone.

    ``own`` is the value of the profile asked for, ``None`` where the rule does not matter there. ``values`` fit
    equally, and so do the rules of ``alike``. It ``is_odd``, and looks like a mistake, if no variant, no option and no
    program measured before plays this value.
    """

    rule: str
    own: Any
    value: Any
    right: tuple[int, ...]
    wrong: int
    contexts: tuple[int, ...]
    example: Example | None
    values: tuple[Any, ...] = ()
    alike: tuple[Alike, ...] = ()
    is_odd: bool = False


@dataclass(frozen=True)
class Identified:
    """What a search found: the profiles on which it builds, and what they differ in, the most telling rule first.

    ``wrong`` are the numbers of the answers that no rule explains; ``silent`` gave no answer. ``missing`` are the
    fields that the program never gives, ``broken`` those that no rules explain; neither is compared. ``spoiled`` says
    for each operation how many answers are wrong in those fields alone, with the smallest that is wrong in them.
    ``unsupported`` is what the program says it cannot answer: no rules are about that. It ``is_cut`` where the time
    was over before all was looked at: other rules may explain more, and other values may fit as well.
    """

    bases: Sequence[Profile]
    played: Sequence[Profile]
    findings: Sequence[RuleFinding]
    observations: Sequence[Observation]
    silent: Sequence[Observation]
    asked_wrong: frozenset[int]
    wrong: frozenset[int]
    groups: Sequence[Unexplained]
    unsupported: Sequence[Unexplained]
    missing: Ignored
    broken: Ignored
    spoiled: Mapping[str, Unexplained]
    tried: int = 0
    is_cut: bool = False

    @property
    def told(self) -> list[RuleFinding]:
        """The rules in the order in which they are told: what looks like a mistake first."""
        return sorted(self.findings, key=lambda one: not one.is_odd)

    @property
    def odd(self) -> list[RuleFinding]:
        """The rules with a value that looks like a mistake."""
        return [one for one in self.findings if one.is_odd]

    @property
    def explained(self) -> int:
        """How many answers that are wrong by the bases are right by the rules found."""
        return len(self.asked_wrong - self.wrong)

    @property
    def told_wrong(self) -> frozenset[str]:
        """The questions whose answers are wrong by the bases or by the rules found, or that got none."""
        wrong = [self.observations[number] for number in self.asked_wrong | self.wrong]
        return frozenset(one.id for one in (*wrong, *self.silent))

    @property
    def errors(self) -> int:
        """How many answers are errors to what makes sense by the rules found."""
        return sum(group.count for group in self.groups if group.fields == (ERROR,))

    @property
    def hopeless(self) -> frozenset[str]:
        """The operations of which hardly a result is right by the rules found, and these are enough to be no chance.

        What is illegal a program may know all the same.
        """
        asked = Counter(one.operation for one in self.observations if one.kind == "result")
        told = (self.observations[number] for number in self.wrong)
        wrong = Counter(one.operation for one in told if one.kind == "result")
        least = BUDGET.broken_fewest
        return frozenset(name for name in wrong if wrong[name] >= max(least, BUDGET.hopeless * asked[name]))

    @property
    def may_have_other_cards(self) -> bool:
        """Whether there are so many errors that the program may play with other cards."""
        return self.errors >= BUDGET.some_errors


_AS_GOOD: Final = 1e-6


def findings_of(search: Search, state: State) -> tuple[State, list[RuleFinding]]:
    """Return each changed rule with what it explains and what fits equally; the likeliest of equals is the one named.

    Of equals the cheapest is put in the place of what the search happened to find, then one that somebody plays, then
    the strictest: a duty that binds nobody fits any log.
    """
    scorer = search.scorer
    findings = []
    for slot in list(state.changes):
        without = scorer.without(state, [slot])
        if without is None:
            # Nobody could play without it alone: it goes with another one, and together they are right.
            base = scorer.state({})
            assert base is not None
            findings.append(_finding(search, state, base, (slot, state.changes[slot]), ()))
            continue
        equals = _equals(search, state, without, slot)
        right = without.wrong - state.wrong
        named = min(
            equals,
            key=lambda one: (
                search.price(*one),
                not scorer.values.is_played(one[0][0], one[1]),
                scorer.choices_left(without, dict([one]), right) if len(equals) > 1 else 0,
                one[0] != slot,
                len(canonical(one[1])),
            ),
        )
        if named[0] == slot or named[0] not in state.changes:
            state = scorer.stepped(without, dict([named]))
        else:
            named = slot, state.changes[slot]
        findings.append(_finding(search, state, without, named, equals))
    return state, findings


def _finding(
    search: Search, state: State, without: State, named: tuple[Slot, Any], equals: Sequence[tuple[Slot, Any]]
) -> RuleFinding:
    scorer = search.scorer
    slot, value = named
    text = canonical(value)
    right = sorted(without.wrong - state.wrong, key=scorer.cost.__getitem__)
    contexts = tuple(number for number in range(len(scorer.contexts)) if scorer.slot(number, slot[0]) == slot)
    others = [other for at, other in equals if at == slot and canonical(other) != text]
    return RuleFinding(
        rule=slot[0],
        own=scorer.own(slot),
        value=value,
        right=tuple(right),
        wrong=len(state.wrong - without.wrong),
        contexts=contexts,
        example=_example(scorer, without, _plainest(scorer, without, right)) if right else None,
        values=tuple(_other_games(scorer, state, named, others, contexts[0] if contexts else 0)),
        alike=tuple(Alike(at[0], other) for at, other in equals if at != slot),
        is_odd=not scorer.values.is_played(slot[0], value),
    )


def _other_games(
    scorer: Scorer, state: State, named: tuple[Slot, Any], others: Sequence[Any], context: int
) -> Iterator[Any]:
    """Yield the values of a rule that are not one and the same thing: a duty that can be worded in two ways is one."""
    slot, value = named
    if not is_duty([slot[0]], scorer.spec):
        yield from others
        return
    known = [_compiled(scorer, state, {slot: value}, context)]
    for other in sorted(others, key=len):
        rules = _compiled(scorer, state, {slot: other}, context)
        if not any(tricks_played_alike(one, rules) for one in known):
            known.append(rules)
            yield other


def _plainest(scorer: Scorer, without: State, right: Sequence[int]) -> int:
    """Return the smallest question that is well-formed without what was found too, or else the smallest."""

    def is_wellformed(index: int) -> bool:
        one = scorer.observations[index]
        return OPERATIONS[one.operation].is_wellformed(_compiled(scorer, without, {}, one.context), one.input)

    return next(filter(is_wellformed, right), right[0])


def _compiled(scorer: Scorer, state: State, step: Changes, context: int) -> Ruleset:
    profile = scorer.changed(state, step, context)
    assert profile is not None
    return compile_profile(profile)


def _example(scorer: Scorer, state: State, index: int) -> Example:
    one = scorer.observations[index]
    return Example(one.id, one.operation, one.input, {one.kind: one.value}, scorer.message(state, index))


def groups_of(scorer: Scorer, state: State, silent: Sequence[Observation]) -> list[Unexplained]:
    """Return what no rules explain by operation and fields, most answers first, each with its smallest question."""
    found: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for index in sorted(state.wrong, key=scorer.cost.__getitem__):
        found.setdefault((scorer.observations[index].operation, state.fits[index].wrong), []).append(index)
    groups = [
        Unexplained(operation, fields, len(indices), _example(scorer, state, indices[0]))
        for (operation, fields), indices in found.items()
    ]
    kinds: dict[tuple[str, str], list[Observation]] = {}
    for one in sorted(silent, key=lambda one: len(str(one.input))):
        kinds.setdefault((one.operation, one.kind), []).append(one)
    for (operation, kind), ones in kinds.items():
        example = Example(ones[0].id, operation, ones[0].input, {kind: ones[0].value}, {})
        groups.append(Unexplained(operation, (kind,), len(ones), example))
    return sorted(groups, key=lambda one: (-one.count, one.operation, one.fields))


def _equals(search: Search, state: State, without: State, slot: Slot) -> list[tuple[Slot, Any]]:
    """Return the values, of this rule and of others, by which exactly the same answers are right.

    Of those the ones by which the others are the least wrong: what a bug spoils may tell values apart all the same.
    """
    scorer = search.scorer
    right = sorted(without.wrong - state.wrong, key=scorer.cost.__getitem__)
    found: dict[str, tuple[Slot, Any]] = {canonical([*slot, state.changes[slot]]): (slot, state.changes[slot])}
    gains = {canonical([*slot, state.changes[slot]]): without.loss - state.loss}
    slots = search.steps.slots_of(right[0], without.fits[right[0]].reads) if right else []
    for other in sorted(slots):
        if other != slot and (other in state.changes or not without.readers.get(other, set()).issuperset(right)):
            continue
        # The answers that have to become right are looked at first, then all others that could change.
        readers = scorer.affected(without, [other])
        if not state.wrong ^ without.wrong <= readers:
            continue
        places = [*right, *sorted(readers.difference(right), key=scorer.cost.__getitem__)]
        candidates = [
            *search.steps.values(without, other),
            *(search.steps.values(state, other) if other == slot else ()),
        ]
        for value in candidates:
            if search.budget.is_over:
                break
            key = canonical([*other, value])
            if key in found or canonical(value) == other[1]:
                continue
            if scorer.leaves_wrong(without, {other: value}, places, state.wrong):
                found[key] = other, value
                gains[key] = scorer.gain(without, {other: value}, -without.loss - len(without.fits))
    # How soon a record is refused that is wrong whatever the rules says nothing for the rule that refuses it last.
    of_a_log = all(scorer.observations[index].is_partial for index in right)
    most = min(gains.values()) if of_a_log else max(gains.values()) - _AS_GOOD
    return [found[key] for key, gain in gains.items() if gain >= most]


@dataclass(frozen=True, slots=True)
class Unseen:
    """The rules of which no other value would make an answer right or wrong, in the catalogue's order.

    Of those ``not_looked_at`` that is not known: the time was over.
    """

    rules: Sequence[str] = ()
    not_looked_at: Sequence[str] = ()


def unseen_rules(
    scorer: Scorer, state: State, among: Collection[str] | None = None, budget: IdentifyBudget = BUDGET
) -> Unseen:
    """Look for the rules that are unseen; with ``among`` only these are looked at."""
    found, left = list[str](), list[str]()
    for rule in scorer.spec.rules.values():
        if among is not None and rule.id not in among:
            continue
        contexts = [
            context for context in range(len(scorer.contexts)) if rule.id in scorer.profile(state, context).settings
        ]
        if not contexts:
            continue
        # What no answer rests on is seen by none; that takes no time.
        if not any(state.readers.get(scorer.slot(context, rule.id)) for context in contexts):
            found.append(rule.id)
        elif budget.is_over:
            left.append(rule.id)
        elif not any(_is_seen(scorer, state, rule.id, context) for context in contexts):
            found.append(rule.id)
    return Unseen(found, left)


def _is_seen(scorer: Scorer, state: State, rule: str, context: int) -> bool:
    slot = scorer.slot(context, rule)
    readers = sorted(state.readers.get(slot, ()), key=scorer.cost.__getitem__)
    if not readers:
        return False
    profile = scorer.profile(state, context)
    could_be = False
    for value in other_values(scorer.spec.rules[rule], profile, scorer.spec):
        for index in readers:
            fit = scorer.fit_after(state, {slot: value}, index)
            if fit is None:
                break
            could_be = True
            if bool(fit.wrong) != bool(state.fits[index].wrong):
                return True
    # Where nobody could play by another value, there is nothing to tell.
    return not could_be


# Recorded deals and matches take long to answer, and read many rules: the search begins with all other questions.
_SMALL: Final = frozenset(OPERATIONS) - RECORDINGS
# Of a program that says what it plays, another game is told only if that saves as many options as this.
_ANOTHER_GAME: Final = 3


@dataclass
class _Attempt:
    scorer: Scorer
    evidence: Evidence
    state: State
    worth: float


@dataclass(frozen=True, slots=True)
class _Begun:
    """Where a search led from a start: how many answers are ``wrong`` then, ``of`` how many, and what was in vain."""

    start: Profile
    changes: Changes
    wrong: int
    of: int
    worth: float
    broken: Mapping[str, frozenset[str]]
    vain: Vain
    tried: int


@dataclass
class Identification:
    """A search for the rules of one program; ``before`` is an earlier one, of fewer answers of the same program.

    ``known`` are answers that the engine is not asked for again, by the ids of their questions. Where as much
    work as the budget has patience found nothing that pays, what is wrong is taken for wrong. ``last`` is where the
    search ended.    ``guesses`` are whole sets of values to try at once.
    """

    observations: Sequence[Observation]
    spec: Spec
    before: "Identification | None" = None
    known: Mapping[str, KnownAnswer] = field(default_factory=dict)
    budget: IdentifyBudget = BUDGET
    guesses: Sequence[Mapping[str, Any]] = ()
    declared: Sequence[ProfileName] = ()
    missing: Ignored = field(init=False)
    last: tuple[Scorer, State] = field(init=False)
    broken: dict[str, frozenset[str]] = field(default_factory=dict)
    tried: int = 0
    _vain: Vain = field(default_factory=Vain, init=False)
    _vain_fields: set[str] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        self.budget = self.budget.begun()
        if self.before is not None:
            self._vain, self._vain_fields = self.before._vain.apart(), self.before._vain_fields
        self._as_answered = {one.id: one for one in self.observations}
        self.observations = broken_apart(constant_apart(self.observations))
        self.missing = never_given(self.observations)
        self._silent = [one for one in self.observations if one.says_nothing]

    def around(self, contexts: Sequence[Profile]) -> Identified:
        """Return what is found around the profiles that were asked for."""
        return self._settled(self._searched(self._scorer(contexts), None))

    def anywhere(self, first: Sequence[Profile] = ()) -> Identified:
        """Return what is found from any variant with any options; some are tried ``first``."""
        scorer = self._scorer([self.spec.profile(self.spec.playable()[0])])
        starts = self._starts(scorer, first)
        best = found = self._begun_apart(scorer, starts[0])
        # Mostly the first will do; if not, the others are looked at side by side.
        others = [] if self._will_do(best) else starts[1:]
        looks = shared(_begun_apart, (self, scorer, others), scorer, range(len(others)), self.budget)
        with closing(looks) as coming:
            for found in chain([best], coming):
                self.tried += found.tried
                self._vain.add(found.vain)
                best = max(best, found, key=lambda one: one.worth)
                if self._will_do(best):
                    break
        self.broken = dict(best.broken)
        scorer = scorer.rebased([best.start]).ignoring(self._ignored())
        state = scorer.state(best.changes)
        assert state is not None
        return self._settled(self._described(_Attempt(scorer, Evidence(scorer.observations), state, best.worth)))

    def _will_do(self, found: "_Begun") -> bool:
        """Say whether so much is right where a search led from a start that no other is tried."""
        return self.budget.is_over or found.wrong <= self.budget.far * found.of

    def _begun_apart(self, scorer: Scorer, start: Profile) -> "_Begun":
        """Return where a search leads from a start, whatever is found from others."""
        apart = copy(self)
        apart.broken, apart.tried = {}, 0
        apart._vain, apart._vain_fields = self._vain.apart(), set(self._vain_fields)
        found = apart._searched(scorer.rebased([start]), None)
        wrong, of = len(found.state.wrong), len(found.state.fits)
        return _Begun(start, found.state.changes, wrong, of, found.worth, apart.broken, apart._vain, apart.tried)

    def onwards(self, *, is_named: bool) -> Identified:
        """Return what is found from where the search before ended, told from the nearest game if it is not named."""
        assert self.before is not None
        scorer, state = self.before.last
        self.broken = dict(self.before.broken)
        attempt = self._searched(self._scorer(scorer.contexts), self._renewed(scorer, state.changes))
        return self._settled(attempt if is_named else self._described(attempt))

    def _renewed(self, before: Scorer, changes: Changes) -> Changes:
        """Return what was found before with the values that fit best by the answers that came since."""
        scorer = self._scorer(before.contexts).ignoring(before.ignored)
        known = {one.id for one in before.observations}
        news = [index for index, one in enumerate(scorer.observations) if one.id not in known]
        if not changes or not news:
            return changes
        state = scorer.state(changes)
        assert state is not None
        return Search(scorer, Evidence(scorer.observations), budget=self.budget).renewed(state, news).changes

    def likeliest(self) -> Profile:
        """Return the variant with options by which most answers are right."""
        return self._starts(self._scorer([self.spec.profile(self.spec.playable()[0])]), ())[0]

    def unseen(self, budget: IdentifyBudget = BUDGET) -> Unseen:
        """Return the rules of what was found last of which no other value would make an answer right or wrong."""
        return unseen_rules(*self.last, budget=budget)

    def unseen_in(self, further: Sequence[Observation], among: Collection[str]) -> list[str]:
        """Return which of some rules stay unseen, as in `unseen`, in further answers of the same program."""
        scorer, state = self.last
        other = Scorer(scorer.contexts, further, self.spec, self._ignored())
        seen_so = other.state(state.changes)
        assert seen_so is not None
        return list(unseen_rules(other, seen_so, among).rules)

    def operations_reading(self, rules: Collection[str]) -> frozenset[str]:
        """Return the operations of which an answer rests on one of some rules, by what was found last."""
        scorer, state = self.last
        readers = scorer.affected(state, (slot for rule in rules for slot in scorer.slots_of_rule(rule)))
        return frozenset(scorer.observations[index].operation for index in readers)

    def _scorer(self, contexts: Sequence[Profile]) -> Scorer:
        scorer = Scorer(contexts, self.observations, self.spec, self._ignored(), self.known)
        if self.before is not None:
            scorer.remember(self.before.last[0])
        return scorer

    def _ignored(self) -> dict[str, frozenset[str]]:
        operations = self.missing.keys() | self.broken.keys()
        empty: frozenset[str] = frozenset()
        return {name: self.missing.get(name, empty) | self.broken.get(name, empty) for name in operations}

    def _starts(self, scorer: Scorer, first: Sequence[Profile]) -> list[Profile]:
        """Return variants with the options that fit, those by which most small answers are right first.

        Before them come those to begin with: many rules that differ may hide that it is one of these. Each is followed
        by the variant alone: where values of some rules are other ones, more answers may be right by an option that
        does without these rules, and from there no step leads back.
        """
        scorer = self._easier(scorer) or scorer
        found = []
        tried = {one.id: one for one in (*first, *map(self.spec.profile, self.spec.playable()))}
        for number, profile in enumerate(tried.values()):
            state = scorer.rebased([profile]).state({})
            if state is not None:
                found.append((state.loss, number, profile, state))
        found.sort(key=lambda one: one[:2])
        most = self.budget.as_near * found[0][0]
        near = [
            one
            for place, one in enumerate(found)
            if one[1] < len(first) or (place < self.budget.starts and one[0] <= most)
        ]
        begun = [(number, plain, *self._with_options(scorer, plain, state)) for _, number, plain, state in near]
        begun.sort(key=lambda one: (one[0] >= len(first), one[3].loss))
        starts = [one for _, plain, optional, _ in begun for one in (optional, plain)]
        return list({one.id: one for one in starts}.values())

    def _with_options(self, scorer: Scorer, profile: Profile, state: State) -> tuple[Profile, State]:
        """Return a variant with the options that make more answers right, one after the other, and what it explains."""
        for _ in range(self.budget.options):
            scorer = scorer.rebased([profile])
            better = []
            for option, one in self.spec.options_of(profile.id.variant).items():
                step = {scorer.slot(0, rule): setting.value for rule, setting in one.settings.items()}
                gain = scorer.gain(state, step)
                if gain > 0 and (added := self._option_added(profile, option)) is not profile:
                    better.append((-gain, added.id, added))
            if not better:
                break
            profile = min(better, key=lambda one: one[:2])[2]
            state = scorer.rebased([profile]).state({}) or state
        return profile, state

    def _searched(self, scorer: Scorer, changes: Changes | None) -> _Attempt:
        """Search from a start; a field that no rules explain is left out, and the search goes on without it."""
        was_broken = bool(self.broken)
        attempt = first = self._searched_once(scorer, changes)
        while broken := self._broken_fields(attempt):
            for operation, fields in broken.items():
                self.broken[operation] = self.broken.get(operation, frozenset()) | fields
            attempt = self._searched_once(attempt.scorer.ignoring(self._ignored()), attempt.state.changes)
        # From where the first search ended, to search with every field would be to search once more.
        is_new = was_broken or attempt.state.changes != first.state.changes
        return self._field_by_field(self._mended(attempt) if is_new else attempt)

    def _field_by_field(self, attempt: _Attempt) -> _Attempt:
        """Return a search that goes on by single fields of the answers that are wrong in several.

        What no rules explain may stand beside what a rule explains, and hide it.
        """
        for operation, fields in _wrong_together(attempt).items():
            for name in sorted(fields):
                if self.budget.is_over:
                    return attempt
                attempt = self._by_one_field(attempt, operation, fields - {name})
        return attempt

    def _by_one_field(self, attempt: _Attempt, operation: str, others: frozenset[str]) -> _Attempt:
        """Return a search that goes on without some fields, if it comes to rules that the other fields speak for."""
        before, changes = self.broken, attempt.state.changes
        key = canonical([operation, sorted(others), sorted(changes), len(attempt.state.wrong)])
        if key in self._vain_fields:
            return attempt
        self.broken = {**before, operation: before.get(operation, frozenset()) | others}
        found = self._refined(attempt, changes)
        # Most fields lead to no rule, and then there is nothing to weigh.
        whole = attempt.scorer.state(found.state.changes) if found.state.changes.keys() > changes.keys() else None
        if whole is not None and not self._breaks(attempt.state, whole):
            # Of those fields only the ones are left out that are wrong by these rules as well.
            left = frozenset(field for index in whole.wrong - found.state.wrong for field in whole.fits[index].wrong)
            self.broken = {**before, operation: before.get(operation, frozenset()) | left} if left else before
            found = self._refined(attempt, found.state.changes)
            if found.state.changes.keys() > changes.keys():
                return found
        self.broken = before
        self._vain_fields.add(key)
        return attempt

    def _breaks(self, before: State, after: State) -> bool:
        """Say whether rules make too many answers wrong in some field for those that they make righter."""
        righter = sum(after.fits[index].loss < before.fits[index].loss for index in before.wrong)
        return len(after.wrong - before.wrong) > self.budget.contradicted * righter

    def _refined(self, attempt: _Attempt, changes: Changes) -> _Attempt:
        """Return where single steps lead from some changes, without the broken fields and with little patience."""
        scorer, evidence = attempt.scorer.ignoring(self._ignored()), attempt.evidence
        search = Search(scorer, evidence, budget=replace(self.budget, patience=self.budget.retelling))
        begun = scorer.state(changes)
        assert begun is not None
        state = search.refined(begun)
        self.tried += search.steps.tried
        return _Attempt(scorer, evidence, state, search.worth(state))

    def _mended(self, attempt: _Attempt) -> _Attempt:
        """Return a search in which no field is broken, if rules explain it now that the others are found."""
        broken, self.broken = self.broken, {}
        again = self._searched_once(attempt.scorer.ignoring(self._ignored()), attempt.state.changes)
        if not self._broken_fields(again):
            return again
        self.broken = broken
        return attempt

    def _broken_fields(self, attempt: _Attempt) -> dict[str, frozenset[str]]:
        """Return the fields that stay wrong in most answers of an operation, or that never change, if others are right.

        An operation of which everything is wrong has no broken fields: no rules explain any of it.
        """
        scorer, fits = attempt.scorer, attempt.state.fits
        results: dict[str, list[int]] = {}
        for index, one in enumerate(scorer.observations):
            if one.kind == "result" and OTHER_KIND not in fits[index].wrong:
                results.setdefault(one.operation, []).append(index)
        found = {}
        for operation, indices in results.items():
            counts = Counter(name for index in indices for name in fits[index].wrong)
            fields = {name for name, count in counts.items() if self._is_broken(scorer, indices, name, count)}
            compared = {name for index in indices for name in scorer.observations[index].given}
            if fields and compared - fields - scorer.ignored.get(operation, frozenset()):
                found[operation] = frozenset(fields)
        return found

    def _is_broken(self, scorer: Scorer, indices: Sequence[int], name: str, count: int) -> bool:
        given = {canonical(scorer.observations[index].given.get(name)) for index in indices}
        constant = len(given) == 1 and len(indices) > self.budget.broken_fewest
        return count >= self.budget.broken_fewest and (constant or count >= self.budget.broken_share * len(indices))

    def _searched_once(self, scorer: Scorer, changes: Changes | None) -> _Attempt:
        evidence = Evidence(scorer.observations)
        search = Search(scorer, evidence, self._leaps(scorer), budget=self.budget, vain=self._vain)
        small = self._easier(scorer)
        first = changes if small is None else self._first_steps(small, changes)
        state = search.found(self._begun(search, [first, changes]))
        self.tried += search.steps.tried
        return _Attempt(scorer, evidence, state, search.worth(state))

    def _begun(self, search: Search, found: Sequence[Changes | None]) -> State:
        """Return where to begin: at the likeliest of what was found, unless one value alone makes everything right."""
        states = [state for one in found if one and (state := search.scorer.state(one)) is not None]
        if right := [state for state in states if not state.wrong]:
            return right[0]
        base = search.scorer.state({})
        assert base is not None
        return (search.at_once(base) if states else None) or max(states, key=search.worth, default=base)

    def _easier(self, scorer: Scorer) -> Scorer | None:
        """Return a scorer of the small questions, or of some where all are large; ``None`` where all are few."""
        small = scorer.part(_SMALL)
        if len(small.observations) >= self.budget.enough:
            return small
        return scorer.sample(self.budget.sample) if len(scorer.observations) > 2 * self.budget.sample else None

    def _leaps(self, scorer: Scorer) -> list[Changes]:
        guessed = ({scorer.slot(0, rule): value for rule, value in guess.items()} for guess in self.guesses)
        return [*guessed, *leaps_of(scorer)]

    def _first_steps(self, small: Scorer, changes: Changes | None) -> Changes:
        """Return where the search leads by the small questions alone, which are answered soonest.

        What they say nothing about stays as it was.
        """
        search = Search(small, Evidence(small.observations), self._leaps(small), budget=self.budget, vain=self._vain)
        state = small.state(changes or {}) or small.state({})
        assert state is not None
        unsaid = {slot: value for slot, value in state.changes.items() if not state.readers.get(slot)}
        # What takes long waits until all answers were looked at once.
        found = search.found(state, in_pairs=False).changes
        self.tried += search.steps.tried
        return {**unsaid, **found}

    def _described(self, best: _Attempt) -> _Attempt:
        """Return the same rules told from the nearest variant with options."""
        little = replace(self.budget, patience=self.budget.retelling)
        best = self._without_idle_options(best) if best.scorer.ignored else best
        played = best.scorer.profile(best.state)
        found, own = best, best.scorer.contexts[0]
        seen = {rule for (rule, _), readers in best.state.readers.items() if readers}
        seen |= RULES_OF_FORM if best.state.of_form else frozenset()
        for base in self._nearest(played, seen) if best.state.changes or self._price_of(own) else ():
            if base.id == own.id or self.budget.is_over:
                continue
            scorer = best.scorer.rebased([base])
            state = _retold(scorer, played, seen, best.state)
            if state is None or self._is_dearer(scorer, state, found):
                continue
            search = Search(scorer, best.evidence, budget=little)
            state = search.pruned(state)
            worth = search.worth(state)
            if worth - self._price_of(base) > found.worth - self._price_of(found.scorer.contexts[0]):
                found = _Attempt(scorer, best.evidence, state, worth)
        if found is not best:
            search = Search(found.scorer, found.evidence, budget=little)
            found.state = search.refined(found.state)
            found.worth = search.worth(found.state)
        return found

    def _without_idle_options(self, best: _Attempt) -> _Attempt:
        """Return the same without the options that no answer speaks for.

        What spoke for one when the search began may stand in fields that are left out by now, as no rules explain them.
        """
        said = {option for one in self.declared for option in one.options}
        for option in best.scorer.contexts[0].id.options:
            if option in said:
                continue
            own = best.scorer.contexts[0]
            fewer = ProfileName.of(own.id.variant, *(one for one in own.id.options if one != option))
            scorer = best.scorer.rebased([self._named_or(own, fewer)])
            state = scorer.state(best.state.changes)
            if state is not None and state.wrong <= best.state.wrong and state.loss <= best.state.loss:
                worth = Search(scorer, best.evidence, budget=self.budget).worth(state)
                best = _Attempt(scorer, best.evidence, state, worth)
        return best

    def _nearest(self, played: Profile, seen: set[str]) -> list[Profile]:
        """Return the few games, with the options that they share with it, of which the least is to be said.

        That is counted in the rules that are ``seen`` in the answers: of the others a program says nothing.
        """
        found = []
        for start in dict.fromkeys([*self.declared, *self.spec.playable()]):
            base = self.spec.profile(start)
            for option, one in self.spec.options_of(base.id.variant).items():
                helps = [rule for rule, setting in one.settings.items() if played.plays(rule, setting.value)]
                already = [rule for rule, setting in one.settings.items() if base.plays(rule, setting.value)]
                if len(helps) == len(one.settings) > len(already) and not seen.isdisjoint(helps):
                    base = self._option_added(base, option)
            differing = sum(not base.plays(rule, played.value(rule)) for rule in played.settings if rule in seen)
            found.append((differing * PRICE_OF_KNOWN + self._price_of(base), base.id, base))
        found.sort(key=lambda one: one[:2])
        return list({name: base for _, name, base in found}.values())[: self.budget.nearest]

    def _price_of(self, base: Profile) -> float:
        """Return what it costs to say that a program plays a game: what its author did not say himself."""
        same = [one for one in self.declared if one.variant == base.id.variant]
        if not same:
            return (len(base.id.options) + (_ANOTHER_GAME if self.declared else 0)) * PRICE_OF_OPTION
        return min(len(set(base.id.options) ^ set(one.options)) for one in same) * PRICE_OF_OPTION

    def _is_dearer(self, scorer: Scorer, state: State, found: _Attempt) -> bool:
        """Say whether so many changes of another game are needed that what was found before costs less."""
        search = Search(found.scorer, found.evidence)
        most = sum(search.price(*change) for change in found.state.changes.items()) + self._price_of(
            found.scorer.contexts[0]
        )
        price = float(self._price_of(scorer.contexts[0]))
        for slot in state.changes:
            if price >= most:
                break
            price += PRICE_OF_KNOWN if scorer.is_needed(state, slot) else 0.0
        return price >= most

    def _option_added(self, base: Profile, option: str) -> Profile:
        return self._named_or(base, ProfileName.of(base.id, option))

    def _named_or(self, base: Profile, name: str) -> Profile:
        """Return the profile of a name, or the base where its options contradict each other or nobody could play so."""
        try:
            return self.spec.profile(name)
        except (UnknownNameError, UnplayableError):
            return base

    def _settled(self, attempt: _Attempt) -> Identified:
        scorer = attempt.scorer
        search = Search(scorer, attempt.evidence, budget=self.budget.to_tell)
        state, findings = findings_of(search, attempt.state)
        self.last = scorer, state
        base = scorer.state({})
        assert base is not None
        self.tried += search.steps.tried
        groups = groups_of(scorer, state, self._unexplained(scorer, state))
        return Identified(
            bases=scorer.contexts,
            played=[scorer.profile(state, context) for context in range(len(scorer.contexts))],
            findings=sorted(findings, key=lambda one: (-len(one.right), one.rule)),
            observations=scorer.observations,
            silent=self._silent,
            asked_wrong=_all_wrong(base),
            wrong=_all_wrong(state),
            groups=[one for one in groups if one.fields != (UNSUPPORTED,)],
            unsupported=[one for one in groups if one.fields == (UNSUPPORTED,)],
            missing=self.missing,
            broken=dict(self.broken),
            spoiled=_spoiled(scorer, state),
            tried=self.tried,
            is_cut=self.budget.is_over,
        )

    def _unexplained(self, scorer: Scorer, state: State) -> list[Observation]:
        """Return what is no answer by the rules found either.

        An operation that answers everything alike may be right in that: where nobody scores declarations, say.
        """
        silent = [one for one in self._silent if not _makes_no_sense(scorer, state, one)]
        wrong: set[str] = set()
        for one in silent:
            if one.kind == SAME and one.operation not in wrong and self._is_wrong(scorer, state, one):
                wrong.add(one.operation)
        return [one for one in silent if one.kind != SAME or one.operation in wrong]

    def _is_wrong(self, scorer: Scorer, state: State, one: Observation) -> bool:
        message = scorer.said(state, one)
        return "error" not in message and bool(self._as_answered[one.id].wrong_fields(message))


def _begun_apart(of: tuple[Identification, Scorer, Sequence[Profile]], place: int) -> _Begun:
    searching, scorer, starts = of
    return searching._begun_apart(scorer, starts[place])


def _makes_no_sense(scorer: Scorer, state: State, one: Observation) -> bool:
    """Say whether a program answered with an error to what cannot be asked by the rules found."""
    return one.kind in (ERROR, UNSUPPORTED) and "error" in scorer.said(state, one)


def _all_wrong(state: State) -> frozenset[int]:
    """Return the wrong answers, those too that are wrong only where nothing was compared."""
    return frozenset(state.wrong | {index for index, fit in enumerate(state.fits) if fit.is_spoiled})


def _spoiled(scorer: Scorer, state: State) -> dict[str, Unexplained]:
    """Return for each operation with fields that are not compared the smallest answer that is wrong in them.

    With it how many are wrong in nothing else.
    """
    found: dict[str, Unexplained] = {}
    for operation, fields in scorer.ignored.items():
        places = (index for index, one in enumerate(scorer.observations) if one.operation == operation)
        wrong = [index for index in places if not fields.isdisjoint(scorer.wrong_with_all_fields(state, index))]
        if wrong:
            smallest = min(wrong, key=lambda index: (bool(state.fits[index].wrong), scorer.cost[index]))
            count = sum(state.fits[index].is_spoiled for index in wrong)
            example = _example(scorer, state, smallest)
            found[operation] = Unexplained(operation, tuple(sorted(fields)), count, example)
    return found


def _retold(scorer: Scorer, played: Profile, seen: Collection[str], best: State) -> State | None:
    """Return what is played told from another game: in its rules that are seen, if no more answers are wrong so.

    Else in all of its rules; ``None`` if nobody could play so.
    """
    state, base = None, scorer.contexts[0]
    for rules in (seen, played.settings.keys()):
        changes = {
            scorer.slot(0, rule): setting.value
            for rule, setting in played.settings.items()
            if rule in rules and not base.plays(rule, setting.value)
        }
        state = scorer.state(changes)
        if state is not None and state.wrong <= best.wrong:
            break
    return state


def _wrong_together(attempt: _Attempt) -> dict[str, frozenset[str]]:
    """Return for each operation the fields that are wrong together in several answers."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for index in sorted(attempt.state.wrong):
        if len(wrong := attempt.state.fits[index].wrong) > 1:
            found.setdefault(attempt.scorer.observations[index].operation, []).append(wrong)
    return {
        operation: frozenset(field for wrong in each for field in wrong)
        for operation, each in found.items()
        if len(each) >= FEWEST
    }
