"""Whether a rule that explains answers is played: further questions on which it and its rivals part are asked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from random import Random
from typing import Any, Final

from belot_conformance.explain.answers import ERROR, Answered
from belot_conformance.explain.lab import Changes, Slot, State
from belot_conformance.explain.peel import Search
from belot_conformance.programs.reference import put
from belot_conformance.questions.operation import Question
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.stream import random_questions
from belot_conformance.suite.judge import fields_apart
from belot_reference.compile import Ruleset
from belot_spec.errors import BelotError
from belot_spec.files import canonical

# Puts questions about a profile that was asked for to the program; what it cannot be asked is left out.
Ask = Callable[[int, Sequence[Question]], Sequence[Answered]]

_SEED: Final = 55
# Variations of so many answered questions that tell a rule from its rival, so many of each, before any are drawn.
_EXAMPLES: Final = 4
_VARIED: Final = 16
# Rivals of a rule that are told from it by further questions.
_RIVALS: Final = 6
# Of the answers that a rule or its absence makes right so many are right by it, in some operation at least.
_RIGHT: Final = 0.75
# So many have to be where others are wrong both ways.
_SOME: Final = 0.3
# A lone answer is right by chance; two are not, as a whole answer is compared.
_FEWEST: Final = 2
# A lone answer speaks for a value that somebody plays where no more of all answers than this are wrong otherwise.
_NOISE: Final = 0.1
# Of an operation of which fewer answers came none is said to most.
_MANY: Final = 4


@dataclass
class Evidence:
    """Answers on which a rule and its absence part: how many are right by it, by its absence, and all of them."""

    right: int = 0
    otherwise: int = 0
    apart: int = 0

    @property
    def speaks_for(self) -> bool:
        """Whether nearly all that are right either way are by the rule; what is wrong both ways hangs on others too."""
        return self.right > 0 and self.right >= max(_RIGHT * (self.right + self.otherwise), _SOME * self.apart)


@dataclass
class Confirming:
    """Confirms the rules that a search found; ``fresh`` are the answers that were asked for to that end, by rule."""

    search: Search
    ask: Ask | None
    fresh: dict[tuple[Slot, str], set[int]] = field(default_factory=dict)
    refused: set[tuple[Slot, str]] = field(default_factory=set)
    _pools: dict[tuple[int, frozenset[tuple[str, str]]], list[Question]] = field(default_factory=dict)
    _put: set[str] = field(default_factory=set)
    _asked: set[tuple[Slot, str, str]] = field(default_factory=set)
    _said: dict[str, dict[str, list[bool]]] = field(default_factory=dict)
    _said_of: State | None = None
    _said_by: int = 0

    def run(self) -> None:
        """Ask, search on, and leave out what does not stand, until nothing changes or the rounds are over."""
        search = self.search
        for _ in range(search.budget.rounds if self.ask is not None else 0):
            rivals = [(slot, [*self._rivals(slot)]) for slot in list(search.state.changes)]
            if search.clock.is_over or not self._ask_about(rivals):
                break
            search.wrong = search.lab.wrong_by(search.state)
            self._choose(chain.from_iterable(states for _, states in rivals))
            search.run()
        self._leave_out()

    def _ask_about(self, rivals: Sequence[tuple[Slot, Sequence[State]]]) -> bool:
        """Ask what tells each rule from its rivals; say whether there was anything to ask."""
        lab, state, asked = self.search.lab, self.search.state, False
        for slot, others in rivals:
            key = slot, canonical(state.changes[slot])
            for other in others:
                if self.search.clock.is_over:
                    return asked
                pair = *key, canonical([[*one, each] for one, each in sorted(other.changes.items())])
                if pair in self._asked:
                    continue
                self._asked.add(pair)
                context = self._context(slot)
                some = [*islice(self._telling(context, slot, other), self.search.budget.confirming)]
                answers = self.ask(context, some) if some and self.ask is not None else []
                self.fresh.setdefault(key, set()).update(lab.add(answers))
                asked = asked or bool(answers)
        return asked

    def _context(self, slot: Slot) -> int:
        lab = self.search.lab
        return next((number for number in range(len(lab.contexts)) if lab.has(number, slot)), 0)

    def _rivals(self, slot: Slot) -> Iterator[State]:
        """Yield what is played without a rule, then with what explains as much in its place."""
        search = self.search
        without = search.lab.without(search.state, [slot])
        yield without
        yield from islice((search._with(without, one) for one in self.equals(slot)), _RIVALS)

    def equals(self, slot: Slot) -> Iterator[Changes]:
        """Yield the other values of a rule, and of other rules in its place, by which no more answers are wrong."""
        search, lab = self.search, self.search.lab
        without = lab.without(search.state, [slot])
        telling = self._made_right(slot, without)
        if not telling:
            return
        first = telling[0]
        own = canonical(search.state.changes[slot])
        for other, value, state in list(search.steps(first, without)):
            if search.clock.is_over:
                return
            if (other == slot and canonical(value) == own) or (other != slot and other in search.state.changes):
                continue
            if lab.is_right(first, state) and all(lab.is_right(place, state) for place in telling):
                readers = (place for place in range(len(lab.answers)) if place not in search.wrong)
                if all(lab.is_right(place, state) for place in readers) and lab.is_playable(state):
                    yield {other: value}

    def _made_right(self, slot: Slot, without: State) -> list[int]:
        """Return the answers that are right by a rule and wrong without it, the smallest question first."""
        lab, search = self.search.lab, self.search
        places = (place for place in range(len(lab.answers)) if search.hangs_on(place, {slot[0]}))
        found = [place for place in places if place not in search.wrong and not lab.is_right(place, without)]
        return sorted(found, key=lab.size.__getitem__)

    # Questions

    def _telling(self, context: int, slot: Slot, rival: State) -> Iterator[Question]:
        """Yield possible questions that were not put yet, and that the rules found and a rival answer otherwise."""
        lab = self.search.lab
        rules, others = lab.rules(context, self.search.state), lab.rules(context, rival)
        if rules is None or others is None:
            return
        erring = {one.operation for one in lab.answers if one.kind == ERROR}
        for operation, question in chain(self._near(context, slot, rival, rules), self._drawn(context, slot, rival)):
            text = canonical([context, operation, dict(question)])
            if text in self._put or self.search.clock.is_over:
                continue
            said, other = (put(operation, one, question) for one in (rules, others))
            if said.answer is None and other.answer is None:
                continue
            # Only of a program that says so of others it is asked what is no question by one of the two.
            if (said.answer is None or other.answer is None) and operation not in erring:
                continue
            apart = fields_apart(operation, said.message(), other.message())
            if set(apart) - lab.ignored.get(operation, frozenset()):
                self._put.add(text)
                yield operation, question

    def _near(self, context: int, slot: Slot, rival: State, rules: Ruleset) -> Iterator[Question]:
        """Yield variations of answered questions that tell a rule from its rival."""
        lab, random = self.search.lab, Random(_SEED)
        places = [one for one in self._made_right(slot, rival) if lab.answers[one].context == context][:_EXAMPLES]
        for place in places:
            one = lab.answers[place]
            for _ in range(_VARIED):
                try:
                    yield one.operation, OPERATIONS[one.operation].varied(rules, one.input, random)
                except (BelotError, KeyError, IndexError, ValueError, TypeError):  # made for questions of another form
                    break

    def _drawn(self, context: int, slot: Slot, rival: State) -> Iterator[Question]:
        """Yield questions drawn by the rules found, then by the rival, of operations that read the rule."""
        lab = self.search.lab
        wanted = {one.operation for place, one in enumerate(lab.answers) if self.search.hangs_on(place, {slot[0]})}
        for state in (self.search.state, rival):
            key = context, frozenset(state.texts[context].items())
            if key not in self._pools:
                rules = lab.rules(context, state)
                operations = {one.operation for one in lab.answers}
                self._pools[key] = (
                    [] if rules is None else [*random_questions(rules, self.search.budget.deals, _SEED, operations)]
                )
            put = len(self._put)
            yield from (one for one in self._pools[key] if one[0] in wanted)
            if len(self._put) > put:
                return

    # What stands

    def _choose(self, rivals: Iterator[State]) -> None:
        """Go over to the rival by which the fewest answers are wrong, where these are fewer."""
        search = self.search
        for other in rivals:
            wrong = search.lab.wrong_by(other) if not search.clock.is_over else search.wrong
            if len(wrong) < len(search.wrong) and search.lab.is_playable(other):
                search.state, search.wrong = other, wrong

    def _leave_out(self) -> None:
        """Leave out each rule for which the answers do not speak."""
        search = self.search
        while unsupported := [slot for slot in search.state.changes if not self._is_supported(slot)]:
            weakest = min(unsupported, key=self._weight)
            self.refused.add((weakest, canonical(search.state.changes[weakest])))
            search.state = search.lab.without(search.state, [weakest])
            search.wrong = search.lab.wrong_by(search.state)

    def _weight(self, slot: Slot) -> int:
        return len(self._made_right(slot, self.search.lab.without(self.search.state, [slot])))

    def _is_supported(self, slot: Slot) -> bool:
        """Say whether whole answers speak for a rule: in some operation nearly all on which it and its absence part."""
        search, lab = self.search, self.search.lab
        without = lab.without(search.state, [slot])
        if not lab.is_playable(without):
            return True  # goes with another one, and together they are right
        fresh = self.fresh.get((slot, canonical(search.state.changes[slot])), set())
        counts: dict[str, Evidence] = {}
        asked, answers = Evidence(), 0
        for place, one in enumerate(lab.answers):
            said, other = lab.predict(place, search.state), lab.predict(place, without)
            if said is None or other is None or said is other or said.message == other.message:
                continue
            if said.wrong == other.wrong == () or not self._parts(one, said.message, other.message):
                continue
            is_right = not said.wrong and not self._is_said_to_most(one)
            answers += is_right and one.kind != ERROR
            for each in (counts.setdefault(one.operation, Evidence()), *[asked] * (place in fresh)):
                each.right += is_right
                each.otherwise += not other.wrong
                each.apart += 1
        # Errors alone are right by whatever makes a question none.
        if not answers or (asked.apart and not asked.speaks_for):
            return False
        good = [one for one in counts.values() if one.speaks_for]
        return sum(one.right for one in good) >= _FEWEST or (bool(good) and self._stands_alone(slot))

    def _is_said_to_most(self, one: Answered) -> bool:
        """Say whether a program answers half of an operation so, not all of it right, and little else that is.

        Being right by some rule says little of such an answer.
        """
        search, came = self.search, canonical(one.came)
        if self._said_of is not search.state or self._said_by != len(search.lab.answers):
            self._said_of, self._said_by, self._said = search.state, len(search.lab.answers), {}
            for place, each in enumerate(search.lab.answers):
                of_one = self._said.setdefault(each.operation, {}).setdefault(canonical(each.came), [])
                of_one.append(place not in search.wrong)
        said = self._said[one.operation]
        asked = sum(map(len, said.values()))
        if asked < _MANY or 2 * len(said[came]) < asked or all(map(all, said.values())):
            return False
        others = [right for message, rights in said.items() if message != came for right in rights]
        return sum(others) < max(_FEWEST, _RIGHT * len(others))

    def _parts(self, one: Answered, said: Any, other: Any) -> bool:
        return bool(
            set(fields_apart(one.operation, said, other)) - self.search.lab.ignored.get(one.operation, frozenset())
        )

    def _stands_alone(self, slot: Slot) -> bool:
        """Say whether one answer is enough: somebody plays the value, or everything else of the program is right."""
        search = self.search
        is_known = search._values.is_played(slot[0], search.state.changes[slot])
        return len(search.wrong) <= (_NOISE * len(search.lab.answers) if is_known else 0)
