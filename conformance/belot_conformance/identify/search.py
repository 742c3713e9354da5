"""The search for the rules under which the answers of a program are right: step by step, rule by rule."""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice, product
from typing import Any

from belot_conformance.identify.budget import BUDGET, IdentifyBudget
from belot_conformance.identify.evidence import FEWEST, PRICE_OF_ANY, PRICE_OF_KNOWN, Evidence
from belot_conformance.identify.hypothesis import Changes, Fit, Kind, Scorer, Slot, State
from belot_conformance.identify.several import Several
from belot_conformance.identify.sharing import shared
from belot_conformance.identify.steps import LEAST, Spent, Steps
from belot_conformance.identify.values import differences, has_numbers
from belot_conformance.mistakes.mutations import load_mistakes

# The values of a rule that are tried.
ValuesOf = Callable[[Slot], Sequence[Any]]


@dataclass
class Vain:
    """What was looked at in vain, in the searches of the same answers or of some of them.

    At the wrong answers of ``pairs``, each with its kind, two rules were looked for; of ``sets``, by the games from
    which whole sets of values were looked for, so many answers were wrong then.
    """

    pairs: set[tuple[Kind, str]] = field(default_factory=set)
    sets: dict[tuple[str, ...], int] = field(default_factory=dict)

    def apart(self) -> "Vain":
        """Return the same, to which a search adds by itself."""
        return Vain(set(self.pairs), dict(self.sets))

    def add(self, others: "Vain") -> None:
        """Add what another search looked at in vain."""
        self.pairs |= others.pairs
        self.sets |= others.sets


@dataclass
class Pairs:
    """Looks for two rules at once, of one search; how many pairs are looked at from one state is bounded."""

    steps: Steps
    vain: Vain
    _pairs: int = field(default=0, init=False)
    _mends: int = field(default=0, init=False)

    def apart(self) -> "Pairs":
        """Return the same looks, that look and count by themselves."""
        return Pairs(self.steps.apart(), self.vain)

    @property
    def scorer(self) -> Scorer:
        """The observations that are looked at."""
        return self.steps.scorer

    def escaped(self, state: State) -> State | None:
        """Return a state that two steps together reach and no single one does."""
        if self.steps.is_spent:
            return None
        targets = self._targets(state)
        looks = shared(_looked_apart, (self.apart(), state), self.scorer, [*targets], self.steps.budget)
        step = None
        with closing(looks) as coming:
            for (target, kind), (step, spent) in zip(targets.items(), coming, strict=False):
                self.steps.spend(spent)
                if step is not None or self.steps.is_spent:
                    break
                self.vain.pairs.add((kind, self.scorer.observations[target].id))
        return None if step is None else self.scorer.stepped(state, step)

    def _targets(self, state: State) -> dict[int, Kind]:
        """Return a few wrong answers, small ones that read different rules, of kinds that were not looked at in vain.

        What was found since is no reason to look again at a kind that does not read it; and what is behind another
        answer, that of a deal behind that of its sums, is not looked at beside it.
        """
        chosen: dict[frozenset[str], tuple[int, Kind]] = {}
        tried = Counter(kind for kind, _ in self.vain.pairs)
        for index in sorted(state.wrong, key=lambda index: (len(state.fits[index].reads), self.scorer.cost[index])):
            reads = state.fits[index].reads
            if reads in chosen:
                continue
            kind = self.scorer.kind(state, index)
            if (
                tried[kind] < self.steps.budget.of_a_kind
                and (kind, self.scorer.observations[index].id) not in self.vain.pairs
                and not any(_is_behind(kind, other) for other in (*tried, *(one for _, one in chosen.values())))
            ):
                chosen[reads] = index, kind
        return dict(list(chosen.values())[: self.steps.budget.pair_targets])

    def pair(self, state: State, target: int) -> Changes | None:
        """Return changes that together lower the loss, found by one answer: two, or three of which two say the same.

        What is looked at soonest comes first: to mend what one rule breaks takes a look at many answers.
        """
        values = cache(lambda slot: self.steps.values(state, slot)[: self.steps.budget.pair_values])
        moving = self._moving(state, target, values)
        quick = chain(
            islice(self._hinted(state, target, moving), self.steps.budget.hinted_pairs),
            self._silent(state, target, values),
        )
        found = [*self._best(state, target, quick)]
        if not found or found[0][0] < state.loss - LEAST:
            found += self._mending(state, [one for one in moving if one[2].loss < state.fits[target].loss - LEAST])
        found = found or [*self._best(state, target, self._masked(target, moving, values))]
        found = found or [*self._told_otherwise(state, target, values)]
        return max(found, key=lambda one: one[0])[1] if found else None

    def _moving(self, state: State, target: int, values: ValuesOf) -> list[tuple[Slot, Any, Fit]]:
        """Return the single changes that an answer shows, those by which it is the least wrong first."""
        now, moving = state.fits[target], list[tuple[Slot, Any, Fit]]()
        for slot in self.steps.slots_of(target, now.reads):
            for value in values(slot):
                fit = self.scorer.fit_after(state, {slot: value}, target)
                if fit is not None and (fit.digest != now.digest or fit.reads != now.reads):
                    moving.append((slot, value, fit))
        return sorted(moving, key=lambda one: one[2].loss)

    def _mending(self, state: State, promising: Sequence[tuple[Slot, Any, Fit]]) -> Iterator[tuple[float, Changes]]:
        """Yield what is gained by single changes with a second one each, that mends what the first breaks."""
        for slot, value, _ in _in_turn(promising)[: self.steps.budget.promising]:
            self._mends += 1
            if self._mends > self.steps.budget.mends or self.steps.is_spent:
                break
            yield from ((state.loss - loss, step) for loss, step in self._mended(state, {slot: value}))

    def _best(self, state: State, target: int, pairs: Iterable[Changes]) -> Iterator[tuple[float, Changes]]:
        """Yield the pair that lowers the loss most, with by how much, of those that make an answer righter.

        The first may be the wrong one, so that some more are looked at then.
        """
        best, gained, left = None, LEAST, self.steps.budget.onwards
        for step in pairs:
            if self.steps.is_spent or left == 0 or gained >= state.loss - LEAST:
                break
            left -= best is not None
            self.steps.tried += 1
            after = self.scorer.fit_after(state, step, target)
            if after is not None and after.loss < state.fits[target].loss - LEAST:
                gain = self.scorer.gain(state, step, gained)
                if gain > gained:
                    best, gained = step, gain
        if best is not None:
            yield gained, best

    def _hinted(self, state: State, target: int, moving: Sequence[tuple[Slot, Any, Fit]]) -> Iterator[Changes]:
        """Yield two changes of which the second is by as much as the answer is still wrong after the first."""
        one, missing = self.scorer.observations[target], list[tuple[list[int], Slot, Any, Fit]]()
        for slot, value, fit in moving:
            came = self.scorer.message_after(state, {slot: value}, target).get(one.kind, {})
            offsets = list(dict.fromkeys(differences(one.value, came)))
            if 0 < len(offsets) <= self.steps.budget.amounts:
                missing.append((offsets, slot, value, fit))
        for offsets, slot, value, fit in sorted(missing, key=lambda each: len(each[0])):
            seconds = self._offset(state, {slot: value}, target, fit, offsets)
            yield from ({slot: value, other: second} for other, second in seconds)

    def _offset(
        self, state: State, step: Changes, target: int, fit: Fit, offsets: Sequence[int]
    ) -> Iterator[tuple[Slot, Any]]:
        """Yield the values, of other rules that an answer reads after a step, with a number by an offset another."""
        profile = self.scorer.changed(state, step, self.scorer.observations[target].context)
        for slot in self.steps.slots_of(target, fit.reads):
            if profile is not None and slot not in step and slot[0] in profile.settings:
                now = profile.settings[slot[0]].value
                yield from (
                    (slot, second)
                    for second in self.scorer.values.by_offset(self.scorer.spec.rules[slot[0]], now, offsets)
                )

    def _silent(self, state: State, target: int, values: ValuesOf) -> Iterator[Changes]:
        """Yield two changes of which neither may touch the answer alone; the second is of a rule with few values."""
        slots = self.steps.slots_of(target, state.fits[target].reads)
        few = [
            (slot, value)
            for slot in slots
            if len(values(slot)) <= self.steps.budget.few_values
            for value in values(slot)
        ]
        for slot in slots:
            for value, (other, second) in product(values(slot), few):
                if slot != other:
                    yield {slot: value, other: second}

    def _masked(self, target: int, moving: Sequence[tuple[Slot, Any, Fit]], values: ValuesOf) -> Iterator[Changes]:
        """Yield two changes of which the one may hide the other in the answer that both touch."""
        for slot, value, fit in moving:
            for other in self.steps.slots_of(target, fit.reads):
                for second in values(other) if other != slot else ():
                    self._pairs += 1
                    if self._pairs > self.steps.budget.masked * self.steps.budget.patience:
                        return
                    yield {slot: value, other: second}

    def _told_otherwise(self, state: State, target: int, values: ValuesOf) -> Iterator[tuple[float, Changes]]:
        """Yield a third change, with what it gains, after two by which no answer is more wrong: they say the same.

        That all tricks are worth 270 on top of 162, say, is what 432 in their place is, until a double multiplies one.
        """
        self.steps.moved()
        for slot in self.steps.slots_of(target, state.fits[target].reads):
            for value in values(slot):
                self.steps.tried += 1
                if self.steps.is_spent or self.steps.idle > self.steps.budget.told_otherwise:
                    return
                for step in () if has_numbers(value) else self._same_again(state, {slot: value}):
                    after = self.scorer.stepped(state, step)
                    for third in self.steps.slots_of(target, after.fits[target].reads):
                        best = None if third in step else self.steps.best_value(after, third, self.steps.budget.glance)
                        if best is not None and (loss := self.scorer.stepped(after, best).loss) < state.loss - LEAST:
                            yield state.loss - loss, {**step, **best}
                            return

    def _same_again(self, state: State, step: Changes) -> Iterator[Changes]:
        """Yield a step with a number that makes up for it everywhere, by an answer that the step alone makes wrong."""
        right = sorted(self.scorer.affected(state, step) - state.wrong, key=self.scorer.cost.__getitem__)
        for index in right[: self.steps.budget.look]:
            fit = self.scorer.fit_after(state, step, index)
            if fit is None:
                return
            if fit.wrong:
                one = self.scorer.observations[index]
                came = self.scorer.message_after(state, step, index).get(one.kind, {})
                offsets = list(dict.fromkeys(differences(one.value, came)))[: self.steps.budget.amounts]
                for slot, second in self._offset(state, step, index, fit, offsets):
                    both, self.steps.tried = {**step, slot: second}, self.steps.tried + 1
                    made = self.scorer.fit_after(state, both, index)
                    if made is not None and not made.wrong and self.scorer.gain(state, both, -LEAST) > -LEAST:
                        yield both
                return

    def _mended(self, state: State, step: Changes) -> Iterator[tuple[float, Changes]]:
        """Yield a step with a second one that makes up for the answers which it made wrong, with the loss then."""
        after = self.scorer.stepped(state, step) if self.scorer.fit_after(state, step, 0) else None
        if after is None:
            return
        broken = sorted(after.wrong - state.wrong, key=self.scorer.cost.__getitem__)[:3]
        slots = {slot for index in broken for slot in self.steps.slots_of(index, after.fits[index].reads)}
        for slot in sorted(slots.difference(step)):
            second = self.steps.best_value(after, slot, self.steps.budget.glance)
            if second is not None and (loss := self.scorer.stepped(after, second).loss) < state.loss - LEAST:
                yield loss, {**step, **second}


def _is_behind(one: Kind, other: Kind) -> bool:
    """Say whether an answer is wrong just as one to another operation is that rests on fewer of its rules."""
    (operation, wrong, rests), (others_operation, others_wrong, others_rests) = one, other
    return operation != others_operation and wrong == others_wrong and set(others_rests) < set(rests)


def _looked_apart(of: tuple[Pairs, State], target: int) -> tuple[Changes | None, Spent]:
    pairs, state = of
    apart = pairs.apart()
    return apart.pair(state, target), apart.steps.spent_since(pairs.steps)


def _in_turn(moving: Sequence[tuple[Slot, Any, Fit]]) -> list[tuple[Slot, Any, Fit]]:
    """Return the first value of each rule, then the second of each: no rule with many values hides the others."""
    turns: Counter[Slot] = Counter()
    placed = []
    for one in moving:
        placed.append((turns[one[0]], one))
        turns[one[0]] += 1
    return [one for _, one in sorted(placed, key=lambda each: each[0])]


@dataclass
class Search:
    """One search: its questions, what speaks for rules, and whole sets of rules to try at once."""

    scorer: Scorer
    evidence: Evidence
    leaps: Sequence[Changes] = ()
    budget: IdentifyBudget = BUDGET
    vain: Vain = field(default_factory=Vain)
    steps: Steps = field(init=False)
    _pairs: Pairs = field(init=False)
    # The changes from which no two steps together led further.
    _stuck: Changes | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.steps = Steps(self.scorer, self.budget)
        self._pairs = Pairs(self.steps, self.vain)

    def found(self, state: State, *, in_pairs: bool = True) -> State:
        """Return where the search leads from a state: every rule in it earns its keep, unless it was told to end.

        Two steps at once are looked for if it goes ``in_pairs`` too.
        """
        try:
            for after in self._led(state, in_pairs):
                state = after
        except KeyboardInterrupt as told:
            self.budget.note(told)
        return state

    def renewed(self, state: State, news: Collection[int]) -> State:
        """Return a state in which each rule that was found has the value that fits best with some new answers.

        What new answers speak against is told as played by nobody, so that some time is left for this at the end.
        """
        steps = Steps(self.scorer, self.budget.to_tell)
        for slot in state.changes:
            if steps.is_spent or state.wrong.isdisjoint(state.readers.get(slot, set()).intersection(news)):
                continue
            if (step := steps.best_value(state, slot, None)) is not None:
                after = self.scorer.stepped(state, step)
                state = after if self._is_worth_more(state, after) else state
        return state

    def _led(self, begun: State, in_pairs: bool) -> Iterator[State]:
        """Yield the states to which the search leads from one, each worth more than the one before."""
        if (whole := self.at_once(begun)) is not None:
            yield whole
            return
        state = self._leapt(self._several_changed(begun))
        for after in self._steps_up(state):
            yield (state := after)
        for _ in range(self.budget.climbs if in_pairs else 0):
            if (further := self._escaped(state)) is None:
                break
            yield (state := self.climbed(further))
        yield (state := self.refined(state))
        if not in_pairs:
            return
        while state.wrong and (better := self._exchanged(state) or self._escaped_for_more(state)) is not None:
            yield (state := better)

    def _several_changed(self, state: State) -> State:
        """Return the state that a whole set of values leads to, if much is wrong that is laid out for that.

        What led nowhere is looked for again where far more is wrong than then.
        """
        laid_out, base = self.scorer.laid_out_places, tuple(one.id for one in self.scorer.contexts)
        wrong, in_vain = len(state.wrong & laid_out), self.vain.sets.get(base, 0)
        if wrong <= max(FEWEST, self.budget.lesson_errors * len(laid_out), self.budget.sets_anew * in_vain):
            return state
        found, scorer = state, self.scorer.laid_out()
        for changes in Several(Steps(scorer, self.budget)).sets():
            after = self.scorer.state(changes)
            after = None if after is None else self.pruned(after)
            found = after if after is not None and self._is_worth_more(found, after) else found
        if found is state:
            self.vain.sets[base] = wrong
        self.steps.moved()
        return found

    def _escaped(self, state: State) -> State | None:
        """Return a state that two steps together reach; ``None`` if none is found, or was not from here before."""
        is_near = 0 < len(state.wrong) <= self.budget.near * len(state.fits)
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
        return after if after is not None and self._is_worth_more(state, after) else None

    def at_once(self, state: State) -> State | None:
        """Return the state in which one other value makes every answer right; ``None`` if there is none."""
        step = self._all_at_once(state)
        return None if step is None else self.refined(self.scorer.stepped(state, step))

    def _exchanged(self, state: State) -> State | None:
        """Return a state with another rule in place of one that explains only a part, if that is worth more."""
        self.steps.moved()
        looks = shared(_exchanged_apart, (self.apart(), state), self.scorer, [*state.changes], self.budget)
        changes = None
        with closing(looks) as coming:
            for changes, spent in coming:
                self.steps.spend(spent)
                if changes is not None or self.steps.is_spent:
                    break
        return None if changes is None else self.scorer.state(changes)

    def apart(self) -> "Search":
        """Return the same search, whose work is counted by itself from here on."""
        made = copy(self)
        made.steps = self.steps.apart()
        made.scorer = made.steps.scorer
        made._pairs = Pairs(made.steps, self.vain)
        return made

    def exchanged_for(self, state: State, slot: Slot) -> State | None:
        """Return a state with another rule in place of a certain one, if that is worth more."""
        without = self.scorer.without(state, [slot])
        if without is None or state.wrong.isdisjoint(without.readers.get(slot, ())):
            return None
        for other in self.steps.slots_by_promise(without):
            if other == slot or self.steps.is_spent or state.wrong.isdisjoint(without.readers[other]):
                continue
            step = self.steps.best_value(without, other, self.budget.glance)
            better = None if step is None else self._better_by(state, self.scorer.stepped(without, step))
            if better is not None:
                return better
        return None

    def _better_by(self, state: State, instead: State) -> State | None:
        """Return a state with another rule in place of one, or with two of them, if that is worth more."""
        if (better := self._refined_if_better(state, instead)) is not None:
            return better
        second = self._climbed_once(instead, self._is_clean, self.budget.glance)
        return None if second is None else self._refined_if_better(state, second)

    def _refined_if_better(self, state: State, after: State) -> State | None:
        """Return another state refined, if it is worth more than one before that and after."""
        better = self.refined(after) if self._is_worth_more(state, after) else None
        return better if better is not None and self._is_worth_more(state, better) else None

    def refined(self, state: State) -> State:
        """Return a state without the rules that do not earn their keep, and with those that then do."""
        state = self.pruned(state)
        # Where rules went again that were no use, others may be by now.
        self.steps.moved()
        for _ in range(self.budget.climbs):
            better = self._climbed_once(state, self._is_worth_more, self.budget.look) or self._merged(state)
            after = None if better is None else self.pruned(better)
            # What does not earn its keep would be found and go again and again.
            if after is None or not self._is_worth_more(state, after):
                return state
            state = after
        return state

    def _merged(self, state: State) -> State | None:
        """Return a state in which another value of one rule does what two rules did; ``None`` if there is none."""
        for slot in state.changes:
            without = self.scorer.without(state, [slot])
            wronged = set() if without is None else without.wrong - state.wrong
            if without is None or not wronged:
                continue
            first = sorted(wronged, key=self.scorer.cost.__getitem__)
            for other in without.changes:
                for value in self.steps.values(without, other) if wronged <= without.readers.get(other, set()) else ():
                    if self.budget.is_over:
                        return None
                    self.steps.tried += 1
                    if self.scorer.leaves_wrong(without, {other: value}, first):
                        after = self.scorer.stepped(without, {other: value})
                        if self._is_worth_more(state, after):
                            return after
        return None

    def worth(self, state: State) -> float:
        """Return how probable the answers are by a state, less what its changes cost."""
        return self.evidence.of(state.wrong) - sum(self.price(slot, value) for slot, value in state.changes.items())

    def price(self, slot: Slot, value: Any) -> float:
        """Return what it costs to say that a rule has another value."""
        return PRICE_OF_KNOWN if self.scorer.values.is_known(slot[0], value) else PRICE_OF_ANY

    def climbed(self, state: State) -> State:
        """Return the state from which no single step makes more answers right."""
        return next(iter(deque(self._steps_up(state), maxlen=1)), state)

    def _steps_up(self, state: State) -> Iterator[State]:
        """Yield the states on the way to one from which no single step makes more answers right."""
        if (step := self._all_at_once(state)) is not None:
            yield self.scorer.stepped(state, step)
            return
        glance, some = self.budget.glance, self.budget.look
        passes = ((self._is_clean, glance), (self._is_clean, some), (_anything, some), (_anything, None))
        for _ in range(self.budget.climbs):
            # With few wrong answers, a look at many is a look at all.
            for accepted, look in passes if len(state.wrong) > glance else (passes[0], passes[-1]):
                # A glance at every rule is never cut short.
                self.steps.is_patient = look == glance
                better = self._climbed_once(state, accepted, look)
                if self.steps.is_patient:
                    self.steps.is_patient = False
                    self.steps.moved()
                if better is not None:
                    break
            if better is None:
                return
            state = better
            yield state

    def _all_at_once(self, state: State) -> Changes | None:
        """Return the value of one rule that makes every wrong answer right and none wrong, the likeliest there is."""
        steps: list[tuple[float, Changes]] = []
        for slot in self.steps.slots_by_promise(state):
            # Played in every profile asked for, whatever each has for this rule.
            everywhere = self.scorer.slots_of_rule(slot[0])
            for places in [[slot]] if len(everywhere) == 1 else [[slot], everywhere]:
                if state.wrong <= self.scorer.affected(state, places):
                    values = self.steps.values(state, slot)
                    steps += [(self.price(slot, value), dict.fromkeys(places, value)) for value in values]
        for _, step in sorted(steps, key=lambda one: one[0]):
            if self.budget.is_over:
                return None
            self.steps.tried += 1
            if self.scorer.gain(state, step, state.loss - 2 * LEAST) >= state.loss - LEAST:
                return step
        return None

    def _climbed_once(self, state: State, accepted: Callable[[State, State], bool], look: int | None) -> State | None:
        """Return the state after the best step of every rule in turn; ``None`` if there is none."""
        moved = None
        for slot in self.steps.slots_by_promise(state):
            if not self._can_pay(state, slot):
                continue
            while not self.steps.is_spent and (step := self.steps.best_value(state, slot, look)) is not None:
                after = self.scorer.stepped(state, step)
                if not accepted(state, after):
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

    def _is_worth_more(self, before: State, after: State) -> bool:
        return self.worth(after) > self.worth(before) + LEAST

    def _is_clean(self, before: State, after: State) -> bool:
        """Say whether a step makes answers right, and next to none wrong."""
        fixed = len(before.wrong - after.wrong)
        return fixed > 0 and len(after.wrong - before.wrong) <= self.budget.contradicted * fixed

    def _leapt(self, state: State) -> State:
        """Return the state after the whole sets of rules that make more answers right, the best first."""
        for _ in self.leaps:
            most, best = LEAST, None
            for leap in self.leaps:
                if (gain := self.scorer.gain(state, leap, most)) > most:
                    most, best = gain, leap
            if best is None:
                break
            state = self.scorer.stepped(state, best)
        return state

    def pruned(self, state: State) -> State:
        """Return a state without the changes that do not earn their keep, the idlest taken away first."""
        while state.changes:
            worth = self.worth(state)
            idle: list[tuple[float, State]] = []
            for without in self._lighter(state):
                gain = self.worth(without) - worth
                fixes, breaks = len(without.wrong - state.wrong), len(state.wrong - without.wrong)
                if gain >= 0 or breaks > self.budget.contradicted * fixes:
                    idle.append((gain, without))
            if not idle:
                break
            state = max(idle, key=lambda one: one[0])[1]
        return state

    def _lighter(self, state: State) -> Iterator[State]:
        """Yield the state without each change; where nobody could play so, without each other change as well."""
        for slot in state.changes:
            without = self.scorer.without(state, [slot])
            if without is not None:
                yield without
                continue
            pairs = (self.scorer.without(state, [slot, other]) for other in state.changes if other != slot)
            yield from (pair for pair in pairs if pair is not None)


def _exchanged_apart(of: tuple[Search, State], slot: Slot) -> tuple[Changes | None, Spent]:
    search, state = of
    apart = search.apart()
    better = apart.exchanged_for(state, slot)
    return None if better is None else better.changes, apart.steps.spent_since(search.steps)


def _anything(_before: State, _after: State) -> bool:
    return True


def leaps_of(scorer: Scorer) -> list[Changes]:
    """Return the changes that an option, or a mistake in several rules, makes in the profiles asked for."""
    spec = scorer.spec
    variants = dict.fromkeys(one.id.variant for one in scorer.contexts)
    sets: list[Mapping[str, Any]] = [
        {rule: setting.value for rule, setting in option.settings.items()}
        for variant in variants
        if variant in spec.playable()
        for option in spec.options_of(variant).values()
    ]
    sets += [mistake.values for mistake in load_mistakes().values()]
    return [
        {scorer.slot(context, rule): values[rule] for context in range(len(scorer.contexts)) for rule in values}
        for values in sets
        if len(values) > 1
    ]
