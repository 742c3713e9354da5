"""The search for rules: wrong answers are peeled off one rule at a time, beginning with those that read the fewest.

An answer knows the rules that it read. Of the wrong answer that read the fewest, every value of each of those rules is
tried; those by which the whole answer comes out right are weighed on all answers that read the rule, and the best is
taken. What no single value makes right is repaired by several, each of which brings the answer nearer, a set by its
elements; of an answer that reads few rules every pair is tried. The rule that a refusal names is tried before all
others, and errors are looked at apart. What is too seldom wrong to be a rule comes last.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from heapq import nsmallest
from itertools import chain, islice, product
from math import inf
from typing import Any, Final

from belot_conformance.contrast.probe import Once
from belot_conformance.explain.answers import ERROR, distance
from belot_conformance.explain.budget import Budget, Clock
from belot_conformance.explain.lab import Changes, Lab, Prediction, Slot, State
from belot_conformance.explain.values import hints_of, ladder_of, rule_values
from belot_conformance.questions.operations import OPERATIONS
from belot_spec.catalogue import distinct
from belot_spec.files import canonical

# A right answer that becomes wrong counts so many times as much as a wrong one that becomes right, and each rule that
# differs costs a little: of two that explain the same the shorter is taken.
_WRONG: Final = 2.0
_PRICE: Final = 0.2
# Whole deals read sixty rules and matches forty; what reads no more than this is tried in a tenth of the time.
_SMALL: Final = 30
# Deals of cards and of points read no more than this: a single rule for many of them is looked for before any pair.
_MIDDLING: Final = 20
# A whole deal or match takes so many times as long to work out as what is small.
_LONG: Final = 8
# Fewer wrong answers of one kind may be slips.
_FEW: Final = 3
# A lone answer is right or wrong by chance; two are not, as a whole answer is compared.
FEWEST: Final = 2
# How far from a number others are looked for that fit as well, and the parts of round numbers.
_AWAY: Final = tuple(1 << each for each in range(13))
_ROUND: Final[tuple[int, ...]] = tuple(part * ten for ten in (1, 10, 100, 1000) for part in (1, 2, 5))
# The rules alone that a refusal names. Then so many values together: first of answers that read few rules, then more.
# What is wrong as an error is looked at apart: what makes that no question may be why other answers are wrong.
_NAMED: Final = 0
_ERRORS: Final = -1
_PAIRS: Final = 2
_DEEP: Final = 4


class Search:
    """One search, which goes on from where it was when more answers come.

    ``state`` is what is played by it, ``said`` what that says to each answer, ``wrong`` are those that stay wrong, and
    ``done`` those for which every value was tried singly, or several together. What is ``refused`` is not tried, and
    only with ``for_slips`` anything for answers that may be slips.
    """

    state: State
    said: dict[int, Prediction]
    wrong: set[int]
    refused: set[tuple[Slot, str]]
    for_slips: bool

    def __init__(self, lab: Lab, budget: Budget, clock: Clock) -> None:
        self.lab, self.budget, self.clock = lab, budget, clock
        self.done, self._waiting = {deep: set[int]() for deep in (_ERRORS, _NAMED, 1, _PAIRS, _DEEP)}, set[int]()
        self._values = rule_values(lab.spec)
        self.for_slips = False
        self._vain = 0
        self._share = 0.0
        self.said, self.refused = {}, set()
        self._instead = dict[tuple[Slot, bool], tuple[Sequence[Mapping[str, str]], Once[tuple[Slot, Any, State]]]]()
        self.move(lab.base)

    def run(self) -> None:
        """Search until nothing that is left can be explained, or the time is over."""
        while not self.clock.is_over and (step := self._step()):
            self.move(step)
        self.prune()

    def move(self, state: State) -> None:
        """Go over to other rules, or to more answers; of answers that now read otherwise all may be tried again."""
        lab, before = self.lab, self.said
        lab.follow(state)
        self.state, self.said = state, {place: lab.predict(place, state) for place in lab.live}
        self.wrong = {place for place, said in self.said.items() if lab.wrong_of(place, said)}
        self.by_size = lab.by_size(self.said)
        self._errors = {place for place in self.said if lab.answers[place].kind == ERROR}
        self._alike = Counter((lab.answers[place].operation, said.reads) for place, said in self.said.items())
        reading = dict[frozenset[str], set[int]]()
        for place, said in self.said.items():
            reading.setdefault(said.reads, set()).add(place)
        self._readers = dict[str, set[int]]()
        for reads, places in reading.items():
            for rule in reads:
                self._readers.setdefault(rule, set()).update(places)
        self._small = dict[str, list[int]]()
        self._refuted = dict[tuple[Slot, str], bool]()
        same = {place for place, said in self.said.items() if before.get(place) is said}
        # What explains an answer may be worth it now that others are right.
        self.done = {deep: done & same - self._waiting for deep, done in self.done.items()}
        self._waiting.clear()
        self._vain = 0

    def _rules_read(self, place: int) -> int:
        return len(self.said[place].reads)

    @property
    def read(self) -> frozenset[str]:
        """The rules that are read for some answer."""
        return frozenset[str]().union(*(said.reads for said in self.said.values()))

    def is_played(self, slot: Slot) -> bool:
        """Say whether somebody is known to play the value of a changed rule."""
        return self._values.is_played(slot[0], self.state.changes[slot])

    # One answer

    def steps(self, place: int, state: State, but: Set[str] = frozenset()) -> Iterator[tuple[Slot, Any, State]]:
        """Yield every single change of a rule that an answer reads, but for some, with what is then played."""
        lab, one, found = self.lab, self.lab.answers[place], self.lab.predict(place, state)
        if (rules := lab.rules(one.context, state)) is None:
            return
        hints, profile = hints_of(one, found.message), rules.profile
        is_few = len(found.reads) <= self.budget.abreast
        for rule in sorted((found.reads & profile.settings.keys()) - but):
            slot = lab.slot(one.context, rule)
            for value in self._values.to_try(lab.spec.rules[rule], profile, lab.contexts[one.context], hints, is_few):
                if not self.refused or (slot, canonical(value)) not in self.refused:
                    yield slot, value, lab.changed(state, {slot: value})

    def reading(self, rules: Iterable[str]) -> set[int]:
        """Return the answers that can be other ones by other values of some rules; an error may be by any."""
        return self._errors.union(*(self._readers.get(rule, ()) for rule in rules))

    def wrong_by(self, state: State) -> set[int]:
        """Return the answers that are wrong in some state, of which those alone are looked at that it can change."""
        places = self._changed_by(state)
        return (self.wrong - places) | {place for place in places if not self.lab.is_right(place, state)}

    def count_wrong(self, state: State, most: int) -> int:
        """Return how many answers are wrong in some state; where they are more than so many, one more than these."""
        places = self._changed_by(state)
        wrong = (place for place in self.lab.by_size(places) if not self.lab.is_right(place, state))
        fixed = len(self.wrong - places)
        return fixed + sum(1 for _ in islice(wrong, max(0, most + 1 - fixed)))

    def _changed_by(self, state: State) -> set[int]:
        """Return the answers that can be other ones in some state."""
        pairs = zip(self.state.texts, state.texts, strict=True)
        return self.reading({rule for one, other in pairs for rule, _ in one.items() ^ other.items()})

    def _fits_as_well(self, state: State) -> bool:
        """Say whether no right answer is wrong in some state; the first that is ends the look."""
        right = self.lab.by_size(self._changed_by(state) - self.wrong)
        return all(self.lab.is_right(place, state) for place in right)

    def made_right(self, slot: Slot, without: State) -> Iterator[int]:
        """Yield the answers that are right by a rule and wrong in some state without it, the smallest first."""
        some = self.lab.by_size(self.reading(slot[:1]) - self.wrong)
        return (place for place in some if not self.lab.is_right(place, without))

    def _telling(self, slot: Slot, most: int) -> list[int]:
        return [*islice(self.made_right(slot, self.lab.without(self.state, slot)), most)]

    def strength(self, slot: Slot) -> int:
        """Return how many answers are right by a rule alone; more than are weighed are not counted."""
        return len(self._telling(slot, self.budget.scored))

    def instead(self, slot: Slot, *, by_changed: bool = False) -> Iterator[tuple[Slot, Any, State]]:
        """Yield other values of a rule, and of others in its place, by which no more answers are wrong.

        The others are rules that were changed too, or those that were not. What was tried before more answers came is
        only held against these.
        """
        key, now, span = (slot, by_changed), self.state.changes[slot], range(0)
        telling = self._telling(slot, self.budget.scored // 6)
        if not by_changed and len(span := self._span(slot, telling)) > 1:
            # Both ends come first, which are the easiest to tell apart by asking; then what leaves half, a quarter …
            for value in dict.fromkeys((span[0], span[-1], *_halved(span))):
                if value != now:
                    yield slot, value, self.lab.changed(self.state, {slot: value})
        if key not in self._instead or self._instead[key][0] != self.state.texts:
            self._instead[key] = self.state.texts, Once(self._right_instead(slot, telling, by_changed=by_changed))
        for other, value, state in self._instead[key][1]:
            if (other == slot and type(value) is int and value in span) or (other, canonical(value)) in self.refused:
                continue
            if all(self.lab.is_right(place, state) for place in telling) and self._fits_as_well(state):
                yield other, value, state

    def _right_instead(
        self, slot: Slot, telling: Sequence[int], *, by_changed: bool
    ) -> Iterator[tuple[Slot, Any, State]]:
        """Yield what makes the same answers right as a rule does, its own other values first: they are soon tried."""
        without = self.lab.without(self.state, slot)
        # What makes them all right is read for each of them.
        read = [self.lab.predict(place, without).reads for place in telling if self.lab.answers[place].kind != ERROR]
        tried = frozenset.intersection(*read) if read else frozenset(self.lab.spec.rules)
        if by_changed:
            tried &= {rule for rule, _ in without.changes}
        own, rules = tried & {slot[0]}, self.lab.spec.rules.keys()
        groups = (own, tried - own) if telling else ()
        for other, value, state in chain.from_iterable(
            [*self.steps(telling[0], without, rules - some)] for some in groups
        ):
            if self.clock.is_over:
                self._instead.pop((slot, by_changed), None)
                return
            if (other in without.changes) is not by_changed or state.texts == self.state.texts:
                continue
            if all(self.lab.is_right(place, state) for place in telling) and self.lab.is_playable(state):
                yield other, value, state

    def _span(self, slot: Slot, telling: Sequence[int]) -> range:
        """Return the whole numbers about a rule's by which no more answers are wrong, if it is a number.

        Of a target it is seen only that it is more than one total and not more than another.
        """
        value = self.state.changes[slot]
        if type(value) is not int or not telling:
            return range(0)

        def fits(number: int) -> bool:
            state = self.lab.changed(self.state, {slot: number})
            return (
                [*distinct(self.lab.spec.rules[slot[0]], value, (number,))] != []
                and not self.clock.is_over
                and all(self.lab.is_right(place, state) for place in telling)
                and self.lab.is_playable(state)
                and self._fits_as_well(state)
            )

        ends = list[int]()
        for sign in (-1, 1):
            far = next((each for each in _AWAY if not fits(value + sign * each)), _AWAY[-1] + 1)
            ends.append(bisect_left(range(far), True, lo=far // 2 + 1, key=lambda each: not fits(value + sign * each)))
        return range(value - ends[0] + 1, value + ends[1])

    # What is changed next

    def _step(self) -> State | None:
        """Return what is played next: what small answers speak for before what only whole deals do.

        Some answers of each kind are looked at before all of them.
        """
        every = len(self.lab.spec.rules)
        for most, deep, some, often in (
            (self.budget.abreast, 1, True, True),
            (every, _NAMED, True, True),
            (_MIDDLING, 1, True, True),
            (self.budget.abreast, _ERRORS, True, True),
            (self.budget.abreast, _PAIRS, True, True),
            (_SMALL, 1, True, True),
            (_SMALL, _DEEP, True, True),
            (_SMALL, _ERRORS, True, True),
            (_SMALL, 1, True, False),
            (_SMALL, _PAIRS, True, False),
            (every, 1, True, False),
            (every, _DEEP, True, True),
            (every, 1, False, False),
        ):
            if not often and not self.for_slips:
                continue
            self._share = self.budget.against * often
            while todo := self._todo(most, deep, some=some, often=often):
                candidates: list[tuple[int, Changes]] = []
                for place in todo:
                    before, hits = self.lab.tried, [(place, each) for each in self._explaining(place, abs(deep))]
                    if self.clock.is_over:
                        return None
                    self.done[deep].add(place)
                    self._vain += (deep > 1) * (self.lab.tried - before)
                    # Whatever else explains this answer is among its hits, so that the best of them need not wait.
                    if hits and (best := self._best(hits) or self._best(self._mended(place, hits))):
                        if best[2]:
                            return best[1]
                        candidates.append(best[0])
                    if hits:
                        self._waiting.add(place)
                if best := self._best(candidates):
                    return best[1]
        return None

    def _todo(self, most: int, deep: int, *, some: bool, often: bool) -> list[int]:
        """Return the wrong answers to look at next, those that read the fewest rules first, a few of each kind.

        Of a kind of which some were looked at in vain others wait until all kinds were; with ``some`` they are left,
        and with ``often`` kinds that may be slips. A lone wrong answer is one, or what nothing could confirm, and
        nothing ``deep`` is tried for it.
        """
        done, each = self.done[deep], 1 if deep > 1 else 2
        wrong = self.wrong & self._errors if deep == _ERRORS else self.wrong - self._errors
        turns, found = Counter(map(self._kind, self.wrong & done)), list[int]()
        if deep == _NAMED:
            wrong = {place for place in wrong if self._named(place)}
        turn = {place: turns[self._kind(place)] // each for place in wrong - done}
        alike = Counter((self.lab.answers[place].operation, self.said[place].wrong) for place in self.wrong)
        kinds = Counter(map(self._kind, wrong))
        turns.clear()

        def order(place: int) -> tuple[int, int, int, int]:
            many = kinds[self._kind(place)]
            many = many if deep > _PAIRS else many.bit_length()
            return turn[place], -many, len(self.said[place].reads), self.lab.size[place]

        for place in sorted(turn, key=order):
            kind, is_lone = self._kind(place), alike[self.lab.answers[place].operation, self.said[place].wrong] == 1
            if (often and kinds[kind] < self._slips(place)) or (deep > 1 and is_lone and len(self.wrong) > 1):
                continue
            if len(self.said[place].reads) <= most and turns[kind] < each and not (some and turn[place]):
                turns[kind] += 1
                found.append(place)
        return found[: self.budget.abreast]

    def _slips(self, place: int) -> float:
        """Return of how many wrong answers of one kind slips may be the cause."""
        alike = self._alike[self.lab.answers[place].operation, self.said[place].reads]
        return max(_FEW, self.budget.against * alike)

    def _kind(self, place: int) -> Hashable:
        """Return what wrong answers have alike that few rules explain together."""
        said, operation = self.said[place], self.lab.answers[place].operation
        # Whatever is read for an error may be why it is one.
        return operation, place not in self._errors and (self._named(place) or said.reads), said.wrong

    def _named(self, place: int) -> frozenset[str]:
        """Return the rules that are named by refusals, of the program or of what is played."""
        both = (self.lab.answers[place].came, self.said[place].message)
        return frozenset(one["rejected"]["rule"] for one in both if "rule" in one.get("rejected", ()))

    def is_tried(self, places: Set[int]) -> bool:
        """Say whether every value was tried singly for some wrong answers.

        A rule is named for none that is an error alone, as whatever makes a question none explains it: what is tried
        for the others is tried for these.
        """
        return self.done[1] >= (self.wrong if places & self._errors else places) - self._errors

    def _explaining(self, place: int, deep: int) -> Iterator[Changes]:
        """Yield a change, or up to so many, by which an answer comes out right, each of which brings it nearer.

        Of an answer that reads few rules the first one need only change it, or what is read for it.
        """
        if deep == _NAMED:
            others = self.lab.spec.rules.keys() - self._named(place)
            steps = self.steps(place, self.state, others)
            yield from ({slot: value} for slot, value, state in steps if self.lab.is_right(place, state))
            return
        one, begun = self.lab.answers[place], self.said[place]
        # What is long tried in vain is no rule.
        several = self.budget.several // (_LONG if OPERATIONS[one.operation].is_recording else 1) // (_DEEP // deep)
        most = self.lab.tried + min(several, 2 * several - self._vain) if deep > 1 else inf
        # What a bid reads that is told with a deal matters nowhere in games without an amount.
        is_few = len(begun.reads & self.lab.contexts[one.context].settings.keys()) <= self.budget.abreast
        beam: list[tuple[int, Changes]] = [(distance(one, begun.message), {})]
        if ladder := {slot: value for slot, value in self._ladder(place) if slot[1]}:
            said = self.lab.predict(place, self.lab.changed(self.state, ladder))
            if not said.wrong:
                yield ladder
            elif (near := distance(one, said.message)) < beam[0][0]:
                beam.append((near, ladder))
        for depth in range(1, deep + 1):
            found: dict[str, tuple[int, Changes]] = {}
            # What is read only by a change is the likeliest to go with it.
            turns = (begun.reads, frozenset[str]()) if depth > 1 else (frozenset[str](),)
            for but, (far, changes) in product(turns, beam):
                for slot, value, state in self.steps(place, self.lab.changed(self.state, changes), but):
                    if self.clock.is_over or self.lab.tried > most:
                        return
                    if deep == 1 and self._is_refuted(place, slot, state):
                        continue
                    said, longer = self.lab.predict(place, state), {**changes, slot: value}
                    is_other = is_few and depth == 1 and (said.message, said.reads) != begun[:2]
                    if slot not in changes and self.lab.is_right(place, state):
                        yield longer
                    elif depth == 1 and (with_it := [*self._with_what_it_needs(place, state)]):
                        yield from ({**longer, **more} for more in with_it)
                    elif (
                        depth < deep
                        and slot not in changes
                        and ((near := distance(one, said.message)) < far or is_other)
                    ):
                        found[canonical([[*key, each] for key, each in sorted(longer.items())])] = near, longer
            beam = sorted(found.values(), key=lambda pair: pair[0])[: None if is_few else self.budget.abreast // 2]

    def _is_refuted(self, place: int, slot: Slot, state: State) -> bool:
        """Say whether a value makes several answers wrong that are right, and read fewer rules than this one."""
        key = slot, state.texts[self.lab.contexts_of(slot)[0]].get(slot[0], "")
        if len(self.said[place].reads) <= _MIDDLING:
            return False
        if key not in self._refuted:
            wrong = (one for one in self._smallest_right(slot[0]) if not self.lab.is_right(one, state))
            self._refuted[key] = len([*islice(wrong, FEWEST)]) == FEWEST
        return self._refuted[key]

    def _smallest_right(self, rule: str) -> Sequence[int]:
        """Return what speaks against a value before anything long is tried with it."""
        if rule not in self._small:
            right = self._readers.get(rule, set()) - self.wrong - self._errors
            self._small[rule] = nsmallest(self.budget.abreast, right, key=self._rules_read)
        return self._small[rule]

    def _with_what_it_needs(self, place: int, state: State) -> Iterator[Changes]:
        """Yield the values, of rules that matter only by a change, by which an answer comes out right with it."""
        context = self.lab.answers[place].context
        before, rules = self.lab.rules(context, self.state), self.lab.rules(context, state)
        if before is None or rules is None or rules.profile.settings.keys() <= before.profile.settings.keys():
            return
        for slot, value, longer in self.steps(place, state, before.profile.settings.keys()):
            if self.clock.is_over:
                return
            if self.lab.is_right(place, longer):
                yield {slot: value}

    def _ladder(self, place: int) -> Iterator[tuple[Slot, Any]]:
        """Yield what an answer shows of the ladder of bids, where it is another one than is played."""
        one = self.lab.answers[place]
        played = self.lab.rules(one.context, self.state)
        for rule, value in ladder_of(one).items():
            if played is not None and not played.profile.plays(rule, value):
                yield self.lab.slot(one.context, rule), value

    def _mended(self, place: int, hits: Sequence[tuple[int, Changes]]) -> Iterator[tuple[int, Changes]]:
        """Yield the likeliest changes that explain an answer with one more, by which what they make wrong is right."""
        changes = max((each for _, each in hits), key=lambda one: self._score(place, one, self.budget.scored // 6))
        state, rules = self.lab.changed(self.state, changes), {rule for rule, _ in changes}
        readers = self.reading(rules)
        if sum(self.lab.is_right(one, state) for one in readers & self.wrong) < _FEW:
            return
        right = self.lab.by_size(readers - self.wrong)
        for lost in islice((one for one in right if not self.lab.is_right(one, state)), 1):
            for slot, value, longer in self.steps(lost, state, rules):
                if self.clock.is_over:
                    return
                if self.lab.is_right(lost, longer) and self.lab.is_right(place, longer):
                    yield place, {**changes, slot: value}

    def _best(self, candidates: Iterable[tuple[int, Changes]]) -> tuple[tuple[int, Changes], State, bool] | None:
        """Return the changes, if any, by which the most answers come out right, for those that they make wrong.

        Each comes with an answer that it explains. All are weighed on a few answers, the best of those on more, and
        what is left on all; with it comes whether it makes several answers right, and next to none wrong.
        """
        scored = [(0.0, (), one) for one in candidates]
        for most in (self.budget.scored // 6, self.budget.scored):
            weighed, best = list[tuple[float, tuple[Any, ...], tuple[int, Changes]]](), 0.0
            for *_, one in scored:
                if not self.clock.is_over and (score := self._score(*one, most, best / 2)) > 0:
                    weighed.append((score, self._rank(one[1]), one))
                    best = max(best, score)
            scored = _in_turn(weighed)[: self.budget.abreast // 2]
        for *_, one in scored:
            state = self.lab.changed(self.state, one[1])
            wrong = self.wrong_by(state)
            if self.lab.is_playable(state) and len(wrong) < len(self.wrong):
                right, lost = len(self.wrong - wrong), len(wrong - self.wrong)
                return one, state, right > 1 and lost <= self.budget.against * right
        return None

    def _rank(self, changes: Changes) -> tuple[Any, ...]:
        """Return what speaks for changes that explain the same: values that somebody plays, words, the shortest.

        To be over 100 is likelier than to reach 101.
        """
        played = sum(self._values.is_played(rule, value) for (rule, _), value in changes.items())
        words = sum(isinstance(value, str) for value in changes.values())
        text = canonical([[*slot, value] for slot, value in changes.items()])
        return played - len(changes), words, -len(text), text

    def _score(self, place: int, changes: Changes, most: int, least: float = 0.0) -> float:
        """Return how many answers changes make right, less those that they make wrong, of at most so many of each.

        ``place`` is one that they make right. What comes to ``least`` or less is looked at no further.
        """
        state, rules = self.lab.changed(self.state, changes), [rule for rule, _ in changes]
        readers = self.reading(rules)
        wrong, right = (self._some_of(some, most) for some in ((readers & self.wrong) - {place}, readers - self.wrong))
        # Something is found for nearly any answer, and by several rules for all of them: what explains a part of those
        # that read it comes first.
        gain = 1 - len({*wrong} - self._errors) * (self._share + self.budget.against * (len(changes) - 1))
        gain, loss = gain + sum(self.lab.is_right(one, state) for one in wrong), 0
        for one in right:
            loss += not self.lab.is_right(one, state)
            if _WRONG * loss > gain - least:
                break
        return gain - _WRONG * loss - _PRICE * len(changes)

    def _some_of(self, places: Set[int], most: int) -> list[int]:
        """Return some answers: the smallest, and as many of all sizes, as the small ones may have another cause."""
        ordered = self.lab.by_size(places)
        small, others = ordered[: most // 2], ordered[most // 2 :]
        return small + others[:: 1 + 2 * len(others) // most]

    # All answers

    def prune(self) -> None:
        """Leave out each change without which no more answers are wrong, or of which another one says as much.

        To be over 70 is to reach 71.
        """
        for slot in list(self.state.changes):
            if slot not in self.state.changes:
                continue
            without = self.lab.without(self.state, slot)
            if self.lab.is_playable(without) and self.count_wrong(without, len(self.wrong)) <= len(self.wrong):
                self.move(without)
            elif len(self.state.changes) > 1:
                for _, _, state in islice(self.instead(slot, by_changed=True), 1):
                    self.move(state)
        for slot, value in self.state.changes.items():
            # Of numbers that fit as well people play the roundest.
            if span := self._span(slot, self._telling(slot, self.budget.scored // 6)):
                self.move(self.lab.changed(self.state, {slot: min((*span, value), key=lambda one: -_roundness(one))}))


def _roundness(number: int) -> int:
    """Return how round a number is: the largest of 1, 2, 5, 10, 20, 50, 100 … that divides it."""
    return max(part for part in _ROUND if number % part == 0)


def _in_turn(scored: Iterable[tuple[float, tuple[Any, ...], tuple[int, Changes]]]) -> list[Any]:
    """Return candidates, the best first; of those that are as good each rule has its turn.

    Of numbers for one rule the middle one comes first, then the quarters: answers say that it is more than one and less
    than another, and what is asked next leaves half of them.
    """
    ordered = sorted(scored, key=lambda one: one[:-1], reverse=True)
    by_rule = dict[tuple[float, tuple[Slot, ...]], list[Any]]()
    for one in ordered:
        by_rule.setdefault((one[0], (*one[2][1],)), []).append(one)
    turns = list[tuple[float, int, Any]]()
    for (score, slots), some in by_rule.items():
        if all(type(one[2][1][slots[-1]]) is int for one in some):
            some = _halved(sorted(some, key=lambda one: one[2][1][slots[-1]]))
        turns += [(-score, turn, one) for turn, one in enumerate(some)]
    return [one for *_, one in sorted(turns, key=lambda one: one[:2])]


def _halved(some: Sequence[Any]) -> list[Any]:
    """Return the middle one, then the middle ones of both halves, and so on."""
    size, halves = 1 << len(some).bit_length(), list[Any]()
    while (size := size // 2) > 0:
        halves += some[size - 1 :: 2 * size]
    return halves
