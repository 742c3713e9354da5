"""The search for the rules under which the answers of a program are right: step by step, rule by rule."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from belot_conformance.diagnosis.mutations import load_mistakes
from belot_conformance.identify.bench import Bench, State
from belot_conformance.identify.evidence import PRICE_OF_ANY, PRICE_OF_KNOWN, Evidence
from belot_conformance.identify.neighbours import is_known
from belot_conformance.identify.pairs import Pairs
from belot_conformance.identify.played import Changes, Slot
from belot_conformance.identify.steps import GLANCE, LEAST, LOOK, PATIENCE, Steps
from belot_spec.profile_name import ProfileName

_ROUNDS: Final = 40
# Two steps together are not what is missing where more than this share of the answers is wrong.
_NEAR: Final = 0.5
# Answers made wrong by a rule may be at most this share of those made right.
_CONTRADICTED: Final = 0.25


@dataclass
class Search:
    """One search: its questions, what speaks for rules, and whole sets of rules to try at once.

    ``vain`` is what was looked at for pairs of rules before, in a search of the same answers or some of them.
    """

    bench: Bench
    evidence: Evidence
    leaps: Sequence[Changes] = ()
    patience: float = PATIENCE
    vain: set[tuple[str, str]] = field(default_factory=set)
    steps: Steps = field(init=False)
    _pairs: Pairs = field(init=False)
    # The changes from which no two steps together led further.
    _stuck: Changes | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.steps = Steps(self.bench, self.patience)
        self._pairs = Pairs(self.steps, self.vain)

    def found(self, state: State) -> State:
        """Return where the search leads from a state: every rule in it earns its keep."""
        if (whole := self.at_once(state)) is not None:
            return whole
        state = self.climbed(self._leapt(state))
        for _ in range(_ROUNDS):
            if (further := self._escaped(state)) is None:
                break
            state = self.climbed(further)
        state = self.refined(state)
        while state.wrong and (better := self._exchanged(state) or self._escaped_for_more(state)) is not None:
            state = better
        return state

    def _escaped(self, state: State) -> State | None:
        """Return a state that two steps together reach; ``None`` if none is found, or was not from here before."""
        is_near = 0 < len(state.wrong) <= _NEAR * len(state.leaves)
        if not is_near or self._stuck == state.changes:
            return None
        # Two steps together have a patience of their own.
        self.steps.moved()
        further = None if self.steps.is_spent else self._pairs.escaped(state)
        self._stuck = state.changes if further is None else None
        return further

    def _escaped_for_more(self, state: State) -> State | None:
        """Return a state that two steps together reach, if that is worth more once it is refined."""
        further = self._escaped(state)
        after = None if further is None else self.refined(further)
        return after if after is not None and self._is_worth_more(self, state, after) else None

    def at_once(self, state: State) -> State | None:
        """Return the state in which one other value makes every answer right; ``None`` if there is none."""
        step = self._all_at_once(state)
        return None if step is None else self.refined(self.bench.stepped(state, step))

    def _exchanged(self, state: State) -> State | None:
        """Return a state with another rule in place of one that explains only a part, if that is worth more."""
        self.steps.moved()
        for slot in state.changes:
            without = self.bench.without(state, [slot])
            if without is None or state.wrong.isdisjoint(without.readers.get(slot, ())):
                continue
            for other in self.steps.slots_by_promise(without):
                if other == slot or self.steps.is_spent or state.wrong.isdisjoint(without.readers[other]):
                    continue
                step = self.steps.best_value(without, other, GLANCE)
                better = None if step is None else self._better_by(state, self.bench.stepped(without, step))
                if better is not None:
                    return better
        return None

    def _better_by(self, state: State, instead: State) -> State | None:
        """Return a state with another rule in place of one, or with two of them, if that is worth more."""
        if (better := self._refined_if_better(state, instead)) is not None:
            return better
        second = self._climbed_once(instead, _is_clean, GLANCE)
        return None if second is None else self._refined_if_better(state, second)

    def _refined_if_better(self, state: State, after: State) -> State | None:
        """Return another state refined, if it is worth more than one before that and after."""
        better = self.refined(after) if self._is_worth_more(self, state, after) else None
        return better if better is not None and self._is_worth_more(self, state, better) else None

    def refined(self, state: State) -> State:
        """Return a state without the rules that do not earn their keep, and with those that then do."""
        state = self.pruned(state)
        # Where rules went again that were no use, others may be by now.
        self.steps.moved()
        for _ in range(_ROUNDS):
            better = self._climbed_once(state, self._is_worth_more) or self._merged(state)
            after = None if better is None else self.pruned(better)
            # What does not earn its keep would be found and go again and again.
            if after is None or not self._is_worth_more(self, state, after):
                return state
            state = after
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
                for value in self.steps.values(without, other) if wronged <= without.readers.get(other, set()) else ():
                    self.steps.tried += 1
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
            for accepted, look in _PASSES if len(state.wrong) > GLANCE else (_PASSES[0], _PASSES[-1]):
                # A glance at every rule is never cut short.
                self.steps.is_patient = look == GLANCE
                better = self._climbed_once(state, accepted, look)
                if self.steps.is_patient:
                    self.steps.is_patient = False
                    self.steps.moved()
                if better is not None:
                    break
            if better is None:
                return state
            state = better
        return state

    def _all_at_once(self, state: State) -> Changes | None:
        """Return the value of one rule that makes every wrong answer right and none wrong, the likeliest there is."""
        steps: list[tuple[float, Changes]] = []
        for slot in self.steps.slots_by_promise(state):
            # Played in every profile asked for, whatever each has for this rule.
            everywhere = self.bench.slots_of_rule(slot[0])
            for places in [[slot]] if len(everywhere) == 1 else [[slot], everywhere]:
                if state.wrong <= self.bench.affected(state, places):
                    values = self.steps.values(state, slot)
                    steps += [(self.price(slot, value), dict.fromkeys(places, value)) for value in values]
        for _, step in sorted(steps, key=lambda one: one[0]):
            self.steps.tried += 1
            if self.bench.gain(state, step, state.loss - 2 * LEAST) >= state.loss - LEAST:
                return step
        return None

    def _climbed_once(
        self, state: State, accepted: "Callable[[Search, State, State], bool]", look: int | None = LOOK
    ) -> State | None:
        """Return the state after the best step of every rule in turn; ``None`` if there is none."""
        moved = None
        for slot in self.steps.slots_by_promise(state):
            if not self._can_pay(state, slot):
                continue
            while not self.steps.is_spent and (step := self.steps.best_value(state, slot, look)) is not None:
                after = self.bench.stepped(state, step)
                if not accepted(self, state, after):
                    break
                if len(after.wrong) < len(state.wrong):
                    self.steps.moved()
                state = moved = after
        return moved

    def _can_pay(self, state: State, slot: Slot) -> bool:
        """Say whether a value of a rule could be worth its price if it made every wrong answer right that reads it."""
        if slot in state.changes:
            return True
        left = state.wrong - state.readers.get(slot, set())
        return self.evidence.of(left) - self.evidence.of(state.wrong) > PRICE_OF_KNOWN

    def _is_worth_more(self, _: "Search", before: State, after: State) -> bool:
        return self.worth(after) > self.worth(before) + LEAST

    def _leapt(self, state: State) -> State:
        """Return the state after the whole sets of rules that make more answers right, the best first."""
        for _ in self.leaps:
            most, best = LEAST, None
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


def _is_clean(_search: Search, before: State, after: State) -> bool:
    """Say whether a step makes answers right, and next to none wrong."""
    return len(after.wrong - before.wrong) <= _CONTRADICTED * len(before.wrong - after.wrong) and bool(
        before.wrong - after.wrong
    )


def _anything(_search: Search, _before: State, _after: State) -> bool:
    return True


_PASSES: Final = ((_is_clean, GLANCE), (_is_clean, LOOK), (_anything, LOOK), (_anything, None))


def leaps_of(bench: Bench) -> list[Changes]:
    """Return the changes that an option, or a mistake in several rules, makes in the profiles asked for."""
    spec = bench.spec
    variants = dict.fromkeys(ProfileName.parse(one.id).variant for one in bench.contexts)
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
