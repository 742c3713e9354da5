"""The search for rules: wrong answers are peeled off one rule at a time, beginning with those that read the fewest.

An answer knows the rules that it read. Of the wrong answer that read the fewest, every value of each of those rules is
tried; those by which the whole answer comes out right are weighed on all answers that read the rule, and the best is
taken. What no single value makes right is repaired by several: each next one brings the answer nearer, a set by its
elements, or of an answer that reads few rules every pair is tried.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Set
from dataclasses import dataclass, field
from itertools import chain, filterfalse, islice
from typing import Any, Final

from belot_conformance.explain.answers import ERROR, distance
from belot_conformance.explain.budget import Budget, Clock
from belot_conformance.explain.lab import Changes, Lab, Prediction, Slot, State
from belot_conformance.explain.values import NO_HINTS, Hints, hints_of, rule_values
from belot_spec.files import canonical

# A right answer that becomes wrong counts so many times as much as a wrong one that becomes right, and each rule that
# differs costs a little: of two that explain the same the shorter is taken.
_WRONG: Final = 2.0
_PRICE: Final = 0.2
# Several values at once: no more than these, each time from so many of the nearest.
_DEEP: Final = 4
_BEAM: Final = 6
# Of an answer that reads more rules than this hardly a pair would be tried before the budget is spent.
_READS_FEW: Final = 12
# Whole deals read sixty rules and matches forty; what reads no more than this is tried in a tenth of the time.
_SMALL: Final = 30
# So many rules are put to one answer before it is given up to bring it nearer.
_NEARING: Final = 1000
# So many are put to answers one after the other before all are given up: slips are no rules.
_IN_VAIN: Final = 2000
# Small answers of either side on which every candidate is weighed first.
_GLANCE: Final = 20
# So many answers made right and none made wrong are no chance.
_CLEAR: Final = 2


@dataclass
class Tried:
    """The answers for which each value was tried singly, some pairs, and every pair."""

    singly: set[int] = field(default_factory=set)
    in_pairs: set[int] = field(default_factory=set)
    all_pairs: set[int] = field(default_factory=set)


class Search:
    """One search, which goes on from where it was when more answers come."""

    def __init__(self, lab: Lab, budget: Budget, clock: Clock) -> None:
        self.lab, self.budget, self.clock = lab, budget, clock
        self.state = lab.base
        self.wrong: set[int] = set()
        self.tried = Tried()
        self._values = rule_values(lab.spec)
        self._sorted: list[int] = []
        self._waiting: set[int] = set()
        self._in_vain = 0
        self._read_by, self._read = self.state, dict[int, frozenset[str]]()

    def run(self, begin: Changes | None = None) -> None:
        """Search until nothing that is left can be explained, or the time is over."""
        if begin:
            self._take(dict(begin))
        self.wrong = self.lab.wrong_by(self.state)
        while True:
            before = self.state.changes
            while not self.clock.is_over and (step := self._step()):
                self._take(step)
            self._refine()
            self.prune()
            if self.clock.is_over or before == self.state.changes:
                return

    @property
    def is_cut(self) -> bool:
        """Whether the time was over before all was looked at."""
        return self.clock.is_over and bool(self.wrong)

    # One answer

    def _predict(self, place: int, state: State) -> Prediction | None:
        return self.lab.predict(place, state)

    def values_of(self, place: int, rule: str, state: State, hints: Hints = NO_HINTS) -> list[Any]:
        """Return the values of a rule to try for an answer."""
        context = self.lab.answers[place].context
        rules = self.lab.rules(context, state)
        if rules is None or rule not in rules.profile.settings:
            return []
        return self._values.to_try(self.lab.spec.rules[rule], rules.profile, self.lab.contexts[context], hints)

    def steps(self, place: int, state: State) -> Iterator[tuple[Slot, Any, State]]:
        """Yield every single change of a rule that an answer reads, with the rules that are then played."""
        found = self._predict(place, state)
        if found is None:
            return
        one = self.lab.answers[place]
        hints = hints_of(one, found.message)
        for rule in sorted(found.reads):
            slot = self.lab.slot(one.context, rule)
            for value in self.values_of(place, rule, state, hints):
                yield slot, value, self._with(state, {slot: value})

    def _with(self, state: State, changes: Changes) -> State:
        """Return a state with changes; what is changed to the own value of a profile is no change any more."""
        own = [slot for slot, value in changes.items() if canonical(value) == slot[1]]
        if own:
            state = self.lab.without(state, own)
        return self.lab.state({slot: value for slot, value in changes.items() if slot not in own}, state)

    def _step(self) -> Changes | None:
        """Return what is changed next: what small answers speak for before what only whole deals do.

        Some answers of each kind are looked at before all of them.
        """
        every = len(self.lab.spec.rules)
        for most in (_SMALL, every):
            if step := self._single(most) or self._several(most):
                return step
        return self._single(every, some=False)

    def _todo(self, done: set[int], most: int, each: int = 2, *, some: bool = True) -> list[int]:
        """Return the wrong answers to look at next, those that read the fewest rules first, a few of each kind.

        Of a kind of which some were looked at in vain others wait until all kinds were; with ``some`` they are left.
        """
        seen = Counter(map(self._kind, self.wrong & done))
        found = []

        def order(place: int) -> tuple[int, bool, int, int]:
            is_error = self.lab.answers[place].kind == ERROR
            return seen[self._kind(place)] // each, is_error, len(self._reads(place)), self.lab.size[place]

        turns = Counter[Hashable]()
        left = [one for one in self.wrong - done if len(self._reads(one)) <= most]
        for place in sorted((one for one in left if not some or order(one)[0] == 0), key=order):
            kind = self._kind(place)
            if turns[kind] < each:
                turns[kind] += 1
                found.append(place)
        return found[: self.budget.at_once]

    def _kind(self, place: int) -> Hashable:
        """Return what wrong answers have alike that few rules explain together."""
        one, found = self.lab.answers[place], self._predict(place, self.state)
        if found is None or one.kind == ERROR:
            return one.operation
        return one.operation, found.reads, found.wrong

    def _reads(self, place: int) -> frozenset[str]:
        """Return the rules that are read for an answer now."""
        if self._read_by is not self.state:
            self._read_by, self._read = self.state, {}
        if place not in self._read:
            found = self._predict(place, self.state)
            self._read[place] = frozenset() if found is None else found.reads
        return self._read[place]

    def _single(self, most: int, *, some: bool = True) -> Changes | None:
        while todo := self._todo(self.tried.singly, most, some=some):
            candidates: list[Changes] = []
            for place in todo:
                hits: dict[tuple[Slot, str], Changes] = {}
                for slot, value, state in self.steps(place, self.state):
                    if self.lab.is_right(place, state):
                        hits[slot, canonical(value)] = {slot: value}
                    if self.clock.is_over:
                        return None
                self.tried.singly.add(place)
                if hits:
                    self._waiting.add(place)
                    # Whatever else explains this answer is among its hits, so that the best of them need not wait.
                    best, is_clear = self._best(hits.values())
                    if is_clear:
                        return best
                    candidates += [best] if best else []
            if candidates:
                return self._best(candidates)[0]
        return None

    def _best(self, candidates: Iterable[Changes]) -> tuple[Changes | None, bool]:
        """Return the changes by which the most answers come out right, for those that they make wrong.

        All are weighed on a few small answers, the best of those on more, and what is left on all; with it whether it
        makes several answers right, and none wrong.
        """
        few = []
        for changes in candidates:
            if self.clock.is_over:
                break
            if (score := self.score(changes, _GLANCE)) > 0:
                few.append((score, *self._rank(changes), changes))
        scored = [
            (score, *one[1:])
            for one in sorted(few, key=lambda one: one[:-1], reverse=True)[:_BEAM]
            if (score := self.score(one[-1], self.budget.scored)) > 0
            and self.lab.is_playable(self._with(self.state, one[-1]))
        ]
        for *_, changes in sorted(scored, key=lambda one: one[:-1], reverse=True):
            gain, loss = self._weigh(changes)
            if gain > loss:
                return changes, gain >= _CLEAR and not loss
        return None, False

    def _weigh(self, changes: Changes) -> tuple[int, int]:
        """Return how many answers changes make right, and how many wrong."""
        changed, readers = self._with(self.state, changes), self._readers(changes)
        right = {place for place in readers if self.lab.is_right(place, changed)}
        return len(right & self.wrong), len({*readers} - right - self.wrong)

    def _readers(self, changes: Changes) -> list[int]:
        """Return the answers that read a rule of some changes, the smallest first; no other comes out otherwise."""
        rules = {rule for rule, _ in changes}
        return [place for place in self._by_size if self.hangs_on(place, rules)]

    def _rank(self, changes: Changes) -> tuple[int, int, str]:
        """Return what speaks for changes that explain the same: values that somebody plays, the shortest."""
        played = sum(self._values.is_played(rule, value) for (rule, _), value in changes.items())
        text = canonical([[*slot, value] for slot, value in changes.items()])
        return played - len(changes), -len(text), text

    def score(self, changes: Changes, most: int) -> float:
        """Return how many answers changes make right, less those that they make wrong, of at most so many of each."""
        changed, readers = self._with(self.state, changes), self._readers(changes)
        gain = sum(
            self.lab.is_right(place, changed) for place in islice(filter(self.wrong.__contains__, readers), most)
        )
        loss = 0
        right = [*filterfalse(self.wrong.__contains__, readers)]
        for place in right[:: 1 + len(right) // most] if most > _GLANCE else right[:most]:
            loss += not self.lab.is_right(place, changed)
            if _WRONG * loss > gain:
                break
        return gain - _WRONG * loss - _PRICE * len(changes)

    @property
    def _by_size(self) -> list[int]:
        if len(self._sorted) != len(self.lab.answers):
            self._sorted = sorted(range(len(self.lab.answers)), key=self.lab.size.__getitem__)
        return self._sorted

    def hangs_on(self, place: int, rules: Set[str]) -> bool:
        """Say whether an answer can be another one by other values of some rules; an error may be by any."""
        return self.lab.answers[place].kind == ERROR or not rules.isdisjoint(self._reads(place))

    def _take(self, changes: Changes) -> None:
        readers = self._readers(changes)
        self.state = self._with(self.state, changes)
        for place in readers:
            (self.wrong.discard if self.lab.is_right(place, self.state) else self.wrong.add)(place)
        # What explains an answer may be worth it now that others are right.
        self.tried.singly.difference_update(readers, self._waiting)
        self._waiting.clear()
        self._in_vain = 0
        self.tried.in_pairs.difference_update(readers)
        self.tried.all_pairs.difference_update(readers)

    # Several at once

    def _several(self, most: int) -> Changes | None:
        kinds = Counter(map(self._alike, self.wrong))
        for place in self._todo(self.tried.in_pairs, most, each=1)[:_BEAM]:
            # A lone wrong answer is no rule: a slip, or what nothing could confirm.
            if kinds[self._alike(place)] == 1 < len(self.wrong) or self._in_vain > _IN_VAIN:
                continue
            before = self.lab.tried
            found, _ = self._best(chain(self._nearing(place), self._pairs(place)))
            if self.clock.is_over:
                return found
            self.tried.in_pairs.add(place)
            if found is not None:
                return found
            self._in_vain += self.lab.tried - before
        return None

    def _alike(self, place: int) -> tuple[str, tuple[str, ...]]:
        found = self._predict(place, self.state)
        return self.lab.answers[place].operation, () if found is None else found.wrong

    def _nearing(self, place: int) -> Iterator[Changes]:
        """Yield several changes by which an answer comes out right, each of which brings it nearer."""
        one, begun = self.lab.answers[place], self._predict(place, self.state)
        if begun is None:
            return
        beam: list[tuple[int, Changes]] = [(distance(one, begun.message), {})]
        most = self.lab.tried + _NEARING
        for _ in range(_DEEP):
            found: dict[str, tuple[int, Changes]] = {}
            for far, changes in beam:
                for slot, value, state in self.steps(place, self._with(self.state, changes)):
                    if self.clock.is_over or self.lab.tried > most:
                        return
                    if slot in changes or (said := self._predict(place, state)) is None:
                        continue
                    longer = {**changes, slot: value}
                    if not said.wrong:
                        yield longer
                    elif (near := distance(one, said.message)) < far:
                        found[canonical([[*key, each] for key, each in sorted(longer.items())])] = near, longer
            beam = sorted(found.values(), key=lambda pair: pair[0])[:_BEAM]
            if not beam:
                return

    def _pairs(self, place: int) -> Iterator[Changes]:
        """Yield the pairs of changes by which an answer comes out right, of no more pairs than the budget has.

        The first of them changes the answer, or what is read for it: two that change neither alone change nothing.
        """
        begun = self._predict(place, self.state)
        if begun is None or len(begun.reads) > _READS_FEW:
            return
        most = self.lab.tried + self.budget.pairs
        for slot, value, state in list(self.steps(place, self.state)):
            said = self._predict(place, state)
            if said is None or (said.message == begun.message and said.reads == begun.reads):
                continue
            for other, second, both in self.steps(place, state):
                if self.clock.is_over or self.lab.tried > most:
                    return
                if other != slot and self.lab.is_right(place, both):
                    yield {slot: value, other: second}
        self.tried.all_pairs.add(place)

    # All answers

    def _refine(self) -> None:
        """Put other values of each changed rule in its place where fewer answers are wrong by them."""
        for slot in list(self.state.changes):
            without = self.lab.without(self.state, [slot])
            readers = [place for place in range(len(self.lab.answers)) if self.hangs_on(place, {slot[0]})]
            wrong = sorted((place for place in readers if place in self.wrong), key=self.lab.size.__getitem__)
            if not wrong or self.clock.is_over:
                continue
            best, some = len(wrong), wrong[: self.budget.at_once]
            values = {
                canonical(value): value
                for place in some
                for value in self.values_of(place, slot[0], self.state, self._hints(place))
            }
            for value in values.values():
                state = self._with(without, {slot: value})
                if self.clock.is_over or not any(self.lab.is_right(place, state) for place in some):
                    continue
                left = self._count_wrong(readers, state, best)
                if left < best and self.lab.is_playable(state):
                    best, self.state = left, state
            self.wrong = self.lab.wrong_by(self.state)

    def _hints(self, place: int) -> Hints:
        found = self._predict(place, self.state)
        return NO_HINTS if found is None else hints_of(self.lab.answers[place], found.message)

    def _count_wrong(self, places: Iterable[int], state: State, most: int) -> int:
        """Count the answers that are wrong by some rules, no further than to so many."""
        wrong = 0
        for place in places:
            wrong += not self.lab.is_right(place, state)
            if wrong >= most:
                break
        return wrong

    def prune(self) -> None:
        """Leave out each change without which no more answers are wrong."""
        for slot in list(self.state.changes):
            without = self.lab.without(self.state, [slot])
            if self.lab.is_playable(without):
                wrong = self.lab.wrong_by(without)
                if len(wrong) <= len(self.wrong):
                    self.state, self.wrong = without, wrong
