"""Several rules at once, where each hides the others: from answers that rest on few rules to those that rest on more.

Answers that rest on the same rules are one lesson. By what was learnt before, only the rules that are new in it have
to be found: how points are rounded, say, is known before what a lost contract is worth, and makes up for nothing there.
A few sets of values are carried on from each lesson to the next: what one leaves open another may tell.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from typing import Any, Final

from belot_conformance.identify.hypothesis import Changes, Hypothesis, Scorer, Slot
from belot_conformance.identify.steps import LEAST, Steps
from belot_conformance.identify.values import has_numbers, hints_of
from belot_reference.form import RULES_OF_FORM
from belot_spec.files import canonical
from belot_spec.values import far_values
from belot_spec.variants import Setting

# So many rules at most are changed together, and from so many of the best sets, the fewer the more rules.
_FROM: Final = {1: 10, 2: 4, 3: 1}


@dataclass(frozen=True, slots=True)
class _Set:
    """What is played by a set of values, how many of its numbers nobody is known to play, and the loss so far."""

    hypothesis: Hypothesis
    strange: int = 0
    loss: float = 0.0

    @property
    def rank(self) -> tuple[float, int, int]:
        """How good it is, the best first: what is wrong by it, how strange it is, and how much it changes."""
        return round(self.loss, 6), self.strange, len(self.hypothesis.changes)


@dataclass
class Several:
    """Looks for whole sets of values, by answers that are laid out so that rules do not hide each other."""

    steps: Steps
    _learnt: list[int] = field(default_factory=list, init=False)
    _lesson: Sequence[int] = field(default=(), init=False)
    _values: dict[Slot, list[Any]] = field(default_factory=dict, init=False)
    # The rules of which no value changed anything that was learnt before.
    _hidden: set[Slot] = field(default_factory=set, init=False)
    _begun_at: float = field(default=0.0, init=False)
    _lesson_ends_at: float = field(default=inf, init=False)

    @property
    def scorer(self) -> Scorer:
        """The observations that are looked at."""
        return self.steps.scorer

    def sets(self) -> list[Changes]:
        """Return the sets by which the least is wrong, the best first."""
        scorer = self.scorer
        base = scorer.hypothesis({})
        left = [*range(len(scorer.observations))]
        if base is None:
            return []
        self._begun_at, self._learnt = self._work, []
        sets, known, put_off = [_Set(base)], frozenset[str](), list[int]()
        while (left or put_off) and self._work - self._begun_at < self.steps.budget.several:
            lessons: dict[frozenset[str], list[int]] = {}
            for index in left or put_off:
                lessons.setdefault(scorer.fit(index, sets[0].hypothesis).reads, []).append(index)
            # The next lesson is the one with the fewest new rules.
            reads = min(lessons, key=lambda reads: (len(reads - known), len(reads), sorted(reads)))
            lesson, is_last = lessons[reads], not left
            taken = set(lesson)
            left, put_off = ([index for index in each if index not in taken] for each in (left, put_off))
            self._learnt += lesson
            self._lesson = lesson
            self._lesson_ends_at = inf if is_last else self._work + self.steps.budget.lesson_work
            learnt = self._learning(lesson, [*self._weighed(each.hypothesis for each in sets)])
            if is_last or not self._wrong_of(lesson, learnt[0].hypothesis):
                sets, known = learnt, known | reads
            else:
                # What others tell may have to be known first.
                self._learnt = self._learnt[: -len(lesson)]
                put_off += lesson
        return [one.hypothesis.changes for one in sets[: self.steps.budget.sets_tried]]

    @property
    def _work(self) -> float:
        return self.scorer.effort + self.steps.tried

    @property
    def _is_spent(self) -> bool:
        most = min(self._begun_at + self.steps.budget.several, self._lesson_ends_at)
        return self._work > most or self.steps.budget.is_over

    def _learning(self, lesson: Sequence[int], sets: list[_Set]) -> list[_Set]:
        """Return the sets by which the least is wrong once the answers of a lesson are learnt from."""
        sets = self._best(sets)
        for _ in range(self.steps.budget.lesson_steps):
            best, begun = sets[0], sets
            wrong = self._wrong_of(lesson, best.hypothesis)
            if not wrong:
                break
            pivots = sorted(wrong, key=self.scorer.cost.__getitem__)[: self.steps.budget.lesson_pivots]
            self._values.clear()
            self._hidden.clear()
            for depth, most in _FROM.items():
                found = [after for one in begun[:most] for after in self._better(one, pivots, depth, sets[0].loss)]
                sets = self._best([*sets, *found])
                if depth == 1 and sets[0].loss >= best.loss - LEAST:
                    mended = (after for one in begun[:most] for after in self._mended(one, pivots[0], best.loss))
                    sets = self._best([*sets, *mended])
                if depth == 1 and sets[0].loss >= best.loss - LEAST:
                    sets = self._best([*sets, *self._renumbered(best, pivots[0])])
                if self._is_spent:
                    return sets
                # One wrong answer is not worth a look at several rules.
                if sets[0].loss < best.loss - LEAST or len(wrong) == 1:
                    break
            if sets[0].loss >= best.loss - LEAST:
                break
            if sets[0].strange > best.strange:
                few = [(depth, one) for depth in (1, 2) for one in sets[: _FROM[depth + 1]]]
                alike = [after for depth, one in few for after in self._alike(one, pivots[0], depth)]
                sets = self._best([*sets, *alike])
        return sets

    def _alike(self, one: _Set, pivot: int, depth: int) -> Iterator[_Set]:
        """Yield what explains an answer as well, where a strange number may stand for so many values with a number."""
        now, is_known = one.hypothesis, self.scorer.values.is_known
        numbers = [slot for slot, value in now.changes.items() if has_numbers(value) and not is_known(slot[0], value)]
        middles = self._changed(now, pivot, depth, frozenset(numbers), hidden_only=True)
        others = (
            after
            for middle in islice(middles, self.steps.budget.sets_alike)
            for slot in self._slots(middle, pivot, frozenset())
            if slot in numbers
            for value in self._values_of(middle, pivot, slot, frozenset(numbers))
            if (after := self.scorer.after(middle, {slot: value})) is not None
            and self.scorer.fit(pivot, after).loss <= self.scorer.fit(pivot, now).loss
        )
        yield from self._weighed(others, one.loss)

    def _mended(self, one: _Set, pivot: int, least: float) -> Iterator[_Set]:
        """Yield what makes one answer right with another change, for what it makes wrong that was right before."""
        before = one.hypothesis
        for after in self._changed(before, pivot, 1, frozenset()):
            if self._is_wrong(pivot, after):
                continue
            wronged = [at for at in self._learnt if self._is_wrong(at, after) and not self._is_wrong(at, before)]
            other = min(wronged, key=self.scorer.cost.__getitem__, default=None)
            if other is not None:
                own = frozenset(slot for slot, value in after.changes.items() if before.changes.get(slot) is not value)
                seconds = self._changed(after, other, 1, own)
                mended = (second for second in seconds if not self._is_wrong(other, second))
                yield from self._weighed(mended, least + self.steps.budget.sets_loss)

    def _renumbered(self, one: _Set, pivot: int) -> Iterator[_Set]:
        """Yield what makes one answer right with another kind of value, and a number that makes up for it."""
        for slot in self._slots(one.hypothesis, pivot, frozenset()):
            for value in self._values_of(one.hypothesis, pivot, slot, None):
                after = None if has_numbers(value) else self.scorer.after(one.hypothesis, {slot: value})
                if after is None:
                    continue
                settings = self._settings(after, pivot)
                slots = self._slots(after, pivot, frozenset())
                others = frozenset({slot, *(each for each in slots if not has_numbers(settings[each[0]].value))})
                seconds = self._changed(after, pivot, 1, others)
                right = (second for second in seconds if not self._is_wrong(pivot, second))
                yield from self._weighed(right, one.loss + self.steps.budget.sets_loss)

    def _wrong_of(self, lesson: Sequence[int], now: Hypothesis) -> list[int]:
        """Return the wrong answers of a lesson; none where so few are that they may be wrong by chance."""
        wrong = [index for index in lesson if self._is_wrong(index, now)]
        return wrong if len(wrong) > self.steps.budget.lesson_errors * len(lesson) else []

    def _is_wrong(self, index: int, now: Hypothesis) -> bool:
        return bool(self.scorer.fit(index, now).wrong)

    def _better(self, one: _Set, pivots: Sequence[int], depth: int, least: float) -> Iterator[_Set]:
        """Yield what so many changes lead to by which one of some answers is less wrong, and not much else wrong."""
        most = least + self.steps.budget.sets_loss
        for pivot in pivots:
            loss = self.scorer.fit(pivot, one.hypothesis).loss
            if loss > LEAST:
                changed = self._changed(one.hypothesis, pivot, depth, frozenset())
                others = (
                    after
                    for after in islice(changed, self.steps.budget.sets_changed)
                    if self.scorer.fit(pivot, after).loss < loss - LEAST
                )
                yield from self._weighed(others, most)

    def _changed(
        self, now: Hypothesis, pivot: int, depth: int, but: frozenset[Slot], *, hidden_only: bool = False
    ) -> Iterator[Hypothesis]:
        """Yield what is played after just so many changes of rules that an answer rests on, but for some.

        Of several rules all but the last told nothing before this lesson, or were changed; only the former if wanted.
        """
        slots = self._slots(now, pivot, but)
        values = {slot: self._values_of(now, pivot, slot, but if depth == 1 else None) for slot in slots}
        first = {slot for slot in slots if slot in self._hidden or (slot in now.changes and not hidden_only)}
        # No two changes are made both ways, and what only matters after one comes after it.
        slots.sort(key=lambda slot: slot not in first)
        for place, slot in enumerate(slots):
            if slot not in first and (hidden_only or depth > 1):
                continue
            for value in values[slot]:
                if self._is_spent:
                    return
                self.steps.tried += 1
                after = self.scorer.after(now, {slot: value})
                if after is not None and depth == 1:
                    yield after
                elif after is not None:
                    yield from self._changed(
                        after, pivot, depth - 1, but.union(slots[: place + 1]), hidden_only=hidden_only
                    )

    def _settings(self, now: Hypothesis, pivot: int) -> Mapping[str, Setting]:
        return now[self.scorer.observations[pivot].context].profile.settings

    def _slots(self, now: Hypothesis, pivot: int, changed: frozenset[Slot]) -> list[Slot]:
        """Return the rules that an answer rests on, but for some; those with numbers come last."""
        settings = self._settings(now, pivot)
        reads = self.scorer.fit(pivot, now).reads - RULES_OF_FORM
        slots = [slot for slot in self.steps.slots_of(pivot, reads) if slot not in changed and slot[0] in settings]
        return sorted(slots, key=lambda slot: has_numbers(settings[slot[0]].value))

    def _values_of(self, now: Hypothesis, pivot: int, slot: Slot, changed: frozenset[Slot] | None) -> Sequence[Any]:
        """Return the values of a rule that are worth trying: the last number is by how much the answer is wrong."""
        scorer, rule = self.scorer, self.scorer.spec.rules[slot[0]]
        profile = now[scorer.observations[pivot].context].profile
        value = profile.settings[rule.id].value
        if slot not in self._values:
            asked = scorer.contexts[scorer.observations[pivot].context]
            many = scorer.values.to_try(rule, profile, asked)
            if has_numbers(value) and len(many) > self.steps.budget.few_numbers:
                many = [one for one in many if scorer.values.is_known(rule.id, one)]
            self._values[slot] = self._telling(now, slot, many)
        if changed is None or not has_numbers(value):
            return self._values[slot]
        one = scorer.observations[pivot]
        said = scorer.said_by(now, one).get(one.kind, {})
        budget = self.steps.budget
        hints = hints_of([(one.input, one.value, said)], budget.sets_offsets, 0 if changed else budget.sets_numbers)
        return [*self._values[slot], *far_values(rule, value, hints.offsets, hints.numbers)]

    def _telling(self, now: Hypothesis, slot: Slot, values: Sequence[Any]) -> list[Any]:
        """Return the values that change some answer, one of those that change all answers alike.

        It is noted if none changes an answer of an earlier lesson.
        """
        most = self.steps.budget.sets_looked_at
        before = [index for index in self._learnt[: -len(self._lesson)] if slot[0] in self.scorer.fit(index, now).reads]
        earlier, latest = (each[:: max(1, len(each) // most)] for each in (before, self._lesson))
        found: dict[tuple[tuple[int, ...], ...], Any] = {}
        for value in (None, *values):
            after = now if value is None else self.scorer.after(now, {slot: value})
            if after is not None:
                found.setdefault((self._digests(after, earlier), self._digests(after, latest)), value)
        if len({digests for digests, _ in found}) == 1:
            self._hidden.add(slot)
        return [*found.values()][1:]

    def _digests(self, hypothesis: Hypothesis, places: Sequence[int]) -> tuple[int, ...]:
        return tuple(self.scorer.fit(index, hypothesis).digest for index in places)

    def _weighed(self, each: Iterable[Hypothesis], most: float = float("inf")) -> Iterator[_Set]:
        """Yield each with its loss, of those by which no more is lost than so much."""
        for one in each:
            loss = 0.0
            for index in reversed(self._learnt):
                loss += self.scorer.fit(index, one).loss
                if loss > most:
                    break
            else:
                values = self.scorer.values
                numbers = [(rule, value) for (rule, _), value in one.changes.items() if has_numbers(value)]
                yield _Set(one, sum(not values.is_known(*each) for each in numbers), loss)

    def _best(self, found: Iterable[_Set]) -> list[_Set]:
        budget = self.steps.budget
        once = {canonical([[*each] for each in sorted(one.hypothesis.changes.items())]): one for one in found}
        sets = sorted(once.values(), key=lambda one: one.rank)
        return [one for one in sets[: budget.sets] if one.loss <= sets[0].loss + budget.sets_loss]
