"""Rules that a program may play, and what its answers make of them: each is asked of the engine once.

An answer rests on the values of the rules that it read, so that it holds for all profiles which have these values.
"""

import json
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import inf
from operator import is_
from types import MappingProxyType
from typing import Any, Final

from belot_conformance.identify.evidence import ERROR, Ignored, Observation
from belot_conformance.identify.values import rule_values
from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.reference import Came, put
from belot_conformance.questions.dealt import legal_choices
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.judge import without_reasons
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.form import RULES_OF_FORM, form_of, rules_of_form
from belot_reference.trace import ValuePart, part_of
from belot_spec.files import canonical
from belot_spec.playability import contradictions
from belot_spec.spec import Profile, Spec
from belot_spec.variants import Setting

# A rule and the value that the profile asked for has for it, as text; "" where the rule does not matter there.
Slot = tuple[str, str]
# What an answer rests on: the form of the table, and the values of the rules and of the parts that it read, as text.
Resting = tuple[frozenset[str] | str | None, ...]
Changes = Mapping[Slot, Any]

_COMPILED: Final = 96
_PROFILES: Final = 4000


@dataclass(frozen=True, slots=True, eq=False)
class Reads:
    """What an answer read: rules, and parts of rules of which nothing else decided, each in a fixed order.

    The answer is the same by all values that agree in that, so that it is asked for once for all of these.
    """

    rules: tuple[str, ...]
    parts: tuple[ValuePart, ...]

    def values(self, keys: Mapping[str, str]) -> Iterator[str | None]:
        """Yield the value of each rule and each part, as text, given the values of all rules as text."""
        yield from map(keys.get, self.rules)
        yield from (_text_of_part(keys.get(part.rule), part) for part in self.parts)

    def __reduce__(self) -> tuple[Any, ...]:
        """Be the same in another process as what was read there."""
        return reads_of, (frozenset((*self.rules, *(part.rule for part in self.parts))), frozenset(self.parts))


# Thousands of answers read the same.
@lru_cache(maxsize=1 << 14)
def reads_of(rules: frozenset[str], parts: frozenset[ValuePart]) -> Reads:
    """Return what was read, given all rules and the parts of some of them."""
    whole = rules.difference(part.rule for part in parts)
    return Reads(tuple(sorted(whole)), tuple(sorted(parts, key=str)))


@lru_cache(maxsize=1 << 16)
def _text_of_part(value: str | None, part: ValuePart) -> str | None:
    """Return a part of a value as text, given the value as text; ``None`` if there is no such value or part."""
    found = None if value is None else part_of(json.loads(value), part)
    return None if found is None else canonical(found)


class _Recording(dict[str, Setting]):
    """The settings of a profile, and which of them were looked at."""

    def __init__(self, settings: Mapping[str, Setting]) -> None:
        super().__init__(settings)
        self.read: set[object] = set()

    def __getitem__(self, rule: str) -> Setting:
        self.read.add(rule)
        return super().__getitem__(rule)

    def __contains__(self, rule: object) -> bool:
        self.read.add(rule)
        return super().__contains__(rule)


class _Playability:
    """Which values somebody could play by, of profiles in which the same rules matter.

    That is known by the values of the rules that were looked at to see it, as an answer is.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], dict[tuple[str | None, ...], bool]] = {}

    def of(self, keys: Mapping[str, str], settings: Callable[[], Mapping[str, Setting]]) -> bool:
        """Say whether somebody could play by some values, given as text; the settings are made when they are needed."""
        for read, known in self._known.items():
            found = known.get(tuple(map(keys.get, read)))
            if found is not None:
                return found
        recording = _Recording(settings())
        found = not contradictions(recording)
        read = tuple(sorted(map(str, recording.read)))
        self._known.setdefault(read, {})[tuple(map(keys.get, read))] = found
        return found


@dataclass(slots=True, eq=False)
class KeyedProfile:
    """A profile with each of its values as text; it is made when it is wanted, of another one with some values.

    ``form`` are the parts of the form that its table has.
    """

    keys: Mapping[str, str]
    form: frozenset[str]
    _source: "Profile | tuple[KeyedProfile, Mapping[str, Any], Spec]"
    _playability: _Playability = field(default_factory=_Playability)
    _resting: dict[Reads, "Resting"] = field(default_factory=dict)

    @property
    def profile(self) -> Profile:
        """The profile itself."""
        if not isinstance(self._source, Profile):
            before, values, spec = self._source
            self._source = changed_profile(before.profile, values, spec)
        return self._source

    @property
    def is_playable(self) -> bool:
        """Whether somebody could play by these values."""
        return self._playability.of(self.keys, lambda: self.profile.settings)

    def resting(self, reads: Reads) -> "Resting":
        """Return all that an answer rests on that read some rules: the form of the table, and their values."""
        if reads not in self._resting:
            self._resting[reads] = (self.form, *reads.values(self.keys))
        return self._resting[reads]

    def with_values(self, values: Mapping[str, Any], spec: Spec) -> "KeyedProfile | None":
        """Return this profile with some values changed; ``None`` if nobody could play so."""
        known = {**self.keys, **{rule: canonical(value) for rule, value in values.items()}}
        if self.keeps_rules(values, spec):
            made = KeyedProfile(known, self.form, (self, values, spec), self._playability)
            if not RULES_OF_FORM.isdisjoint(values):
                made.form = form_of(made.profile)
        else:
            profile = changed_profile(self.profile, values, spec)
            keys = {rule: known.get(rule) or canonical(setting.value) for rule, setting in profile.settings.items()}
            made = KeyedProfile(keys, form_of(profile), profile)
        return made if made.is_playable else None

    def keeps_rules(self, values: Mapping[str, Any], spec: Spec) -> bool:
        """Say whether with some values just the same rules matter."""
        return self.profile.keeps_rules(values, spec.rules)


class Hypothesis:
    """What is played for each profile that was asked for, made when it is wanted."""

    def __init__(
        self, store: "ProfileStore", changes: Changes, before: "Hypothesis | None" = None, step: Changes | None = None
    ):
        self.changes = changes
        self._store = store
        self._before = before
        self._step = step or {}
        self._made: dict[int, KeyedProfile | None] = {}

    def __getitem__(self, context: int) -> KeyedProfile:
        """Return what is played for one profile; where nobody could play so, it is played as it was asked for."""
        return self.found(context) or self._store.asked[context]

    def found(self, context: int) -> KeyedProfile | None:
        """Return what is played for one profile; ``None`` if nobody could play so."""
        if context not in self._made:
            before = None if self._before is None else self._before.found(context)
            self._made[context] = self._store.played(context, self.changes, before, self._step)
        return self._made[context]


class ProfileStore:
    """The profiles that a program was asked for, with whatever changes."""

    def __init__(self, contexts: Sequence[Profile], spec: Spec) -> None:
        self.contexts = contexts
        self.own = [{rule: canonical(s.value) for rule, s in one.settings.items()} for one in contexts]
        self.asked = [KeyedProfile(own, form_of(one), one) for one, own in zip(contexts, self.own, strict=True)]
        self._spec = spec
        self._profiles: dict[Any, KeyedProfile | None] = {}
        self._rulesets: OrderedDict[int, tuple[KeyedProfile, Ruleset]] = OrderedDict()

    def hypothesis(self, changes: Changes) -> Hypothesis | None:
        """Return what is played after some changes; ``None`` if nobody could play so for the first profile."""
        made = Hypothesis(self, changes)
        return None if made.found(0) is None else made

    def after(self, hypothesis: Hypothesis, step: Changes) -> Hypothesis | None:
        """Return what is played after one more step; ``None`` if nobody could play so for the first profile."""
        made = Hypothesis(self, {**hypothesis.changes, **step}, hypothesis, step)
        return None if made.found(0) is None else made

    def played(self, context: int, changes: Changes, before: KeyedProfile | None, step: Changes) -> KeyedProfile | None:
        """Return what is played for one profile, if possible made by one step from what was played ``before``."""
        if before is not None:
            values = self._values(context, step)
            if not values:
                return before
            if before.keeps_rules(values, self._spec):
                return self._once(before, values)
        values = self._values(context, changes)
        return self._once(self.asked[context], values) if values else self.asked[context]

    def ruleset(self, played: KeyedProfile) -> Ruleset:
        """Return the compiled rules of what is played."""
        key = id(played)
        if key in self._rulesets:
            self._rulesets.move_to_end(key)
            return self._rulesets[key][1]
        # Mostly but a value or two are others than in what was compiled last.
        like = next(reversed(self._rulesets.values()))[1] if self._rulesets else None
        made = compile_profile(played.profile, like)
        self._rulesets[key] = played, made
        if len(self._rulesets) > _COMPILED:
            self._rulesets.popitem(last=False)
        return made

    def _values(self, context: int, changes: Changes) -> dict[str, Any]:
        own = self.own[context]
        return {rule: value for (rule, text), value in changes.items() if own.get(rule, "") == text}

    def _once(self, before: KeyedProfile, values: Mapping[str, Any]) -> KeyedProfile | None:
        key = (before, *sorted((rule, canonical(value)) for rule, value in values.items()))
        if key not in self._profiles:
            if len(self._profiles) > _PROFILES:
                self._profiles.clear()
            self._profiles[key] = before.with_values(values, self._spec)
        return self._profiles[key]


# A wrong answer of the right kind is this much better than one of the other kind; each field counts in the rest.
_RIGHT_KIND: Final = 0.5
_LATEST: Final = 0.25
# What work costs, in answers to small questions: any answer, with its share of the rules to compile, and each letter
# of its question.
_ANSWERING: Final = 1.0
_READING: Final = 1 / 225
# Worked out before any round: what nobody is charged for.
_FREE: Final = -1


@dataclass(frozen=True, slots=True)
class Fit:
    """What an answer under some rules means for what was given: the fields that differ, and the rules that were read.

    ``form`` are the parts of the form of the table that were asked for. ``loss`` is 0 for an answer exactly as it was
    given, and at most 1. Equal ``digest`` is an equal answer. An answer ``is_spoiled`` if only fields differ that are
    not compared. ``round`` is that in which it was worked out.
    """

    wrong: tuple[str, ...]
    is_spoiled: bool
    loss: float
    reads: frozenset[str]
    form: frozenset[str]
    digest: int
    round: int


# What was worked out: of the observation of which id, the rules read, what it rests on, and what it means.
Entry = tuple[str, Reads, Resting, Fit]

# What is wrong in answers to an operation that read certain rules, with what their values are: one kind has one cause.
Kind = tuple[str, tuple[str, ...], tuple[tuple[str, str | None], ...]]


class WorkAccount:
    """What the parts of a search are charged for that are done in one round, and do not know of each other.

    A part is charged for whatever was worked out since the round began, by others too, as often as it comes to it
    first.
    """

    def __init__(self) -> None:
        self.number = 0
        self._since = inf
        self._paid: set[int] = set()
        self._news: list[Entry] = []

    @contextmanager
    def round(self) -> Iterator[frozenset[int]]:
        """Begin a round; yield what every part of it has been charged for. One within another is a part of it."""
        if self._since < inf:
            yield frozenset(self._paid)
            return
        self.number += 1
        self._since = self.number
        try:
            yield frozenset()
        finally:
            self._since = inf
            self._paid, self._news = set(), []

    @contextmanager
    def share(self, paid: frozenset[int]) -> Iterator[list[Entry]]:
        """Begin a part of a round that has been charged for something; yield for what else it is, in the end."""
        before = self._paid, self._news
        self._paid, self._news = set(paid), []
        try:
            yield self._news
        finally:
            self._paid, self._news = before

    def is_due(self, fit: Fit) -> bool:
        """Say whether a part is to be charged for what was worked out already."""
        return fit.round >= self._since and id(fit) not in self._paid

    def charge(self, entry: Entry) -> None:
        """Note that a part was charged for something, or knows it of a part that comes before."""
        if self._since < inf:
            self._paid.add(id(entry[-1]))
            self._news.append(entry)


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """An answer that the engine gave before, with the rules that it read, what it asked of the form, and the values."""

    reads: Reads
    rules: frozenset[str]
    form: frozenset[str]
    resting: Resting
    message: Mapping[str, Any]

    @classmethod
    def of(cls, came: Came, profile: Profile) -> "KnownAnswer":
        """Return what came of a question by the rules of a profile."""
        reads = reads_of(came.rules, came.parts)
        keys = {rule: canonical(profile.settings[rule].value) for rule in came.rules}
        return cls(reads, came.rules, came.form, (form_of(profile), *reads.values(keys)), came.message())

    def rests_on(self, rules: Collection[str]) -> bool:
        """Say whether another value of one of some rules could change it."""
        return any(rule in rules for rule in (*self.rules, *rules_of_form(self.form)))


@dataclass
class State:
    """Some changes of the rules asked for, with what each observation makes of them.

    ``readers`` are, for each slot, the observations whose answers read that rule, ``of_form`` those whose answers asked
    for the form of the table; ``promising`` those of a slot that are wrong, those first that rest on the fewest rules,
    once somebody asked.
    """

    changes: dict[Slot, Any]
    hypothesis: Hypothesis
    fits: list[Fit]
    wrong: set[int] = field(default_factory=set)
    loss: float = 0.0
    readers: dict[Slot, set[int]] = field(default_factory=dict)
    of_form: frozenset[int] = frozenset()
    promising: dict[Slot, list[int]] = field(default_factory=dict)


class Scorer:
    """The observations of one program, and the rules by which it was asked; ``ignored`` fields are not compared.

    ``known`` are answers of the engine to some questions by their ids, which it is not asked for again. ``effort`` is
    how much was put to the engine so far, in small questions.
    """

    def __init__(
        self,
        contexts: Sequence[Profile],
        observations: Sequence[Observation],
        spec: Spec,
        ignored: Ignored,
        known: Mapping[str, KnownAnswer] = MappingProxyType({}),
    ) -> None:
        self.contexts = contexts
        self.observations = [one for one in observations if not one.says_nothing]
        self.spec = spec
        self.values = rule_values(spec)
        self.ignored = ignored
        self._known = known
        self.effort = 0.0
        self.ledger = WorkAccount()
        self._store = ProfileStore(contexts, spec)
        self._own = self._store.own
        self._own_values: dict[Slot, Any] = {
            (rule, canonical(setting.value)): setting.value
            for one in contexts
            for rule, setting in one.settings.items()
        }
        self._memo: list[list[tuple[Reads, dict[Resting, Fit]]]] = [[] for _ in self.observations]
        self._rules: dict[frozenset[str], frozenset[str]] = {}
        # At which tables a question has its form, by their players, sides and form, so that it is not looked at again.
        self._formed: list[set[tuple[int, int, frozenset[str]]]] = [set() for _ in self.observations]
        self.cost = [one.size for one in self.observations]
        empty: frozenset[str] = frozenset()
        self._unseen = [ignored.get(one.operation, empty) for one in self.observations]
        self._parts: dict[tuple[int, int], Fit] = {}

    def rebased(self, contexts: Sequence[Profile]) -> "Scorer":
        """Return a scorer of the same observations, asked for other profiles, that knows what this one knows."""
        return self._of(range(len(self.observations)), contexts, self.ignored)

    def ignoring(self, fields: Ignored) -> "Scorer":
        """Return a scorer of the same observations that does not compare some fields, and knows what this one knows."""
        return self._of(range(len(self.observations)), self.contexts, fields)

    def part(self, operations: Collection[str]) -> "Scorer":
        """Return a scorer of the observations of some operations only, that knows what this one knows."""
        kept = [index for index, one in enumerate(self.observations) if one.operation in operations]
        return self._of(kept, self.contexts, self.ignored)

    def sample(self, size: int) -> "Scorer":
        """Return a scorer of so many observations, spread over all of them, that knows what this one knows."""
        step = max(1, len(self.observations) // size)
        return self._of(range(0, len(self.observations), step), self.contexts, self.ignored)

    @property
    def laid_out_places(self) -> frozenset[int]:
        """The answers to operations whose questions are laid out so that rules do not hide each other."""
        each = enumerate(self.observations)
        return frozenset(index for index, one in each if OPERATIONS[one.operation].lay_out is not None)

    def laid_out(self) -> "Scorer":
        """Return a scorer of the answers to what is laid out so that rules do not hide each other.

        Where a shorter question tells as much, it holds that one, and no answer that is no result.
        """
        laid_out = [self.observations[index] for index in sorted(self.laid_out_places)]
        fields = {name for one in laid_out for name in self.ignored.get(one.operation, ())}
        kept = [told for one in laid_out if (told := self._retold(one)) is not None]
        made = Scorer(self.contexts, kept, self.spec, {one.operation: frozenset(fields) for one in kept}, self._known)
        made.remember(self)
        return made

    def _retold(self, one: Observation) -> Observation | None:
        retell = OPERATIONS[one.operation].retold
        if retell is None:
            return one
        rules = self._store.ruleset(self._store.asked[one.context])
        told = retell(rules, one.input, one.given) if one.kind == "result" else None
        if told is None:
            return None
        (operation, question), said = told
        name = f"{one.id} as {operation}"
        return replace(one, id=name, operation=operation, input=question, value=said, expected=(), is_partial=True)

    def _of(self, kept: Sequence[int], contexts: Sequence[Profile], ignored: Ignored) -> "Scorer":
        made = Scorer(contexts, [self.observations[index] for index in kept], self.spec, ignored, self._known)
        made.remember(self)
        return made

    def remember(self, other: "Scorer") -> None:
        """Know what another scorer, of answers of the same program, knows of the observations of both."""
        if len(self.contexts) == len(other.contexts) and all(map(is_, self.contexts, other.contexts)):
            self._store = other._store
        known = {id(one): place for place, one in enumerate(other.observations)}
        self._rules, self.ledger = other._rules, other.ledger
        for index, one in enumerate(self.observations):
            if (place := known.get(id(one))) is not None:
                self._memo[index], self._formed[index] = other._memo[place], other._formed[place]

    def slot(self, context: int, rule: str) -> Slot:
        """Return where a rule is changed for all profiles that have the value of this one."""
        return rule, self._own[context].get(rule, "")

    def slots_of_rule(self, rule: str) -> list[Slot]:
        """Return where a rule is changed for every profile asked for."""
        return list(dict.fromkeys(self.slot(context, rule) for context in range(len(self.contexts))))

    def own(self, slot: Slot) -> Any:
        """Return the value of the profiles asked for; ``None`` for a rule that does not matter in them."""
        return self._own_values.get(slot)

    def state(self, changes: Changes) -> State | None:
        """Return what all observations make of some changes; ``None`` if nobody could play so."""
        hypothesis = self._store.hypothesis(changes)
        if hypothesis is None:
            return None
        fits = [self.fit(index, hypothesis) for index in range(len(self.observations))]
        made = State(self._kept(changes), hypothesis, fits, loss=sum(fit.loss for fit in fits))
        made.wrong = {index for index, fit in enumerate(fits) if fit.wrong}
        alike: dict[tuple[int, frozenset[str]], list[int]] = {}
        for index, fit in enumerate(fits):
            alike.setdefault((self.observations[index].context, fit.reads), []).append(index)
        for (context, reads), indices in alike.items():
            for slot in self._slots(context, reads):
                made.readers.setdefault(slot, set()).update(indices)
        made.of_form = frozenset(index for index, fit in enumerate(fits) if fit.form)
        return made

    def hypothesis(self, changes: Changes) -> Hypothesis | None:
        """Return what is played after some changes; ``None`` if nobody could play so."""
        return self._store.hypothesis(changes)

    def after(self, hypothesis: Hypothesis, step: Changes) -> Hypothesis | None:
        """Return what is played after one more step; ``None`` if nobody could play so."""
        return self._store.after(hypothesis, step)

    def stepped(self, state: State, step: Changes) -> State:
        """Return the state after a step that can be played."""
        hypothesis = self._store.after(state.hypothesis, step)
        assert hypothesis is not None
        return self._moved(state, hypothesis, step)

    def without(self, state: State, slots: Iterable[Slot]) -> State | None:
        """Return the state with the rules of some slots as they were asked for; ``None`` if nobody could play so."""
        gone = set(slots)
        hypothesis = self._store.hypothesis({slot: value for slot, value in state.changes.items() if slot not in gone})
        return None if hypothesis is None else self._moved(state, hypothesis, gone)

    def _moved(self, state: State, hypothesis: Hypothesis, touched: Iterable[Slot]) -> State:
        fits = list(state.fits)
        made = State(
            self._kept(hypothesis.changes), hypothesis, fits, set(state.wrong), state.loss, dict(state.readers)
        )
        of_form = set(state.of_form)
        own: set[Slot] = set()
        for index in self.affected(state, touched):
            old, new = fits[index], self.fit(index, hypothesis)
            if new is old:
                continue
            fits[index] = new
            made.loss += new.loss - old.loss
            (made.wrong.add if new.wrong else made.wrong.discard)(index)
            if new.reads is not old.reads:
                self._reread(made, own, index, old, new)
            (of_form.add if new.form else of_form.discard)(index)
        made.of_form = state.of_form if of_form == state.of_form else frozenset(of_form)
        return made

    def _reread(self, made: State, own: set[Slot], index: int, old: Fit, new: Fit) -> None:
        """Put an observation among the readers of other rules; those sets that are not its ``own`` are copied first."""
        context = self.observations[index].context
        for slot in self._slots(context, old.reads ^ new.reads):
            if slot not in own:
                own.add(slot)
                made.readers[slot] = set(made.readers.get(slot, ()))
            (made.readers[slot].add if slot[0] in new.reads else made.readers[slot].discard)(index)

    def affected(self, state: State, step: Iterable[Slot]) -> set[int]:
        """Return the observations whose answers rest on what a step changes: no other answer can change."""
        found: set[int] = set()
        for slot in step:
            found |= state.readers.get(slot, set())
            if slot[0] in RULES_OF_FORM:
                found |= state.of_form
        return found

    def wrong_readers(self, state: State, slot: Slot) -> list[int]:
        """Return the wrong answers that read a rule, those first that rest on the fewest rules."""
        if slot not in state.promising:
            state.promising[slot] = self._by_promise(state, state.readers.get(slot, set()) & state.wrong)
        return state.promising[slot]

    def _by_promise(self, state: State, indices: Iterable[int]) -> list[int]:
        return sorted(indices, key=lambda index: (len(state.fits[index].reads), self.cost[index]))

    def kind(self, state: State, index: int) -> Kind:
        """Return of what kind a wrong answer is: by other values of what it does not read, it is of the same."""
        one, fit = self.observations[index], state.fits[index]
        keys = state.hypothesis[one.context].keys
        return one.operation, fit.wrong, tuple((rule, keys.get(rule)) for rule in sorted(fit.reads))

    def stirs(self, state: State, step: Changes, indices: Iterable[int]) -> bool:
        """Say whether a step that can be played changes one of these answers."""
        hypothesis, fits = self._store.after(state.hypothesis, step), state.fits
        return hypothesis is not None and any(
            self.fit(index, hypothesis).digest != fits[index].digest for index in indices
        )

    def gain(self, state: State, step: Changes, needed: float = 0.0, look: int | None = None) -> float:
        """Return by how much a step lowers the loss, or a number not above ``needed`` if it does not lower it by more.

        With ``look`` a step that lowers the loss of none of so many wrong answers, those that rest on the fewest rules,
        is taken for useless.
        """
        fits, affected = state.fits, self.affected(state, step)
        if len(step) == 1 and not self._changes_form(state, step):
            wrong = self.wrong_readers(state, next(iter(step)))
        else:
            wrong = self._by_promise(state, affected & state.wrong)
        hypothesis = self._store.after(state.hypothesis, step) if wrong else None
        if hypothesis is None:
            return 0.0
        gained, possible = 0.0, sum(fits[index].loss for index in wrong)
        for seen, index in enumerate(wrong):
            old = fits[index].loss
            difference = old - self.fit(index, hypothesis).loss
            gained += difference
            possible += difference - old
            if possible <= needed or (look is not None and seen + 1 >= look and gained <= 0):
                return min(possible, gained, needed)
        for index in affected - state.wrong:
            gained -= self.fit(index, hypothesis).loss
            if gained <= needed:
                return gained
        return gained

    def _changes_form(self, state: State, step: Changes) -> bool:
        """Say whether after a step another form of table is played for some profile."""
        if all(slot[0] not in RULES_OF_FORM for slot in step):
            return False
        before, after = state.hypothesis, self._store.after(state.hypothesis, step)
        return after is not None and any(
            before[context].form != after[context].form for context in range(len(self.contexts))
        )

    def leaves_wrong(self, state: State, step: Changes, indices: list[int], wrong: Collection[int] = ()) -> bool:
        """Say whether a step can be played and leaves of some answers just these wrong; none are if not said.

        The answer that speaks against it is put first, since it speaks against others like it as well.
        """
        hypothesis = self._store.after(state.hypothesis, step)
        if hypothesis is None:
            return False
        for place, index in enumerate(indices):
            if bool(self.fit(index, hypothesis).wrong) != (index in wrong):
                indices.insert(0, indices.pop(place))
                return False
        return True

    def is_needed(self, state: State, slot: Slot) -> bool:
        """Say whether some right answer would be wrong, or nobody could play, with a rule as it was asked for."""
        hypothesis = self._store.hypothesis({other: value for other, value in state.changes.items() if other != slot})
        right = sorted(self.affected(state, [slot]) - state.wrong, key=self.cost.__getitem__)
        return hypothesis is None or any(self.fit(index, hypothesis).wrong for index in right)

    def fit_after(self, state: State, step: Changes, index: int) -> Fit | None:
        """Return what one observation makes of a step; ``None`` if nobody could play so."""
        hypothesis = self._store.after(state.hypothesis, step)
        return None if hypothesis is None else self.fit(index, hypothesis)

    def wrong_with_all_fields(self, state: State, index: int) -> tuple[str, ...]:
        """Return the fields in which one answer is wrong in a state, those too that are not compared."""
        return self._whole_fit(index, state.hypothesis).wrong

    def message(self, state: State, index: int) -> Mapping[str, Any]:
        """Return the answer to the question of one observation in a state."""
        return self.said(state, self.observations[index])

    def message_after(self, state: State, step: Changes, index: int) -> Mapping[str, Any]:
        """Return the answer to the question of one observation after a step that can be played."""
        hypothesis = self._store.after(state.hypothesis, step)
        assert hypothesis is not None
        self.effort += self._price(index)
        return self.said_by(hypothesis, self.observations[index])

    def said(self, state: State, one: Observation) -> Mapping[str, Any]:
        """Return the answer to a question in a state."""
        return self.said_by(state.hypothesis, one)

    def said_by(self, hypothesis: Hypothesis, one: Observation) -> Mapping[str, Any]:
        """Return the answer to a question by what is played."""
        return put(one.operation, self._store.ruleset(hypothesis[one.context]), one.input).message()

    def choices_left(self, state: State, step: Changes, indices: Iterable[int]) -> int:
        """Return from how many cards the players of some recorded deals chose after a step: the fewer, the stricter."""
        hypothesis = self._store.after(state.hypothesis, step)
        recorded = (self.observations[index] for index in indices)
        return sum(
            legal_choices(self._store.ruleset(hypothesis[one.context]), one.input)
            for one in recorded
            if hypothesis is not None and one.operation == "replay" and one.is_partial
        )

    def profile(self, state: State, context: int = 0) -> Profile:
        """Return the profile that is played in place of the one asked for."""
        return state.hypothesis[context].profile

    def changed(self, state: State, step: Changes, context: int = 0) -> Profile | None:
        """Return the profile that is played after a step; ``None`` if nobody could play so."""
        hypothesis = self._store.after(state.hypothesis, step)
        return None if hypothesis is None else hypothesis[context].profile

    def _kept(self, changes: Changes) -> dict[Slot, Any]:
        return {slot: value for slot, value in changes.items() if not slot[1] or canonical(value) != slot[1]}

    def _slots(self, context: int, reads: Iterable[str]) -> Iterator[Slot]:
        own = self._own[context]
        return ((rule, own.get(rule, "")) for rule in reads)

    def fit(self, index: int, hypothesis: Hypothesis) -> Fit:
        """Return what one observation makes of what is played."""
        fit = self._whole_fit(index, hypothesis)
        unseen = self._unseen[index]
        return fit if not unseen or unseen.isdisjoint(fit.wrong) else self._without(fit, unseen, index)

    def _without(self, fit: Fit, unseen: frozenset[str], index: int) -> Fit:
        """Return what an answer means where some fields are not compared: the same object for the same answer."""
        key = index, id(fit)
        if key not in self._parts:
            wrong = tuple(field for field in fit.wrong if field not in unseen)
            loss = _loss_of(self.observations[index], wrong) if wrong else 0.0
            self._parts[key] = replace(fit, wrong=wrong, is_spoiled=not wrong, loss=loss)
        return self._parts[key]

    def _whole_fit(self, index: int, hypothesis: Hypothesis) -> Fit:
        """Return what an answer means with every field compared; it holds whatever is left out."""
        one, ledger = self.observations[index], self.ledger
        played = hypothesis[one.context]
        for reads, known in self._memo[index]:
            resting = played.resting(reads)
            fit = known.get(resting)
            if fit is not None:
                if ledger.is_due(fit):
                    self.effort += self._price(index)
                    ledger.charge((one.id, reads, resting, fit))
                return fit
        before = self._known.get(one.id)
        if before is not None and played.resting(before.reads) == before.resting:
            message, rules, asked, reads, number = before.message, before.rules, before.form, before.reads, _FREE
        else:
            number = ledger.number
            self.effort += self._price(index)
            ruleset = self._store.ruleset(played)
            form = ruleset.players, ruleset.side_count, ruleset.form
            came = put(one.operation, ruleset, one.input, well_formed=form in self._formed[index])
            if came.answer is not None:
                self._formed[index].add(form)
            message, rules, asked, reads = came.message(), came.rules, came.form, reads_of(came.rules, came.parts)
        resting = played.resting(reads)
        fit = self._kept_fit(index, reads, resting, self._judged(one, message, number, self._once(rules), asked))
        ledger.charge((one.id, reads, resting, fit))
        return fit

    def _once(self, rules: frozenset[str]) -> frozenset[str]:
        """Return rules that an answer read: many answers read the same, which are kept once."""
        return self._rules.setdefault(rules, rules)

    def _kept_fit(self, index: int, reads: Reads, resting: Resting, fit: Fit) -> Fit:
        """Keep what an answer means by the values of the rules that it read; return what is kept."""
        memo = self._memo[index]
        found = next((answers for each, answers in memo if each is reads), None)
        if found is None:
            found = {}
            memo.append((reads, found))
        return found.setdefault(resting, fit)

    def learn(self, news: Iterable[Entry]) -> None:
        """Know what was worked out in a part of a round, be it by another process."""
        places = {one.id: index for index, one in enumerate(self.observations)} if news else {}
        for name, reads, resting, fit in news:
            if (index := places.get(name)) is not None:
                rules = self._once(fit.reads)
                mine = fit if fit.reads is rules else replace(fit, reads=rules, round=self.ledger.number)
                self.ledger.charge((name, reads, resting, self._kept_fit(index, reads, resting, mine)))

    def _price(self, index: int) -> float:
        return _ANSWERING + _READING * self.cost[index]

    def _judged(
        self, one: Observation, message: Mapping[str, Any], number: int, rules: frozenset[str], form: frozenset[str]
    ) -> Fit:
        wrong, loss = one.wrong_fields(message), 0.0
        if wrong:
            loss = _loss_of(one, wrong) if next(iter(message)) == one.kind else _too_soon(one, message)
        # What an error says is of no interest.
        text = ERROR if ERROR in message else canonical(without_reasons(one.operation, message))
        return Fit(wrong, False, loss, rules, form, hash(text), number)


def _loss_of(one: Observation, wrong: Sequence[str]) -> float:
    fields = max(len(one.given), len(wrong), 1)
    return _RIGHT_KIND + (1 - _RIGHT_KIND) * len(wrong) / (fields + 1)


def _too_soon(one: Observation, message: Mapping[str, Any]) -> float:
    """Return the loss of an answer of the other kind: rules that refuse what was done later are a little better."""
    at, actions = message.get("rejected", {}).get("at"), one.input.get("actions")
    return 1.0 - _LATEST * at / max(1, len(actions)) if at is not None and actions else 1.0
