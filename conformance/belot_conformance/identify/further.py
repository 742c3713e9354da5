"""Further questions: those that tell the rules found from others that explain what was asked so far as well."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, zip_longest
from random import Random
from types import MappingProxyType
from typing import Any, Final

from belot_conformance.contrast.proofs import tricks_played_alike
from belot_conformance.diagnosis.mutations import other_values
from belot_conformance.drawing.contriving import contrived_questions
from belot_conformance.drawing.rivals import Rivals
from belot_conformance.drawing.stream import Stream
from belot_conformance.identify.bench import Bench, Known, State
from belot_conformance.identify.found import Identified
from belot_conformance.identify.neighbours import known_values
from belot_conformance.identify.observations import Observation
from belot_conformance.identify.other_numbers import numbers_beside, renumbered
from belot_conformance.identify.played import Changes
from belot_conformance.programs.reference import put
from belot_conformance.questions.judge import fields_apart, without_reasons
from belot_conformance.recording.random_questions import EVERY_OPERATION, Question, random_questions
from belot_conformance.table.questions import RECORDINGS
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.catalogue import Rule
from belot_spec.files import canonical
from belot_spec.spec import Profile, Spec

# How often questions are drawn by the rules found, and how many of each operation are asked whatever they tell: small
# ones, and others of any size.
_ROUNDS: Final = 16
_EACH: Final = 16
_LARGER: Final = 24
_SEED: Final = 7
# How many questions are looked at for one that tells a value from the one found, and how many values of a rule.
_LOOKED_AT: Final = 32
_LOOKED_AT_ALL: Final = 256
_SMALLEST: Final = 16
_VALUES: Final = 16
# Of what explains the same answers, so many questions are asked of each kind.
_TELLING: Final = 2
# Of questions drawn by other rules than those found: from how many deals, and how many contrived of each operation.
_OTHER_DEALS: Final = 24
_OTHER_CONTRIVED: Final = 400
# What one takes to put: recorded deals take longer, and so does it to see that two duties are one.
_SMALL: Final = 1
_RECORDED: Final = 6
_DUTIES: Final = 250
_GLANCE: Final = 500
_EFFORT: Final = 20_000
# What fits equally and is not told apart by the questions drawn anyhow mostly is by none.
_MOST_APART: Final = 2500
# Of so many questions of each operation the numbers are changed, in so many ways.
_RENUMBERED: Final = 2
_MOST_NUMBERS: Final = 60
_NEVER_READ: Final = "presentation."
_MEETING: Final = "compare-declarations"

Values = Mapping[str, Any]
_NOTHING: Final[Values] = MappingProxyType({})
_FOUND: Final = (_NOTHING,)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A question drawn from random deals that were played by the rules found."""

    name: str
    operation: str
    input: Mapping[str, Any]


@dataclass
class Effort:
    """What may still be spent on one program to draw questions by other values than those found.

    For those of ``tried`` they were drawn before, for those of ``untold`` in vain by the rules found now.
    """

    left: int = _EFFORT
    tried: set[str] = field(default_factory=set)
    untold: set[str] = field(default_factory=set)


class Further:
    """Random questions of some ``operations`` by the rules found; ``number`` is the lot.

    At most half of the effort that is left is spent.
    """

    def __init__(
        self,
        found: Profile,
        spec: Spec,
        number: int,
        effort: Effort | None = None,
        operations: frozenset[str] = EVERY_OPERATION,
    ) -> None:
        self.rules = compile_profile(found)
        self._spec = spec
        self._number = number
        self._operations = operations
        self._effort = effort or Effort()
        self._least = self._effort.left // 2
        seen, known = [], {}
        stream = Stream(self.rules, _SEED + number, operations)
        for place, one in enumerate(drawn for _ in range(_ROUNDS) for drawn in stream.round()):
            name = f"{number}-{place:05}"
            kind, value = next(iter(one.message.items()))
            seen.append(Observation(name, one.operation, one.question, kind, value))
            known[name] = Known.of(one.rules, one.message, found)
        self._bench = Bench([found], sorted(seen, key=lambda one: one.size), spec, {}, known)
        state = self._bench.state({})
        assert state is not None
        self._state: State = state

    def some_of_each(self) -> Iterator[Drawn]:
        """Yield questions of every operation, those first that read rules which no smaller question reads.

        The meeting of two long sequences is in none of the small ones: some are of any size.
        """
        places: dict[str, list[tuple[int, int]]] = {}
        seen: dict[tuple[str, frozenset[str]], int] = {}
        for index, one in enumerate(self._bench.observations):
            key = one.operation, self._state.leaves[index].reads
            seen[key] = seen.get(key, 0) + 1
            places.setdefault(one.operation, []).append((seen[key], index))
        for found in places.values():
            first = [index for _, index in sorted(found)]
            yield from map(self._drawn, [*first[:_EACH], *_spread(first[_EACH:], _LARGER)])

    def meetings(self) -> Iterator[Drawn]:
        """Yield every meeting of two declarations: which wins is decided by rules that hide each other."""
        asked = Rivals(self.rules).every(Random(_SEED)) if _MEETING in self._operations else ()
        for place, question in enumerate(asked):
            if put(_MEETING, self.rules, question).answer is not None:
                yield Drawn(f"{self._number}-meeting-{place:03}", _MEETING, question)

    def telling(self, found: Identified) -> Iterator[Drawn]:
        """Yield questions to which what fits equally gives another answer than the rules found."""
        for finding in found.findings:
            others: list[Values] = [{finding.rule: value} for value in finding.values]
            base = found.bases[0].settings.get(finding.rule)
            undone = {} if base is None else {finding.rule: base.value}
            others += [{one.rule: one.value, **undone} for one in finding.alike]
            if others:
                yield from self._apart([_NOTHING, *others])

    def near(self, asked: Bench, state: State, *, is_glance: bool = False) -> Iterator[Drawn]:
        """Yield a question for each other value of a rule that none of the answers so far speaks against.

        Where only deals by that value tell it, every rule has its turn before the next value of any: it takes long,
        and is not done at a glance.
        """
        left: list[list[Values]] = []
        for rule in self.rules.profile.settings:
            steps = []
            for step in self._unsaid(rule, asked, state):
                drawn = [*self._own(step, 1, _LOOKED_AT)] or [*self._renumbered(step, 1)]
                yield from drawn
                steps += [] if drawn or is_glance else [step]
            left.append(steps)
        for step, is_thorough in self._in_turn(left):
            yield from self._by_the_other(step, 1, is_thorough=is_thorough)

    def _in_turn(self, left: Sequence[Sequence[Values]]) -> Iterator[tuple[Values, bool]]:
        """Yield one value of each rule to look for at a glance, those again thoroughly, and then all others."""
        turns = [[step for step in turn if step is not None] for turn in zip_longest(*left)]
        first, *others = [sorted(turn, key=lambda step: _text(step) in self._effort.tried) for turn in turns] or [[]]
        yield from ((step, False) for step in first)
        yield from ((step, True) for step in first)
        yield from ((step, False) for turn in others for step in turn)

    def about(self, rule: str, asked: Bench, state: State) -> Iterator[Drawn]:
        """Yield a question for each other value of one rule that none of the answers so far speaks against."""
        for step in self._unsaid(rule, asked, state):
            yield from self._telling(step, 1, _LOOKED_AT)

    def _unsaid(self, rule: str, asked: Bench, state: State) -> Iterator[Values]:
        """Yield the other values of a rule that none of the answers so far speaks against."""
        slot = asked.slot(0, rule)
        right = state.readers.get(slot, set()) - state.wrong
        readers = _soonest(sorted(right, key=asked.cost.__getitem__))
        for value in _others(self._spec.rules[rule], self.rules.profile, self._spec):
            if asked.changed(state, {slot: value}) and asked.leaves(state, {slot: value}, readers):
                yield {rule: value}

    def _apart(self, steps: Sequence[Values]) -> Iterator[Drawn]:
        """Yield questions that tell each of some values from every other, as far as random questions do."""
        steps = [step for step in steps if self._bench.changed(self._state, self._changes(step)) is not None]
        changes = [self._changes(step) for step in steps]
        readers = _spread(sorted(self._readers_of(rule for step in steps for rule in step)), _LOOKED_AT_ALL)
        asked: set[int] = set()
        untold: list[list[int]] = []
        for _ in range(_TELLING):
            groups = [[*range(len(steps))]]
            for index in readers:
                parts = [] if index in asked else [part for one in groups for part in self._split(changes, one, index)]
                if len(parts) > len(groups):
                    asked.add(index)
                    groups = parts
                    yield self._drawn(index)
            untold = untold or groups
        least = self._effort.left - _MOST_APART
        for group in untold:
            yield from self._apart_drawn([steps[number] for number in group], least)

    def _apart_drawn(self, steps: Sequence[Values], least: int) -> Iterator[Drawn]:
        """Yield questions drawn for it that tell some values apart, as long as more effort is left than the least."""
        for place, step in enumerate(steps if len(steps) > 1 else ()):
            if not step or self._effort.left <= least:
                continue
            others = [*steps[:place], *steps[place + 1 :]]
            drawn = [*self._renumbered(step, 1, others)]
            drawn = drawn or [*self._by_the_other(step, _TELLING, others)]
            if drawn:
                yield from drawn
                parts: dict[str, list[Values]] = {}
                for one in steps:
                    came = put(drawn[0].operation, self._compiled(one) or self.rules, drawn[0].input)
                    said = canonical(without_reasons(drawn[0].operation, came.message()))
                    parts.setdefault(said, []).append(one)
                for part in parts.values():
                    yield from self._apart_drawn(part, least)
                return

    def _split(self, changes: Sequence[Changes], group: Sequence[int], index: int) -> Iterator[list[int]]:
        """Yield the parts of a group of values whose answers to a question are the same."""
        if len(group) == 1:
            yield [*group]
            return
        parts: dict[int | None, list[int]] = {}
        for number in group:
            leaf = self._bench.leaf_after(self._state, changes[number], index)
            parts.setdefault(None if leaf is None else leaf.text, []).append(number)
        yield from parts.values()

    def _telling(self, step: Values, most: int, looked_at: int) -> Iterator[Drawn]:
        """Yield some of the smallest questions to which other values give another answer."""
        drawn = [*self._own(step, most, looked_at)] or [*self._renumbered(step, most)]
        yield from drawn or self._by_the_other(step, most)

    def _own(self, step: Values, most: int, looked_at: int) -> Iterator[Drawn]:
        """Yield those of the questions drawn by the rules found that tell other values from them."""
        bench, changes = self._bench, self._changes(step)
        readers = _spread(sorted(bench.affected(self._state, changes)), looked_at)
        telling = (index for index in readers if bench.stirs(self._state, changes, [index]))
        yield from map(self._drawn, islice(telling, most))

    def _renumbered(self, step: Values, most: int, others: Sequence[Values] = _FOUND) -> Iterator[Drawn]:
        """Yield questions with other numbers in them, where values that are numbers are told apart by these alone."""
        settings = self.rules.profile.settings
        values = [value for one in (step, *others) for value in one.values()]
        numbers = numbers_beside([*values, *(settings[rule].value for rule in step if rule in settings)])
        rules = self._compiled(step) if numbers else None
        if rules is None:
            return
        against = [one for one in map(self._compiled, others) if one is not None]
        touched = frozenset(rule for one in (step, *others) for rule in one)
        asked = self._with_numbers(numbers, self._readers_of(touched))
        for one in islice((one for one in asked if self._tells(one, rules, against, touched)), most):
            yield replace(one, name=f"{self._number}-{_text(step)}-{one.name}")

    def _with_numbers(self, numbers: Sequence[int], readers: Iterable[int]) -> Iterator[Drawn]:
        """Yield a few of the smallest questions of each operation with some numbers in the place of theirs."""
        looked_at: Counter[str] = Counter()
        for index in sorted(readers):
            one = self._bench.observations[index]
            looked_at[one.operation] += 1
            if looked_at[one.operation] <= _RENUMBERED:
                for place, question in enumerate(islice(renumbered(one.input, numbers), _MOST_NUMBERS)):
                    yield Drawn(f"numbers-{one.id}-{place}", one.operation, question)

    def _tells(self, drawn: Drawn, rules: Ruleset, against: Sequence[Ruleset], touched: frozenset[str]) -> bool:
        """Say whether a question that makes sense by the rules found has another answer by one of some others."""
        price = _RECORDED if drawn.operation in RECORDINGS else _SMALL
        self._effort.left -= price
        came = put(drawn.operation, rules, drawn.input)
        # What reads none of the rules that differ is answered alike.
        if came.rules.isdisjoint(touched) or put(drawn.operation, self.rules, drawn.input).answer is None:
            return False
        self._effort.left -= price * (len(against) - 1)
        others = (put(drawn.operation, one, drawn.input).message() for one in against)
        return any(fields_apart(drawn.operation, came.message(), other) for other in others)

    def _by_the_other(
        self, step: Values, most: int, others: Sequence[Values] = _FOUND, *, is_thorough: bool = True
    ) -> Iterator[Drawn]:
        """Yield questions drawn from deals by some values, for what never comes up by the rules that were found.

        They tell these values from one of the ``others``.
        """
        text, effort = canonical([*step.items(), *map(dict, others)]), self._effort
        if text in effort.untold or effort.left <= self._least or all(rule.startswith(_NEVER_READ) for rule in step):
            return
        rules = self._compiled(step)
        if rules is None:
            return
        effort.tried.add(_text(step))
        if is_thorough or others is not _FOUND:
            effort.untold.add(text)
        against = [one for one in map(self._compiled, others) if one is not None]
        if self._is_duty([step, *others]):
            effort.left -= _DUTIES
            against = [one for one in against if not tricks_played_alike(one, rules)]
        touched = frozenset(rule for one in (step, *others) for rule in one)
        drawn = [*islice(self._telling_drawn(rules, against, touched, step, is_thorough=is_thorough), most)]
        effort.untold |= {text} if drawn or not against else set()
        yield from drawn

    def _telling_drawn(
        self, rules: Ruleset, against: Sequence[Ruleset], touched: frozenset[str], step: Values, *, is_thorough: bool
    ) -> Iterator[Drawn]:
        operations = frozenset(self._bench.observations[index].operation for index in self._readers_of(touched))
        drawn = self._drawn_by(rules, operations or self._operations & RECORDINGS, is_thorough=is_thorough)
        least = self._effort.left - _GLANCE
        for place, (operation, question) in enumerate(drawn if against else ()):
            if self._effort.left < least and not is_thorough:
                break
            one = Drawn(f"{self._number}-{_text(step)}-{is_thorough:d}{place:05}", operation, question)
            if self._tells(one, rules, against, touched):
                yield one

    def _compiled(self, step: Values) -> Ruleset | None:
        """Return the rules found with some values in the place of theirs; ``None`` if nobody could play so."""
        if not step:
            return self.rules
        profile = self._bench.changed(self._state, self._changes(step))
        return None if profile is None else compile_profile(profile)

    def _changes(self, step: Values) -> Changes:
        return {self._bench.slot(0, rule): value for rule, value in step.items()}

    def _is_duty(self, steps: Sequence[Values]) -> bool:
        rules = (self._spec.rules[rule] for step in steps for rule in step)
        return all(str(rule.value_schema.get("$ref")).endswith("ladder") for rule in rules)

    def _drawn_by(self, rules: Ruleset, operations: frozenset[str], *, is_thorough: bool) -> Iterator[Question]:
        """Yield questions drawn from deals; to be thorough, first many about what seldom happens."""
        seed = _SEED + self._number
        if is_thorough:
            yield from contrived_questions(rules, _OTHER_CONTRIVED, seed, operations)
        yield from random_questions(rules, _OTHER_DEALS, seed, operations) if operations else ()

    def _readers_of(self, step: Iterable[str]) -> set[int]:
        return self._bench.affected(self._state, [self._bench.slot(0, rule) for rule in step])

    def _drawn(self, index: int) -> Drawn:
        one = self._bench.observations[index]
        return Drawn(one.id, one.operation, one.input)


def _text(step: Values) -> str:
    return canonical([*step.items()])


def _others(rule: Rule, profile: Profile, spec: Spec) -> Sequence[Any]:
    """Return other values of a rule, those of other games first."""
    values = (*known_values(rule, spec), *other_values(rule, profile, spec))
    own = canonical(profile.settings[rule.id].value)
    found = {canonical(value): value for value in reversed(values)}
    return [found[text] for text in dict.fromkeys(map(canonical, values)) if text != own][:_VALUES]


def _soonest(indices: Sequence[int]) -> list[int]:
    """Return the smallest of some observations, and a few of the others."""
    return [*indices[:_SMALLEST], *_spread(indices[_SMALLEST:], _SMALLEST // 2)]


def _spread(indices: Sequence[int], most: int = _LOOKED_AT) -> Sequence[int]:
    """Return at most so many of some observations, from first to last."""
    return indices[:: max(1, -(-len(indices) // most))]
