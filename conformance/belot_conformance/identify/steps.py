"""The single steps of a search for rules: which rule is looked at, with which values, and how much work that was."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Final

from belot_conformance.identify.budget import BUDGET, IdentifyBudget
from belot_conformance.identify.hypothesis import Changes, Fit, Scorer, Slot, State
from belot_conformance.identify.values import Hints, hints_of

# What a value that is tried costs beside what is put to the engine, in small questions.
_TRYING: Final = 0.1
# What a loss has to differ by, so that it is no matter of rounding.
LEAST: Final = 1e-9


# How much work something was, and how many values were looked at for it.
Spent = tuple[float, int]


@dataclass
class Steps:
    """The single steps from any state, and how much work they were; ``tried`` are the values that were looked at."""

    scorer: Scorer
    budget: IdentifyBudget = BUDGET
    tried: int = field(default=0, init=False)
    is_patient: bool = field(default=False, init=False)
    _moved_at: float = field(default=0.0, init=False)
    _messages: dict[int, tuple[Fit, Mapping[str, Any]]] = field(default_factory=dict, init=False)

    @property
    def _effort(self) -> float:
        return self.scorer.effort + _TRYING * self.tried

    @property
    def idle(self) -> float:
        """How much was looked at since the last step, or since another way of looking began."""
        return self._effort - self._moved_at

    @property
    def is_spent(self) -> bool:
        """Whether so much was looked at, in all or since the last step, that what is found by now has to do."""
        idle = 0 if self.is_patient else self.idle
        return self._effort > self.budget.work or idle > self.budget.patience or self.budget.is_over

    def apart(self) -> "Steps":
        """Return the same steps, whose work is counted by itself from here on."""
        made = copy(self)
        made.scorer = copy(self.scorer)
        return made

    def spent_since(self, before: "Steps") -> Spent:
        """Return how much work these were, and how many values were looked at, since they were set apart."""
        return self.scorer.effort - before.scorer.effort, self.tried - before.tried

    def spend(self, spent: Spent) -> None:
        """Count work that was done apart."""
        self.scorer.effort += spent[0]
        self.tried += spent[1]

    def moved(self) -> None:
        """Begin to be patient anew, since a step was made or another way of looking begins."""
        self._moved_at = self._effort

    def slots_by_promise(self, state: State) -> list[Slot]:
        """Return the slots that wrong answers read; those first that most answers reading them are wrong."""
        fewest: dict[Slot, int] = {}
        counts: Counter[Slot] = Counter()
        for index in state.wrong:
            fit = state.fits[index]
            for slot in self.slots_of(index, fit.reads):
                fewest[slot] = min(fewest.get(slot, 999), len(fit.reads))
                counts[slot] += 1
        return sorted(fewest, key=lambda slot: (fewest[slot], len(state.readers[slot]), -counts[slot], slot))

    def slots_of(self, index: int, reads: Iterable[str]) -> list[Slot]:
        """Return the slots of the rules that an answer read."""
        context = self.scorer.observations[index].context
        return [self.scorer.slot(context, rule) for rule in sorted(reads)]

    def best_value(self, state: State, slot: Slot, look: int | None) -> Changes | None:
        """Return the value of one rule that lowers the loss most; ``None`` if none lowers it.

        With ``look`` a rule is taken for useless of which a few values, spread over all of them, change none of the
        first wrong answers.
        """
        best, gained = None, LEAST
        wrong = self.scorer.wrong_readers(state, slot)
        values = self.values(state, slot) if wrong else []
        if look is not None and len(wrong) > self.budget.glance:
            some = values[:: max(1, len(values) // self.budget.spread)]
            if not any(self.scorer.stirs(state, {slot: value}, wrong[: self.budget.glance]) for value in some):
                return None
        for value in values:
            self.tried += 1
            step = {slot: value}
            gain = self.scorer.gain(state, step, gained, look)
            if gain > gained:
                best, gained = step, gain
            if gained >= state.loss - LEAST or self.is_spent:
                break
        return best

    def values(self, state: State, slot: Slot) -> list[Any]:
        """Return the values of a rule that are worth trying in a state, those of other games first."""
        scorer = self.scorer
        rule = scorer.spec.rules[slot[0]]
        for context in range(len(scorer.contexts)):
            profile = scorer.profile(state, context)
            if scorer.slot(context, slot[0]) == slot and slot[0] in profile.settings:
                return scorer.values.to_try(rule, profile, scorer.contexts[context], self._hints(state, slot))
        return []

    def _hints(self, state: State, slot: Slot) -> Hints:
        wrong = sorted(state.readers.get(slot, set()) & state.wrong, key=self.scorer.cost.__getitem__)[
            : self.budget.hinted
        ]
        return hints_of(self._told(state, wrong), self.budget.hint_offsets, self.budget.hint_numbers)

    def _told(self, state: State, wrong: Sequence[int]) -> Iterator[tuple[Any, Any, Any]]:
        for index in wrong:
            one, fit = self.scorer.observations[index], state.fits[index]
            if index not in self._messages or self._messages[index][0] is not fit:
                self._messages[index] = fit, self.scorer.message(state, index)
            yield one.input, one.value, self._messages[index][1].get(one.kind, {})
