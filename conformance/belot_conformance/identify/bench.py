"""Every question under any rules, asked of the engine once: an answer rests on the values of the rules that it read."""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from belot_conformance.diagnosis.mutations import canonical, changed_profile
from belot_conformance.identify.observations import Ignored, Observation
from belot_conformance.programs.reference import Came, put
from belot_conformance.table.questions import RECORDINGS
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.errors import UnplayableError
from belot_spec.spec import Profile, Spec

# A rule and the value that the profile asked for has for it, as text; "" where the rule does not matter there.
Slot = tuple[str, str]
Changes = Mapping[Slot, Any]

_COMPILED: Final = 96
_PROFILES: Final = 1500
# A wrong answer of the right kind is this much better than one of the other kind; each field counts in the rest.
_RIGHT_KIND: Final = 0.5
_LATEST: Final = 0.25
# What work costs: an answer to a small question, one to a recorded deal, and rules that were not played before.
_SMALL: Final = 1.0
_RECORDED: Final = 6.0
_COMPILING: Final = 1.0


@dataclass(frozen=True, slots=True)
class Leaf:
    """What an answer under some rules means for what was given: the fields that differ, and the rules that were read.

    ``loss`` is 0 for an answer exactly as it was given, and at most 1. Equal ``text`` is an equal answer. An answer
    ``is_spoiled`` if only fields differ that are not compared.
    """

    wrong: tuple[str, ...]
    is_spoiled: bool
    loss: float
    reads: frozenset[str]
    text: int


@dataclass(frozen=True, slots=True)
class Known:
    """An answer that the engine gave before, with the rules that it read and what their values were, as text."""

    reads: tuple[str, ...]
    values: tuple[str | None, ...]
    message: Mapping[str, Any]

    @classmethod
    def of(cls, came: Came, profile: Profile) -> "Known":
        """Return what came of a question put to the rules of a profile."""
        reads = tuple(sorted(came.rules if came.answer is not None else profile.settings))
        return cls(reads, tuple(canonical(profile.settings[rule].value) for rule in reads), came.message())


@dataclass(slots=True)
class _Played:
    profile: Profile
    keys: Mapping[str, str]


@dataclass
class State:
    """Some changes of the rules asked for, with what each observation makes of them.

    ``readers`` are, for each slot, the observations whose answers read that rule.
    """

    changes: dict[Slot, Any]
    leaves: list[Leaf]
    wrong: set[int] = field(default_factory=set)
    loss: float = 0.0
    readers: dict[Slot, set[int]] = field(default_factory=dict)


class Bench:
    """The observations of one program, and the rules by which it was asked; ``ignored`` fields are not compared.

    ``known`` are answers of the engine to some questions by their ids, which it is not asked for again.
    """

    def __init__(
        self,
        contexts: Sequence[Profile],
        observations: Sequence[Observation],
        spec: Spec,
        ignored: Ignored,
        known: Mapping[str, Known] = MappingProxyType({}),
    ) -> None:
        self.contexts = contexts
        self.observations = [one for one in observations if not one.says_nothing]
        self.spec = spec
        self.ignored = ignored
        self._known = known
        self.effort = 0.0
        self._own = [{rule: canonical(s.value) for rule, s in one.settings.items()} for one in contexts]
        self._values: dict[Slot, Any] = {
            (rule, canonical(setting.value)): setting.value
            for one in contexts
            for rule, setting in one.settings.items()
        }
        self._memo: list[list[tuple[tuple[str, ...], dict[tuple[str | None, ...], Leaf]]]] = [
            [] for _ in self.observations
        ]
        self._reads: dict[frozenset[str], tuple[frozenset[str], tuple[str, ...]]] = {}
        self._profiles: dict[tuple[int, str], _Played | None] = {}
        self._compiled: OrderedDict[int, tuple[_Played, Ruleset]] = OrderedDict()
        self.cost = [len(str(one.input)) for one in self.observations]

    def rebased(self, contexts: Sequence[Profile]) -> "Bench":
        """Return a bench of the same observations, asked for other profiles, that knows what this one knows."""
        made = Bench(contexts, self.observations, self.spec, self.ignored, self._known)
        made._memo, made._reads = self._memo, self._reads
        return made

    def remember(self, other: "Bench") -> None:
        """Know what another bench, of earlier answers of the same program, knows of the observations of both."""
        if other.ignored == self.ignored:
            known = {id(one): memo for one, memo in zip(other.observations, other._memo, strict=True)}
            self._memo = [known.get(id(one), memo) for one, memo in zip(self.observations, self._memo, strict=True)]
            self._reads = other._reads

    def part(self, operations: Collection[str]) -> "Bench":
        """Return a bench of the observations of some operations only, that knows what this one knows."""
        return self._of([index for index, one in enumerate(self.observations) if one.operation in operations])

    def sample(self, size: int) -> "Bench":
        """Return a bench of so many observations, spread over all of them, that knows what this one knows."""
        step = max(1, len(self.observations) // size)
        return self._of(range(0, len(self.observations), step))

    def _of(self, kept: Sequence[int]) -> "Bench":
        made = Bench(self.contexts, [self.observations[index] for index in kept], self.spec, self.ignored, self._known)
        made._memo, made._reads = [self._memo[index] for index in kept], self._reads
        return made

    def slot(self, context: int, rule: str) -> Slot:
        """Return where a rule is changed for all profiles that have the value of this one."""
        return rule, self._own[context].get(rule, "")

    def slots_of_rule(self, rule: str) -> list[Slot]:
        """Return where a rule is changed for every profile asked for."""
        return list(dict.fromkeys(self.slot(context, rule) for context in range(len(self.contexts))))

    def own(self, slot: Slot) -> Any:
        """Return the value of the profiles asked for; ``None`` for a rule that does not matter in them."""
        return self._values.get(slot)

    def state(self, changes: Changes) -> State | None:
        """Return what all observations make of some changes; ``None`` if nobody could play so."""
        played = self._play(changes)
        if played is None:
            return None
        made = State(self._kept(changes), [self._leaf(i, played) for i in range(len(self.observations))])
        for index, leaf in enumerate(made.leaves):
            self._enter(made, index, leaf)
        made.loss = sum(leaf.loss for leaf in made.leaves)
        return made

    def stepped(self, state: State, step: Changes) -> State:
        """Return the state after a step that can be played."""
        return self._moved(state, {**state.changes, **step}, step)

    def without(self, state: State, slots: Iterable[Slot]) -> State | None:
        """Return the state with the rules of some slots as they were asked for; ``None`` if nobody could play so."""
        gone = set(slots)
        changes = {slot: value for slot, value in state.changes.items() if slot not in gone}
        return None if self._play(changes) is None else self._moved(state, changes, gone)

    def _moved(self, state: State, changes: Changes, touched: Iterable[Slot]) -> State:
        played = self._play(changes)
        assert played is not None
        leaves = list(state.leaves)
        made = State(
            self._kept(changes), leaves, set(state.wrong), state.loss, {k: set(v) for k, v in state.readers.items()}
        )
        for index in self.affected(state, touched):
            old, new = leaves[index], self._leaf(index, played)
            if new is old:
                continue
            for slot in self._slots(index, old):
                made.readers[slot].discard(index)
            made.wrong.discard(index)
            leaves[index] = new
            made.loss += new.loss - old.loss
            self._enter(made, index, new)
        return made

    def affected(self, state: State, step: Iterable[Slot]) -> set[int]:
        """Return the observations whose answers read what a step changes: no other answer can change."""
        found: set[int] = set()
        for slot in step:
            found |= state.readers.get(slot, set())
        return found

    def wrong_readers(self, state: State, slot: Slot) -> list[int]:
        """Return the wrong answers that read a rule, those first that rest on the fewest rules."""
        return self._by_promise(state, state.readers.get(slot, set()) & state.wrong)

    def _by_promise(self, state: State, indices: Iterable[int]) -> list[int]:
        return sorted(indices, key=lambda index: (len(state.leaves[index].reads), self.cost[index]))

    def stirs(self, state: State, step: Changes, indices: Iterable[int]) -> bool:
        """Say whether a step that can be played changes one of these answers."""
        played = self._play({**state.changes, **step})
        leaves = state.leaves
        return played is not None and any(self._leaf(index, played).text != leaves[index].text for index in indices)

    def gain(self, state: State, step: Changes, needed: float = 0.0, look: int | None = None) -> float:
        """Return by how much a step lowers the loss, or a number not above ``needed`` if it does not lower it by more.

        With ``look`` a step that lowers the loss of none of so many wrong answers, those that rest on the fewest rules,
        is taken for useless.
        """
        affected = self.affected(state, step)
        leaves = state.leaves
        wrong = self._by_promise(state, affected & state.wrong)
        if not wrong:
            return 0.0
        played = self._play({**state.changes, **step})
        if played is None:
            return 0.0
        gained, possible = 0.0, sum(leaves[index].loss for index in wrong)
        for seen, index in enumerate(wrong):
            old = leaves[index].loss
            difference = old - self._leaf(index, played).loss
            gained += difference
            possible += difference - old
            if possible <= needed or (look is not None and seen + 1 >= look and gained <= 0):
                return min(possible, gained, needed)
        for index in affected - state.wrong:
            gained -= self._leaf(index, played).loss
            if gained <= needed:
                return gained
        return gained

    def leaf_after(self, state: State, step: Changes, index: int) -> Leaf | None:
        """Return what one observation makes of a step; ``None`` if nobody could play so."""
        played = self._play({**state.changes, **step})
        return None if played is None else self._leaf(index, played)

    def message(self, changes: Changes, index: int) -> Mapping[str, Any]:
        """Return the answer to the question of one observation under some changes that can be played."""
        return self.said(changes, self.observations[index])

    def said(self, changes: Changes, one: Observation) -> Mapping[str, Any]:
        """Return the answer to a question under some changes that can be played."""
        played = self._play(changes)
        assert played is not None
        return put(one.operation, self._ruleset(played[one.context]), one.input).message()

    def profile(self, changes: Changes, context: int = 0) -> Profile:
        """Return the profile that is played in place of the one asked for."""
        played = self._play(changes)
        assert played is not None
        return played[context].profile

    def _kept(self, changes: Changes) -> dict[Slot, Any]:
        return {slot: value for slot, value in changes.items() if not slot[1] or canonical(value) != slot[1]}

    def _slots(self, index: int, leaf: Leaf) -> Iterator[Slot]:
        own = self._own[self.observations[index].context]
        return ((rule, own.get(rule, "")) for rule in leaf.reads)

    def _enter(self, state: State, index: int, leaf: Leaf) -> None:
        for slot in self._slots(index, leaf):
            state.readers.setdefault(slot, set()).add(index)
        if leaf.wrong:
            state.wrong.add(index)

    def _play(self, changes: Changes) -> "_Tables | None":
        """Return what is played for each profile asked for; ``None`` if nobody could play so for the first of them."""
        return None if self._played(0, changes) is None else _Tables(self, changes)

    def table(self, context: int, changes: Changes) -> _Played:
        """Return what is played for one profile; where nobody could play so, it is played as it was asked for."""
        played = self._played(context, changes) or self._played(context, {})
        assert played is not None
        return played

    def _played(self, context: int, changes: Changes) -> _Played | None:
        own = self._own[context]
        values = {rule: value for (rule, text), value in changes.items() if own.get(rule, "") == text}
        texts = {rule: canonical(value) for rule, value in values.items()}
        key = context, str(sorted(texts.items()))
        if key not in self._profiles:
            if len(self._profiles) > _PROFILES:
                self._profiles.clear()
            self._profiles[key] = self._changed(context, values, texts)
        return self._profiles[key]

    def _changed(self, context: int, values: Mapping[str, Any], texts: Mapping[str, str]) -> _Played | None:
        profile = changed_profile(self.contexts[context], values, self.spec) if values else self.contexts[context]
        own = self._own[context]
        keys = {
            rule: texts[rule] if rule in texts else own.get(rule) or canonical(setting.value)
            for rule, setting in profile.settings.items()
        }
        played = _Played(profile, keys)
        try:
            self._ruleset(played)
        except UnplayableError:
            return None
        return played

    def _ruleset(self, played: _Played) -> Ruleset:
        key = id(played)
        if key in self._compiled:
            self._compiled.move_to_end(key)
            return self._compiled[key][1]
        self.effort += _COMPILING
        compiled = compile_profile(played.profile)
        self._compiled[key] = played, compiled
        if len(self._compiled) > _COMPILED:
            self._compiled.popitem(last=False)
        return compiled

    def _leaf(self, index: int, played: "_Tables") -> Leaf:
        one = self.observations[index]
        table = played[one.context]
        keys, memo = table.keys, self._memo[index]
        for reads, known in memo:
            leaf = known.get(tuple(map(keys.get, reads)))
            if leaf is not None:
                return leaf
        before = self._known.get(one.id)
        if before is not None and tuple(map(keys.get, before.reads)) == before.values:
            message, rules = before.message, frozenset(before.reads)
        else:
            self.effort += _RECORDED if one.operation in RECORDINGS else _SMALL
            came = put(one.operation, self._ruleset(table), one.input)
            # Of a question that makes no sense by some rules it is not known what was read to see that.
            message, rules = came.message(), came.rules if came.answer is not None else frozenset(keys)
        # Many answers read the same rules, which are kept once.
        rules, reads = self._reads.setdefault(rules, (rules, tuple(sorted(rules))))
        leaf = self._judged(one, message, rules)
        found = next((answers for each, answers in memo if each == reads), None)
        if found is None:
            found = {}
            memo.append((reads, found))
        found[tuple(map(keys.get, reads))] = leaf
        return leaf

    def _judged(self, one: Observation, message: Mapping[str, Any], rules: frozenset[str]) -> Leaf:
        all_wrong = one.wrong_fields(message)
        unseen = self.ignored.get(one.operation, frozenset())
        wrong = tuple(field for field in all_wrong if field not in unseen)
        loss = 0.0
        if wrong:
            fields = max(len(one.given), len(wrong), 1)
            other_kind = next(iter(message)) != one.kind
            loss = (
                _too_soon(one, message) if other_kind else _RIGHT_KIND + (1 - _RIGHT_KIND) * len(wrong) / (fields + 1)
            )
        return Leaf(wrong, bool(all_wrong) and not wrong, loss, rules, hash(canonical(message)))


def _too_soon(one: Observation, message: Mapping[str, Any]) -> float:
    """Return the loss of an answer of the other kind: rules that refuse what was done later are a little better."""
    at, actions = message.get("rejected", {}).get("at"), one.input.get("actions")
    return 1.0 - _LATEST * at / max(1, len(actions)) if at is not None and actions else 1.0


class _Tables:
    """What is played for each profile that was asked for, made when it is wanted."""

    def __init__(self, bench: Bench, changes: Changes) -> None:
        self._bench = bench
        self._changes = changes
        self._made: dict[int, _Played] = {}

    def __getitem__(self, context: int) -> _Played:
        if context not in self._made:
            self._made[context] = self._bench.table(context, self._changes)
        return self._made[context]
