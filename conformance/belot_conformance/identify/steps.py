"""Single steps of a search: the values of a rule that are worth trying, and the best of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from belot_conformance.identify.bench import Bench, Leaf, State
from belot_conformance.identify.neighbours import Hints, hints_of, values_to_try
from belot_conformance.identify.played import Changes, Slot

# In small questions put to the engine. Where so much work found nothing that pays, wrong answers are spread at random.
PATIENCE: Final = 9_000
_BUDGET: Final = 60_000
_TRYING: Final = 0.1
# A value that makes none of so few wrong answers righter, those that rest on the fewest rules, is not tried on the
# others at first; then none that makes none of so many righter.
GLANCE: Final = 4
LOOK: Final = 24
_SPREAD: Final = 6
_HINTED: Final = 10
# What a loss has to differ by, so that it is no matter of rounding.
LEAST: Final = 1e-9


@dataclass
class Steps:
    """The single steps from any state, and how much work they were; ``tried`` are the values that were looked at."""

    bench: Bench
    patience: float = PATIENCE
    tried: int = field(default=0, init=False)
    is_patient: bool = field(default=False, init=False)
    _moved_at: float = field(default=0.0, init=False)
    _messages: dict[int, tuple[Leaf, Mapping[str, Any]]] = field(default_factory=dict, init=False)

    @property
    def _effort(self) -> float:
        return self.bench.effort + _TRYING * self.tried

    @property
    def is_spent(self) -> bool:
        """Whether so much was looked at, in all or since the last step, that what is found by now has to do."""
        idle = 0 if self.is_patient else self._effort - self._moved_at
        return self._effort > _BUDGET or idle > self.patience

    def moved(self) -> None:
        """Begin to be patient anew, since a step was made or another way of looking begins."""
        self._moved_at = self._effort

    def slots_by_promise(self, state: State) -> list[Slot]:
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

    def best_value(self, state: State, slot: Slot, look: int | None = LOOK) -> Changes | None:
        """Return the value of one rule that lowers the loss most; ``None`` if none lowers it.

        With ``look`` a rule is taken for useless of which a few values, spread over all of them, change none of the
        first wrong answers.
        """
        best, gained = None, LEAST
        wrong = self.bench.wrong_readers(state, slot)
        values = self.values(state, slot) if wrong else []
        if look is not None and len(wrong) > GLANCE:
            some = values[:: max(1, len(values) // _SPREAD)]
            if not any(self.bench.stirs(state, {slot: value}, wrong[:GLANCE]) for value in some):
                return None
        for value in values:
            self.tried += 1
            step = {slot: value}
            gain = self.bench.gain(state, step, gained, look)
            if gain > gained:
                best, gained = step, gain
            if gained >= state.loss - LEAST or self.is_spent:
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
