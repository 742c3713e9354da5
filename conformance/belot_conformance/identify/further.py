"""Further questions: those that tell the rules found from others that explain what was asked so far as well."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice, takewhile, zip_longest
from random import Random
from types import MappingProxyType
from typing import Any, Final, TypeVar

from belot_conformance.contrast.probe import AnsweredQuestion, Budget, Probe, Rival
from belot_conformance.contrast.proofs import is_duty, tricks_played_alike
from belot_conformance.identify.budget import BUDGET, IdentifyBudget
from belot_conformance.identify.evidence import ERROR, Observation
from belot_conformance.identify.hypothesis import Scorer, State
from belot_conformance.identify.identification import Identified
from belot_conformance.identify.values import rule_values
from belot_conformance.mistakes.mutations import compile_changed, other_values
from belot_conformance.programs.reference import put
from belot_conformance.questions.operation import Hands
from belot_conformance.questions.operations import OPERATIONS, RECORDINGS
from belot_conformance.questions.rivals import Rivals
from belot_conformance.questions.stream import EVERY_OPERATION, Stream, contrived_questions
from belot_conformance.suite.judge import fields_apart, without_reasons
from belot_reference.cards import names_of
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.questions import CONTRACT_RULES
from belot_spec.errors import UnplayableError
from belot_spec.files import canonical
from belot_spec.spec import Profile, Spec


def renumbered(question: Any, others: Callable[[int], Iterable[int]]) -> Iterator[Any]:
    """Yield a question with each of its whole numbers, one at a time, replaced by each of the ``others`` for it."""
    if isinstance(question, Mapping):
        for key, item in question.items():
            yield from ({**question, key: other} for other in renumbered(item, others))
    elif isinstance(question, list):
        for place, item in enumerate(question):
            yield from ([*question[:place], other, *question[place + 1 :]] for other in renumbered(item, others))
    elif _is_number(question):
        yield from (number for number in others(question) if number != question)


def moved_to(question: Any, answer: Any, numbers: Sequence[int]) -> Iterator[Any]:
    """Yield a question with each number changed by so much as the largest of its answer are from some numbers.

    What is reached in the course of a question, as the end of a match is, comes to just these numbers so.
    """
    for offset in dict.fromkeys(number - said for number in numbers for said in _largest(answer)):
        yield from renumbered(question, lambda number, by=offset: [number + by] if number + by >= 0 else [])  # type: ignore[misc]


def _largest(answer: Any) -> list[int]:
    """Return the two largest whole numbers of an answer."""
    return sorted(set(_numbers_in(answer)), reverse=True)[:2]


def _numbers_in(answer: Any) -> Iterator[int]:
    for part in answer.values() if isinstance(answer, Mapping) else answer if isinstance(answer, list) else ():
        yield from [part] if _is_number(part) else _numbers_in(part)


def numbers_beside(values: Sequence[Any]) -> list[int]:
    """Return the numbers among some values, and those one less and one more, but none below zero."""
    found = (value + step for value in values if _is_number(value) for step in (0, -1, 1))
    return [number for number in dict.fromkeys(found) if number >= 0]


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_SEED: Final = 7
# What one takes to put: recorded deals take longer, and so does it to see that two duties are one.
_SMALL: Final = 1
_RECORDED: Final = 6
_DUTIES: Final = 250
_NEVER_READ: Final = "presentation."

T = TypeVar("T")
Values = Mapping[str, Any]
_NOTHING: Final[Values] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class FurtherQuestion:
    """A question drawn from random deals that were played by the rules found.

    It has the form of these, or else of ``rules`` by which a contract is told otherwise.
    """

    name: str
    operation: str
    input: Mapping[str, Any]
    rules: Ruleset | None = None


@dataclass
class Effort:
    """What may still be spent on one program to draw questions by other values than those found.

    For those of ``tried`` they were drawn before, for those of ``untold`` in vain by the rules found now.
    """

    left: int = BUDGET.effort
    tried: set[str] = field(default_factory=set)
    untold: set[str] = field(default_factory=set)


class Further:
    """Random questions of some ``operations`` by the rules found; ``number`` is the lot.

    At most half of the effort that is left is spent.
    """

    def __init__(
        self,
        found: Profile,
        spec: Spec,
        number: int,
        effort: Effort | None = None,
        operations: frozenset[str] = EVERY_OPERATION,
        budget: IdentifyBudget = BUDGET,
    ) -> None:
        self._budget = budget
        self.rules = compile_profile(found)
        self._spec = spec
        self._number = number
        self._operations = operations
        self._effort = effort or Effort(budget.effort)
        self._least = self._effort.left // 2
        stream = Stream(self.rules, _SEED + number, operations)
        drawn = enumerate(one for _ in range(budget.draws) for one in stream.round())
        asked = (AnsweredQuestion(one.operation, one.question, one.message, one.rules, place) for place, one in drawn)
        self._asked = sorted(asked, key=lambda one: len(str(one.input)))
        self._rulesets: dict[str, Ruleset | None] = {_text(_NOTHING): self.rules}
        # What a contract can be told by, where the program is known to have it otherwise than its variant.
        variant, told = spec.profile(found.base.variant), CONTRACT_RULES & found.settings.keys()
        self._told_otherwise = {rule for rule in told if not variant.plays(rule, found.value(rule))}

    def some_of_each(self) -> Iterator[FurtherQuestion]:
        """Yield questions of every operation, those first that read rules which no smaller question reads.

        The meeting of two long sequences is in none of the small ones: some are of any size.
        """
        places: dict[str, list[tuple[int, int]]] = {}
        seen = Counter[tuple[str, frozenset[str]]]()
        for index, one in enumerate(self._asked):
            key = one.operation, one.consulted
            seen[key] += 1
            places.setdefault(one.operation, []).append((seen[key], index))
        budget = self._budget
        for found in places.values():
            first = [self._asked[index] for _, index in sorted(found)]
            yield from map(self._named, [*first[: budget.each], *_spread(first[budget.each :], budget.larger)])

    def meetings(self) -> Iterator[FurtherQuestion]:
        """Yield every meeting of two declarations: which wins is decided by rules that hide each other.

        A program that is told no announcements is asked for hands that hold just these.
        """
        meeting = ((name, one.meet) for name, one in OPERATIONS.items() if one.meet and name in self._operations)
        random = Random(self._number)
        for operation, meet in islice(meeting, 1):
            for place, announced in enumerate(Rivals(self.rules).every(Random(_SEED))):
                question = meet(self.rules, announced, random)
                if question and put(operation, self.rules, question).answer is not None:
                    yield FurtherQuestion(f"{self._number}-meeting-{place:03}", operation, question)

    def telling(self, found: Identified) -> Iterator[FurtherQuestion]:
        """Yield questions to which what fits equally gives another answer than the rules found."""
        for finding in found.findings:
            others: list[Values] = [{finding.rule: value} for value in finding.values]
            base = found.bases[0].settings.get(finding.rule)
            undone = {} if base is None else {finding.rule: base.value}
            others += [{one.rule: one.value, **undone} for one in finding.alike]
            if others:
                yield from self._apart([_NOTHING, *others])

    def near(self, asked: Scorer, state: State, *, is_glance: bool = False) -> Iterator[FurtherQuestion]:
        """Yield a question for each other value of a rule that none of the answers so far speaks against.

        Where only deals by that value tell it, every rule has its turn before the next value of any: it takes long,
        and is not done at a glance.
        """
        left: list[list[Values]] = []
        for rule in self.rules.profile.settings:
            if self._budget.is_over:
                return
            steps = []
            for step in self._unsaid(rule, asked, state):
                drawn = self._own(step, 1) or self._renumbered(step, 1)
                yield from drawn
                steps += [] if drawn or is_glance else [step]
            left.append(steps)
        for step, is_thorough in takewhile(lambda _: not self._budget.is_over, self._in_turn(left)):
            yield from self._by_the_other(step, 1, is_thorough=is_thorough)

    def _in_turn(self, left: Sequence[Sequence[Values]]) -> Iterator[tuple[Values, bool]]:
        """Yield one value of each rule to look for at a glance, those again thoroughly, and then all others."""
        turns = [[step for step in turn if step is not None] for turn in zip_longest(*left)]
        first, *others = [sorted(turn, key=lambda step: _text(step) in self._effort.tried) for turn in turns] or [[]]
        yield from ((step, False) for step in first)
        yield from ((step, True) for step in first)
        yield from ((step, False) for turn in others for step in turn)

    def about(self, rule: str, asked: Scorer, state: State) -> Iterator[FurtherQuestion]:
        """Yield a question for each other value of one rule that none of the answers so far speaks against."""
        for step in self._unsaid(rule, asked, state):
            yield from self._telling(step, 1)

    def against(self, rule: str, value: Any, most: int) -> Iterator[FurtherQuestion]:
        """Yield so many questions to which a value of a rule gives another answer than the one found."""
        yield from self._telling({rule: value}, most)

    def _unsaid(self, rule: str, asked: Scorer, state: State) -> Iterator[Values]:
        """Yield the other values of a rule that none of the answers so far speaks against."""
        slot = asked.slot(0, rule)
        right = state.readers.get(slot, set()) - state.wrong
        in_order, few = sorted(right, key=asked.cost.__getitem__), self._budget.smallest
        # The smallest, and a few of the others.
        readers = [*in_order[:few], *_spread(in_order[few:], few // 2)]
        for value in self._others(rule):
            if asked.changed(state, {slot: value}) and asked.leaves_wrong(state, {slot: value}, readers):
                yield {rule: value}

    def _others(self, rule: str) -> Sequence[Any]:
        """Return other values of a rule, those of other games first."""
        profile = self.rules.profile
        values = (*rule_values(self._spec).known(rule), *other_values(self._spec.rules[rule], profile, self._spec))
        own = canonical(profile.settings[rule].value)
        found = {canonical(value): value for value in reversed(values)}
        return [found[text] for text in dict.fromkeys(map(canonical, values)) if text != own][: self._budget.values]

    def _apart(self, steps: Sequence[Values]) -> Iterator[FurtherQuestion]:
        """Yield questions that tell each of some values from every other, as far as random questions do."""
        steps = [step for step in steps if self._compiled(step) is not None]
        readers = _spread(self._reading(rule for step in steps for rule in step), self._budget.looked_at_all)
        asked: set[int] = set()
        untold: list[list[Values]] = []
        for _ in range(self._budget.telling):
            groups = [[*steps]]
            for one in readers:
                parts = [] if one.number in asked else [part for group in groups for part in self._parts(group, one)]
                if len(parts) > len(groups):
                    asked.add(one.number)
                    groups = parts
                    yield self._named(one)
            untold = untold or groups
        least = self._effort.left - self._budget.effort_apart
        for group in untold:
            yield from self._apart_drawn(group, least)

    def _apart_drawn(self, steps: Sequence[Values], least: int) -> Iterator[FurtherQuestion]:
        """Yield questions drawn for it that tell some values apart, as long as more effort is left than the least."""
        for place, step in enumerate(steps if len(steps) > 1 else ()):
            if not step or self._effort.left <= least:
                continue
            others = [*steps[:place], *steps[place + 1 :]]
            drawn = self._renumbered(step, 1, others)
            drawn = drawn or self._by_the_other(step, self._budget.telling, others)
            if drawn:
                yield from drawn
                for part in self._parts(steps, drawn[0]):
                    yield from self._apart_drawn(part, least)
                return

    def _parts(self, steps: Sequence[Values], one: AnsweredQuestion | FurtherQuestion) -> list[list[Values]]:
        """Return the parts of some values by which the answers to a question are the same."""
        if len(steps) == 1:
            return [[*steps]]
        parts: dict[str, list[Values]] = {}
        for step in steps:
            if isinstance(one, AnsweredQuestion) and one.consulted.isdisjoint(step):
                message = one.answer
            else:
                message = put(one.operation, self._compiled(step) or self.rules, one.input).message()
            said = ERROR if ERROR in message else canonical(without_reasons(one.operation, message))
            parts.setdefault(said, []).append(step)
        return list(parts.values())

    def _telling(self, step: Values, most: int) -> Iterator[FurtherQuestion]:
        """Yield some of the smallest questions to which other values give another answer."""
        yield from self._own(step, most) or self._renumbered(step, most) or self._by_the_other(step, most)

    def _own(self, step: Values, most: int) -> list[FurtherQuestion]:
        """Return those of the questions drawn by the rules found that tell other values from them."""
        readers = _spread(self._reading(step), self._budget.looked_at)
        rules = self._compiled(step) if readers else None
        if rules is None:
            return []
        return [self._named(one) for one, _ in islice(Probe(readers).telling(Rival(rules, step)), most)]

    def _renumbered(self, step: Values, most: int, others: Sequence[Values] | None = None) -> list[FurtherQuestion]:
        """Return questions with other numbers in them, where values that are numbers are told apart by these alone."""
        settings, touched = self.rules.profile.settings, _touched(step, others)
        values = [value for one in (step, *(others or ())) for value in one.values()]
        numbers = numbers_beside([*values, *(settings[rule].value for rule in step if rule in settings)])
        rules = self._compiled(step) if numbers else None
        if rules is None:
            return []
        asked = self._with_numbers(numbers, self._reading(touched))
        telling = islice(self._told_apart(asked, rules, self._against(others), touched), most)
        return [replace(one, name=f"{self._number}-{_text(step)}-{one.name}") for one in telling]

    def _with_numbers(self, numbers: Sequence[int], readers: Iterable[AnsweredQuestion]) -> Iterator[FurtherQuestion]:
        """Yield the smallest questions of each operation and kind of answer with some numbers in the place of theirs.

        Those whose answers come to the numbers are first, then those that have them.
        """
        looked_at = Counter[tuple[str, str]]()
        for one in readers:
            kind = one.operation, next(iter(one.answer))
            looked_at[kind] += 1
            if looked_at[kind] <= self._budget.renumbered:
                plain = islice(renumbered(one.input, lambda _: numbers), self._budget.numbers)
                moved = islice(moved_to(one.input, one.answer, numbers), self._budget.moved_numbers)
                for place, question in enumerate(chain(moved, plain)):
                    yield FurtherQuestion(f"numbers-{self._named(one).name}-{place}", one.operation, question)

    def _told_apart(
        self, asked: Iterable[FurtherQuestion], rules: Ruleset, against: Sequence[Ruleset], touched: frozenset[str]
    ) -> Iterator[FurtherQuestion]:
        """Yield the questions, well-formed by the rules found, that some rules answer otherwise than one of others."""
        for one in asked:
            self._effort.left -= _price(one.operation)
            came = put(one.operation, rules, one.input)
            formed = self._well_formed(one, rules, touched)
            if came.rests_on.isdisjoint(touched) or formed is None:
                continue
            self._effort.left -= _price(one.operation) * (len(against) - 1)
            said = came.message()
            others = (put(one.operation, other, one.input).message() for other in against)
            if any(fields_apart(one.operation, said, other) for other in others):
                yield formed

    def _well_formed(self, one: FurtherQuestion, other: Ruleset, touched: frozenset[str]) -> FurtherQuestion | None:
        """Return a question that has the form of the rules found, or where a contract is told otherwise of others."""
        is_wellformed = OPERATIONS[one.operation].is_wellformed
        if is_wellformed(self.rules, one.input):
            return one
        return (
            replace(one, rules=other) if touched <= self._told_otherwise and is_wellformed(other, one.input) else None
        )

    def _by_the_other(
        self, step: Values, most: int, others: Sequence[Values] | None = None, *, is_thorough: bool = True
    ) -> list[FurtherQuestion]:
        """Return questions drawn from deals by some values, for what never comes up by the rules that were found.

        They tell these values from one of the ``others``, or from the rules found.
        """
        text, effort = canonical([*step.items(), *map(dict, others or (_NOTHING,))]), self._effort
        if text in effort.untold or effort.left <= self._least or all(rule.startswith(_NEVER_READ) for rule in step):
            return []
        rules = self._compiled(step)
        if rules is None:
            return []
        effort.tried.add(_text(step))
        if is_thorough or others is not None:
            effort.untold.add(text)
        against, touched = self._against(others), _touched(step, others)
        if is_duty(touched, self._spec):
            effort.left -= _DUTIES
            against = [one for one in against if not tricks_played_alike(one, rules)]
        drawn: list[FurtherQuestion] = []
        if against:
            asked = self._drawn_by(rules, step, touched, is_thorough=is_thorough)
            drawn = [*islice(self._told_apart(asked, rules, against, touched), most)]
        effort.untold |= {text} if drawn or not against else set()
        return drawn

    def _drawn_by(
        self, rules: Ruleset, step: Values, touched: frozenset[str], *, is_thorough: bool
    ) -> Iterator[FurtherQuestion]:
        """Yield questions drawn from deals by some values; to be thorough, first many about what seldom happens.

        At a glance no more is drawn than little effort pays for.
        """
        reading = frozenset(one.operation for one in self._reading(touched))
        operations = reading or self._operations & RECORDINGS or self._operations
        seed = _SEED + self._number
        contrived = contrived_questions(rules, self._budget.other_contrived, seed, operations) if is_thorough else ()
        played = Budget(self._budget.other_deals, seed).questions(rules, operations)
        least = self._effort.left - self._budget.effort_at_a_glance
        for place, (operation, question) in enumerate(chain(contrived, played)):
            if self._effort.left < least and not is_thorough:
                break
            yield FurtherQuestion(f"{self._number}-{_text(step)}-{is_thorough:d}{place:05}", operation, question)

    def _against(self, others: Sequence[Values] | None) -> list[Ruleset]:
        found = map(self._compiled, (_NOTHING,) if others is None else others)
        return [one for one in found if one is not None]

    def _compiled(self, step: Values) -> Ruleset | None:
        """Return the rules found with some values in the place of theirs; ``None`` if nobody could play so."""
        text = _text(step)
        if text not in self._rulesets:
            self._rulesets[text] = None
            with suppress(UnplayableError):
                self._rulesets[text] = compile_changed(self.rules.profile, step, self._spec)
        return self._rulesets[text]

    def _reading(self, rules: Iterable[str]) -> list[AnsweredQuestion]:
        """Return the questions drawn by the rules found whose answers rest on one of some rules, the smallest first."""
        wanted = frozenset(rules)
        return [one for one in self._asked if not one.consulted.isdisjoint(wanted)]

    def _named(self, one: AnsweredQuestion) -> FurtherQuestion:
        return FurtherQuestion(f"{self._number}-{one.number:05}", one.operation, one.input)


def _touched(step: Values, others: Sequence[Values] | None) -> frozenset[str]:
    return frozenset(rule for one in (step, *(others or ())) for rule in one)


def _price(operation: str) -> int:
    return _RECORDED if operation in RECORDINGS else _SMALL


def _text(step: Values) -> str:
    return canonical([*step.items()])


def _spread(ones: Sequence[T], most: int) -> Sequence[T]:
    """Return at most so many of some, from first to last."""
    return ones[:: max(1, -(-len(ones) // most))]


# Puts questions of some rules to the program, and returns what it answered by the names of the questions.
Ask = Callable[[Ruleset, Sequence[FurtherQuestion]], Mapping[str, Observation]]

_BEFORE: Final = "deal.packets-before-bidding"
_AFTER: Final = "deal.packets-after-bidding"
_REMOVED: Final = "deck.removed-cards"
_DISCARDS: Final = "deal.taker-discards"
# Of more cards than this not every way is tried to deal them.
_LARGEST: Final = 8
_DEALERS: Final = 2


class OtherCards:
    """The cards of a program that plays otherwise what was ``found``, and of which only ``operations`` can be asked."""

    def __init__(self, found: Profile, spec: Spec, operations: Collection[str], ask: Ask) -> None:
        self._found = found
        self._spec = spec
        self._operations = operations
        self._ask = ask
        self._rules = compile_profile(found)

    def guesses(self, *, is_other_deck: bool) -> list[Values]:
        """Return whole sets of values that the program may play by; none if it says nothing of its cards.

        If it ``is_other_deck`` than that of the rules found the program is asked about each card.
        """
        if self._rules.open_piles:
            return []
        deck = names_of(self._rules.deck)
        known = self._known_cards() if is_other_deck else set(deck)
        if not known:
            return []
        return list(self._tables([*self._found.value(_REMOVED), *(card for card in deck if card not in known)]))

    def _known_cards(self) -> set[str]:
        """Return the cards that the program can be asked about."""
        cards, players = names_of(self._rules.deck), self._rules.players
        for operation, one in OPERATIONS.items():
            if (ask := one.of_single_cards) is None or operation not in self._operations:
                continue
            accepted = partial(self._accepted, operation, ask)
            some = [cards[start :: -(-len(cards) // players)] for start in range(-(-len(cards) // players))]
            known = accepted("some", [each for each in some if len(each) == players])
            unknown = [card for card in cards if card not in known]
            others = sorted(known)[: players - 1]
            if len(others) == players - 1:
                known |= accepted("one", [[card, *others] for card in unknown])
                return known
        return set()

    def _accepted(
        self, operation: str, ask: Callable[[Hands], Mapping[str, Any]], name: str, each: Sequence[Sequence[str]]
    ) -> set[str]:
        """Return the cards of the hands, of a card each, that are no error."""
        drawn = (
            FurtherQuestion(f"{operation}-{name}-{number}", operation, ask([[card] for card in cards]))
            for number, cards in enumerate(each)
        )
        asked = {one.name: one for one in drawn}
        came = self._ask(self._rules, list(asked.values()))
        return {
            hand[0]
            for one, drawn in asked.items()
            if one in came and came[one].kind != ERROR and not came[one].says_nothing
            for hand in drawn.input["hands"]
        }

    def _tables(self, removed: Sequence[str]) -> Iterator[Values]:
        """Yield tables without some cards, dealt as the program deals them if it says how."""
        sizes = self._hand_sizes(removed)
        if sizes is None:
            yield from self._playable(removed, [*self._packets(_BEFORE)], [*self._packets(_AFTER)])
            return
        before, after = sizes
        yield from self._playable(removed, _ways(before), [[after] if after else []])
        yield from ({_AFTER: way} for way in _ways(after))

    def _playable(self, removed: Sequence[str], before: Sequence[Any], after: Sequence[Any]) -> Iterator[Values]:
        left_over = self._rules.deck.bit_count() + len(self._found.value(_REMOVED)) - len(removed)
        for first in before:
            for then in after:
                values = {_REMOVED: list(removed), _BEFORE: first, _AFTER: then}
                if _DISCARDS in self._found.settings:
                    values[_DISCARDS] = left_over - self._rules.players * (sum(first) + sum(then))
                with suppress(UnplayableError):
                    compile_changed(self._found, values, self._spec)
                    yield values

    def _packets(self, rule: str) -> Iterator[Any]:
        """Yield how cards are dealt in any game."""
        yield self._found.value(rule)
        for variant in self._spec.playable():
            yield self._spec.profile(variant).value(rule)

    def _hand_sizes(self, removed: Sequence[str]) -> tuple[int, int] | None:
        """Return how many cards each gets before the bidding and after it, as the program deals such a deck."""
        some = next(self._playable(removed, *self._sizes()), None)
        if some is None or "deal" not in self._operations:
            return None
        rules = compile_changed(self._found, some, self._spec)
        deck = names_of(rules.deck)
        drawn = [
            FurtherQuestion(
                f"deal-{'-'.join(removed)}-{dealer}",
                "deal",
                {"dealer": dealer, "deck": deck, "cut": len(deck) // 2, "taker": 0},
            )
            for dealer in range(_DEALERS)
        ]
        for one in self._ask(rules, drawn).values():
            if one.kind == "result" and one.given.get("before") and one.given.get("hands"):
                first = len(one.given["before"][-1])
                return first, min(map(len, one.given["hands"])) - first
        return None

    def _sizes(self) -> tuple[Sequence[Any], Sequence[Any]]:
        most = range(_LARGEST, 0, -1)
        return [[size] for size in most], [[size] for size in (1, 2, 3, 4)]


def _ways(cards: int) -> list[list[int]]:
    """Return every way to deal so many cards in packets; of many cards only that in one."""
    if cards > _LARGEST:
        return [[cards]]
    if not cards:
        return [[]]
    return [[first, *rest] for first in range(cards, 0, -1) for rest in _ways(cards - first)]


def dealt_otherwise(found: Identified) -> bool:
    """Say whether another deck was found than was asked for, or a program deals other hands than was found."""
    asked, played = found.bases[0], compile_profile(found.played[0])
    dealt = [one for one in found.observations if one.operation == "deal" and one.kind == "result"]
    # The taker may have more, which he lays away.
    sizes = {min(map(len, hands)) for one in dealt if (hands := one.given.get("hands"))}
    return asked.value(_REMOVED) != played.value(_REMOVED) or bool(sizes - {played.hand_size})
