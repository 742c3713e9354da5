"""The search for the rules under which the answers of a program are right: step by step, rule by rule."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from belot_conformance.diagnosis.mutations import load_mistakes
from belot_conformance.identify.bench import Bench, Leaf, State
from belot_conformance.identify.evidence import PRICE_OF_ANY, PRICE_OF_KNOWN, Evidence
from belot_conformance.identify.neighbours import Hints, hints_of, is_known, values_to_try
from belot_conformance.identify.played import Changes, Slot

# A value that makes none of so few wrong answers righter, those that rest on the fewest rules, is not tried on the
# others at first; then none that makes none of so many righter.
_GLANCE: Final = 4
_LOOK: Final = 24
_SPREAD: Final = 6
_ROUNDS: Final = 40
# In small questions put to the engine. Where so much work found nothing that pays, wrong answers are spread at random.
PATIENCE: Final = 9_000
_BUDGET: Final = 60_000
_TRYING: Final = 0.1
_HINTED: Final = 10
_LEAST: Final = 1e-9
# Where single steps lead nowhere, so many wrong answers are looked at for two steps together.
_TARGETS: Final = 8
# ... unless more than this share of the answers is wrong: two rules are not what is missing then.
_NEAR: Final = 0.5
_PAIR_VALUES: Final = 30
_PAIRS: Final = 6000
_MENDS: Final = 24
_PROMISING: Final = 12
# Answers made wrong by a rule may be at most this share of those made right.
_CONTRADICTED: Final = 0.25

Told = Callable[[str], None]


@dataclass
class Search:
    """One search: its questions, what speaks for rules, and whole sets of rules to try at once."""

    bench: Bench
    evidence: Evidence
    leaps: Sequence[Changes] = ()
    tried: int = field(default=0)
    patience: float = PATIENCE
    _pairs: int = field(default=0, init=False)
    _mends: int = field(default=0, init=False)
    _moved_at: float = field(default=0.0, init=False)
    _is_patient: bool = field(default=False, init=False)
    _messages: dict[int, tuple[Leaf, Mapping[str, Any]]] = field(default_factory=dict, init=False)

    @property
    def _effort(self) -> float:
        return self.bench.effort + _TRYING * self.tried

    @property
    def is_spent(self) -> bool:
        """Whether so much was looked at, in all or since the last step, that what is found by now has to do."""
        idle = 0 if self._is_patient else self._effort - self._moved_at
        return self._effort > _BUDGET or idle > self.patience

    def found(self, state: State) -> State:
        """Return where the search leads from a state: every rule in it earns its keep."""
        if (whole := self.at_once(state)) is not None:
            return whole
        state = self.climbed(self._leapt(state))
        for _ in range(_ROUNDS):
            is_near = 0 < len(state.wrong) <= _NEAR * len(state.leaves)
            further = self._escaped(state) if is_near and not self.is_spent else None
            if further is None:
                break
            state = self.climbed(further)
        state = self.refined(state)
        while state.wrong and (better := self._exchanged(state)) is not None:
            state = self.refined(better)
        return state

    def at_once(self, state: State) -> State | None:
        """Return the state in which one other value makes every answer right; ``None`` if there is none."""
        step = self._all_at_once(state)
        return None if step is None else self.refined(self.bench.stepped(state, step))

    def _exchanged(self, state: State) -> State | None:
        """Return a state with another rule in place of one that explains only a part, if that is worth more."""
        now, self._moved_at = self.worth(state), self._effort
        for slot in state.changes:
            without = self.bench.without(state, [slot])
            if without is None or state.wrong.isdisjoint(without.readers.get(slot, ())):
                continue
            for other in self._slots_by_promise(without):
                if other == slot or self.is_spent or state.wrong.isdisjoint(without.readers[other]):
                    continue
                step = self.best_value(without, other, _GLANCE)
                if step is not None and self.worth(after := self.bench.stepped(without, step)) > now + _LEAST:
                    return after
        return None

    def refined(self, state: State) -> State:
        """Return a state without the rules that do not earn their keep, and with those that then do."""
        state = self.pruned(state)
        for _ in range(_ROUNDS):
            better = self._climbed_once(state, self._is_worth_more) or self._merged(state)
            if better is None:
                return state
            state = self.pruned(better)
        return state

    def _merged(self, state: State) -> State | None:
        """Return a state in which another value of one rule does what two rules did; ``None`` if there is none."""
        for slot in state.changes:
            without = self.bench.without(state, [slot])
            wronged = set() if without is None else without.wrong - state.wrong
            if without is None or not wronged:
                continue
            first = sorted(wronged, key=self.bench.cost.__getitem__)
            for other in without.changes:
                for value in self.values(without, other) if wronged <= without.readers.get(other, set()) else ():
                    self.tried += 1
                    if self.bench.leaves(without, {other: value}, first):
                        after = self.bench.stepped(without, {other: value})
                        if self._is_worth_more(self, state, after):
                            return after
        return None

    def worth(self, state: State) -> float:
        """Return how probable the answers are by a state, less what its changes cost."""
        return self.evidence.of(state.wrong) - sum(self.price(slot, value) for slot, value in state.changes.items())

    def price(self, slot: Slot, value: Any) -> float:
        """Return what it costs to say that a rule has another value."""
        spec = self.bench.spec
        return PRICE_OF_KNOWN if is_known(spec.rules[slot[0]], value, spec) else PRICE_OF_ANY

    def climbed(self, state: State) -> State:
        """Return the state from which no single step makes more answers right."""
        if (step := self._all_at_once(state)) is not None:
            return self.bench.stepped(state, step)
        for _ in range(_ROUNDS):
            # With few wrong answers, a look at many is a look at all.
            for accepted, look in _PASSES if len(state.wrong) > _GLANCE else (_PASSES[0], _PASSES[-1]):
                # A glance at every rule is never cut short.
                self._is_patient = look == _GLANCE
                better = self._climbed_once(state, accepted, look)
                if self._is_patient:
                    self._is_patient, self._moved_at = False, self._effort
                if better is not None:
                    break
            if better is None:
                return state
            state = better
        return state

    def _all_at_once(self, state: State) -> Changes | None:
        """Return the value of one rule that makes every wrong answer right and none wrong, the likeliest there is."""
        steps: list[tuple[float, Changes]] = []
        for slot in self._slots_by_promise(state):
            # Played in every profile asked for, whatever each has for this rule.
            everywhere = self.bench.slots_of_rule(slot[0])
            for places in [[slot]] if len(everywhere) == 1 else [[slot], everywhere]:
                if state.wrong <= self.bench.affected(state, places):
                    values = self.values(state, slot)
                    steps += [(self.price(slot, value), dict.fromkeys(places, value)) for value in values]
        for _, step in sorted(steps, key=lambda one: one[0]):
            self.tried += 1
            if self.bench.gain(state, step, state.loss - 2 * _LEAST) >= state.loss - _LEAST:
                return step
        return None

    def _climbed_once(
        self, state: State, accepted: "Callable[[Search, State, State], bool]", look: int | None = _LOOK
    ) -> State | None:
        """Return the state after the best step of every rule in turn; ``None`` if there is none."""
        moved = None
        for slot in self._slots_by_promise(state):
            if not self._can_pay(state, slot):
                continue
            while not self.is_spent and (step := self.best_value(state, slot, look)) is not None:
                after = self.bench.stepped(state, step)
                if not accepted(self, state, after):
                    break
                if len(after.wrong) < len(state.wrong):
                    self._moved_at = self._effort
                state = moved = after
        return moved

    def _can_pay(self, state: State, slot: Slot) -> bool:
        """Say whether a value of a rule could be worth its price if it made every wrong answer right that reads it."""
        if slot in state.changes:
            return True
        left = state.wrong - state.readers.get(slot, set())
        return self.evidence.of(left) - self.evidence.of(state.wrong) > PRICE_OF_KNOWN

    def _is_worth_more(self, _: "Search", before: State, after: State) -> bool:
        return self.worth(after) > self.worth(before) + _LEAST

    def _slots_by_promise(self, state: State) -> list[Slot]:
        """Return the slots that wrong answers read; those first that most answers reading them are wrong."""
        fewest: dict[Slot, int] = {}
        counts: Counter[Slot] = Counter()
        for index in state.wrong:
            leaf = state.leaves[index]
            for slot in self.slots_of(index, leaf.reads):
                fewest[slot] = min(fewest.get(slot, 999), len(leaf.reads))
                counts[slot] += 1
        return sorted(fewest, key=lambda slot: (fewest[slot], len(state.readers[slot]), -counts[slot], slot))

    def slots_of(self, index: int, reads: Iterable[str]) -> list[Slot]:
        """Return the slots of the rules that an answer read."""
        context = self.bench.observations[index].context
        return [self.bench.slot(context, rule) for rule in sorted(reads)]

    def best_value(self, state: State, slot: Slot, look: int | None = _LOOK) -> Changes | None:
        """Return the value of one rule that lowers the loss most; ``None`` if none lowers it.

        With ``look`` a rule is taken for useless of which a few values, spread over all of them, change none of the
        first wrong answers.
        """
        best, gained = None, _LEAST
        wrong = self.bench.wrong_readers(state, slot)
        values = self.values(state, slot) if wrong else []
        if look is not None and len(wrong) > _GLANCE:
            some = values[:: max(1, len(values) // _SPREAD)]
            if not any(self.bench.stirs(state, {slot: value}, wrong[:_GLANCE]) for value in some):
                return None
        for value in values:
            self.tried += 1
            step = {slot: value}
            gain = self.bench.gain(state, step, gained, look)
            if gain > gained:
                best, gained = step, gain
            if gained >= state.loss - _LEAST or self.is_spent:
                break
        return best

    def values(self, state: State, slot: Slot) -> list[Any]:
        """Return the values of a rule that are worth trying in a state, those of other games first."""
        bench = self.bench
        rule = bench.spec.rules[slot[0]]
        for context in range(len(bench.contexts)):
            profile = bench.profile(state, context)
            if bench.slot(context, slot[0]) == slot and slot[0] in profile.settings:
                return values_to_try(rule, profile, bench.contexts[context], bench.spec, self._hints(state, slot))
        return []

    def _hints(self, state: State, slot: Slot) -> Hints:
        wrong = sorted(state.readers.get(slot, set()) & state.wrong, key=self.bench.cost.__getitem__)[:_HINTED]
        return hints_of(self._told(state, wrong))

    def _told(self, state: State, wrong: Sequence[int]) -> Iterator[tuple[Any, Any, Any]]:
        for index in wrong:
            one, leaf = self.bench.observations[index], state.leaves[index]
            if index not in self._messages or self._messages[index][0] is not leaf:
                self._messages[index] = leaf, self.bench.message(state, index)
            yield one.input, one.value, self._messages[index][1].get(one.kind, {})

    def _leapt(self, state: State) -> State:
        """Return the state after the whole sets of rules that make more answers right, the best first."""
        for _ in self.leaps:
            most, best = _LEAST, None
            for leap in self.leaps:
                if (gain := self.bench.gain(state, leap, most)) > most:
                    most, best = gain, leap
            if best is None:
                break
            state = self.bench.stepped(state, best)
        return state

    def pruned(self, state: State) -> State:
        """Return a state without the changes that do not earn their keep, the idlest taken away first."""
        while state.changes:
            worth = self.worth(state)
            idle: list[tuple[float, State]] = []
            for without in self._lighter(state):
                gain = self.worth(without) - worth
                fixes, breaks = len(without.wrong - state.wrong), len(state.wrong - without.wrong)
                if gain >= 0 or breaks > _CONTRADICTED * fixes:
                    idle.append((gain, without))
            if not idle:
                break
            state = max(idle, key=lambda one: one[0])[1]
        return state

    def _lighter(self, state: State) -> Iterator[State]:
        """Yield the state without each change; where nobody could play so, without each other change as well."""
        for slot in state.changes:
            without = self.bench.without(state, [slot])
            if without is not None:
                yield without
                continue
            pairs = (self.bench.without(state, [slot, other]) for other in state.changes if other != slot)
            yield from (pair for pair in pairs if pair is not None)

    def _escaped(self, state: State) -> State | None:
        """Return a state that two steps together reach and no single one does."""
        for target in self._targets(state):
            if (step := self._pair(state, target)) is not None:
                return self.bench.stepped(state, step)
        return None

    def _targets(self, state: State) -> list[int]:
        """Return a few wrong answers, small ones that read different rules."""
        chosen: dict[frozenset[str], int] = {}
        for index in sorted(state.wrong, key=lambda index: (len(state.leaves[index].reads), self.bench.cost[index])):
            chosen.setdefault(state.leaves[index].reads, index)
        return list(chosen.values())[:_TARGETS]

    def _pair(self, state: State, target: int) -> Changes | None:
        """Return two changes that together lower the loss, found by one answer that both of them touch."""
        now, bench = state.leaves[target], self.bench
        moving: list[tuple[Slot, Any, Leaf]] = []
        for slot in self.slots_of(target, now.reads):
            for value in self.values(state, slot)[:_PAIR_VALUES]:
                leaf = bench.leaf_after(state, {slot: value}, target)
                if leaf is not None and (leaf.text != now.text or leaf.reads != now.reads):
                    moving.append((slot, value, leaf))
        moving.sort(key=lambda one: one[2].loss)
        promising = [one for one in moving if one[2].loss < now.loss - _LEAST]
        for slot, value, _ in promising[:_PROMISING]:
            self._mends += 1
            if self._mends > _MENDS:
                break
            if (step := self._mended(state, {slot: value})) is not None:
                return step
        return self._masked(state, target, moving)

    def _masked(self, state: State, target: int, moving: Sequence[tuple[Slot, Any, Leaf]]) -> Changes | None:
        """Return two changes of which the one hides the other in the answer that both touch."""
        now, values = state.leaves[target], cache(lambda slot: self.values(state, slot)[:_PAIR_VALUES])
        for slot, value, leaf in moving:
            for other in self.slots_of(target, leaf.reads):
                for second in values(other) if other != slot else ():
                    self.tried += 1
                    self._pairs += 1
                    if self._pairs > _PAIRS * self.patience / PATIENCE or self.is_spent:
                        return None
                    step = {slot: value, other: second}
                    after = self.bench.leaf_after(state, step, target)
                    if after is not None and after.loss < now.loss - _LEAST and self.bench.gain(state, step) > _LEAST:
                        return step
        return None

    def _mended(self, state: State, step: Changes) -> Changes | None:
        """Return a step with a second one that makes up for the answers which the first made wrong."""
        after = self.bench.stepped(state, step) if self.bench.leaf_after(state, step, 0) else None
        if after is None:
            return None
        broken = sorted(after.wrong - state.wrong, key=self.bench.cost.__getitem__)[:3]
        for slot in sorted({slot for index in broken for slot in self.slots_of(index, after.leaves[index].reads)}):
            if slot in step:
                continue
            second = self.best_value(after, slot)
            if second is not None and self.bench.stepped(after, second).loss < state.loss - _LEAST:
                return {**step, **second}
        return None


def _is_clean(_search: Search, before: State, after: State) -> bool:
    """Say whether a step makes answers right, and next to none wrong."""
    return len(after.wrong - before.wrong) <= _CONTRADICTED * len(before.wrong - after.wrong) and bool(
        before.wrong - after.wrong
    )


def _anything(_search: Search, _before: State, _after: State) -> bool:
    return True


_PASSES: Final = ((_is_clean, _GLANCE), (_is_clean, _LOOK), (_anything, _LOOK), (_anything, None))


def leaps_of(bench: Bench) -> list[Changes]:
    """Return the changes that an option, or a mistake in several rules, makes in the profiles asked for."""
    spec = bench.spec
    variants = dict.fromkeys(one.id.partition("+")[0] for one in bench.contexts)
    sets: list[Mapping[str, Any]] = [
        {rule: setting.value for rule, setting in option.settings.items()}
        for variant in variants
        if variant in spec.playable()
        for option in spec.options_of(variant).values()
    ]
    sets += [mistake.values for mistake in load_mistakes().values()]
    return [
        {bench.slot(context, rule): values[rule] for context in range(len(bench.contexts)) for rule in values}
        for values in sets
        if len(values) > 1
    ]
