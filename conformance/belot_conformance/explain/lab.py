"""What any rules say to the questions that a program answered: worked out once for all that agree in what is read."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from belot_conformance.contrast.probe import Rival, proved_alike
from belot_conformance.explain.answers import ERROR, Answered, Ignored, Message, fields_wrong
from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.reference import Came, is_of_form, put
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.judge import OTHER_KIND
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.questions import CONTRACT_RULES
from belot_reference.trace import ValuePart, part_of, rules_of_form
from belot_spec.errors import BelotError
from belot_spec.files import canonical
from belot_spec.spec import Profile, Spec

# A rule, and its own value in the profile asked for as text, "" where it does not matter there: what an option sets
# otherwise is another slot.
Slot = tuple[str, str]
Changes = Mapping[Slot, Any]
# The rules of which an answer read all, and those of which it read only parts, with these; and what it read there.
_Reads = tuple[frozenset[str], frozenset[ValuePart]]
_Read = frozenset[tuple[str, str]]
_TAKER: Final = "'taker'"
# Compiled rules that are kept, of 100 kB each.
_KEPT: Final = 2000


@lru_cache(maxsize=100_000)
def _part_of(text: str, part: ValuePart) -> str:
    """Return a part of a value, both as text; of what has no such part all."""
    try:
        return canonical(part_of(json.loads(text), part))
    except LookupError:
        return text


class Prediction(NamedTuple):
    """What some rules say to a question, the rules that were read for it, and in which fields the answer is wrong."""

    message: Message
    reads: frozenset[str]
    wrong: tuple[str, ...]


_NOBODY: Final = Prediction({"error": "nobody could play so"}, frozenset(), (OTHER_KIND,))


class State(NamedTuple):
    """Values that replace those of the profiles asked for, and the same for each profile as text.

    ``read`` keeps what of them is read otherwise by the answers of a profile that read the same.
    """

    changes: Changes
    texts: Sequence[Mapping[str, str]]
    read: dict[tuple[int, _Reads], _Read]


class Lab:
    """The answers of one program, asked for some profiles of one variant, and what other rules say to its questions.

    Of each operation the fields that are ``ignored`` make no answer wrong, and what is ``mute`` is none, but called so.
    An answer that is right but for fields that are ``broken``, and ignored for that, is not right as a whole.
    ``given`` are the fields that the program says it gives, of operations of which it does not give all, ``known`` what
    comes of questions by the first profile, by their text, where that was worked out before.
    """

    def __init__(
        self,
        contexts: Sequence[Profile],
        spec: Spec,
        answers: Iterable[Answered] = (),
        given: Mapping[str, Collection[str]] = MappingProxyType({}),
        known: Mapping[str, Came] = MappingProxyType({}),
    ) -> None:
        self.contexts, self.spec, self.given, self._known = contexts, spec, given, known
        self.answers: list[Answered] = []
        self.size: list[int] = []
        self.tried = 0
        self.ignored: Ignored = {}
        self.broken: Ignored = {}
        self.mute: Mapping[int, str] = {}
        self._can_be: list[bool] = []
        self._tells_taker: list[bool] = []
        self._own = [{rule: canonical(one.value) for rule, one in each.settings.items()} for each in contexts]
        self._uncompared: list[frozenset[str]] = []
        self._memo: list[dict[_Reads, dict[_Read, Prediction]]] = []
        self._rules: dict[tuple[int, _Read], Ruleset | None] = {}
        # Of each profile what is played now, whose tables all others share as far as they play alike.
        self._like: dict[int, Ruleset] = {}
        self.base = State({}, [{} for _ in contexts], {})
        self._every: _Reads = frozenset(spec.rules), frozenset()
        self._reads: dict[_Reads, _Reads] = {}
        self.add(answers)

    def add(self, answers: Iterable[Answered]) -> list[int]:
        """Take more answers; return their numbers."""
        first = len(self.answers)
        for place, one in enumerate(answers, first):
            self.answers.append(one)
            text = str(one.input)
            self.size.append(len(text))
            self._tells_taker.append(_TAKER in text)
            every = OPERATIONS[one.operation].result_fields
            self._uncompared.append(frozenset(every).difference(self.given.get(one.operation, every)))
            self._memo.append({})
            came = self._known.get(one.text) if one.context == 0 else None
            self._can_be.append(one.kind != ERROR if came is not None and came.answer is not None else _can_be(one))
            if came is None or (came.answer is None and self._can_be[place]):
                rules = self.rules(one.context, self.base)
                assert rules is not None
                came = put(one.operation, rules, one.input, can_be=self._can_be[place])
            # What the suite does not compare, of what the rules asked for say.
            kind, fields = next(iter(came.message().items()))
            expected = {name for each in one.expected if each.kind == kind for name in each.fields}
            self._uncompared[place] |= frozenset(fields).difference(expected) if expected else frozenset()
            self._keep(place, self.base, *self._judged(place, came))
        return [*range(first, len(self.answers))]

    @property
    def live(self) -> list[int]:
        """The numbers of all that are answers."""
        return [place for place in range(len(self.answers)) if place not in self.mute]

    def by_size(self, places: Iterable[int]) -> list[int]:
        """Return the numbers of answers, those to the smallest questions first."""
        return sorted(places, key=self.size.__getitem__)

    def changed(self, state: State, changes: Changes) -> State:
        """Return a state with changes; ``None``, or what a profile plays itself, takes a change back."""
        values, texts = dict(state.changes), [*state.texts]
        for slot, value in changes.items():
            text = slot[1] if value is None else canonical(value)
            kept = {slot[0]: text} if text != slot[1] else {}
            values = {**{one: each for one, each in values.items() if one != slot}, **({slot: value} if kept else {})}
            for context in self.contexts_of(slot):
                texts[context] = {**{rule: each for rule, each in texts[context].items() if rule != slot[0]}, **kept}
        return State(values, texts, {})

    def without(self, state: State, slot: Slot) -> State:
        """Return a state without the change of a rule."""
        return self.changed(state, {slot: None})

    def slot(self, context: int, rule: str) -> Slot:
        """Return a rule as it stands in a profile that was asked for."""
        return rule, self._own[context].get(rule, "")

    def contexts_of(self, slot: Slot) -> list[int]:
        """Return the numbers of the profiles that a change of a slot changes."""
        return [number for number, own in enumerate(self._own) if own.get(slot[0], "") == slot[1]]

    def played(self, context: int, state: State) -> Profile:
        """Return a profile with changes; raises ``UnplayableError`` if nobody could play so."""
        values = {slot[0]: value for slot, value in state.changes.items() if context in self.contexts_of(slot)}
        return changed_profile(self.contexts[context], values, self.spec)

    def rules(self, context: int, state: State) -> Ruleset | None:
        """Return a profile with changes as compiled rules; ``None`` if nobody could play so."""
        key = context, frozenset(state.texts[context].items())
        if key not in self._rules:
            if len(self._rules) >= _KEPT:
                self._rules.clear()
            try:
                found = compile_profile(self.played(context, state), self._like.get(context))
            except BelotError:
                found = None
            self._rules[key] = found
        return self._rules[key]

    def follow(self, state: State) -> None:
        """Let what is compiled from now on share its tables with a state."""
        for context in range(len(self.contexts)):
            if (rules := self.rules(context, state)) is not None:
                self._like[context] = rules

    def is_playable(self, state: State) -> bool:
        """Say whether somebody could play each of the profiles with these changes."""
        return all(self.rules(context, state) is not None for context in range(len(self.contexts)))

    def is_proved(self, context: int, state: State, other: State) -> bool:
        """Say whether other changes provably play the same game, so that they are no other value."""
        rules, others = self.rules(context, state), self.rules(context, other)
        return (
            rules is not None and others is not None and bool(proved_alike(rules, Rival.of(rules, others), self.spec))
        )

    def predict(self, place: int, state: State) -> Prediction:
        """Return what rules say to a question that was answered; all is wrong by what nobody could play."""
        one = self.answers[place]
        for reads, said in self._memo[place].items():
            if before := said.get(self._read(one.context, state, reads)):
                return before
        rules = self.rules(one.context, state)
        if rules is None:
            return _NOBODY
        self.tried += 1
        came = put(one.operation, rules, one.input, can_be=self._can_be[place])
        return self._keep(place, state, *self._judged(place, came))

    def _keep(self, place: int, state: State, said: Prediction, parts: frozenset[ValuePart]) -> Prediction:
        one = self.answers[place]
        # What makes a question none is no part of what an answer reads, so that an error hangs on all rules.
        reads = self._every if one.kind == ERROR else (said.reads, parts)
        reads = self._reads.setdefault(reads, reads)
        self._memo[place].setdefault(reads, {})[self._read(one.context, state, reads)] = said
        return said

    def _read(self, context: int, state: State, reads: _Reads) -> _Read:
        """Return what of the rules that are changed an answer reads otherwise, of some rules only parts."""
        if (read := state.read.get((context, reads))) is None:
            read = state.read[context, reads] = self._read_otherwise(context, state.texts[context], reads)
        return read

    def _read_otherwise(self, context: int, texts: Mapping[str, str], reads: _Reads) -> _Read:
        rules, parts = reads
        read = {(rule, text) for rule, text in texts.items() if rule in rules}
        for part in parts if read else ():
            if part.rule in texts and part.rule in self._own[context]:
                own, text = self._own[context][part.rule], texts[part.rule]
                read.discard((part.rule, text))
                if (said := _part_of(text, part)) != _part_of(own, part):
                    read.add((canonical(part), said))
        return frozenset(read)

    def said(self, one: Answered, rules: Ruleset) -> tuple[str, ...]:
        """Return in which fields an answer is not what some rules say."""
        return fields_wrong(one, put(one.operation, rules, one.input, can_be=_can_be(one)).message(), ())

    def _judged(self, place: int, came: Came) -> tuple[Prediction, frozenset[ValuePart]]:
        message, reads, whole = came.message(), came.rests_on, rules_of_form(came.form)
        if self._tells_taker[place]:  # whether a bid can be told at all is looked at before anything is read
            reads |= CONTRACT_RULES
            whole |= CONTRACT_RULES
        parts = frozenset(part for part in came.parts if part.rule not in whole)
        return Prediction(message, reads, fields_wrong(self.answers[place], message, self._uncompared[place])), parts

    def wrong_in(self, place: int, state: State) -> tuple[str, ...]:
        """Return the fields in which an answer is not what some rules say, but for those that are ignored."""
        return self.wrong_of(place, self.predict(place, state))

    def wrong_of(self, place: int, said: Prediction) -> tuple[str, ...]:
        """Return the fields in which an answer is not what was said, but for those that are ignored."""
        wrong = said.wrong
        if wrong and (ignored := self.ignored.get(self.answers[place].operation)):
            return tuple(one for one in wrong if one not in ignored)
        return wrong

    def is_right(self, place: int, state: State) -> bool:
        """Say whether a whole answer is right by some rules."""
        return not self.wrong_in(place, state)

    def is_whole(self, place: int, state: State) -> bool:
        """Say whether an answer is right by some rules in every field, those too that no rules explain elsewhere."""
        broken = self.broken.get(self.answers[place].operation, frozenset())
        return self.is_right(place, state) and broken.isdisjoint(self.predict(place, state).wrong)

    def wrong_by(self, state: State) -> set[int]:
        """Return the numbers of the answers that are wrong by some rules."""
        return {place for place in self.live if not self.is_right(place, state)}


def _can_be(one: Answered) -> bool:
    """Say whether it need not be looked at whether an answered question is one, whatever is played.

    Few programs refuse what no deal brings; one that says so is held to it.
    """
    return one.kind != ERROR and is_of_form(one.operation, one.input)
