"""What speaks for each rule that was found, what fits equally, and what is left over."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from belot_conformance.contrast.proofs import tricks_played_alike
from belot_conformance.diagnosis.mutations import other_values
from belot_conformance.identify.bench import Bench, State
from belot_conformance.identify.found import Alike, Broken, Example, Finding
from belot_conformance.identify.observations import Observation
from belot_conformance.identify.played import Changes, Slot
from belot_conformance.identify.search import Search
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.files import canonical

_AS_GOOD: Final = 1e-6


def findings_of(search: Search, state: State) -> tuple[State, list[Finding]]:
    """Return each changed rule with what it explains and what fits equally; the likeliest of equals is the one named.

    Of equals the cheapest is put in the place of what the search happened to find.
    """
    bench = search.bench
    findings = []
    for slot in list(state.changes):
        without = bench.without(state, [slot])
        if without is None:
            # Nobody could play without it alone: it goes with another one, and together they are right.
            base = bench.state({})
            assert base is not None
            findings.append(_finding(search, state, base, (slot, state.changes[slot]), ()))
            continue
        equals = _equals(search, state, without, slot)
        named = min(equals, key=lambda one: (search.price(*one), one[0] != slot, len(canonical(one[1]))))
        if named[0] == slot or named[0] not in state.changes:
            state = bench.stepped(without, dict([named]))
        else:
            named = slot, state.changes[slot]
        findings.append(_finding(search, state, without, named, equals))
    return state, findings


def _finding(
    search: Search, state: State, without: State, named: tuple[Slot, Any], equals: Sequence[tuple[Slot, Any]]
) -> Finding:
    bench = search.bench
    slot, value = named
    text = canonical(value)
    right = sorted(without.wrong - state.wrong, key=bench.cost.__getitem__)
    contexts = tuple(number for number in range(len(bench.contexts)) if bench.slot(number, slot[0]) == slot)
    others = [other for at, other in equals if at == slot and canonical(other) != text]
    return Finding(
        rule=slot[0],
        own=bench.own(slot),
        value=value,
        right=tuple(right),
        wrong=len(state.wrong - without.wrong),
        contexts=contexts,
        example=_example(bench, without, right[0]) if right else None,
        values=tuple(_other_games(bench, state, named, others, contexts[0] if contexts else 0)),
        alike=tuple(Alike(at[0], other) for at, other in equals if at != slot),
    )


def _other_games(
    bench: Bench, state: State, named: tuple[Slot, Any], others: Sequence[Any], context: int
) -> Iterator[Any]:
    """Yield the values of a rule that are not one and the same thing: a duty that can be worded in two ways is one."""
    slot, value = named
    if not str(bench.spec.rules[slot[0]].value_schema.get("$ref")).endswith("ladder"):
        yield from others
        return
    known = [_compiled(bench, state, {slot: value}, context)]
    for other in sorted(others, key=len):
        rules = _compiled(bench, state, {slot: other}, context)
        if not any(tricks_played_alike(one, rules) for one in known):
            known.append(rules)
            yield other


def _compiled(bench: Bench, state: State, step: Changes, context: int) -> Ruleset:
    profile = bench.changed(state, step, context)
    assert profile is not None
    return compile_profile(profile)


def _example(bench: Bench, state: State, index: int) -> Example:
    one = bench.observations[index]
    return Example(one.id, one.operation, one.input, {one.kind: one.value}, bench.message(state, index))


def groups_of(bench: Bench, state: State, silent: Sequence[Observation]) -> list[Broken]:
    """Return what no rules explain by operation and fields, most answers first, each with its smallest question."""
    found: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for index in sorted(state.wrong, key=bench.cost.__getitem__):
        found.setdefault((bench.observations[index].operation, state.leaves[index].wrong), []).append(index)
    groups = [
        Broken(operation, fields, len(indices), _example(bench, state, indices[0]))
        for (operation, fields), indices in found.items()
    ]
    kinds: dict[tuple[str, str], list[Observation]] = {}
    for one in sorted(silent, key=lambda one: len(str(one.input))):
        kinds.setdefault((one.operation, one.kind), []).append(one)
    for (operation, kind), ones in kinds.items():
        first = ones[0]
        example = Example(first.id, operation, first.input, {kind: first.value}, {})
        groups.append(Broken(operation, (kind,), len(ones), example))
    return sorted(groups, key=lambda one: (-one.count, one.operation, one.fields))


def _equals(search: Search, state: State, without: State, slot: Slot) -> list[tuple[Slot, Any]]:
    """Return the values, of this rule and of others, by which exactly the same answers are right.

    Of those the ones by which the others are the least wrong: what a bug spoils may tell values apart all the same.
    """
    bench = search.bench
    right = sorted(without.wrong - state.wrong, key=bench.cost.__getitem__)
    found: dict[str, tuple[Slot, Any]] = {canonical([*slot, state.changes[slot]]): (slot, state.changes[slot])}
    gains = {canonical([*slot, state.changes[slot]]): without.loss - state.loss}
    slots = search.steps.slots_of(right[0], without.leaves[right[0]].reads) if right else []
    for other in sorted(slots):
        if other != slot and (other in state.changes or not without.readers.get(other, set()).issuperset(right)):
            continue
        # The answers that have to become right are looked at first, then all others that could change.
        readers = without.readers.get(other, set())
        if not state.wrong ^ without.wrong <= readers:
            continue
        places = [*right, *sorted(readers.difference(right), key=bench.cost.__getitem__)]
        candidates = [
            *search.steps.values(without, other),
            *(search.steps.values(state, other) if other == slot else ()),
        ]
        for value in candidates:
            key = canonical([*other, value])
            if key in found or canonical(value) == other[1]:
                continue
            if bench.leaves(without, {other: value}, places, state.wrong):
                found[key] = other, value
                gains[key] = bench.gain(without, {other: value}, -without.loss - len(without.leaves))
    most = max(gains.values()) - _AS_GOOD
    return [found[key] for key, gain in gains.items() if gain >= most]


def unseen_rules(bench: Bench, state: State, among: Collection[str] | None = None) -> list[str]:
    """Return the rules of which no other value would make an answer right or wrong, in the catalogue's order.

    With ``among`` only these rules are looked at.
    """
    found = []
    for rule in bench.spec.rules.values():
        if among is not None and rule.id not in among:
            continue
        contexts = [
            context for context in range(len(bench.contexts)) if rule.id in bench.profile(state, context).settings
        ]
        if contexts and not any(_is_seen(bench, state, rule.id, context) for context in contexts):
            found.append(rule.id)
    return found


def _is_seen(bench: Bench, state: State, rule: str, context: int) -> bool:
    slot = bench.slot(context, rule)
    readers = sorted(state.readers.get(slot, ()), key=bench.cost.__getitem__)
    if not readers:
        return False
    profile = bench.profile(state, context)
    could_be = False
    for value in other_values(bench.spec.rules[rule], profile, bench.spec):
        for index in readers:
            leaf = bench.leaf_after(state, {slot: value}, index)
            if leaf is None:
                break
            could_be = True
            if bool(leaf.wrong) != bool(state.leaves[index].wrong):
                return True
    # Where nobody could play by another value, there is nothing to tell.
    return not could_be
