"""What any rules say to the questions that a program answered: worked out once for all that agree in what is read."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from belot_conformance.explain.answers import ERROR, Answered, Ignored, Message, fields_wrong
from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.reference import put
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.questions import CONTRACT_RULES
from belot_spec.errors import BelotError
from belot_spec.files import canonical
from belot_spec.spec import Profile, Spec

# A rule, and its own value in the profile asked for as text, "" where it does not matter there: what an option sets
# otherwise is another slot.
Slot = tuple[str, str]
Changes = Mapping[Slot, Any]
# Compiled rules that are kept; those of a whole search are seldom more, and each takes some 100 kB.
_KEPT: Final = 2000


class Prediction(NamedTuple):
    """What some rules say to a question, the rules that were read for it, and in which fields the answer is wrong."""

    message: Message
    reads: frozenset[str]
    wrong: tuple[str, ...]


class State:
    """Values that replace those of the profiles asked for, and the same for each profile as text."""

    def __init__(self, changes: Changes, texts: Sequence[Mapping[str, str]]) -> None:
        self.changes = changes
        self.texts = texts


class Lab:
    """The answers of one program, asked for some profiles of one variant, and what other rules say to its questions."""

    def __init__(self, contexts: Sequence[Profile], spec: Spec) -> None:
        self.contexts, self.spec = contexts, spec
        self.answers: list[Answered] = []
        self.size: list[int] = []
        self.tried = 0
        self.ignored: Ignored = {}
        self._own = [{rule: canonical(one.value) for rule, one in each.settings.items()} for each in contexts]
        self._uncompared: list[frozenset[str]] = []
        self._tells_contract: list[bool] = []
        self._memo: list[dict[tuple[frozenset[str], frozenset[tuple[str, str]]], Prediction]] = []
        self._reads: list[list[frozenset[str]]] = []
        self._rules: dict[tuple[int, frozenset[tuple[str, str]]], Ruleset | None] = {}
        # The first compiled of each profile, whose tables all others share as far as they play alike.
        self._like: dict[int, Ruleset] = {}
        self.base = self.state({})

    def add(self, answers: Iterable[Answered]) -> list[int]:
        """Take more answers; return their numbers."""
        first = len(self.answers)
        for one in answers:
            self.answers.append(one)
            self.size.append(len(text := str(one.input)))
            self._tells_contract.append("'taker'" in text)
            self._memo.append({})
            self._reads.append([])
            self._uncompared.append(frozenset())
            place = len(self.answers) - 1
            said = self.predict(place, self.base)
            kind, fields = next(iter(said.message.items())) if said is not None else ("error", {})
            if one.expected and isinstance(fields, Mapping):
                expected = {name for each in one.expected if each.kind == kind for name in each.fields}
                if expected:
                    self._uncompared[place] = frozenset(fields.keys() - expected)
                    self._memo[place], self._reads[place] = {}, []
        return [*range(first, len(self.answers))]

    def ignore(self, ignored: Ignored) -> None:
        """Compare these fields of each operation no more."""
        self.ignored = {**ignored}
        self._memo = [{} for _ in self.answers]
        self._reads = [[] for _ in self.answers]

    def state(self, changes: Changes, begin: State | None = None) -> State:
        """Return some changes as what is searched with, beside those of another state."""
        found = State({}, [{} for _ in self.contexts]) if begin is None else begin
        texts = list(found.texts)
        for (rule, own), value in changes.items():
            text = canonical(value)
            for context, each in enumerate(self._own):
                if each.get(rule, "") == own:
                    texts[context] = {**texts[context], rule: text}
        return State({**found.changes, **changes}, texts)

    def without(self, state: State, slots: Iterable[Slot]) -> State:
        """Return a state without the changes of some rules."""
        gone = frozenset(slots)
        return self.state({slot: value for slot, value in state.changes.items() if slot not in gone})

    def slot(self, context: int, rule: str) -> Slot:
        """Return a rule as it stands in a profile that was asked for."""
        return rule, self._own[context].get(rule, "")

    def own(self, slot: Slot) -> Any:
        """Return the value of a rule in the profiles asked for, ``None`` where it does not matter."""
        rule, text = slot
        found = (
            each.settings[rule].value
            for each, own in zip(self.contexts, self._own, strict=True)
            if own.get(rule) == text
        )
        return next(found, None) if text else None

    def has(self, context: int, slot: Slot) -> bool:
        """Say whether a change of a slot changes a profile."""
        return self._own[context].get(slot[0], "") == slot[1]

    def rules(self, context: int, state: State) -> Ruleset | None:
        """Return a profile with changes as compiled rules; ``None`` if nobody could play so."""
        key = context, frozenset(state.texts[context].items())
        if key not in self._rules:
            if len(self._rules) >= _KEPT:
                self._rules.clear()
            values = {slot[0]: value for slot, value in state.changes.items() if self.has(context, slot)}
            try:
                found = compile_profile(
                    changed_profile(self.contexts[context], values, self.spec), self._like.get(context)
                )
                self._like.setdefault(context, found)
            except BelotError:
                found = None
            self._rules[key] = found
        return self._rules[key]

    def is_playable(self, state: State) -> bool:
        """Say whether somebody could play each of the profiles with these changes."""
        return all(self.rules(context, state) is not None for context in range(len(self.contexts)))

    def predict(self, place: int, state: State) -> Prediction | None:
        """Return what rules say to a question that was answered; ``None`` if nobody could play by them."""
        one, memo = self.answers[place], self._memo[place]
        texts = state.texts[one.context]
        for reads in self._reads[place]:
            key = reads, frozenset(item for item in texts.items() if item[0] in reads)
            if key in memo:
                return memo[key]
        rules = self.rules(one.context, state)
        if rules is None:
            return None
        self.tried += 1
        # Few programs refuse what no deal brings; one that says so is held to it.
        came = put(one.operation, rules, one.input, can_be=one.kind != ERROR)
        message, reads = came.message(), came.rests_on
        if self._tells_contract[place]:  # whether a bid can be told at all is looked at before anything is read
            reads |= CONTRACT_RULES
        uncompared = self._uncompared[place] | self.ignored.get(one.operation, frozenset())
        found = Prediction(message, reads, fields_wrong(one, message, uncompared))
        # What makes a question none is no part of what an answer reads, so that an error hangs on all rules.
        known = frozenset(self.spec.rules) if one.kind == ERROR else reads
        if known not in self._reads[place]:
            self._reads[place].append(known)
        memo[known, frozenset(item for item in texts.items() if item[0] in known)] = found
        return found

    def wrong_by(self, state: State) -> set[int]:
        """Return the numbers of the answers that are wrong by some rules."""
        return {place for place in range(len(self.answers)) if not self.is_right(place, state)}

    def is_right(self, place: int, state: State) -> bool:
        """Say whether a whole answer is right by some rules."""
        found = self.predict(place, state)
        return found is not None and not found.wrong
