"""Two steps together, where no single one makes answers righter."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice, product
from typing import Any, Final

from belot_conformance.identify.bench import Bench, Leaf, State
from belot_conformance.identify.neighbours import differences, offset_values
from belot_conformance.identify.played import Changes, Slot
from belot_conformance.identify.steps import GLANCE, LEAST, PATIENCE, Steps
from belot_spec.files import canonical

# So many wrong answers are looked at for two steps together.
_TARGETS: Final = 8
_VALUES: Final = 30
_MENDS: Final = 24
_PROMISING: Final = 12
_FEW: Final = 4
_MASKED: Final = 6000
# Pairs in which the second rule is by an amount that the first leaves missing, of few different ones.
_HINTED: Final = 800
_AMOUNTS: Final = 4
# Once a pair helps, so many more are looked at for one that helps more.
_ONWARDS: Final = 1000

# The values of a rule that are tried.
ValuesOf = Callable[[Slot], Sequence[Any]]


@dataclass
class Pairs:
    """Looks for two rules at once, of one search; how many pairs are looked at from one state is bounded.

    ``vain`` are the wrong answers, each with the rules found so far, at which they were looked for in vain.
    """

    steps: Steps
    vain: set[tuple[str, str]]
    _pairs: int = field(default=0, init=False)
    _mends: int = field(default=0, init=False)

    @property
    def bench(self) -> Bench:
        """The observations that are looked at."""
        return self.steps.bench

    def escaped(self, state: State) -> State | None:
        """Return a state that two steps together reach and no single one does."""
        self._pairs = self._mends = 0
        rules = canonical(sorted((*slot, canonical(value)) for slot, value in state.changes.items()))
        for target in self._targets(state):
            key = self.bench.observations[target].id, rules
            if key in self.vain or self.steps.is_spent:
                continue
            if (step := self._pair(state, target)) is not None:
                return self.bench.stepped(state, step)
            self.vain.add(key)
        return None

    def _targets(self, state: State) -> list[int]:
        """Return a few wrong answers, small ones that read different rules."""
        chosen: dict[frozenset[str], int] = {}
        for index in sorted(state.wrong, key=lambda index: (len(state.leaves[index].reads), self.bench.cost[index])):
            chosen.setdefault(state.leaves[index].reads, index)
        return list(chosen.values())[:_TARGETS]

    def _pair(self, state: State, target: int) -> Changes | None:
        """Return two changes that together lower the loss, found by one answer that both of them touch.

        What is looked at soonest comes first: to mend what one rule breaks takes a look at many answers.
        """
        values = cache(lambda slot: self.steps.values(state, slot)[:_VALUES])
        moving = self._moving(state, target, values)
        quick = chain(islice(self._hinted(state, target, moving), _HINTED), self._silent(state, target, values))
        found = [*self._best(state, target, quick)]
        if not found or found[0][0] < state.loss - LEAST:
            found += self._mending(state, [one for one in moving if one[2].loss < state.leaves[target].loss - LEAST])
        found = found or [*self._best(state, target, self._masked(target, moving, values))]
        return max(found, key=lambda one: one[0])[1] if found else None

    def _moving(self, state: State, target: int, values: ValuesOf) -> list[tuple[Slot, Any, Leaf]]:
        """Return the single changes that an answer shows, those by which it is the least wrong first."""
        now, moving = state.leaves[target], list[tuple[Slot, Any, Leaf]]()
        for slot in self.steps.slots_of(target, now.reads):
            for value in values(slot):
                leaf = self.bench.leaf_after(state, {slot: value}, target)
                if leaf is not None and (leaf.text != now.text or leaf.reads != now.reads):
                    moving.append((slot, value, leaf))
        return sorted(moving, key=lambda one: one[2].loss)

    def _mending(self, state: State, promising: Sequence[tuple[Slot, Any, Leaf]]) -> Iterator[tuple[float, Changes]]:
        """Yield what is gained by single changes with a second one each, that mends what the first breaks."""
        for slot, value, _ in _in_turn(promising)[:_PROMISING]:
            self._mends += 1
            if self._mends > _MENDS or self.steps.is_spent:
                break
            yield from ((state.loss - loss, step) for loss, step in self._mended(state, {slot: value}))

    def _best(self, state: State, target: int, pairs: Iterable[Changes]) -> Iterator[tuple[float, Changes]]:
        """Yield the pair that lowers the loss most, with by how much, of those that make an answer righter.

        The first may be the wrong one, so that some more are looked at then.
        """
        best, gained, left = None, LEAST, _ONWARDS
        for step in pairs:
            if self.steps.is_spent or left == 0 or gained >= state.loss - LEAST:
                break
            left -= best is not None
            self.steps.tried += 1
            after = self.bench.leaf_after(state, step, target)
            if after is not None and after.loss < state.leaves[target].loss - LEAST:
                gain = self.bench.gain(state, step, gained)
                if gain > gained:
                    best, gained = step, gain
        if best is not None:
            yield gained, best

    def _hinted(self, state: State, target: int, moving: Sequence[tuple[Slot, Any, Leaf]]) -> Iterator[Changes]:
        """Yield two changes of which the second is by as much as the answer is still wrong after the first."""
        one, missing = self.bench.observations[target], list[tuple[list[int], Slot, Any, Leaf]]()
        for slot, value, leaf in moving:
            came = self.bench.message_after(state, {slot: value}, target).get(one.kind, {})
            offsets = list(dict.fromkeys(differences(one.value, came)))
            if 0 < len(offsets) <= _AMOUNTS:
                missing.append((offsets, slot, value, leaf))
        for offsets, slot, value, leaf in sorted(missing, key=lambda each: len(each[0])):
            seconds = self._offset(state, {slot: value}, target, leaf, offsets)
            yield from ({slot: value, other: second} for other, second in seconds)

    def _offset(
        self, state: State, step: Changes, target: int, leaf: Leaf, offsets: Sequence[int]
    ) -> Iterator[tuple[Slot, Any]]:
        """Yield the values, of other rules that an answer reads after a step, with a number by an offset another."""
        profile = self.bench.changed(state, step, self.bench.observations[target].context)
        for slot in self.steps.slots_of(target, leaf.reads):
            if profile is not None and slot not in step and slot[0] in profile.settings:
                now = profile.settings[slot[0]].value
                yield from ((slot, second) for second in offset_values(self.bench.spec.rules[slot[0]], now, offsets))

    def _silent(self, state: State, target: int, values: ValuesOf) -> Iterator[Changes]:
        """Yield two changes of which neither may touch the answer alone; the second is of a rule with few values."""
        slots = self.steps.slots_of(target, state.leaves[target].reads)
        few = [(slot, value) for slot in slots if len(values(slot)) <= _FEW for value in values(slot)]
        for slot in slots:
            for value, (other, second) in product(values(slot), few):
                if slot != other:
                    yield {slot: value, other: second}

    def _masked(self, target: int, moving: Sequence[tuple[Slot, Any, Leaf]], values: ValuesOf) -> Iterator[Changes]:
        """Yield two changes of which the one may hide the other in the answer that both touch."""
        for slot, value, leaf in moving:
            for other in self.steps.slots_of(target, leaf.reads):
                for second in values(other) if other != slot else ():
                    self._pairs += 1
                    if self._pairs > _MASKED * self.steps.patience / PATIENCE:
                        return
                    yield {slot: value, other: second}

    def _mended(self, state: State, step: Changes) -> Iterator[tuple[float, Changes]]:
        """Yield a step with a second one that makes up for the answers which it made wrong, with the loss then."""
        after = self.bench.stepped(state, step) if self.bench.leaf_after(state, step, 0) else None
        if after is None:
            return
        broken = sorted(after.wrong - state.wrong, key=self.bench.cost.__getitem__)[:3]
        slots = {slot for index in broken for slot in self.steps.slots_of(index, after.leaves[index].reads)}
        for slot in sorted(slots.difference(step)):
            second = self.steps.best_value(after, slot, GLANCE)
            if second is not None and (loss := self.bench.stepped(after, second).loss) < state.loss - LEAST:
                yield loss, {**step, **second}


def _in_turn(moving: Sequence[tuple[Slot, Any, Leaf]]) -> list[tuple[Slot, Any, Leaf]]:
    """Return the first value of each rule, then the second of each: no rule with many values hides the others."""
    turns: Counter[Slot] = Counter()
    placed = []
    for one in moving:
        placed.append((turns[one[0]], one))
        turns[one[0]] += 1
    return [one for _, one in sorted(placed, key=lambda each: each[0])]
