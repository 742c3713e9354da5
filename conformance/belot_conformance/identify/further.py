"""Further questions: those that tell the rules found from others that explain what was asked so far as well."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from belot_conformance.diagnosis.mutations import canonical, other_values
from belot_conformance.identify.bench import Bench, Known, State
from belot_conformance.identify.found import Identified
from belot_conformance.identify.neighbours import known_values
from belot_conformance.identify.observations import Observation
from belot_conformance.programs.reference import put
from belot_conformance.recording.random_questions import CONTRIVED_ALONE, Question, random_questions
from belot_conformance.table.questions import RECORDINGS
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.catalogue import Rule
from belot_spec.errors import BelotError
from belot_spec.spec import Profile, Spec

# Deals played by the rules found, and how many questions of each operation are asked whatever they tell.
_DEALS: Final = 16
_EACH: Final = 16
_SEED: Final = 7
# How many questions are looked at for one that tells a value from the one found, and how many values of a rule.
_LOOKED_AT: Final = 32
_SMALLEST: Final = 16
_VALUES: Final = 16
# Of what explains the same answers, so many questions are asked of each kind.
_TELLING: Final = 2
# How many times questions are drawn by other rules than those found, and from how many deals.
_OTHERS: Final = 8
_OTHER_DEALS: Final = 12
_OTHER_CONTRIVED: Final = 100
_NEVER_READ: Final = "presentation."


@dataclass(frozen=True, slots=True)
class Drawn:
    """A question drawn from random deals that were played by the rules found."""

    name: str
    operation: str
    input: Mapping[str, Any]


class Further:
    """Random questions by the rules found; ``number`` is the lot.

    For the values ``untold``, which grow, none was found that tells them though they were drawn by them.
    """

    def __init__(self, found: Profile, spec: Spec, number: int, untold: set[str] | None = None) -> None:
        self.rules = compile_profile(found)
        self._spec = spec
        self._number = number
        self._others_left = _OTHERS
        self._untold = set() if untold is None else untold
        seen, known = [], {}
        for place, (operation, question) in enumerate(random_questions(self.rules, _DEALS, _SEED + number)):
            with suppress(BelotError):
                came = put(operation, self.rules, question)
                if came.answer is None:
                    continue
                name, message = f"{number}-{place:05}", came.message()
                kind = next(iter(message))
                seen.append(Observation(name, operation, question, kind, message[kind]))
                known[name] = Known.of(came, found)
        self._bench = Bench([found], sorted(seen, key=lambda one: len(str(one.input))), spec, {}, known)
        state = self._bench.state({})
        assert state is not None
        self._state: State = state

    def some_of_each(self) -> Iterator[Drawn]:
        """Yield questions of every operation, those first that read rules which no smaller question reads."""
        places: dict[str, list[tuple[int, int]]] = {}
        seen: dict[tuple[str, frozenset[str]], int] = {}
        for index, one in enumerate(self._bench.observations):
            key = one.operation, self._state.leaves[index].reads
            seen[key] = seen.get(key, 0) + 1
            places.setdefault(one.operation, []).append((seen[key], index))
        for found in places.values():
            yield from (self._drawn(index) for _, index in sorted(found)[:_EACH])

    def telling(self, found: Identified) -> Iterator[Drawn]:
        """Yield questions to which what fits equally gives another answer than the rules found."""
        for finding in found.findings:
            others = [{finding.rule: value} for value in finding.values]
            base = found.bases[0].settings.get(finding.rule)
            undone = {} if base is None else {finding.rule: base.value}
            others += [{one.rule: one.value, **undone} for one in finding.alike]
            for step in others:
                yield from self._telling(step, _TELLING, len(self._bench.observations))

    def near(self, asked: Bench, state: State) -> Iterator[Drawn]:
        """Yield a question for each other value of a rule that none of the answers so far speaks against."""
        for rule in self.rules.profile.settings:
            yield from self.about(rule, asked, state)

    def about(self, rule: str, asked: Bench, state: State) -> Iterator[Drawn]:
        """Yield a question for each other value of one rule that none of the answers so far speaks against."""
        slot = asked.slot(0, rule)
        right = state.readers.get(slot, set()) - state.wrong
        readers = _soonest(sorted(right, key=asked.cost.__getitem__))
        for value in _others(self._spec.rules[rule], self.rules.profile, self._spec):
            if asked.changed(state, {slot: value}) and asked.leaves(state, {slot: value}, readers):
                yield from self._telling({rule: value}, 1, _LOOKED_AT)

    def _telling(self, step: Mapping[str, Any], most: int, looked_at: int) -> Iterator[Drawn]:
        """Yield some of the smallest questions to which other values give another answer."""
        bench = self._bench
        changes = {bench.slot(0, rule): value for rule, value in step.items()}
        readers = sorted(bench.affected(self._state, changes))
        found = 0
        for index in _spread(readers, looked_at):
            if bench.stirs(self._state, changes, [index]):
                yield self._drawn(index)
                found += 1
                if found == most:
                    return
        if not found and (other := bench.changed(self._state, changes)) is not None:
            yield from islice(self._by_the_other(other, step), most)

    def _by_the_other(self, other: Profile, step: Mapping[str, Any]) -> Iterator[Drawn]:
        """Yield questions drawn from deals by other rules, for what never comes up by those that were found."""
        text = canonical([*step.items()])
        if text in self._untold or self._others_left == 0 or all(rule.startswith(_NEVER_READ) for rule in step):
            return
        self._others_left -= 1
        self._untold.add(text)
        operations = frozenset(self._bench.observations[index].operation for index in self._readers_of(step))
        rules, lot = compile_profile(other), f"{self._number}-{text}"
        for place, (operation, question) in enumerate(self._drawn_by(rules, operations or RECORDINGS)):
            own = put(operation, self.rules, question)
            if own.answer is not None and own.message() != put(operation, rules, question).message():
                yield Drawn(f"{lot}-{place:05}", operation, question)

    def _drawn_by(self, rules: Ruleset, operations: frozenset[str]) -> Iterator[Question]:
        """Yield many questions for which no deal is played, and some of the others."""
        seed = _SEED + self._number
        for wanted, deals in ((operations & CONTRIVED_ALONE, _OTHER_CONTRIVED), (operations, _OTHER_DEALS)):
            yield from random_questions(rules, deals, seed, wanted) if wanted else ()

    def _readers_of(self, step: Mapping[str, Any]) -> set[int]:
        return self._bench.affected(self._state, [self._bench.slot(0, rule) for rule in step])

    def _drawn(self, index: int) -> Drawn:
        one = self._bench.observations[index]
        return Drawn(one.id, one.operation, one.input)


def _others(rule: Rule, profile: Profile, spec: Spec) -> Sequence[Any]:
    """Return other values of a rule, those of other games first."""
    values = (*known_values(rule, spec), *other_values(rule, profile, spec))
    own = canonical(profile.settings[rule.id].value)
    found = {canonical(value): value for value in reversed(values)}
    return [found[text] for text in dict.fromkeys(map(canonical, values)) if text != own][:_VALUES]


def _soonest(indices: Sequence[int]) -> list[int]:
    """Return the smallest of some observations, and a few of the others."""
    return [*indices[:_SMALLEST], *_spread(indices[_SMALLEST:], _SMALLEST // 2)]


def _spread(indices: Sequence[int], most: int = _LOOKED_AT) -> Sequence[int]:
    """Return at most so many of some observations, from first to last."""
    return indices[:: max(1, -(-len(indices) // most))]
