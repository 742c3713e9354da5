"""Whether a rule that explains answers is played: further questions on which it and its rivals part are asked."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain, islice
from random import Random
from typing import Any, Final

from belot_conformance.explain.answers import ERROR, Answered
from belot_conformance.explain.lab import Slot, State
from belot_conformance.explain.search import FEWEST, Search
from belot_conformance.programs.reference import put
from belot_conformance.questions.operation import Question
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.relabelling import TURN_WITH_SEATS, TURN_WITH_SIDES, from_next_seat
from belot_conformance.questions.stream import random_questions
from belot_conformance.suite.judge import fields_apart
from belot_reference.compile import Ruleset
from belot_spec.errors import BelotError
from belot_spec.files import canonical

# Puts questions about a profile that was asked for to the program; what it cannot be asked is left out.
Ask = Callable[[int, Sequence[Question]], Sequence[Answered]]

# The share of the time in which rules are searched for, where those found can be asked about in the rest.
SEARCHING: Final = 0.7
_SEED: Final = 55
_FURTHER: Final = "further questions"
# So many of the answers on which a rule and its absence part are right by it, whatever other rules make of the rest.
_SOME: Final = 0.8
# Of an operation of which fewer answers came none is said to most.
_MANY: Final = 4


def _varied(answers: Iterable[Answered], rules: Ruleset, each: int) -> Iterator[Question]:
    """Yield variations of answered questions."""
    random = Random(_SEED)
    for one in answers:
        with suppress(BelotError, KeyError, IndexError, ValueError, TypeError):  # made for questions of another form
            for _ in range(each):
                yield Question(one.operation, OPERATIONS[one.operation].varied(rules, one.input, random))


def _turned(answers: Iterable[Answered], rules: Ruleset) -> Iterator[Question]:
    """Yield answered questions with everybody one seat further: no rule here knows a seat or side by its number."""
    for one in answers:
        if one.operation in TURN_WITH_SEATS | TURN_WITH_SIDES:
            yield Question(one.operation, from_next_seat(rules, one.input))


@lru_cache(maxsize=64)
def _drawn(rules: Ruleset, deals: int, operations: frozenset[str]) -> list[Question]:
    return [*random_questions(rules, deals, _SEED, operations)]


@dataclass
class Confirming:
    """Confirms the rules that a search found; ``fresh`` are the answers that were asked for to that end.

    Where a log holds more than what is searched, no answer speaks for a rule ``alone``.
    """

    search: Search
    ask: Ask | None
    alone: bool = True
    fresh: set[int] = field(default_factory=set)
    was_cut: bool = False
    _put: set[str] = field(default_factory=set)
    _asked_about: set[Slot] = field(default_factory=set)

    def run(self) -> None:
        """Ask, search on, and leave out what does not stand, until nothing changes or the time is over.

        The weakest of what does not stand is refused, and something else looked for in its place; what went with it
        may be found again. What may be slips is looked at once all else is done.
        """
        for self.search.for_slips in (False, True):
            before = self.search.state.texts
            if self.search.for_slips:
                self._search_on()
                if self.search.state.texts == before:
                    break
            self._ask_on()
            while (refused := self._leave_out()) is not None and self.ask is not None and not self.search.clock.is_over:
                self.search.refused.add(refused)
                self._search_on()
                self._ask_on()

    def _search_on(self) -> None:
        """Search in a part of the time that is left, as what is found then has to be asked about too."""
        search, clock = self.search, self.search.clock
        search.clock = clock if self.ask is None else clock.part(SEARCHING)
        search.run()
        self.was_cut |= search.clock.is_over
        search.clock = clock

    def _ask_on(self) -> None:
        """Ask about what was found, and search on, until nothing changes or the rounds are over."""
        search, lab = self.search, self.search.lab
        for _ in range(search.budget.rounds if self.ask is not None else 0):
            # For what the fewest answers speak is asked about first; what might stand in a rule's place takes longer to
            # look for than whether it is played at all.
            slots = sorted(search.state.changes, key=search.strength)
            rivals = [lab.without(search.state, slot) for slot in slots]
            came = sum([self._ask_about(slot, rival) for slot, rival in zip(slots, rivals, strict=True)])
            for slot in slots:
                others = [state for _, _, state in islice(search.instead(slot), search.budget.confirming)]
                came += sum([self._ask_about(slot, each) for each in others])
                rivals += others
            if not came:
                break
            # The rules found come first of those by which as few answers are wrong.
            search.move(search.state)
            best, fewest = search.state, len(search.wrong)
            for state in filter(lab.is_playable, rivals):
                if (wrong := search.count_wrong(state, fewest - 1)) < fewest:
                    best, fewest = state, wrong
            search.move(best)
            self._search_on()

    def _ask_about(self, slot: Slot, rival: State) -> int:
        """Ask what tells a rule from a rival, first variations of what it explains; return how many answers came."""
        search, lab, most = self.search, self.search.lab, self.search.budget.confirming
        context, pair = lab.contexts_of(slot)[0], canonical([search.state.changes[slot], *slot, *rival.texts])
        rules, others = lab.rules(context, search.state), lab.rules(context, rival)
        if self.ask is None or search.clock.is_over or pair in self._put or rules is None or others is None:
            return 0
        self._put.add(pair)
        self._asked_about.add(slot)
        if lab.is_proved(context, search.state, rival):
            return 0
        operations = frozenset(lab.answers[place].operation for place in search.by_size)
        wanted = {lab.answers[place].operation for place in search.reading(slot[:1])}
        made_right = (place for place in search.made_right(slot, rival) if lab.answers[place].context == context)
        near = [lab.answers[place] for place in islice(made_right, most)]

        def drawn(by: Ruleset) -> Iterator[Question]:
            yield from (one for one in _drawn(by, most, operations) if one.operation in wanted)

        telling = partial(self._telling, context, rules, others)
        some = [*islice(telling(_turned(near, rules)), most // 2)]
        others_near = chain(_varied(near, rules, 2 * most), drawn(rules))
        some += islice(telling(others_near), most - len(some))
        some = some or [*islice(telling(drawn(others)), most)]
        fresh = lab.add(self.ask(context, some) if some else ())
        self.fresh.update(fresh)
        return len(fresh)

    def _telling(
        self, context: int, rules: Ruleset, others: Ruleset, questions: Iterable[Question]
    ) -> Iterator[Question]:
        """Yield those of some questions that were not put yet, and that two rules answer otherwise."""
        erring = {one.operation for one in self.search.lab.answers if one.kind == ERROR}
        for question in questions:
            operation = question.operation
            text = f"{context} {question.text}"
            if text in self._put or self.search.clock.is_over:
                continue
            said = [put(operation, one, question.input) for one in (rules, others)]
            # Only of a program that says so of others it is asked what is no question but by the rule.
            is_asked = said[0].answer is not None and (said[1].answer is not None or operation in erring)
            if is_asked and self._apart(operation, *(one.message() for one in said)):
                self._put.add(text)
                yield question

    def _apart(self, operation: str, one: Any, other: Any) -> bool:
        ignored = self.search.lab.ignored.get(operation, frozenset())
        return not ignored.issuperset(fields_apart(operation, one, other))

    # What stands

    def _leave_out(self) -> tuple[Slot, str] | None:
        """Leave out each rule for which the answers do not speak; return the weakest, with its value as text.

        What there was no time to ask about goes last: what was asked about beside it stands by that.
        """
        search, lab = self.search, self.search.lab
        left_out, stands = list[tuple[Slot, str]](), set[Slot]()
        while True:
            dull, changes = self._said_to_most(), search.state.changes
            without = {slot: lab.without(search.state, slot) for slot in changes}
            stands |= {slot for slot in changes if slot not in stands and self._is_supported(slot, without[slot], dull)}
            # Without one that is left out whole deals are wrong again, which is no word against the others.
            doubtful = [slot for slot in changes if slot not in stands]
            if not (leaving := doubtful or [slot for slot in changes if self._is_hasty(slot)]):
                break
            slot = min(leaving, key=search.strength)
            left_out.append((slot, canonical(changes[slot])))
            search.move(without[slot])
        if left_out:
            search.prune()
        return left_out[0] if left_out else None

    def _is_hasty(self, slot: Slot) -> bool:
        """Say whether a rule was not asked about, and fewer answers speak for it than would have been asked for."""
        lab, search = self.search.lab, self.search
        is_asked = self.ask is None or slot in self._asked_about
        return (
            not is_asked
            and search.strength(slot) < search.budget.confirming
            and lab.is_playable(lab.without(search.state, slot))
        )

    def _is_supported(self, slot: Slot, without: State, dull: set[int]) -> bool:
        """Say whether whole answers speak for a rule: in some operation nearly all on which it and its absence part."""
        search, lab = self.search, self.search.lab
        if not lab.is_playable(without):
            return True  # goes with another one, and together they are right
        parting: dict[str, list[tuple[bool, bool]]] = {}
        for place in search.reading(slot[:1]):
            one, said, other = lab.answers[place], search.said[place], lab.predict(place, without)
            by_rule, otherwise = place not in search.wrong, lab.is_right(place, without)
            # An error is right by whatever makes a question none.
            if one.kind == ERROR or said is other or (by_rule and otherwise):
                continue
            if self._apart(one.operation, said.message, other.message):
                for name in (one.operation, *[_FURTHER] * (place in self.fresh)):
                    speaks = place not in dull and lab.is_whole(place, search.state)
                    parting.setdefault(name, []).append((speaks, otherwise))
        # What was asked for is often wrong by a rule that is yet to be found, as it is about whole deals.
        further = [pair for pair in parting.pop(_FURTHER, []) if any(pair)]
        parting |= {_FURTHER: further} if further else {}
        speaking = {name: sum(one[0] for one in some) for name, some in parting.items() if self._speak(some)}
        if _FURTHER in parting and not speaking.pop(_FURTHER, 0):
            return False
        return sum(speaking.values()) >= FEWEST or (bool(speaking) and self.alone and self._stands_alone(slot))

    def _speak(self, pairs: Sequence[tuple[bool, bool]]) -> bool:
        """Say whether nearly all that are right either way are so by a rule; the others hang on other rules.

        A slip is forgiven where as many speak for the rule as are asked for less one.
        """
        right, otherwise = sum(right for right, _ in pairs), sum(otherwise for _, otherwise in pairs)
        slips = right >= self.search.budget.confirming - 1
        needed = max((1 - self.search.budget.against) * (right + otherwise - slips), _SOME * (len(pairs) - slips))
        return right > 0 and right >= needed

    def _stands_alone(self, slot: Slot) -> bool:
        """Say whether one answer is enough: somebody plays the value, or everything else of the program is right."""
        search = self.search
        noise = search.budget.against if search.is_played(slot) else 0
        return len(search.wrong) <= noise * len(search.said)

    def _said_to_most(self) -> set[int]:
        """Return the answers that a program gives to half of an operation, not all right, and little else that is.

        Being right by some rule says little of such an answer.
        """
        search, found = self.search, set[int]()
        asked: dict[str, dict[str, list[int]]] = {}
        for place in search.lab.live:
            one = search.lab.answers[place]
            asked.setdefault(one.operation, {}).setdefault(canonical(one.came), []).append(place)
        for said in asked.values():
            every, most = {*chain.from_iterable(said.values())}, {*max(said.values(), key=len)}
            right, others = every - search.wrong, every - most
            is_most = len(every) >= _MANY and 2 * len(most) >= len(every) > len(right)
            if is_most and len(right & others) < max(FEWEST, len(others) / 2):
                found |= most
        return found
